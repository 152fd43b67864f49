import { tenantStatus } from '../../identity/tenant-status.ts'
import type { Database } from '../../kernel/database.ts'
import { queryReader } from '../../kernel/http/query.ts'
import type { Id } from '../../kernel/id.ts'

/** Reads the query of a request without a caller, which may name a tenant. */
export const readTenantQuery = queryReader({ mode: 'read', query: { tenant: { type: 'string' } } })

/** The id of the active tenant with this slug, for requests without a caller. */
export async function tenantBySlug({ crossTenantSql }: Database, workspace: unknown): Promise<Id | undefined> {
  const slug = typeof workspace === 'string' ? workspace.trim().toLowerCase() : ''
  if (!/^[a-z0-9-]{1,60}$/.test(slug)) return undefined
  const [tenant] = await crossTenantSql<{ id: Id }>`select tenant_id as id from tenant
    where slug = ${slug} and status = ${tenantStatus.active} and not deleted`
  return tenant?.id
}
