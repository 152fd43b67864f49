import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'

/** The tenant that a stranger means by its slug; none if it is not there, or closed. */
export async function tenantBySlug({ crossTenantSql }: Database, workspace: unknown): Promise<Id | undefined> {
  const slug = typeof workspace === 'string' ? workspace.trim().toLowerCase() : ''
  if (!/^[a-z0-9-]{1,60}$/.test(slug)) return undefined
  const [tenant] = await crossTenantSql<{ id: Id }>`select tenant_id as id from tenant
    where slug = ${slug} and status = 0 and not deleted`
  return tenant?.id
}
