import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input, Reply } from '../../kernel/operation.ts'
import { Conflict, Refusal } from '../../kernel/refusal.ts'
import { bytesReply } from '../../platform/bytes/stored-bytes.ts'
import { portion } from './byte-range.ts'
import { disposition } from './file-name.ts'
import { fileState } from './file-state.ts'
import { isSafeInline } from './media-type.ts'

/** The properties of a file that a download needs. */
export interface DownloadableFile {
  id: Id
  name: string
  mime: string
  size: number
  sha256: string
  state: number
}

/** Sends the bytes of a file with headers that keep a browser from guessing their type or executing them. */
export async function answerFile(
  ctx: Context,
  file: DownloadableFile,
  { headers: asked, query }: Pick<Input, 'headers' | 'query'>,
): Promise<Reply> {
  refuseUnready(file)
  const { size, sha256 } = file
  const found = await ctx.services.storedBytes.find(ctx, sha256)
  const etag = `"${sha256}"`
  const inline = query.inline === 'true' && isSafeInline(file.mime)
  const headers: Record<string, string> = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': disposition(file.name, inline),
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': file.mime.startsWith('text/') ? `${file.mime}; charset=utf-8` : file.mime,
    'x-content-type-options': 'nosniff',
  }
  const one = (name: string) => String(asked[name] ?? '')
  const wanted = portion(
    { range: one('range'), ifRange: one('if-range'), ifNoneMatch: one('if-none-match') },
    size,
    etag,
  )
  switch (wanted.kind) {
    case 'known':
      return { status: 304, headers: { etag, 'cache-control': 'private, no-store' } }
    case 'unsatisfiable':
      throw new Refusal(416, 'no-such-range', `the file has ${size} bytes`, {
        headers: { 'content-range': `bytes */${size}` },
      })
    case 'part': {
      const { start, end } = wanted
      const part = {
        ...headers,
        'content-range': `bytes ${start}-${end}/${size}`,
        'content-length': String(end - start + 1),
      }
      return bytesReply(found, { status: 206, headers: part }, { start, end })
    }
    case 'whole':
      return bytesReply(found, { headers: { ...headers, 'content-length': String(size) } })
  }
}

/** Refuses a file whose bytes nobody may have, or not yet. */
export function refuseUnready({ state }: Pick<DownloadableFile, 'state'>): void {
  if (state === fileState.quarantined)
    throw new Refusal(403, 'quarantined', 'the file is quarantined, because it is harmful or could not be scanned')
  if (state === fileState.scanning)
    throw new Refusal(403, 'scanning', 'the file is being scanned for viruses; try again shortly')
  if (state !== fileState.ready) throw new Conflict('not-ready', 'the file is not ready yet', { 'retry-after': '5' })
}
