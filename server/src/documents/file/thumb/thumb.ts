import { Readable } from 'node:stream'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import type { Input, Reply } from '../../../kernel/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { FairQueue, QueueFull } from '../../../platform/admission/fair-queue.ts'
import type { FoundBytes } from '../../../platform/bytes/stored-bytes.ts'
import type { Thumbs } from '../../../platform/bytes/thumbs.ts'
import { portion } from '../byte-range.ts'
import { type DownloadableFile, refuseUnready } from '../download.ts'
import { isPicture, maxPictureBytes, renderThumb, type ThumbSize, thumbSizes, tooLarge } from './render-thumb.ts'

const defaultSize: ThumbSize = 256

export const sizeQuery = {
  type: 'string',
  enum: thumbSizes.map(String),
  description: `The longer side in pixels at most, by default ${defaultSize}. Smaller pictures are not enlarged.`,
}

/** Sends the thumb of a picture. What a caller may see of the file was checked before. */
export async function answerThumb(
  ctx: Context,
  file: DownloadableFile,
  { headers: asked, query }: Input,
): Promise<Reply> {
  refuseUnready(file)
  if (!isPicture(file.mime)) throw new Refusal(415, 'not-a-picture', 'only PNG, JPEG, WebP and GIF files have thumbs')
  const size = thumbSizes.find(each => String(each) === query.size) ?? defaultSize
  const etag = `"${file.sha256}-${size}"`
  // The browser asks each time, which is cheap, so that a right that was taken away counts at once.
  const cached = { etag, 'cache-control': 'private, no-cache' }
  const ifNoneMatch = String(asked['if-none-match'] ?? '')
  if (portion({ range: '', ifRange: '', ifNoneMatch }, 0, etag).kind === 'known')
    return { status: 304, headers: cached }
  const found = await ctx.services.storedBytes.find(ctx, file.sha256)
  const thumb = { thumbs: ctx.services.thumbs, tenantId: ctx.caller.tenantId, file, size, found }
  return {
    // A thumb is made after the connection to the database was given back.
    async takeOver({ request, reply, operation }) {
      const bytes = await thumbOf(thumb)
      return reply
        .code(operation.reply.status)
        .headers({
          ...cached,
          'content-type': 'image/webp',
          'content-length': String(bytes.length),
          'content-disposition': 'inline',
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
        })
        .send(request.method === 'HEAD' ? Readable.from([]) : bytes)
    },
  }
}

interface WantedThumb {
  thumbs: Thumbs
  tenantId: Id
  file: DownloadableFile
  size: ThumbSize
  found: FoundBytes
}

/** The thumbs that this process is making; who wants one of them waits for it. */
const underWay = new Map<string, Promise<Buffer>>()

async function thumbOf(wanted: WantedThumb): Promise<Buffer> {
  const { thumbs, tenantId, file, size } = wanted
  const stored = await thumbs.read(tenantId, file.sha256, size)
  if (stored) return stored
  const key = `${tenantId} ${file.sha256} ${size}`
  const begun = underWay.get(key) ?? makeThumb(wanted).finally(() => underWay.delete(key))
  underWay.set(key, begun)
  return await begun
}

/** Two pictures are drawn at a time, because a large one takes hundreds of megabytes for a moment. */
const slots = 2
const queue = new FairQueue({ slots, maxWaiting: 500, maxWait: 20_000 })

async function makeThumb({ thumbs, tenantId, file, size, found }: WantedThumb): Promise<Buffer> {
  if (file.size > maxPictureBytes) throw tooLarge(`it has more than ${maxPictureBytes} bytes`)
  await enter(tenantId)
  try {
    const thumb = await renderThumb(await wholeOf(found), size)
    await thumbs.keep(tenantId, file.sha256, size, thumb)
    return thumb
  } finally {
    queue.leave(tenantId)
  }
}

async function enter(tenantId: Id): Promise<void> {
  try {
    await queue.enter(tenantId, slots)
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    throw new Refusal(503, 'busy', 'too many thumbs are being made, try again shortly', {
      headers: { 'retry-after': '5' },
    })
  }
}

async function wholeOf(found: FoundBytes): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await found.open()) parts.push(part)
  return Buffer.concat(parts)
}
