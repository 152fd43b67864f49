import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startTestService } from '../../../test/support/people.ts'

// The log grows without an end and is that of all tenants, so a list of changes must not walk through it.

test('a list of large changes reads their events by the index of the change set', async () => {
  const { ada, eve, databaseUrl } = await startTestService()
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  after(() => owner.end())
  const item = await ada.post('/item', { title: 'Changed often' })
  /** Writes events in change sets of the same size. */
  const happen = (tenantId: string, actorId: string, count: number, size: number) =>
    owner.query(
      `insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
      select $1, gen_random_uuid(), now(), 'item.updated', 'Item', $2, $3, 'user', ('7fffffff-0000-7000-8000-' || lpad((n / $5)::text, 12, '0'))::uuid, '{"title": {"to": "x"}}'
      from generate_series(0, $4::int - 1) n`,
      [tenantId, item.id, actorId, count, size],
    )
  await owner.query('set session_replication_role = replica')
  await happen(eve.tenantId, eve.id, 20_000, 400)
  await happen(ada.tenantId, ada.id, 4000, 400)
  await owner.query('vacuum analyze event')

  const sent: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [statement] = given as [{ text?: string; values?: unknown[] }]
    // Streams follow the log meanwhile, in its order.
    const isOfList = statement.text?.includes('from event e') && !statement.text.includes('log_settled')
    if (isOfList) sent.push({ text: '', values: [], ...statement })
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    const listed = await ada.get('/change?limit=5')
    assert.deepEqual(
      listed.map((each: { records: number; actor: { id: string } }) => [each.records, each.actor.id]),
      Array.from({ length: 5 }, () => [1, ada.id]),
    )
  } finally {
    pg.Client.prototype.query = query
  }

  await owner.query('set role gantry_app')
  await owner.query(`set app.tenant = '${ada.tenantId}'`)
  assert.ok(sent.length >= 3)
  for (const { text, values } of sent) {
    const { rows } = await owner.query({ text: `explain (format json) ${text}`, values })
    assert.doesNotMatch(JSON.stringify(rows), /event_in_order|event_pkey|Seq Scan",[^}]*"Relation Name":"event"/, text)
  }
})
