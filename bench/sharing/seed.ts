import type pg from 'pg'
import { mint } from '../../server/src/admin/api-key.ts'
import { users } from '../../server/src/admin/user/user.ts'
import { tenantCaller } from '../../server/src/identity/tenant-caller.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import { newId } from '../../server/src/kernel/id.ts'

/** Creates containers and distributes the seeded items evenly over them. */
export async function spreadItems(owner: pg.Client, tenantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into container (tenant_id, id, created, created_by, updated, updated_by, key, name, process_ids, default_process_id, fields, private)
      select m.tenant_id, c.id, m.created, m.created_by, m.updated, m.updated_by, 'S' || c.n, 'Shared ' || c.n, m.process_ids, m.default_process_id, m.fields, c.n % 10 = 0
      from container m, unnest($2::uuid[]) with ordinality c(id, n) where m.tenant_id = $1 and m.key = 'MODEL'`,
    [tenantId, ids],
  )
  await owner.query(
    `update item i set container_id = ($2::uuid[])[1 + r.n % $3], number = r.n
      from (select id, row_number() over (order by hashtext(id::text)) as n from item where tenant_id = $1) r where i.tenant_id = $1 and i.id = r.id`,
    [tenantId, ids, count],
  )
  await owner.query('set session_replication_role = origin')
  // In production, items are on the disk in the order of their creation.
  await owner.query('cluster item using item_pkey')
  await owner.query('vacuum (analyze)')
  return ids
}

/** Creates members. Returns their API keys. */
export async function createMembers(url: string, tenantId: string, count: number): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const { id } = await database.transaction(tenantCaller(tenantId), ctx => users.create(ctx, { name: `Member ${i}` }))
    keys.push((await database.transaction(tenantCaller(tenantId, id), ctx => mint(ctx, { name: 'bench' }))).RawKey)
  }
  await database.close()
  return keys
}

/** Creates a user without a role in the tenant, with 150 grants of their own and 50 of their group. Returns their API key. */
export async function createGuest(
  url: string,
  owner: pg.Client,
  tenantId: string,
  containerIds: readonly string[],
): Promise<string> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const service = tenantCaller(tenantId)
  const { id } = await database.transaction(service, ctx => users.create(ctx, { name: 'Guest', role: 0 }))
  const key = await database.transaction(tenantCaller(tenantId, id), ctx => mint(ctx, { name: 'bench' }))
  await database.close()
  const groupId = newId()
  await owner.query(
    `insert into user_group (tenant_id, id, created, created_by, updated, updated_by, name, members) values ($1, $2, now(), $3, now(), $3, 'Guests', array[$3::uuid])`,
    [tenantId, groupId, id],
  )
  const granted = containerIds.filter((_, i) => i % 5 === 0)
  await owner.query(
    `insert into access_control (tenant_id, id, created, created_by, updated, updated_by, user_id, user_group_id, owner, owner_id, role)
      select $1, gen_random_uuid(), now(), $2, now(), $2, case when n <= 150 then $2::uuid end, case when n > 150 then $3::uuid end, 1, c::text, 3
      from unnest($4::uuid[]) with ordinality g(c, n)`,
    [tenantId, id, groupId, granted],
  )
  return key.RawKey
}
