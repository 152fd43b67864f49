import type { Services } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/id.ts'
import type { FormPart, FormRequest, Received } from '../../../kernel/operation.ts'
import { fault, Refusal } from '../../../kernel/refusal.ts'
import type { Arrived } from '../../../platform/bytes/blobs.ts'
import type { NewPart } from '../../../platform/bytes/upload-parts.ts'
import {
  addPart,
  type FileUpload,
  getUpload,
  type NewUpload,
  partsOf,
  placeOf,
  refuseManyParts,
  refuseUpload,
  wrongOffset,
} from './file-upload.ts'
import { assemble, receiveBytes } from './receive-bytes.ts'
import { readMetadata } from './tus-metadata.ts'
import { one, readBytes, readChecksum, refuseOtherVersion } from './tus-protocol.ts'

/** The bytes of a request that are on the disk and do not count yet: the transaction of the request adds them. */
export interface Waiting {
  part: NewPart | undefined
  /** Whether the part was added. */
  added?: boolean
  /** All bytes of the upload, if these are the last ones. */
  whole: Arrived | undefined
}

/** A request that begins an upload. */
export interface ReceivedUpload extends Waiting {
  upload: NewUpload
}

/** A request that continues an upload, at the offset `upload.received`. */
export interface ReceivedPiece extends Waiting {
  upload: FileUpload
}

/** Bytes that come with the beginning count all or not at all, because the client does not know yet where to continue. */
export async function receiveUpload(
  parts: AsyncIterable<FormPart>,
  services: Services,
  request: FormRequest,
): Promise<Received<ReceivedUpload>> {
  refuseOtherVersion(request.headers)
  const length = readBytes(request.headers, 'Upload-Length')
  if (length > services.blobs.limit)
    throw new Refusal(413, 'too-large', `a file may have at most ${services.blobs.limit} bytes`, {
      faults: [fault(['Upload-Length'], 'maximum', `must be at most ${services.blobs.limit}`, length)],
    })
  const metadata = one(request.headers, 'upload-metadata') ?? ''
  const fields = readMetadata(metadata)
  const upload = { id: fields.id?.toLowerCase() || newId(), metadata, fields, length }
  const checksum = readChecksum(request.headers)
  // Nobody sends a body in vain.
  const place = await request.transaction(async ctx => {
    await refuseUpload(ctx, upload)
    return placeOf(ctx, upload.id)
  })
  const receiving = {
    services,
    place,
    missing: length,
    checksum,
    algorithm: checksum?.algorithm ?? 'sha256',
    add: undefined,
  }
  const part = await receiveBytes(bytesOf(parts), receiving)
  const identity = { metadata, length, bytes: part?.digest().toString('hex') ?? '' }
  const isWhole = (part?.size ?? 0) === length
  return await received({ upload, part, whole: undefined }, services, {
    identity,
    assembled: async () => (isWhole ? await assemble(services, place, part ? [part.id] : []) : undefined),
  })
}

/** Bytes that come later are added while they arrive, unless they have a checksum or it is a dry run. */
export async function receivePiece(
  parts: AsyncIterable<FormPart>,
  services: Services,
  request: FormRequest,
): Promise<Received<ReceivedPiece>> {
  const { headers, query, params } = request
  refuseOtherVersion(headers)
  const offset = readBytes(headers, 'Upload-Offset')
  const checksum = readChecksum(headers)
  let { upload, place } = await request.transaction(async ctx => {
    const upload = await getUpload(ctx, params.id ?? '')
    if (upload.received !== offset) throw wrongOffset(upload.received)
    await refuseManyParts(ctx, upload)
    return { upload, place: placeOf(ctx, upload.id) }
  })
  const add = async (part: NewPart) => {
    upload = await request.transaction(ctx => addPart(ctx, upload, part))
  }
  const isAtOnce = checksum !== undefined || query.dryRun === 'true'
  const missing = upload.length - upload.received
  const receiving = { services, place, missing, checksum, add: isAtOnce ? undefined : add }
  const part = await receiveBytes(bytesOf(parts), receiving)
  const isWhole = part !== undefined && upload.received + part.size === upload.length
  return await received({ upload, part, whole: undefined }, services, {
    identity: {},
    async assembled() {
      if (!isWhole) return undefined
      const stored = await request.transaction(ctx => partsOf(ctx, upload))
      return await assemble(services, place, [...stored, part.id]).catch(async error => {
        // Another request may have finished the upload, which removes its parts.
        const now = await request.transaction(ctx => getUpload(ctx, upload.id))
        throw now.received === upload.received ? error : wrongOffset(now.received)
      })
    },
  })
}

async function received<T extends Waiting>(
  body: T,
  { blobs }: Services,
  { identity, assembled }: { identity: unknown; assembled: () => Promise<Arrived | undefined> },
): Promise<Received<T>> {
  const release = async () => {
    if (!body.added) await body.part?.discard()
    if (body.whole) await blobs.discard(body.whole)
  }
  try {
    body.whole = await assembled()
  } catch (error) {
    await release()
    throw error
  }
  return { body, identity, release }
}

/** The bytes of the request; none if it has no body. */
async function* bytesOf(parts: AsyncIterable<FormPart>): AsyncGenerator<Buffer> {
  for await (const part of parts) if ('bytes' in part) yield* part.bytes
}
