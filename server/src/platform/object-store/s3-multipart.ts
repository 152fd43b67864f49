import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { S3Request, s3Requests } from './s3-request.ts'
import { textOf } from './s3-request.ts'
import { refusalOf, StoreFailure } from './store-failure.ts'

type Send = ReturnType<typeof s3Requests>

interface PartsInput {
  key: string
  headers: Record<string, string>
  partSize: number
  bytes: () => Promise<AsyncIterable<Buffer>>
}

/** Sends an object in parts, one after another. What a failure leaves of them at the store is removed there. */
export async function putInParts(send: Send, { key, headers, partSize, bytes }: PartsInput): Promise<void> {
  const text = async (request: S3Request) => await textOf((await send(request)).body)
  const begun = await text({ method: 'POST', key, headers, query: { uploads: '' } })
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1]
  if (!uploadId) throw new StoreFailure('refused', 'the store begins no upload in parts')
  try {
    const etags: string[] = []
    for await (const part of inParts(await bytes(), partSize)) {
      const body = { bytes: Readable.from([part]), length: part.length, sha256: hashOf(part) }
      const query = { partNumber: String(etags.length + 1), uploadId }
      const answer = await send({ method: 'PUT', key, query, body })
      answer.body.resume()
      etags.push(String(answer.headers.etag ?? ''))
    }
    const list = etags.map(
      (etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
    const ended = await text({
      method: 'POST',
      key,
      query: { uploadId },
      body: { bytes: Readable.from([body]), length: body.length, sha256: hashOf(body) },
    })
    // A store may find an error after it has begun its answer with status 200.
    if (!ended.includes('CompleteMultipartUploadResult')) throw refusalOf(500, ended)
  } catch (error) {
    await send({ method: 'DELETE', key, query: { uploadId } }).then(
      answer => answer.body.resume(),
      () => {}, // the first error says what is wrong
    )
    throw error
  }
}

/** Cuts a stream into parts of one size; the last one is the rest. */
async function* inParts(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    while (length >= size) {
      const all = Buffer.concat(chunks)
      yield all.subarray(0, size)
      chunks = [all.subarray(size)]
      length -= size
    }
  }
  if (length > 0) yield Buffer.concat(chunks)
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
