import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asOwner, freshDatabase } from '../../../test/support/database/database.ts'
import { until } from '../../../test/support/until.ts'
import { makeUser } from '../../identity/oauth/test-service.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { openDatabase } from '../../kernel/database.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { housekeeping } from './housekeeping.ts'
import { refreshStatistics } from './statistics.ts'

const url = await freshDatabase()
const database = openDatabase({ url, poolSize: 4, queueSize: 50, statementTimeout: 600_000 })

after(() => database.close())

const now = new Date('2026-05-01T12:00:00Z')
const never = new AbortController().signal

const run = (name: string, signal = never) => {
  const job = housekeeping(database, () => now).find(each => each.name === name)
  assert.ok(job)
  return job.run(signal)
}

async function newTenant(deleted = false): Promise<Id> {
  const id = newId()
  await asOwner(
    url,
    undefined,
    `insert into tenant (tenant_id, id, created, created_by, updated, updated_by, deleted, name, slug) values ($1, $1, now(), $1, now(), $1, $2, $3, $3)`,
    [id, deleted, `t${id}`],
  )
  return id
}

const keysOf = async (tenantId: Id) => {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ key: string }>`select key from idempotency where tenant_id = ${tenantId} order by key`,
  )
  return rows.map(row => row.key)
}

async function attempts(tenantId: Id, keys: string, at: string): Promise<void> {
  await asOwner(
    url,
    undefined,
    `insert into idempotency select $1, $1, '/item', key, $3, '', 201, '{}', '' from unnest($2::text[]) as key`,
    [tenantId, keys.split(' '), at],
  )
}

test('stored replies are kept for a day, then deleted in every tenant, including deleted ones', async () => {
  const tenants = [await newTenant(), await newTenant(), await newTenant(true)]
  for (const tenant of tenants) {
    await attempts(tenant, 'old older', '2026-04-30T11:59:59Z')
    await attempts(tenant, 'young', '2026-04-30T12:00:01Z')
  }
  await run('forget-idempotency')
  for (const tenant of tenants) assert.deepEqual(await keysOf(tenant), ['young'])
})

test('several batches are deleted, and an abort takes effect between two of them', async () => {
  const tenant = await newTenant()
  await attempts(tenant, Array.from({ length: 2500 }, (_, index) => `k${index}`).join(' '), '2026-04-01T00:00:00Z')
  await assert.rejects(run('forget-idempotency', AbortSignal.abort(new Error('stop'))), /stop/)
  assert.equal((await keysOf(tenant)).length, 2500)
  await run('forget-idempotency')
  assert.deepEqual(await keysOf(tenant), [])
})

test('expired sessions and tokens are deleted, those without an expiry stay', async () => {
  await database.crossTenantSql`insert into oauth (kind, id, payload, expires_at)
    select 'Session', 'expired' || n, '{}', ${new Date(now.getTime() - 1000)} from generate_series(1, 1200) n`
  await database.crossTenantSql`insert into oauth (kind, id, payload, expires_at) values
    ('Session', 'alive', '{}', ${new Date(now.getTime() + 1000)}), ('Client', 'endless', '{}', null)`
  await run('forget-oauth')
  assert.deepEqual(await database.crossTenantSql`select id from oauth order by id`, [
    { id: 'alive' },
    { id: 'endless' },
  ])
})

test('sessions that cannot be used any more are deleted', async () => {
  const tenantId = await newTenant()
  const user = await makeUser(database, tenantId, 'ada@example.com')
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const day = 24 * 60
  const sessions: [client: string, created: number, used: number, ended: number | undefined, version: number][] = [
    ['used', 300 * day, 29 * day, undefined, 0],
    ['just ended', 2, 1, 1, 0],
    ['ended', day, 30, 21, 0],
    ['unused', 40 * day, 31 * day, undefined, 0],
    ['renewed', 40 * day, 31 * day, undefined, 0],
    ['old', 366 * day, 1, undefined, 0],
    ['overtaken', 2, 1, undefined, -1],
  ]
  await database.single(tenantCaller(tenantId), async ctx => {
    for (const [client, created, used, ended, version] of sessions)
      await ctx.sql`insert into user_session (tenant_id, id, user_id, grant_id, native, client, created, last_used, ended, auth_version)
        select ${tenantId}::uuid, ${newId()}::uuid, id, ${client}, true, ${client}, ${before(created)}::timestamptz, ${before(used)}::timestamptz,
          ${ended === undefined ? null : before(ended)}::timestamptz, auth_version + ${version}::int from "user" where tenant_id = ${tenantId} and id = ${user.userId} returning 1`
  })
  await database.crossTenantSql`insert into oauth (kind, id, payload, grant_id, expires_at)
    values ('RefreshToken', 'renewal', '{}', 'renewed', ${before(-1)}), ('RefreshToken', 'expiry', '{}', 'unused', ${before(1)})`
  await run('forget-sessions')
  const left = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ client: string }>`select client from user_session where tenant_id = ${tenantId} order by client`,
  )
  assert.deepEqual(
    left.map(each => each.client),
    ['just ended', 'renewed', 'used'],
  )
})

test('the planner learns of rows that came in bulk', async () => {
  const tenant = await newTenant()
  await attempts(tenant, Array.from({ length: 2000 }, (_, i) => `bulk${i}`).join(' '), '2026-05-01T12:00:00Z')
  const known = async () =>
    (
      await database.crossTenantSql<{
        rows: number
      }>`select reltuples::int as rows from pg_class where relname = 'idempotency'`
    )[0]?.rows ?? 0
  assert.ok((await known()) < 2000)
  // The server counts changes with a delay of its own.
  await until(async () => {
    await refreshStatistics(database).run(never)
    return (await known()) >= 2000
  })
})
