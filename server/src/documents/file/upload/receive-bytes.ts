import { createHash, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { NotFound, Refusal } from '../../../kernel/refusal.ts'
import { type Arrived, isMissing } from '../../../platform/bytes/blobs.ts'
import type { NewPart, UploadPlace } from '../../../platform/bytes/upload-parts.ts'
import { BrokenForm } from '../../../platform/requests/form.ts'
import { type Checksum, checksumMismatch } from './tus-protocol.ts'

/** After this many bytes what has arrived is stored for good, so that a crash costs no more. */
const partBytes = 8 * 1024 * 1024

interface Receiving {
  services: Services
  place: UploadPlace
  /** The bytes that are still missing. */
  missing: number
  checksum?: Checksum | undefined
  /** The algorithm of the digest of the part, where one is needed. */
  algorithm?: string
  /** Adds a part to the upload. Undefined if all bytes of the request are needed before one of them counts. */
  add: ((part: NewPart) => Promise<void>) | undefined
}

/**
 * Writes the bytes of a request to the disk, and adds them to the upload while they arrive. Returns the part that was not added, if
 * there is one: the last bytes are added in the transaction of the request. If the connection is lost, what has arrived is added.
 */
export async function receiveBytes(bytes: AsyncIterable<Buffer>, receiving: Receiving): Promise<NewPart | undefined> {
  const { services, place, checksum, add, algorithm = checksum?.algorithm } = receiving
  let { missing } = receiving
  let part: NewPart | undefined
  try {
    for await (const chunk of bytes) {
      if (chunk.length > missing) throw new Refusal(413, 'too-large', 'these are more bytes than Upload-Length says')
      part ??= await services.uploadParts.create(place, algorithm)
      await part.write(chunk)
      missing -= chunk.length
      if (!add || part.size < partBytes || missing === 0) continue
      await part.sync()
      await add(part)
      part = undefined
    }
    if (checksum) verify(checksum, part)
    await part?.sync()
    return part
  } catch (error) {
    if (error instanceof BrokenForm && part && add && missing > 0) {
      await part.sync()
      await add(part).catch(() => part?.discard())
    } else await part?.discard()
    throw error
  }
}

function verify({ algorithm, digest }: Checksum, part: NewPart | undefined): void {
  const actual = part?.digest() ?? createHash(algorithm).digest()
  if (actual.length !== digest.length || !timingSafeEqual(actual, digest)) throw checksumMismatch()
}

/** Makes one file of the parts of an upload. */
export async function assemble({ blobs, uploadParts }: Services, place: UploadPlace, parts: Id[]): Promise<Arrived> {
  return await blobs.arrive(uploadParts.read(place, parts), Number.POSITIVE_INFINITY).catch(error => {
    throw isMissing(error) ? new NotFound() : error
  })
}
