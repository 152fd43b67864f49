import { createTenantWithAdmin, type TenantCredentials } from '../admin/tenant/operate-tenants.ts'
import { freeSlug } from '../admin/tenant/operator-operations.ts'
import { makeInbox } from '../containers/container/container.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { makeLinkTypes } from '../items/link/link-type.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { type Id, newId } from '../kernel/id.ts'

export interface CreatedTenant extends TenantCredentials {
  tenantId: Id
}

/**
 * Creates a tenant with its first super admin in one transaction. The returned credentials are shown once and not
 * stored.
 */
export async function createTenant(
  database: Database,
  { name, email, keyName, operating = false }: { name: string; email: string; keyName: string; operating?: boolean },
): Promise<CreatedTenant> {
  const tenantId = newId()
  const slug = await freeSlug(database, name)
  const { tenant: _, ...credentials } = await database.transaction(tenantCaller(tenantId, newId()), ctx =>
    createTenantWithAdmin(ctx, { name, slug, email, keyName, operating }, seedTenant),
  )
  return { tenantId, ...credentials }
}

/** Creates the records that every tenant starts with. */
export async function seedTenant(ctx: Context): Promise<void> {
  await makeInbox(ctx)
  await makeLinkTypes(ctx)
}
