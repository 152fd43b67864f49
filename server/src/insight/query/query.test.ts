import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { type Dimension, readTable } from '../report/table.ts'

describe('a query', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()
  const nora = await person({ name: 'Nora' })
  const wage = await ada.post('/field', { name: 'Wage', key: 'wage', fieldType: 'number' })
  await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions: ['field.wage.*'] })
  const { id: desk } = await ada.post('/container', { name: 'Desk' })
  const { id: other } = await ada.post('/container', { name: 'Other' })
  const add = (values: object) => ada.post('/item', { containerId: desk, ...values })
  const made = {
    one: await add({ title: 'One', status: 'Open', points: 3, assignees: [ada.id, nora.id], startDate: '2026-01-31' }),
    two: await add({ title: 'Two', status: 'Open', points: 5, assignees: [ada.id], startDate: '2026-02-01' }),
    three: await add({ title: 'Three', status: 'Busy', points: 10, startDate: '2026-04-02', Tags: ['x', 'y'] }),
    secret: await add({ title: 'Secret', status: 'Open', points: 1000, visibility: itemVisibility.confidential }),
  }
  await add({ title: 'Elsewhere', containerId: other, status: 'Open', points: 7 })
  const inDesk = [{ condition: [{ leftSide: 'containerId', operator: operator.equals, rightSide: desk }] }]
  const ask = (who: Person, body: object) =>
    who.ask('POST', '/insight/query', { body: { entity: 'Item', conditionGroup: inDesk, ...body } })
  const rows = async (who: Person, body: object) => {
    const { status, body: answer } = await ask(who, body)
    assert.equal(status, 200, JSON.stringify(answer))
    return answer.rows.map(({ drill: _, ...row }: Record<string, unknown>) => row)
  }
  const faultsOf = async (who: Person, body: object) => {
    const { status, body: answer } = await ask(who, body)
    assert.equal(status, 400, JSON.stringify(answer))
    return answer.Fields.map((each: { Pointer: string; Code: string }) => `${each.Pointer} ${each.Code}`)
  }

  test('groups, measures and sorts, and gives the total of all records', async () => {
    const { body } = await ask(nora, {
      groupBy: [{ field: 'status' }],
      measures: [
        { op: 'count' },
        { op: 'sum', field: 'points', as: 'points' },
        { op: 'avg', field: 'points', as: 'mean' },
        { op: 'percentile', field: 'points', p: 0.5, as: 'median' },
        { op: 'max', field: 'startDate', as: 'last' },
        { op: 'countDistinct', field: 'containerId', as: 'containers' },
      ],
      sort: '-points',
    })
    assert.deepEqual(
      body.rows.map(({ drill: _, ...row }: Record<string, unknown>) => row),
      [
        { status: 'Busy', count: 1, points: 10, mean: 10, median: 10, last: '2026-04-02', containers: 1 },
        { status: 'Open', count: 2, points: 8, mean: 4, median: 4, last: '2026-02-01', containers: 1 },
      ],
    )
    assert.deepEqual(body.total, { count: 3, points: 18, mean: 6, median: 5, last: '2026-04-02', containers: 1 })
    assert.equal(body.groups, 2)
    assert.deepEqual(body.columns[0], { name: 'status', kind: 'text', role: 'dimension' })
  })

  test('puts dates and times into the buckets of a time zone', async () => {
    const by = (field: string, bucket: string) => rows(nora, { groupBy: [{ field, bucket, as: 'at' }] })
    assert.deepEqual(await by('startDate', 'month'), [
      { at: '2026-01-01', count: 1 },
      { at: '2026-02-01', count: 1 },
      { at: '2026-04-01', count: 1 },
    ])
    assert.deepEqual(await by('startDate', 'quarter'), [
      { at: '2026-01-01', count: 2 },
      { at: '2026-04-01', count: 1 },
    ])
    assert.deepEqual(await by('startDate', 'week'), [
      { at: '2026-01-26', count: 2 },
      { at: '2026-03-30', count: 1 },
    ])
    await nora.post('/time', { itemId: made.one.id, start: '2026-03-31T22:30:00Z', end: '2026-03-31T23:00:00Z' })
    const ofStart = async (timezone: string) =>
      (
        await nora.post('/insight/query', {
          entity: 'Time',
          groupBy: [{ field: 'start', bucket: 'month' }],
          measures: [{ op: 'sum', field: 'minutes', as: 'minutes' }],
          timezone,
        })
      ).rows.map(({ start, minutes }: Record<string, unknown>) => [start, minutes])
    assert.deepEqual(await ofStart('UTC'), [['2026-03-01', 30]])
    assert.deepEqual(await ofStart('Europe/Berlin'), [['2026-04-01', 30]])
  })

  test('counts a record for each of its values, and once in the total', async () => {
    const { body } = await ask(nora, { groupBy: [{ field: 'assignees' }], sort: '-count' })
    const counts = new Map(body.rows.map((row: Record<string, unknown>) => [row.assignees, row.count]))
    assert.deepEqual([counts.get(ada.id), counts.get(nora.id), counts.get(null), body.total.count], [2, 1, 1, 3])
  })

  test('shows no record that the caller may not see, neither in numbers nor behind them', async () => {
    const measures = [{ op: 'count' }, { op: 'sum', field: 'points', as: 'points' }]
    assert.deepEqual(await rows(nora, { measures }), [{ count: 3, points: 18 }])
    assert.deepEqual(await rows(ada, { measures }), [{ count: 4, points: 1018 }])
    assert.deepEqual(await rows(eve, { measures }), [{ count: 0, points: 0 }])
  })

  test('the token of a row lists what was counted, to whom it may be shown', async () => {
    const { body } = await ask(ada, { groupBy: [{ field: 'status' }, { field: 'assignees' }] })
    const row = body.rows.find((each: Record<string, unknown>) => each.status === 'Open' && each.assignees === null)
    assert.equal(row.count, 1)
    const titles = async (who: Person, token: string) =>
      (await who.get(`/insight/drill/${token}`)).map((each: { title: string }) => each.title)
    assert.deepEqual(await titles(ada, row.drill), ['Secret'])
    assert.deepEqual(await titles(nora, row.drill), [])
    const { body: all } = await ask(ada, { groupBy: [{ field: 'status' }] })
    const open = all.rows.find((each: Record<string, unknown>) => each.status === 'Open')
    assert.deepEqual(await titles(ada, open.drill), ['One', 'Two', 'Secret'])
    assert.deepEqual(await titles(nora, open.drill), ['One', 'Two'])
    const page = await nora.ask('GET', `/insight/drill/${open.drill}?limit=1&sort=-points`)
    assert.deepEqual([page.body[0].title, page.headers.get('x-limit')], ['Two', '1'])
    assert.equal((await eve.ask('GET', `/insight/drill/${open.drill}`)).status, 404)
    assert.equal((await ada.ask('GET', `/insight/drill/${open.drill.slice(4)}`)).status, 404)
  })

  test('a field that is hidden from the caller is unknown, like one that does not exist', async () => {
    await ada.put(`/item/${made.one.id}`, { Field: [{ fieldId: wage.id, value: 4711 }] })
    const sum = { measures: [{ op: 'sum', field: 'field.wage', as: 'wage' }] }
    assert.deepEqual(await rows(ada, sum), [{ wage: 4711 }])
    assert.deepEqual(await faultsOf(bob, sum), ['/measures/0/field unknown-path'])
    assert.deepEqual(await faultsOf(bob, { groupBy: [{ field: 'field.wage' }] }), ['/groupBy/0/field unknown-path'])
    assert.deepEqual(await faultsOf(bob, { groupBy: [{ field: 'field.nothing' }] }), ['/groupBy/0/field unknown-path'])
    const paid = [{ condition: [{ leftSide: 'field.wage', operator: operator.greaterThan, rightSide: '1' }] }]
    assert.deepEqual(await faultsOf(bob, { conditionGroup: paid }), [
      '/conditionGroup/0/condition/0/leftSide unknown-path',
    ])
    const { body } = await ask(ada, { groupBy: [{ field: 'field.wage' }] })
    const token = body.rows.find((row: Record<string, unknown>) => row['field.wage'] === 4711).drill
    assert.equal((await ada.get(`/insight/drill/${token}`)).length, 1)
    assert.equal((await bob.ask('GET', `/insight/drill/${token}`)).status, 400)
  })

  test('reports all its faults', async () => {
    assert.deepEqual(
      await faultsOf(ada, {
        groupBy: [{ field: 'statsu' }, { field: 'status', bucket: 'day' }],
        measures: [{ op: 'sum', field: 'title' }, { op: 'percentile', field: 'points' }, { op: 'avg' }],
      }),
      [
        '/groupBy/0/field unknown-path',
        '/groupBy/1/bucket bucket',
        '/measures/0/op operator-does-not-apply',
        '/measures/1/p required',
        '/measures/2/field required',
      ],
    )
    assert.deepEqual(await faultsOf(ada, { measures: [{ op: 'count' }, { op: 'count' }] }), ['/measures duplicate'])
    assert.deepEqual(await faultsOf(ada, { sort: 'nothing' }), ['/sort unknown'])
    assert.deepEqual(await faultsOf(ada, { entity: 'Password' }), ['/entity enum'])
  })

  test('time on an item that its owner does not see any more has no title', async () => {
    const { id } = await ada.post('/item', { title: 'Closed off', containerId: desk })
    await nora.post('/time', { itemId: id, date: '2026-05-01', minutes: 5 })
    await ada.put(`/item/${id}`, { visibility: itemVisibility.confidential })
    const day = [{ condition: [{ leftSide: 'date', operator: operator.equals, rightSide: '2026-05-01' }] }]
    const { rows: found } = await nora.post('/insight/query', {
      entity: 'Time',
      conditionGroup: day,
      groupBy: [{ field: 'item.title' }],
    })
    assert.deepEqual([found[0]['item.title'], found[0].count], ['restricted item', 1])
  })

  test('the log is counted for those who may read it', async () => {
    const created = [{ condition: [{ leftSide: 'kind', operator: operator.equals, rightSide: 'item.created' }] }]
    const body = { entity: 'Event', conditionGroup: created, groupBy: [{ field: 'actorId' }] }
    const { rows: found } = await ada.post('/insight/query', body)
    assert.deepEqual(found, [{ actorId: ada.id, count: 6, drill: null }])
    assert.equal((await bob.ask('POST', '/insight/query', { body })).status, 403)
  })

  test('ends where it would take too long or give too much', async () => {
    const table = { from: raw('item t'), record: raw('t.id'), measures: [], limit: 10 }
    const status: Dimension = { name: 'status', kind: 'text', value: raw('t.status') }
    const read = (where: Sql, limits: { groups: number; milliseconds: number }) =>
      database.transaction(tenantCaller(ada.tenantId), ctx => {
        const own = sql`t.tenant_id = ${ada.tenantId} and ${where}`
        return readTable(ctx, { ...table, where: own, dimensions: [status] }, limits)
      })
    const refused = (code: string) => (error: unknown) => error instanceof RuleBroken && error.code === code
    assert.equal((await read(raw('true'), { groups: 3, milliseconds: 600_000 })).groups, 3)
    await assert.rejects(read(raw('true'), { groups: 1, milliseconds: 600_000 }), refused('too-many-groups'))
    const asleep = raw('pg_sleep(600) is not null')
    await assert.rejects(read(asleep, { groups: 9, milliseconds: 20 }), refused('query-too-long'))
  })

  test('tickets have scores, and are the items of service desks only', async () => {
    const { id: help } = await ada.post('/container', { name: 'Help', kind: 1 })
    await ada.post('/ticket', { title: 'Broken', containerId: help })
    const { total } = await ada.post('/insight/query', {
      entity: 'Ticket',
      measures: [{ op: 'count' }, { op: 'avg', field: 'satisfaction.score', as: 'score' }],
    })
    assert.deepEqual(total, { count: 1, score: null })
  })

  test('the total is the same whether it is made from groups or from records', async () => {
    const minutes = [30, 45, 15, 480]
    for (const [i, length] of minutes.entries())
      await nora.post('/time', { itemId: made.one.id, date: `2025-0${1 + (i % 3)}-10`, minutes: length })
    const mergeable = [
      { op: 'count' },
      { op: 'count', field: 'nonBillable', as: 'codes' },
      { op: 'sum', field: 'seconds', as: 'seconds' },
      { op: 'sum', field: 'billAmount', as: 'amount' },
      { op: 'min', field: 'date', as: 'first' },
      { op: 'max', field: 'seconds', as: 'longest' },
    ]
    const totals = async (measures: object[], before: string) => {
      const conditionGroup = [{ condition: [{ leftSide: 'date', operator: operator.lessThan, rightSide: before }] }]
      const body = { entity: 'Time', measures, conditionGroup }
      const groupBy = [{ field: 'userId' }, { field: 'date', bucket: 'month' }]
      const [grouped, all] = [await ask(ada, { ...body, groupBy, limit: 1 }), await ask(ada, { ...body, groupBy: [] })]
      assert.deepEqual([grouped.status, all.status], [200, 200], JSON.stringify(grouped.body))
      assert.deepEqual(grouped.body.total, all.body.total)
      return grouped.body
    }
    const { total, groups, rows: shown } = await totals(mergeable, '2026-01-01')
    assert.deepEqual(
      [total.count, total.codes, total.seconds, total.first, total.longest, groups, shown.length],
      [4, 0, 570 * 60, '2025-01-10', 480 * 60, 3, 1],
    )
    const none = await totals(mergeable, '2025-01-01')
    assert.deepEqual([none.total.count, none.total.seconds, none.total.first, none.groups], [0, 0, null, 0])
    // A mean is not the mean of means, so this one needs the records.
    const mean = await totals([{ op: 'avg', field: 'seconds', as: 'mean' }], '2026-01-01')
    assert.equal(mean.total.mean, (570 * 60) / 4)
  })
})
