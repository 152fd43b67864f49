import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { grantEffect } from '../../../identity/grant-effect.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { statusCategory } from '../../../items/status.ts'

type Row = Record<string, unknown>

describe('a report', async () => {
  const { ada, bob, eve, person, databaseUrl } = await sharedTestService()
  const nora = await person({ name: 'Nora' })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  after(() => client.end())
  const { id: board } = await ada.post('/container', { name: 'Board' })
  const { id: next } = await ada.post('/container', { name: 'Next' })
  const march = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T00:00:00Z', timezone: 'UTC' }
  const ask = (who: Person, name: string, body: object) => who.ask('POST', `/insight/report/${name}`, { body })
  const read = async (who: Person, name: string, body: object): Promise<Row[]> => {
    const answer = await ask(who, name, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const rows = async (who: Person, name: string, body: object) =>
    (await read(who, name, body)).map(({ drill: _, ...row }) => row)
  const drilled = async (who: Person, token: unknown) =>
    (await who.get(`/insight/drill/${token}`)).map((each: { title: string }) => each.title).sort()

  /** Makes an item that came into these states at these times; the last one is its present state. */
  async function past(title: string, states: readonly (readonly [string, string])[], values: object = {}) {
    const [[status] = [''], ...later] = states
    const { id } = await ada.post('/item', { title, containerId: board, status, ...values })
    for (const [state] of later) await ada.put(`/item/${id}`, { status: state })
    const at = states.map(([, moment]) => moment)
    await client.query(
      'update item_stay set from_at = ($2::timestamptz[])[n], to_at = ($2::timestamptz[])[n + 1] where item_id = $1',
      [id, at],
    )
    await client.query(
      'update item set created = $2, closed_at = case when closed_at is null then null else $3::timestamptz end where id = $1',
      [id, at[0], at.at(-1)],
    )
    return id
  }

  await past('Quick', [
    ['Open', '2026-03-02T00:00:00Z'],
    ['Doing', '2026-03-02T12:00:00Z'],
    ['Done', '2026-03-03T00:00:00Z'],
  ])
  await past('Slow', [
    ['Open', '2026-02-20T00:00:00Z'],
    ['Doing', '2026-03-01T00:00:00Z'],
    ['Done', '2026-03-05T00:00:00Z'],
    ['Doing', '2026-03-06T00:00:00Z'],
    ['Done', '2026-03-12T00:00:00Z'],
  ])
  await past('Never begun', [
    ['Open', '2026-03-10T00:00:00Z'],
    ['Done', '2026-03-11T00:00:00Z'],
  ])
  await past('Reopened', [
    ['Open', '2026-03-01T00:00:00Z'],
    ['Done', '2026-03-02T00:00:00Z'],
    ['Open', '2026-03-03T00:00:00Z'],
  ])
  await past('Dropped', [
    ['Open', '2026-03-01T00:00:00Z'],
    ['Cancelled', '2026-03-04T00:00:00Z'],
  ])
  await past(
    'Secret',
    [
      ['Open', '2026-03-01T00:00:00Z'],
      ['Done', '2026-03-31T00:00:00Z'],
    ],
    { visibility: itemVisibility.confidential },
  )
  const total = { ...march, groupBy: [] }

  test('on lead time counts the last close of what is done, also for the total', async () => {
    assert.deepEqual(await rows(nora, 'lead-time', total), [
      { items: 3, measured: 3, average: 176, p50: 24, p85: 343.2, p95: 434.4 },
    ])
    assert.deepEqual(
      (await rows(nora, 'lead-time', { ...march, groupBy: ['week'] })).map(({ week, items }) => [week, items]),
      [
        ['2026-03-02', 1],
        ['2026-03-09', 2],
      ],
    )
  })

  test('on cycle time begins with the first start of work', async () => {
    const [row] = await rows(nora, 'cycle-time', total)
    assert.deepEqual([row?.items, row?.measured, row?.p50], [3, 2, (12 + 264) / 2])
  })

  test('counts what the caller may see, in rows as behind them', async () => {
    const [mine] = await read(nora, 'lead-time', total)
    const [hers] = await read(ada, 'lead-time', total)
    assert.deepEqual([mine?.items, hers?.items], [3, 4])
    assert.deepEqual(await drilled(ada, hers?.drill), ['Never begun', 'Quick', 'Secret', 'Slow'])
    assert.deepEqual(await drilled(nora, hers?.drill), ['Never begun', 'Quick', 'Slow'])
    assert.deepEqual(await rows(eve, 'lead-time', { ...march, groupBy: ['container'] }), [])
    assert.equal((await eve.ask('GET', `/insight/drill/${hers?.drill}`)).status, 404)
  })

  test('on time in status cuts the stays at the ends of the period', async () => {
    const days = async (body: object) =>
      (await rows(nora, 'time-in-status', body)).map(({ status, hours, items }) => [status, Number(hours) / 24, items])
    const week = { ...march, endDate: '2026-03-07T00:00:00Z' }
    // Open: Quick 0.5, Reopened 1 + 5, Dropped 3. Doing: Quick 0.5, Slow 4 + 2.
    assert.deepEqual(await days(week), [
      ['Doing', 6.5, 2],
      ['Open', 9.5, 3],
    ])
    const [row] = await read(nora, 'time-in-status', week)
    assert.deepEqual(await drilled(nora, row?.drill), ['Quick', 'Slow'])
  })

  test('on the flow shows each category at the end of each day', async () => {
    const flow = await read(nora, 'cumulative-flow', { ...march, containerIds: [board] })
    const on = (date: string) =>
      Object.values(statusCategory).map(
        category => flow.find(row => row.date === date && row.category === category)?.items,
      )
    assert.equal(flow.length, 31 * 6)
    assert.deepEqual(on('2026-03-01'), [0, 2, 1, 0, 0, 0])
    assert.deepEqual(on('2026-03-02'), [0, 1, 2, 0, 1, 0])
    assert.deepEqual(on('2026-03-31'), [0, 1, 0, 0, 3, 1])
    const doing = flow.find(row => row.date === '2026-03-02' && row.category === statusCategory.started)
    assert.deepEqual(await drilled(nora, doing?.drill), ['Quick', 'Slow'])
    const unreadable = `${String(doing?.drill).split('.')[0]}.2026-99-99_2`
    assert.deepEqual(await nora.get(`/insight/drill/${unreadable}`), [])
  })

  test('on the flow counts a moved item where it was', async () => {
    const id = await past('Moved', [['Open', '2026-03-20T00:00:00Z']])
    await ada.post(`/item/${id}/move`, { containerId: next })
    await client.query(`update item_stay set from_at = '2026-03-20', to_at = '2026-03-22' where item_id = $1`, [id])
    const on = async (container: string, date: string) =>
      (await rows(nora, 'cumulative-flow', { ...march, containerIds: [container] })).find(
        row => row.date === date && row.category === statusCategory.unstarted,
      )?.items
    assert.deepEqual([await on(board, '2026-03-21'), await on(next, '2026-03-21')], [2, 0])
    assert.deepEqual([await on(board, '2026-03-22'), await on(next, '2026-03-22')], [1, 1])
  })

  test('on burning down has the amounts of containers and of cycles', async () => {
    const burn = await rows(nora, 'burn', { ...march, containerIds: [board] })
    assert.deepEqual(burn.at(-1), {
      date: '2026-03-31',
      scope: { count: 4, points: 0, minutes: 0 },
      done: { count: 3, points: 0, minutes: 0 },
      inProgress: { count: 0, points: 0, minutes: 0 },
      remaining: { count: 1, points: 0, minutes: 0 },
    })
    const cycle = await ada.post('/cycle', { name: 'Sprint', containerId: board })
    await ada.post(`/cycle/${cycle.id}/start`, {})
    const { days } = await ada.get(`/cycle/${cycle.id}/burndown`)
    assert.deepEqual(await rows(nora, 'burn', { cycleId: cycle.id }), days)
    assert.equal((await ask(eve, 'burn', { cycleId: cycle.id })).status, 404)
    assert.equal((await ask(nora, 'burn', {})).status, 400)
  })

  test('on the age of the backlog counts what is open now', async () => {
    await ada.post('/item', { title: 'New', containerId: next })
    assert.deepEqual(
      (await rows(nora, 'backlog-age', {})).map(({ age, items }) => [age, items]),
      [
        ['0-7', 1],
        ['91+', 2],
      ],
    )
  })

  test('refuses what is hidden from the caller, like what does not exist', async () => {
    await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions: ['field.priority.*'] })
    await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions: ['field.status.*'] })
    const { status, body } = await ask(bob, 'lead-time', { ...march, groupBy: ['priority'] })
    assert.deepEqual([status, body.Fields[0].Pointer], [400, '/groupBy/0'])
    assert.equal((await ask(bob, 'time-in-status', march)).status, 403)
    const [row] = await read(nora, 'time-in-status', march)
    assert.equal((await bob.ask('GET', `/insight/drill/${row?.drill}`)).status, 403)
  })

  test('reports the faults of its request', async () => {
    const faults = async (body: object) =>
      (await ask(ada, 'lead-time', body)).body.Fields.map((each: { Pointer: string }) => each.Pointer)
    assert.deepEqual(await faults({ groupBy: ['nothing'] }), ['/startDate', '/endDate', '/groupBy/0'])
    assert.deepEqual(await faults({ ...march, endDate: '2026-02-01T00:00:00Z' }), ['/endDate'])
    assert.deepEqual(await faults({ ...march, endDate: '2126-02-01T00:00:00Z' }), ['/endDate'])
  })

  test('on the log is for those who may read it', async () => {
    const now = new Date().toISOString()
    const body = { startDate: now, endDate: now, groupBy: ['actor'] }
    const [row] = await rows(ada, 'audit', body)
    assert.deepEqual([row?.actor, Number(row?.events) > 10], [ada.id, true])
    assert.equal((await ask(nora, 'audit', body)).status, 403)
  })
})
