import type pg from 'pg'
import type { TenantBase } from './seed.ts'

// Seeds the people and customers of a tenant that grows: a customer for each item, and a user for every fifth.

const hex = (n: string) => `lpad(to_hex(${n}), 12, '0')`
const columns = 'tenant_id, id, created, created_by, updated, updated_by'
const word = (n: string) => `(select initcap(w.word) from bench.word w where w.n = (${n}) % 8000)`

/** Seeds the customers and users from one number up to another. */
export async function seedNames(
  owner: pg.Client,
  { tenantId, memberId, mark }: TenantBase,
  from: number,
  to: number,
): Promise<void> {
  const common = (group: string) =>
    `'${tenantId}', ('01900000-0000-7${mark}-${group}-' || ${hex('k')})::uuid, now(), '${memberId}', now(), '${memberId}'`
  await owner.query('set session_replication_role = replica')
  await owner.query(`insert into crm (${columns}, code, name)
    select ${common('d000')}, 'K' || k, ${word('k * 31')} || ' ' || ${word('k / 7')} || case when k % 200 = 7 then ' Holding' else '' end || case when k % 4 = 0 then ' Ltd' else ' GmbH' end
    from generate_series(${from}, ${to - 1}) k`)
  await owner.query(`insert into "user" (${columns}, name, email)
    select ${common('e000')}, ${word('k * 17')} || ' ' || ${word('k / 3')} || case when k % 200 = 7 then ' Junior' else '' end, 'person' || k || '@customer' || k % 1000 || '.example'
    from generate_series(${Math.floor(from / 5)}, ${Math.floor(to / 5) - 1}) k`)
  // The triggers that fill this table do not run here.
  for (const property of ['crm.name', 'crm.code', 'user.name', 'user.email']) {
    const [table, column] = property.split('.')
    await owner.query(`insert into name_part (tenant_id, property, id, text)
      select tenant_id, '${property}', id, fold(${column}) from "${table}" where tenant_id = '${tenantId}' on conflict do nothing`)
  }
  await owner.query('set session_replication_role = origin')
}
