import { answerFile, type File, files } from '../../documents/file/file.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { type Input, type Operation, operation, type Reply } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { Guest } from './find-guest.ts'
import { isShownToGuests } from './guest-ticket.ts'

/** Finds a file of the conversation that the guest reads. A file of a note, of another ticket or of nothing does not exist for them. */
async function fileFor(ctx: Context, { ticket }: Guest, id: string): Promise<File> {
  const { tenantId } = ctx.caller
  const [attached] = isId(id)
    ? await ctx.sql`select 1 from annotation a where a.tenant_id = ${tenantId} and a.item_id = ${ticket.id}
        and ${isShownToGuests(raw('a'))} and ${sql`${id}::uuid`} = any(a.attachments) limit 1`
    : []
  const file = attached && (await files.find(ctx, id))
  if (!file) throw new NotFound('file')
  return file
}

/** Sends a file to a guest, with the headers that every download has. */
export async function downloadForGuest(
  ctx: Context,
  guest: Guest,
  fileId: string,
  asked: Pick<Input, 'headers' | 'query'>,
): Promise<Reply> {
  return await answerFile(ctx, await fileFor(ctx, guest, fileId), asked)
}

/** How the download is described. It is no operation of the route table, because a guest has no permissions. */
export const guestDownload: Operation = operation({
  permission: files.permissions.read,
  mode: 'read',
  summary: 'Download a file by a link',
  description:
    'The bytes of a file that is attached to a message of the public conversation, always as an attachment. A file of an internal note, of another ticket or of another tenant is answered like one that does not exist. `Range` may contain one range; `If-Range` and `If-None-Match` compare the ETag, which is the SHA-256 of the bytes.',
  reply: {
    status: 200,
    schema: { type: 'string', format: 'binary', contentMediaType: '*/*' },
    description: 'The bytes, with the media type of their content.',
    headers: ['ETag', 'Accept-Ranges', 'Content-Disposition'],
  },
  also: { 206: 'The requested range.', 304: 'The copy with this ETag is current.' },
  refusals: [403, 404, 409, 416, 429],
  async run() {
    throw new NotFound('address')
  },
})
