import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'

/** The content of a file of a backup: size and hash before compression, and the number of its lines. */
export interface Content {
  bytes: number
  sha256: string
  lines: number
}

/** Writes a compressed file that does not exist yet; when it returns, the file is on the disk. */
export async function writeCompressed(path: string, source: AsyncIterable<Buffer>): Promise<Content> {
  const { count, content } = openCount()
  await pipeline(
    source,
    count,
    createZstdCompress(),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  return content()
}

/** The decompressed bytes of a file. */
export async function* readCompressed(path: string): AsyncGenerator<Buffer> {
  // Most tables are small, and hundreds of large buffers would make the garbage collector look through the whole heap again and again.
  const { size } = await stat(path)
  const file = createReadStream(path, { highWaterMark: Math.min(1 << 18, size + 1) })
  const content = createZstdDecompress()
  file.once('error', error => content.destroy(error))
  yield* file.pipe(content)
}

/** Reads the whole file again, as it is on the disk. */
export async function contentOf(path: string): Promise<Content> {
  const { count, content } = openCount()
  for await (const _ of count(readCompressed(path)));
  return content()
}

function openCount() {
  const hash = createHash('sha256')
  let [bytes, lines] = [0, 0]
  return {
    async *count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
        yield chunk
      }
    },
    content: (): Content => ({ bytes, sha256: hash.digest('hex'), lines }),
  }
}
