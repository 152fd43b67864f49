import type { Readable } from 'node:stream'
import type { OutboundTransfer, TransferAnswer } from '../outbound/outbound.ts'
import { refusalOf, StoreFailure, unanswered } from './store-failure.ts'

/** A bucket of a store that speaks the protocol of S3, and the credentials for it. */
export interface S3Settings {
  /** The address of the store without a path: buckets are addressed in the path, which every store understands. */
  endpoint: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
}

/** Sends a request of the tenant by the guarded client. */
export type Transfer = (request: Omit<OutboundTransfer, 'tenantId'>) => Promise<TransferAnswer>

export interface S3Request {
  method: OutboundTransfer['method']
  /** The key of the object; without it the request is to the bucket. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: { bytes: AsyncIterable<Uint8Array>; length: number; sha256: string }
}

/** Signs (Signature Version 4) and sends requests. An answer other than of success is thrown as a `StoreFailure`. */
export function s3Requests({ endpoint, region, bucket, accessKey, secretKey }: S3Settings, transfer: Transfer) {
  return async ({ method, key, query = {}, headers = {}, body }: S3Request): Promise<TransferAnswer> => {
    // It becomes a part of a header.
    if (!/^[\x21-\x7e]*$/.test(accessKey))
      throw new StoreFailure('credentials', 'the access key has characters that no request can carry')
    const url = new URL(`/${bucket}${key === undefined ? '' : `/${key}`}`, endpoint)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // Loaded at its first use, because most processes never call a store.
    const { AwsV4Signer } = await import('aws4fetch')
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      // The store compares the hash with what arrives.
      headers: { ...headers, ...(body ? { 'x-amz-content-sha256': body.sha256 } : {}) },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region: region || 'us-east-1',
    }).sign()
    const answer = await transfer({
      method,
      url: signed.url.href,
      headers: Object.fromEntries(signed.headers),
      ...(body ? { body: { bytes: body.bytes, length: body.length } } : {}),
    }).catch(error => {
      throw unanswered(error)
    })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refusalOf(answer.status, await textOf(answer.body))
  }
}

const maxText = 2 * 1024 * 1024

/** Reads an answer that is a text; one of a thousand keys has some hundred kilobytes. */
export async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      if (length > maxText) break
      chunks.push(chunk)
    }
  } catch {
    // An answer that breaks off is read as far as it came; whoever needs the rest finds that it is missing.
  }
  return Buffer.concat(chunks).toString('utf8')
}
