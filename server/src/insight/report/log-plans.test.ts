import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { startTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemsOfContainersAt } from '../../items/past/past.ts'
import type { Context } from '../../kernel/context.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { sources } from '../query/source.ts'

// The log grows without an end, so what asks for a period must not read the whole of it.

describe('a question about a period', async () => {
  const { ada, eve, database, databaseUrl } = await startTestService()
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  after(() => owner.end())

  /** Writes one event a minute from a day on, a third of them of another tenant. */
  const happen = async (from: string, count: number) => {
    await owner.query(
      `insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
      select case when n % 3 = 0 then $1::uuid else $2::uuid end, gen_random_uuid(), $3::timestamptz + n * interval '1 minute', 'container.updated', 'Container', $2, $2, 'user', gen_random_uuid(), jsonb_build_object('text', repeat(n::text, 200))
      from generate_series(1, $4::int) n`,
      [eve.tenantId, ada.tenantId, from, count],
    )
    await owner.query('vacuum (analyze) event')
  }
  await happen('2026-01-01T00:00:00Z', 9000)

  /** The part of the pages of the log that a statement reads, in the role of the service; `forced` where the log is so short that a scan is cheap. */
  async function readPart(where: Sql, forced = false): Promise<number> {
    const counted = sql`select count(*) from event e where e.tenant_id = ${ada.tenantId} and ${where}`
    return await partRead(async () => counted, forced)
  }

  async function partRead(statement: (ctx: Context) => Promise<Sql>, forced = false): Promise<number> {
    type Plan = { 'QUERY PLAN': [{ Plan: Record<string, number> }] }
    const [row] = await database.transaction(tenantCaller(ada.tenantId), async ctx => {
      const explained = await statement(ctx)
      if (forced) await ctx.sql`set local enable_seqscan = off`
      return await ctx.sql<Plan>`explain (analyze, buffers, format json) ${explained}`
    })
    const { rows } = await owner.query<{ pages: number }>(`select pg_relation_size('event') / 8192 as pages`)
    const plan = row?.['QUERY PLAN'][0].Plan ?? {}
    return ((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)) / Number(rows[0]?.pages)
  }
  const onDay = (date: string) =>
    sql`e.at >= ${`${date}T00:00:00Z`}::timestamptz and e.at < ${`${date}T04:00:00Z`}::timestamptz`

  test('reads the pages of this period, as a report and as a query', async () => {
    const part = await readPart(onDay('2026-01-02'))
    assert.ok(part < 0.25, String(part))
    const group = [{ condition: [{ leftSide: 'at', operator: operator.lessThan, rightSide: '2026-01-01T03:00:00Z' }] }]
    const { where } = await database.single(tenantCaller(ada.tenantId), ctx => sources.Event.compile(ctx, group))
    const asked = await readPart(where)
    assert.ok(asked < 0.25, String(asked))
  })

  test('reads the events of the items of a container, where it asks for its past', async () => {
    const { id } = await ada.post('/container', { name: 'Small' })
    for (const title of ['one', 'two', 'three']) {
      const item = await ada.post('/item', { title, containerId: id })
      await ada.must('PATCH', `/item/${item.id}`, { body: { title: `${title} again` } })
    }
    const at = new Date((await ada.get(`/container/${id}`)).updated)
    const part = await partRead(async ctx => sql`select * from ${await itemsOfContainersAt(ctx, at, [id])} t`)
    assert.ok(part < 0.25, String(part))
  })

  test('still does so when new events have taken the place of old ones', async () => {
    await owner.query(`delete from event where at < '2026-01-06T00:00:00Z'`)
    await owner.query('vacuum event')
    await happen('2026-06-01T00:00:00Z', 7000)
    const stale = await readPart(onDay('2026-03-01'), true)
    await database.crossTenantSql`select renew_event_times()`
    const renewed = await readPart(onDay('2026-03-01'), true)
    assert.ok(renewed < 0.1 && renewed < stale / 2, `${stale} before, ${renewed} after`)
  })
})
