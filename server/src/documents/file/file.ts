import { Type } from 'typebox'
import { enforceQuota } from '../../admin/tenant/tenant.ts'
import { type Caller, contributors, demand, everyone, may, members, narrowedTo } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, placed, type Routes } from '../../kernel/operation.ts'
import type { Expect, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, Refusal } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Name, Text } from '../../kernel/schema/values.ts'
import { ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import { lockBytes } from '../../platform/bytes/stored-bytes.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { idForNew } from '../../records/input/own-id.ts'
import { type Owned, ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { fileOwnerVisible } from '../visibility.ts'
import { answerFile } from './download.ts'
import { plainName } from './file-name.ts'
import { fileState } from './file-state.ts'
import { enqueueScan, isScanned, scanFileTask } from './scan-file.ts'
import { enqueueIndex } from './text/index-file.ts'
import { answerThumb, sizeQuery } from './thumb/thumb.ts'
import { type Upload, uploadForm } from './upload/upload.ts'
import { description, type UploadFields } from './upload/upload-fields.ts'

export { answerFile } from './download.ts'
export { plainName } from './file-name.ts'
export { fileState } from './file-state.ts'
export { mediaType } from './media-type.ts'

const shape = {
  name: Name(255),
  size: Type.Integer({ 'x-column': 'bigint', description: 'Bytes.' }),
  mime: Text(100, { description: 'The media type by content, regardless of what the sender declared.' }),
  sha256: Text(64),
  owner: Code(owners),
  ownerId: Text(100),
  state: Code(codeTableOfCodes('file.state', fileState), {
    default: fileState.ready,
    description: '0 uploading · 1 scanning · 2 ready · 3 quarantined.',
  }),
  description,
}

export type File = Stored<typeof shape>
type FileValues = Values<typeof shape>

/** A file: bytes with a name that belong to an item, a document, a container or another record. */
export const files = resource('File', {
  about:
    'A file that belongs to an item, a document, a container or another record, and is visible to whoever sees that record. Files of the tenant itself are visible to its staff.',
  shape,
  serverSet: ['size', 'mime', 'sha256', 'owner', 'ownerId', 'state'],
  may: { read: everyone, create: contributors, update: contributors, delete: contributors },
  derived: {
    storageId: {
      schema: {
        type: ['string', 'null'],
        format: 'uuid',
        description: 'The storage where the bytes are; null is the disk of the service.',
      },
      value: f =>
        sql`(select b.storage_id from stored_bytes b where b.tenant_id = ${ownTenant} and b.hash = ${f}.sha256)`,
    },
  },
  visible: visibleFiles,
})

function visibleFiles(caller: Caller, file: Sql): Sql {
  // A file without a particular owner is also visible to the user who uploaded it.
  return sql`(${fileOwnerVisible(caller, file)} or (${file}.owner = ${ownerKind.tenant} and ${file}.created_by = ${caller.userId}))`
}

/**
 * A permission at a container or an area includes the files of the records there. Requesters may change only files that
 * they uploaded.
 */
async function demandAtOwner(
  ctx: Context,
  verb: 'create' | 'update' | 'delete',
  file: Owned & { createdBy: Id },
): Promise<void> {
  const wanted = files.permissions[verb]
  const place = await ownerPlace(ctx, file)
  demand(ctx.caller, { ...wanted, roles: file.createdBy === ctx.caller.userId ? contributors : members }, place)
  if (ownersOfRequesters.includes(file.owner) || may(ctx.caller, narrowedTo(members, wanted), place)) return
  const faults = [fault(['owner'], 'requester-file', 'must be an item, or nothing yet', file.owner)]
  throw new Refusal(403, 'requester-file', 'requesters add files to their items', { faults })
}

/** The records that requesters add files to; a file without a record waits for the message that it is attached to. */
const ownersOfRequesters: readonly number[] = [
  ownerKind.tenant,
  ownerKind.item,
  ownerKind.annotation,
  ownerKind.chatRoom,
]

export async function ownerPlace(ctx: Context, { owner, ownerId }: Owned): Promise<Place> {
  if (owner === ownerKind.container) return { containerId: ownerId }
  if (owner === ownerKind.area) return { areaId: ownerId }
  if (!isId(ownerId)) return {}
  const ofItem = sql`select i.container_id as "containerId", i.area_id as "areaId" from item i`
  if (owner === ownerKind.item) {
    const [item] = await ctx.sql<Place>`${ofItem} where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${ownerId}`
    return item ?? {}
  }
  if (owner === ownerKind.chatRoom) {
    const [room] =
      await ctx.sql<Owned>`select owner, owner_id as "ownerId" from chat_room where tenant_id = ${ctx.caller.tenantId} and id = ${ownerId} and owner <> ${ownerKind.chatRoom}`
    return room ? await ownerPlace(ctx, room) : {}
  }
  if (owner !== ownerKind.annotation) return {}
  const [said] = await ctx.sql<Place>`${ofItem} join annotation a on a.tenant_id = ${ownTenant} and a.item_id = i.id
    where i.tenant_id = ${ctx.caller.tenantId} and a.tenant_id = ${ctx.caller.tenantId} and a.id = ${ownerId}`
  return said ?? {}
}

const upload = operation<Upload>({
  permission: files.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Upload a file',
  description: `${files.about} One file per request, as \`multipart/form-data\`. When the reply arrives, the bytes are durably stored. Identical bytes are stored once. Where the operator has a virus scanner, the file is in \`state\` 1 until it has answered, and its download is 403 \`scanning\`.`,
  form: uploadForm,
  reply: { status: 201, schema: files.schema, description: 'The record of the file.' },
  refusals: [422],
  async run(ctx, { path, body }) {
    const file = await storeFile(ctx, body)
    return { body: file, version: file.version, headers: { location: `${path}/${file.id}` } }
  },
})

/** Refuses a file that the caller may not add to its owner, or for which the tenant has no room. */
export async function refuseFile(
  ctx: Context,
  { owner, ownerId }: Pick<UploadFields, 'owner' | 'ownerId'>,
  size: number,
): Promise<void> {
  await demandAtOwner(ctx, 'create', { owner, ownerId, createdBy: ctx.caller.userId })
  await refuseUnknownOwner(ctx, { owner, ownerId })
  await enforceQuota(ctx, 'storageBytes', size)
}

/**
 * Stores the bytes before the row, so that no row is without its bytes. Bytes without a row are removed by the sweep.
 */
export async function storeFile(
  ctx: Context,
  { arrived, id: own, ...values }: Upload,
  { scanned = !isScanned(ctx) }: { scanned?: boolean } = {},
): Promise<File> {
  await refuseFile(ctx, values, arrived.size)
  const id = await idForNew(ctx, own)
  await lockBytes(ctx, arrived.sha256)
  await ctx.services.storedBytes.keep(ctx, arrived)
  const state = scanned ? fileState.ready : fileState.scanning
  const file = await files.create(ctx, { ...values, size: arrived.size, sha256: arrived.sha256, state }, { id })
  if (scanned) await enqueueIndex(ctx, file)
  else await enqueueScan(ctx, file.id)
  return file
}

/** Scans uploaded files where the operator has a scanner. */
export const scanTask = scanFileTask(async (ctx, id, state) => {
  const verb = state === fileState.quarantined ? { verb: 'quarantined' } : {}
  if (!(await files.find(ctx, id))) return
  const file = await files.update(ctx, id, { state }, verb)
  if (state === fileState.ready) await enqueueIndex(ctx, file)
})

const download = operation({
  permission: files.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Download a file',
  description:
    'The bytes of a file, visible to whoever sees the record that owns it. Missing, deleted, foreign and invisible files give the same reply. `Range` may contain one range; `If-Range` and `If-None-Match` compare the ETag, which is the SHA-256 of the bytes.',
  query: {
    inline: {
      type: 'string',
      enum: ['true', 'false'],
      description: 'Lets a browser show the file inline; only for PNG, JPEG, GIF, WebP and AVIF images.',
    },
  },
  reply: {
    status: 200,
    schema: { type: 'string', format: 'binary', contentMediaType: '*/*' },
    description: 'The bytes, with the media type of their content.',
    headers: ['ETag', 'Accept-Ranges', 'Content-Disposition'],
  },
  also: { 206: 'The requested range.', 304: 'The copy with this ETag is current.' },
  refusals: [404, 409, 416],
  async run(ctx, input) {
    return await answerFile(ctx, await files.get(ctx, input.params.fileId ?? ''), input)
  },
})

const thumb = operation({
  permission: files.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Show a thumb of a picture',
  description:
    'A small WebP picture of a PNG, JPEG, WebP or GIF file, for users who may download the file. It is upright, has no metadata, and shows the first frame of an animation. It is made at the first request. Other files give 415 `not-a-picture`, damaged ones 422 `broken-picture`, those of more than 50 MiB, 67 million pixels or 10 seconds of drawing 422 `picture-too-large`.',
  query: { size: sizeQuery },
  reply: {
    status: 200,
    schema: { type: 'string', format: 'binary', contentMediaType: 'image/webp' },
    description: 'The thumb.',
    headers: ['ETag', 'Content-Disposition'],
  },
  also: { 304: 'The copy with this ETag is current.' },
  refusals: [404, 409, 415, 422],
  async run(ctx, input) {
    return await answerThumb(ctx, await files.get(ctx, input.params.id ?? ''), input)
  },
})

async function changeFile(ctx: Context, id: Id, values: Partial<FileValues>, more: { expect?: Expect }): Promise<File> {
  await demandAtOwner(ctx, 'update', await files.get(ctx, id))
  if (typeof values.name !== 'string') return await files.update(ctx, id, values, more)
  const name = plainName(values.name)
  if (name === '') throw new Invalid([fault(['name'], 'pattern', 'must not be blank', values.name)])
  return await files.update(ctx, id, { ...values, name }, more)
}

async function removeFile(ctx: Context, id: Id, more: { expect?: Expect }): Promise<File> {
  await demandAtOwner(ctx, 'delete', await files.get(ctx, id))
  return await files.remove(ctx, id, more)
}

async function restoreFile(ctx: Context, id: Id): Promise<File> {
  const file = await files.get(ctx, id, { deleted: true })
  await demandAtOwner(ctx, 'delete', file)
  if (file.deleted) await enforceQuota(ctx, 'storageBytes', file.size)
  return await files.restore(ctx, id)
}

/** Selects files and names their new owner. */
export interface OwnerChange {
  where: Sql
  owner: number
  ownerId: Id
}

/** Changes the owner of files, and with it their visibility. Returns the ids of the files. */
export async function changeOwner(ctx: Context, { where, owner, ownerId }: OwnerChange): Promise<Id[]> {
  const found = await lockRecords(ctx, files, where)
  await updateRecords(
    ctx,
    files,
    found.map(file => [file, { owner, ownerId }] as const),
  )
  return found.map(file => file.id)
}

export const routes: Routes = {
  'GET /file': placed(list(files)),
  'POST /file': upload,
  'PUT /file': placed(update(files, changeFile)),
  'GET /file/download/:fileId': download,
  'GET /file/:id': placed(get(files)),
  'PUT /file/:id': placed(update(files, changeFile)),
  'PATCH /file/:id': placed(update(files, changeFile)),
  'DELETE /file/:id': placed(remove(files, removeFile)),
  'POST /file/:id/restore': placed(restore(files, restoreFile)),
  'GET /file/:id/thumb': thumb,
  'GET /file/:id/history': placed(history(files)),
}
