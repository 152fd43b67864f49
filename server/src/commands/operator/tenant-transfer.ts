import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { exportLines } from '../../admin/tenant-transfer/export.ts'
import { importTenantAs, readImportInput } from '../../admin/tenant-transfer/tenant-transfer.ts'
import { openServices } from '../../app/services.ts'
import { appendAudit } from '../../identity/audit/audit.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Settings } from '../../platform/settings.ts'

// The operator's commands on whole tenants.

/** Sets whether the super admins of a tenant manage the other tenants. This command is the only way to set it. */
export async function setOperating(database: Database, slug: string, operating: boolean): Promise<void> {
  const tenantId = await tenantNamed(database, slug)
  await database.transaction(tenantCaller(tenantId), async ctx => {
    const changed = await ctx.sql`update tenant set operating = ${operating}
      where tenant_id = ${tenantId} and operating <> ${operating} returning true`
    const changes = { operating: { from: !operating, to: operating } }
    if (changed.length > 0)
      await appendEvents(ctx, [{ kind: 'tenant.updated', entity: 'Tenant', recordId: tenantId, changes }])
  })
}

/** Exports all data of a tenant, as of one moment. */
export async function exportTenantTo(
  database: Database,
  settings: Settings,
  { slug, files, to }: { slug: string; files: boolean; to: Writable },
): Promise<void> {
  const tenantId = await tenantNamed(database, slug)
  const work = async (lines: AsyncIterable<string>) => {
    for await (const some of lines) if (!to.write(some)) await once(to, 'drain')
  }
  const origin = { address: '', credential: 'command', credentialId: '', client: '' } as const
  await database.single({ ...tenantCaller(tenantId), origin }, ctx =>
    appendAudit(ctx, { action: 'export', reason: 'gantry tenant export' }),
  )
  await database
    .serving(openServices(settings))
    .transaction(tenantCaller(tenantId), ctx => work(exportLines(ctx, { files })))
}

/** Creates a tenant from an export, and issues new credentials to its super admin. */
export async function importTenantFrom(
  database: Database,
  settings: Settings,
  { file, ...options }: { file: string; slug: string; email: string; name?: string; suspended?: string },
) {
  const input = readImportInput(options)
  const nobody = tenantCaller(newId())
  return await database
    .serving(openServices(settings))
    .transaction(nobody, ctx => importTenantAs(ctx, () => createReadStream(file, { highWaterMark: 1 << 18 }), input))
}

async function tenantNamed({ crossTenantSql }: Database, slug: string): Promise<Id> {
  const [tenant] = await crossTenantSql<{ id: Id }>`select id from tenant where slug = ${slug} and not deleted`
  if (!tenant) throw new Error(`there is no tenant with the slug ${slug}`)
  return tenant.id
}
