import { Type } from 'typebox'
import { admins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { instantText } from '../../kernel/record/columns.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Name, Text } from '../../kernel/schema/values.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { holdsBytes } from './bytes/byte-place.ts'
import { storageFaults } from './storage-faults.ts'
import { storageEncryption, storageKind } from './storage-kind.ts'

const shape = {
  name: Name(120),
  kind: Code(codeTableOfCodes('outboundStorage.kind', storageKind), {
    description: '0 the disk of the service · 1 a store that speaks S3.',
  }),
  endpoint: Text(500, {
    description: 'The address of the store, without bucket and path.',
    examples: ['https://s3.example.com'],
  }),
  region: Text(60, {
    description: 'The region that requests are signed for; empty is us-east-1, which stores without regions accept.',
  }),
  bucket: Text(63),
  prefix: Text(200, {
    description: 'What the keys of all objects begin with: `<prefix>/<tenant>/<aa>/<bb>/<sha256>`.',
  }),
  accessKey: Text(200),
  secretKey: Text(500, { writeOnly: true }),
  encryption: Code(codeTableOfCodes('outboundStorage.encryption', storageEncryption), {
    description: '0 as the bucket has it · 1 the store is asked to encrypt each object (AES256).',
  }),
  active: Type.Boolean({
    default: true,
    description: 'Whether new bytes are written there. Those that are there are read in any case.',
  }),
  default: Type.Boolean({ description: 'New files of the tenant go there. One storage at most.' }),
}

export type OutboundStorage = Stored<typeof shape>
export type StorageValues = Values<typeof shape>

const healthSchema: Schema = {
  type: 'object',
  description: 'How the store answered last.',
  properties: {
    lastOk: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string', description: 'What was wrong the last time; empty after a success.' },
    failedAt: { type: ['string', 'null'], format: 'date-time' },
  },
  required: ['lastOk', 'lastError', 'failedAt'],
}

/** A place for the bytes of a tenant's files: the disk of the service, or a bucket of the tenant's own. */
export const outboundStorages = resource('OutboundStorage', {
  about:
    'A place for the bytes of files: the disk of the service, or a bucket of a store that speaks S3. `secretKey` is write-only; `***` in an update keeps it.',
  shape,
  derived: {
    health: {
      schema: healthSchema,
      value:
        s => sql`coalesce((select json_build_object('lastOk', ${instantText(sql`h.last_ok`)}, 'lastError', h.last_error, 'failedAt', ${instantText(sql`h.failed_at`)})
        from outbound_storage_state h where h.tenant_id = ${ownTenant} and h.storage_id = ${s}.id), '{"lastOk": null, "lastError": "", "failedAt": null}'::json)`,
    },
  },
  may: { read: admins },
  check: checkStorage,
  findings: storageFindings,
  remembered: true,
  example: {
    name: 'Our bucket',
    kind: storageKind.s3,
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    bucket: 'gantry-files',
    accessKey: 'AKIDEXAMPLE',
    secretKey: 'the secret key',
  },
})

async function checkStorage(ctx: Context, storage: StorageValues, before: OutboundStorage | undefined): Promise<void> {
  const faults = storageFaults(storage, ctx.services.outboundRules)
  if (faults.length > 0) throw new Invalid(faults)
  const moved = before ? places.filter(property => before[property] !== storage[property]) : []
  if (!before || moved.length === 0 || !(await holdsBytes(ctx, before.id))) return
  const message = 'files are stored there: they would be lost from sight'
  throw new RuleBroken(
    'storage-in-use',
    message,
    moved.map(property => fault([property], 'storage-in-use', message, storage[property])),
  )
}

/** The properties by which objects are found. The endpoint is none: a store may get another name. */
const places = ['kind', 'bucket', 'prefix'] as const

function storageFindings({ kind, secretKey, accessKey, active, encryption, ...storage }: OutboundStorage): Finding[] {
  const found: Finding[] = []
  const add = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (storage.default && !active)
    add('/active', 'inactive-default', 'new files stay on the disk of the service, because the default is not active')
  if (kind !== storageKind.s3) return found
  if (accessKey === '') add('/accessKey', 'no-credentials', 'the store cannot be used without an access key')
  if (secretKey === '') add('/secretKey', 'no-credentials', 'the store cannot be used without a secret key')
  if (!Object.values<number>(storageEncryption).includes(encryption))
    add('/encryption', 'unknown-code', `${encryption} is not known, and counts as 0`)
  if (storage.endpoint.startsWith('http:'))
    add('/endpoint', 'not-encrypted', 'files travel without encryption, because the endpoint is plain http')
  return found
}
