import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { fault, idTaken, NotFound, Refusal, RuleBroken } from '../../../kernel/refusal.ts'
import type { Arrived } from '../../../platform/bytes/blobs.ts'
import type { NewPart, UploadPlace } from '../../../platform/bytes/upload-parts.ts'
import { idForNew } from '../../../records/input/own-id.ts'
import { refuseFile, storeFile } from '../file.ts'
import { mediaType } from '../media-type.ts'
import type { TusMetadata } from './tus-metadata.ts'

/** An upload in several requests. Its id is that of the file which it becomes. */
export interface FileUpload {
  id: Id
  metadata: string
  length: number
  /** The bytes that are stored. Only a finished upload has all of them. */
  received: number
  finished: boolean
  expiresAt: Date
}

/** An upload is forgotten this long after its last bytes; ms. */
const lifetime = 86_400_000

/** What an upload may consist of, so that nobody fills the disk with files of a few bytes. */
const maxParts = 10_000

/** How many unfinished uploads a user may have. */
const maxOpen = 20

export const placeOf = (ctx: Context, uploadId: Id): UploadPlace => ({ tenantId: ctx.caller.tenantId, uploadId })

/** Returns an upload of the caller. One that is over and one of somebody else are as absent as one that never was. */
export async function getUpload(ctx: Context, id: string): Promise<FileUpload> {
  const { tenantId, userId } = ctx.caller
  if (!isId(id)) throw new NotFound()
  const [row] = await ctx.sql<FileUpload>`select id, metadata, length, received, finished, expires_at as "expiresAt"
    from file_upload where tenant_id = ${tenantId} and id = ${id} and user_id = ${userId} and expires_at > ${ctx.now}`
  if (!row) throw new NotFound()
  return { ...row, length: Number(row.length), received: Number(row.received) }
}

/** The parts of an upload, in their order. */
export async function partsOf(ctx: Context, { id }: FileUpload): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select id from file_upload_part
    where tenant_id = ${ctx.caller.tenantId} and upload_id = ${id} order by start`
  return rows.map(row => row.id)
}

/** Refuses another part of an upload that has too many. */
export async function refuseManyParts(ctx: Context, { id }: FileUpload): Promise<void> {
  const [row] = await ctx.sql<{ parts: number }>`select count(*)::int as parts from file_upload_part
    where tenant_id = ${ctx.caller.tenantId} and upload_id = ${id}`
  if ((row?.parts ?? 0) >= maxParts)
    throw new RuleBroken('too-many-parts', `an upload may have at most ${maxParts} parts; begin again with larger ones`)
}

/** A new upload: what its headers say. */
export interface NewUpload {
  id: Id
  metadata: string
  fields: TusMetadata
  length: number
}

/** Refuses an upload whose file would be refused, or of a user who has too many. The quota is reserved when it is created. */
export async function refuseUpload(ctx: Context, { fields, length }: NewUpload): Promise<void> {
  const { tenantId, userId } = ctx.caller
  await refuseFile(ctx, fields, length)
  await idForNew(ctx, fields.id)
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${tenantId} ${userId}`}, 0))`
  const [row] = await ctx.sql<{ open: number }>`select count(*)::int as open from file_upload
    where tenant_id = ${tenantId} and user_id = ${userId} and not finished and expires_at > ${ctx.now}`
  if ((row?.open ?? 0) >= maxOpen)
    throw new RuleBroken('too-many-uploads', `a user may have at most ${maxOpen} unfinished uploads`)
}

export async function createUpload(ctx: Context, { id, metadata, length }: NewUpload): Promise<FileUpload> {
  const expiresAt = new Date(ctx.now.getTime() + lifetime)
  const { tenantId, userId } = ctx.caller
  const made = await ctx.sql`insert into file_upload (tenant_id, id, user_id, metadata, length, expires_at)
    values (${tenantId}, ${id}, ${userId}, ${metadata}, ${length}, ${expiresAt}) on conflict do nothing returning 1`
  if (made.length === 0) throw idTaken(id)
  return { id, metadata, length, received: 0, finished: false, expiresAt }
}

/** Adds a part that is on the disk. Of two requests that add one at the same offset, the first one wins. */
export async function addPart(ctx: Context, upload: FileUpload, { id, size }: NewPart): Promise<FileUpload> {
  const { tenantId, userId } = ctx.caller
  const expiresAt = new Date(ctx.now.getTime() + lifetime)
  const added = await ctx.sql`with upload as (
      update file_upload set received = received + ${size}, expires_at = ${expiresAt}
      where tenant_id = ${tenantId} and id = ${upload.id} and user_id = ${userId} and received = ${upload.received} and not finished returning id
    ) insert into file_upload_part (tenant_id, upload_id, start, id)
      select ${tenantId}::uuid, u.id, ${upload.received}::bigint, ${id}::uuid from upload u returning 1`
  if (added.length === 0) throw wrongOffset((await getUpload(ctx, upload.id)).received)
  return { ...upload, received: upload.received + size, expiresAt }
}

/** Makes the file of an upload whose bytes are complete; `upload.received` is the offset of those that came last. */
export async function finishUpload(
  ctx: Context,
  upload: FileUpload,
  arrived: Arrived,
  fields: TusMetadata,
): Promise<FileUpload> {
  const { tenantId, userId } = ctx.caller
  const finished = await ctx.sql`update file_upload set received = length, finished = true
    where tenant_id = ${tenantId} and id = ${upload.id} and user_id = ${userId} and received = ${upload.received} and not finished returning 1`
  if (finished.length === 0) throw wrongOffset((await getUpload(ctx, upload.id)).received)
  await ctx.sql`delete from file_upload_part where tenant_id = ${tenantId} and upload_id = ${upload.id}`
  await storeFile(ctx, { ...fields, id: upload.id, arrived, mime: mediaType(arrived.head, fields.name) })
  forgetParts(ctx, upload.id)
  return { ...upload, received: upload.length, finished: true }
}

export async function removeUpload(ctx: Context, id: string): Promise<void> {
  const upload = await getUpload(ctx, id)
  await ctx.sql`delete from file_upload where tenant_id = ${ctx.caller.tenantId} and id = ${upload.id}`
  forgetParts(ctx, upload.id)
}

/** What cannot be removed now is swept later. */
function forgetParts(ctx: Context, id: Id): void {
  const place = placeOf(ctx, id)
  const { uploadParts } = ctx.services
  ctx.afterCommit(() => uploadParts.forget(place).catch(() => {}))
}

export function wrongOffset(received: number): Refusal {
  return new Refusal(409, 'wrong-offset', `the upload continues at ${received}`, {
    faults: [fault(['Upload-Offset'], 'wrong-offset', `must be ${received}`)],
    headers: { 'upload-offset': String(received) },
  })
}
