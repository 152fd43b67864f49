import type { Context } from '../../../kernel/context.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { NotFound } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { files } from '../file.ts'
import {
  addPart,
  createUpload,
  type FileUpload,
  finishUpload,
  getUpload,
  partsOf,
  placeOf,
  refuseUpload,
  removeUpload,
} from './file-upload.ts'
import { type ReceivedPiece, type ReceivedUpload, receivePiece, receiveUpload, type Waiting } from './receive-upload.ts'
import { readMetadata, type TusMetadata } from './tus-metadata.ts'
import { checksumAlgorithms, refuseOtherVersion, tusExtensions, tusHeaders, tusMedia } from './tus-protocol.ts'

const about =
  'Uploads in several requests follow the tus protocol 1.0.0 (https://tus.io), so that an upload goes on where a lost connection ended it.'

/** What all operations of uploads have. */
const common = { permission: files.permissions.create, placed: true, constantHeaders: tusHeaders }

const versionHeader: Schema = { type: 'string', description: 'The version of the protocol: `1.0.0`.' }
const bytesHeader = (description: string): Schema => ({
  type: 'string',
  pattern: '^\\d+$',
  description,
  'x-required': true,
})
const checksumHeader: Schema = {
  type: 'string',
  description: `An algorithm (${checksumAlgorithms.join(', ')}) and the checksum of the bytes of this request in Base64. If it is wrong, none of them is stored.`,
}
const bytesSchema: Schema = { type: 'string', format: 'binary', description: 'Bytes of the file.' }

const uploadSchema: Schema = {
  type: 'object',
  title: 'FileUpload',
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Also the id of the file, when the upload is finished.' },
    offset: { type: 'integer', minimum: 0, description: 'The bytes that are stored.' },
    length: { type: 'integer', minimum: 0, description: 'The bytes of the whole upload.' },
    finished: { type: 'boolean', description: 'Whether the file exists.' },
    expiresAt: { type: 'string', format: 'date-time', description: 'When it is forgotten unless it goes on.' },
  },
  required: ['id', 'offset', 'length', 'finished', 'expiresAt'],
}

const bodyOf = ({ id, received, length, finished, expiresAt }: FileUpload) => ({
  id,
  offset: received,
  length,
  finished,
  expiresAt: expiresAt.toISOString(),
})

const headersOf = ({ received, expiresAt }: FileUpload) => ({
  'upload-offset': String(received),
  'upload-expires': expiresAt.toUTCString(),
})

const discover = operation({
  ...common,
  permission: files.permissions.read,
  mode: 'read',
  summary: 'Show what uploads support',
  description: `${about} The headers of the reply name the versions and extensions of the protocol, and the largest file.`,
  reply: {
    status: 204,
    description: 'What is supported.',
    headers: ['Tus-Extension', 'Tus-Max-Size', 'Tus-Checksum-Algorithm'],
  },
  async run(ctx) {
    return {
      headers: {
        'tus-extension': tusExtensions,
        'tus-max-size': String(ctx.services.blobs.limit),
        'tus-checksum-algorithm': checksumAlgorithms.join(','),
      },
    }
  },
})

const create = operation<ReceivedUpload>({
  ...common,
  mode: 'write',
  summary: 'Begin an upload',
  description: `${about} The quota of the tenant is reserved. The body may hold all bytes of the file, or the first of them. An upload that gets no bytes for a day is forgotten; a user may have 20 that are not finished.`,
  headers: {
    'Tus-Resumable': versionHeader,
    'Upload-Length': bytesHeader('The bytes of the file.'),
    'Upload-Metadata': {
      type: 'string',
      description:
        'Pairs of a key and a text in Base64, separated by commas: `filename`, and `id`, `owner`, `ownerId` and `description` as in the form of an upload. `filetype` is accepted and not used.',
    },
    'Upload-Checksum': checksumHeader,
  },
  form: { schema: bytesSchema, media: tusMedia, optional: true, receive: receiveUpload },
  reply: {
    status: 201,
    schema: uploadSchema,
    description: 'The upload.',
    headers: ['Upload-Offset', 'Upload-Expires'],
  },
  refusals: [412, 460],
  async run(ctx, { path, body }) {
    await refuseUpload(ctx, body.upload)
    const created = await createUpload(ctx, body.upload)
    const upload = await addWaiting(ctx, created, body, body.upload.fields)
    const location = `${path.replace(/\/$/, '')}/${upload.id}`
    return { body: bodyOf(upload), headers: { location, ...headersOf(upload) } }
  },
})

/** Adds the bytes that came with the request; with the last ones the file is made. */
async function addWaiting(ctx: Context, upload: FileUpload, waiting: Waiting, about: TusMetadata): Promise<FileUpload> {
  if (waiting.whole) return await finishUpload(ctx, upload, waiting.whole, about)
  if (!waiting.part) return upload
  const longer = await addPart(ctx, upload, waiting.part)
  waiting.added = true
  return longer
}

const get = operation({
  ...common,
  mode: 'read',
  summary: 'Show how far an upload is',
  description: `${about} \`HEAD\` answers the same headers. Uploads of other users, and those that are over, are 404.`,
  headers: { 'Tus-Resumable': versionHeader },
  reply: {
    status: 200,
    schema: uploadSchema,
    description: 'The upload.',
    headers: ['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
  },
  refusals: [404, 412],
  async run(ctx, { params, headers }) {
    refuseOtherVersion(headers)
    const upload = await getUpload(ctx, params.id ?? '')
    // The parts are no part of a backup.
    if (!(await ctx.services.uploadParts.has(placeOf(ctx, upload.id), await partsOf(ctx, upload)))) throw new NotFound()
    return {
      body: bodyOf(upload),
      headers: {
        ...headersOf(upload),
        'upload-length': String(upload.length),
        ...(upload.metadata === '' ? {} : { 'upload-metadata': upload.metadata }),
        'cache-control': 'no-store',
      },
    }
  },
})

const append = operation<ReceivedPiece>({
  ...common,
  mode: 'write',
  summary: 'Add bytes to an upload',
  description: `${about} The bytes are durably stored when the reply arrives; if the connection is lost, those that had arrived. The last ones make the file, whose id is that of the upload. Bytes at another offset than the upload has are 409: of two requests at once one wins.`,
  headers: {
    'Tus-Resumable': versionHeader,
    'Upload-Offset': bytesHeader('The bytes that are stored.'),
    'Upload-Checksum': checksumHeader,
  },
  form: { schema: bytesSchema, media: tusMedia, receive: receivePiece },
  reply: { status: 204, description: 'The bytes are stored.', headers: ['Upload-Offset', 'Upload-Expires'] },
  refusals: [404, 409, 412, 422, 460],
  async run(ctx, { body }) {
    return { headers: headersOf(await addWaiting(ctx, body.upload, body, readMetadata(body.upload.metadata))) }
  },
})

const remove = operation({
  ...common,
  mode: 'write',
  summary: 'End an upload',
  description: `${about} Its bytes are removed. The file of a finished upload stays.`,
  headers: { 'Tus-Resumable': versionHeader },
  reply: { status: 204, description: 'The upload is gone.' },
  refusals: [404, 412],
  async run(ctx, { params, headers }) {
    refuseOtherVersion(headers)
    await removeUpload(ctx, params.id ?? '')
    return {}
  },
})

export const uploadRoutes: Routes = {
  'OPTIONS /file/upload': discover,
  'POST /file/upload': create,
  'GET /file/upload/:id': get,
  'PATCH /file/upload/:id': append,
  'DELETE /file/upload/:id': remove,
}
