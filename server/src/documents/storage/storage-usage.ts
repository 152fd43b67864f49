import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { outboundStorages } from './outbound-storage.ts'

const count = (description: string): Schema => ({ type: 'integer', description })

const usage = operation({
  permission: outboundStorages.permissions.read,
  mode: 'read',
  summary: 'Show what is stored where',
  description:
    'What the tenant has at each storage, and on the disk of the service. Bytes that several records refer to are stored once, and deleted records count until they are removed for good. A copy that waits for its deletion after a move is not counted.',
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'StorageUsage',
        properties: {
          storageId: { type: ['string', 'null'], format: 'uuid', description: 'Null is the disk of the service.' },
          name: { type: 'string' },
          files: count('The records of files.'),
          mails: count('The stored mails.'),
          objects: count('The different contents of both.'),
          bytes: count('The bytes of these contents.'),
        },
        required: ['storageId', 'name', 'files', 'mails', 'objects', 'bytes'],
      },
    },
    description: 'The disk first, then the storages by name.',
  },
  async run(ctx) {
    return { body: await usageOf(ctx) }
  },
})

interface StorageUsage {
  storageId: Id | null
  name: string
  files: number
  mails: number
  objects: number
  bytes: number
}

async function usageOf(ctx: Context): Promise<StorageUsage[]> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<StorageUsage>`with record as (
      select f.sha256 as hash, f.size, 1 as files, 0 as mails from file f where f.tenant_id = ${tenantId}
      union all select m.sha256, m.size, 0, 1 from mail_message m where m.tenant_id = ${tenantId} and m.sha256 <> ''
    ), content as (
      select r.hash, max(r.size) as size, sum(r.files) as files, sum(r.mails) as mails from record r group by r.hash
    ), place as (
      select null::uuid as id, '' as name union all select s.id, s.name from outbound_storage s where s.tenant_id = ${tenantId} and not s.deleted
    )
    select p.id as "storageId", p.name, coalesce(sum(u.files), 0)::float8 as files, coalesce(sum(u.mails), 0)::float8 as mails,
      count(u.hash)::float8 as objects, coalesce(sum(u.size), 0)::float8 as bytes
    from place p left join (select c.*, b.storage_id from content c left join stored_bytes b on b.tenant_id = ${ownTenant} and b.hash = c.hash) u
      on u.storage_id is not distinct from p.id
    group by p.id, p.name order by p.id is not null, p.name, p.id`
  return rows.map(row => ({ ...row }))
}

export const usageRoutes: Routes = { 'GET /outbound-storage/usage': usage }
