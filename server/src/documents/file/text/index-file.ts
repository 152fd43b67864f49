import { buffer } from 'node:stream/consumers'
import { enqueue } from '../../../engine/dispatch/enqueue.ts'
import type { Task } from '../../../engine/dispatch/task.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { noteWords } from '../../../language/search/search.ts'
import { fileState } from '../file-state.ts'
import { extractorOf, extractText } from './extract-text.ts'

const taskName = 'index-file'

/** The characters of a text whose words are known to the search for mistyped words. */
const maxNoted = 20_000

interface IndexedFile {
  id: Id
  name: string
  mime: string
  size: number
}

/** Lets the text of a file be read after the transaction that makes it ready. The words of its name are stored at once. */
export async function enqueueIndex(ctx: Context, file: IndexedFile): Promise<void> {
  noteWords(ctx, [file.name])
  if (extractorOf(file)) await enqueue(ctx, { task: taskName, payload: { id: file.id } })
}

/** Reads the text of a file, so that the search finds it. */
export const indexTask: Task = {
  name: taskName,
  retryDelays: [5_000, 60_000, 600_000],
  async run(work) {
    const found = await work.single(work.service, ctx => readyFile(ctx, String(work.payload.id)))
    if (!found) return
    const { id, extractor, bytes } = found
    const last = Math.min(found.size, extractor.maxBytes) - 1
    const body = await extractText(extractor, await buffer(await bytes.open({ start: 0, end: last })))
    await work.transaction(work.service, ctx => storeText(ctx, id, body))
  },
}

async function readyFile(ctx: Context, id: Id) {
  const [file] = await ctx.sql<
    IndexedFile & { sha256: string }
  >`select id, name, mime, size::int8 as size, sha256 from file
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state = ${fileState.ready} and not deleted`
  const extractor = file && extractorOf({ ...file, size: Number(file.size) })
  if (!file || !extractor) return undefined
  const bytes = await ctx.services.storedBytes.find(ctx, file.sha256)
  return { id: file.id, size: Number(file.size), extractor, bytes }
}

/** A file that was removed for good in the meantime has no text. */
async function storeText(ctx: Context, id: Id, body: string): Promise<void> {
  const stored = await ctx.sql`insert into file_text (tenant_id, id, body)
    select f.tenant_id, f.id, ${body} from file f where f.tenant_id = ${ctx.caller.tenantId} and f.id = ${id}
    on conflict (tenant_id, id) do update set body = excluded.body returning 1`
  if (stored.length > 0) noteWords(ctx, [body.slice(0, maxNoted)])
}
