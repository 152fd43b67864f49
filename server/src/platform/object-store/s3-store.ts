import type { ObjectContent, ObjectStore } from './objects.ts'
import { putInParts } from './s3-multipart.ts'
import { type S3Settings, s3Requests, type Transfer, textOf } from './s3-request.ts'
import { StoreFailure } from './store-failure.ts'

interface S3Options extends S3Settings {
  /** Whether the store is asked to encrypt what it stores. */
  encrypted: boolean
  transfer: Transfer
  /** From which size on objects are sent in parts, and the size of a part; bytes. */
  parts?: { from: number; size: number }
}

const mebibyte = 1024 * 1024

/** Opens a bucket of any store that speaks the protocol of S3. */
export function openS3({
  encrypted,
  transfer,
  parts = { from: 64 * mebibyte, size: 16 * mebibyte },
  ...settings
}: S3Options): ObjectStore {
  const send = s3Requests(settings, transfer)
  const headers: Record<string, string> = encrypted ? { 'x-amz-server-side-encryption': 'AES256' } : {}

  async function putAtOnce(key: string, { size, sha256, read }: ObjectContent): Promise<void> {
    const answer = await send({ method: 'PUT', key, headers, body: { bytes: await read(), length: size, sha256 } })
    answer.body.resume()
  }

  return {
    put: (key, content) =>
      content.size >= parts.from
        ? putInParts(send, { key, headers, partSize: parts.size, bytes: content.read })
        : putAtOnce(key, content),
    async get(key, range) {
      const asked: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const { body, status } = await send({ method: 'GET', key, headers: asked })
      if (range && status !== 206) {
        body.destroy()
        throw new StoreFailure('refused', 'the store does not answer parts of an object')
      }
      return body
    },
    async size(key) {
      try {
        const { headers, body } = await send({ method: 'HEAD', key })
        body.resume()
        return Number(headers['content-length'])
      } catch (error) {
        if (error instanceof StoreFailure && error.fault === 'missing') return undefined
        throw error
      }
    },
    async remove(key) {
      const answer = await send({ method: 'DELETE', key }).catch(error => {
        if (error instanceof StoreFailure && error.fault === 'missing') return undefined
        throw error
      })
      answer?.body.resume()
    },
    async *list(prefix) {
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query: Record<string, string> = { 'list-type': '2', prefix }
        if (next !== '') query['continuation-token'] = next
        const text = await textOf((await send({ method: 'GET', query })).body)
        if (!text.includes('</ListBucketResult>'))
          throw new StoreFailure('refused', 'the store answers no list of its objects')
        for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield unescaped(key)
        next = /<IsTruncated>\s*true\s*</.test(text)
          ? unescaped(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '') || undefined
          : undefined
      }
    },
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(xml: string): string {
  return xml.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')
}
