import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { decide } from './decide-merge.ts'
import { scenarioState } from './scenario.ts'
import { changeOp, type ScenarioChange } from './scenario-change.ts'

const { ada, bob, eve, person, happened } = await sharedTestService()
const week = { from: '2030-06-03', to: '2030-06-07' } // Monday to Friday
const day = 8 * 3600

let manager: Person
let container: { id: string }
before(async () => {
  manager = await person({ name: 'Planner', role: roleCode.manager })
  container = await ada.post('/container', { name: 'Works' })
})

const scenario = () => manager.post('/plan/scenario', { name: 'What if' })
const plan = (body: object) => manager.post('/plan', { ...week, unit: 0, amount: 60, ...body })
const propose = (id: string, entity: string, op: number, recordId?: string, values?: object, who: Person = manager) =>
  who.ask('POST', `/plan/scenario/${id}/change`, { body: { entity, op, recordId, values } })
const proposed = async (...given: Parameters<typeof propose>) => {
  const { status, body } = await propose(...given)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const bucketOf = async (userId: string, query = '') => {
  const rows = await manager.get(`/plan/load?from=${week.from}&to=${week.to}&userId=${userId}${query}`)
  const [bucket] = rows.find((row: { key: string }) => row.key === userId)?.buckets ?? []
  return [bucket?.capacity, bucket?.firm, bucket?.over]
}
const merge = (id: string, body: object = {}, who: Person = manager) =>
  who.ask('POST', `/plan/scenario/${id}/merge`, { body })

describe('a scenario', () => {
  test('is seen by readings that name it, and by nobody else', async () => {
    const zoe = await person({ name: 'Zoe' })
    const [kept, changed, deleted] = [
      await plan({ userId: zoe.id }),
      await plan({ userId: zoe.id, from: '2030-01-07', to: '2030-01-08' }),
      await plan({ userId: zoe.id, amount: 600 }),
    ]
    const { id } = await scenario()
    const count = (await ada.get('/event?limit=1000')).length
    await proposed(id, 'Plan', changeOp.update, changed.id, { ...week, amount: 120 })
    await proposed(id, 'Plan', changeOp.delete, deleted.id)
    await proposed(id, 'Plan', changeOp.create, undefined, { ...week, userId: zoe.id, amount: 30, unit: 0 })
    await proposed(id, 'Leave', changeOp.create, undefined, { userId: zoe.id, from: '2030-06-07', to: '2030-06-07' })
    assert.deepEqual(await bucketOf(zoe.id), [5 * day, 5 * 660 * 60, 5 * 660 * 60 - 5 * day])
    assert.deepEqual(await bucketOf(zoe.id, `&scenario=${id}`), [4 * day, 4 * 210 * 60, 0])
    const events = (await ada.get('/event?limit=1000')).slice(count).map((each: { type: string }) => each.type)
    assert.deepEqual(new Set(events), new Set(['scenario.changed']))

    const listed = await manager.get(`/plan?scenario=${id}`)
    const own = listed.filter((each: { userId: string }) => each.userId === zoe.id)
    assert.deepEqual(
      own.map((each: { id: string; amount: number }) => [each.id === kept.id, each.amount]).sort(),
      [
        [false, 120],
        [false, 30],
        [true, 60],
      ].sort(),
    )
    const free = await manager.get(`/plan/free?from=${week.from}&to=${week.to}&scenario=${id}`)
    const [hers] = free.filter((each: { userId: string }) => each.userId === zoe.id)
    assert.equal(hers.free, 4 * day - 4 * 210 * 60)

    const compared = await manager.get(`/plan/scenario/${id}/compare?from=${week.from}&to=${week.to}`)
    const [row] = compared.load.filter((each: { key: string }) => each.key === zoe.id)
    assert.deepEqual(row.buckets[0].changes.firm, { from: 5 * 660 * 60, to: 4 * 210 * 60 })
    assert.ok(compared.over.to < compared.over.from)
  })

  test('is listed with filters, sorting and pages, of what it makes of the records', async () => {
    const zoe = await person({ name: 'Zoe' })
    const [small, large] = [await plan({ userId: zoe.id, amount: 10 }), await plan({ userId: zoe.id, amount: 500 })]
    const { id } = await scenario()
    await proposed(id, 'Plan', changeOp.update, small.id, { amount: 400 })
    const { recordId } = await proposed(id, 'Plan', changeOp.create, undefined, {
      ...week,
      userId: zoe.id,
      amount: 30,
      unit: 0,
    })
    const query = `/plan?userId=${zoe.id}&sort=-amount`
    const amounts = async (path: string) =>
      (await manager.get(path)).map((each: { id: string; amount: number }) => [each.id, each.amount])
    assert.deepEqual(await amounts(`${query}&scenario=${id}&amount[gte]=400`), [
      [large.id, 500],
      [small.id, 400],
    ])
    const first = await manager.ask('GET', `${query}&scenario=${id}&limit=2&count=exact`)
    assert.deepEqual([first.body.length, first.headers.get('x-total-count')], [2, '3'])
    const cursor = first.headers.get('x-next-cursor')
    assert.deepEqual(await amounts(`${query}&scenario=${id}&count=exact&limit=2&cursor=${cursor}`), [[recordId, 30]])
    assert.equal(
      (await manager.ask('GET', `${query}&limit=2&cursor=${cursor}`)).status,
      400,
      'a cursor of another list',
    )
    const { body, status } = await manager.ask('GET', `/plan?scenario=${id}&amont=5`)
    assert.deepEqual([status, body.Fields[0].Field], [400, 'amont'])
    const { id: theirs } = await eve.post('/plan/scenario', { name: 'Theirs' })
    for (const unknown of [theirs, 'x']) {
      const { status: refused } = await manager.ask('GET', `/plan?scenario=${unknown}&limit=1`)
      assert.equal(refused, 400)
    }
  })

  test('is compared with the cost and the value of the plan, for those who may read them', async () => {
    const [zoe, kim] = [await person({ name: 'Zoe' }), await person({ name: 'Kim', role: roleCode.manager })]
    await ada.post('/access-control', { userId: kim.id, effect: grantEffect.deny, permissions: ['cost.read'] })
    await manager.post('/finance/rate', {
      userId: zoe.id,
      from: '2030-01-01',
      bill: 100,
      cost: '50.5',
      currency: 'CHF',
    })
    const day = { from: '2030-06-05', to: '2030-06-05' }
    const [planned] = [await plan({ userId: zoe.id, ...day, owner: ownerKind.container, ownerId: container.id })]
    const { id } = await scenario()
    await proposed(id, 'Plan', changeOp.update, planned.id, { amount: 90 })
    const ask = async (who: Person) => {
      const { cost, value } = await who.get(`/plan/scenario/${id}/compare?from=${day.from}&to=${day.to}`)
      const units = (each: Record<string, string>) => Number(each.to) - Number(each.from)
      const francs = value?.find((each: { currency: string }) => each.currency === 'CHF')
      return [cost && units(cost), francs && units(francs)]
    }
    assert.deepEqual(await ask(manager), [25.25, 50])
    assert.deepEqual(await ask(kim), [undefined, 50])
  })

  test('takes single proposals back by undo, unless something else was proposed since', async () => {
    const zoe = await person({ name: 'Zoe' })
    const planned = await plan({ userId: zoe.id })
    const { id } = await scenario()
    const changes = async () =>
      (await manager.get(`/plan/scenario/${id}/change`)).map(
        (each: { changes: { amount: { to: number } } }) => each.changes.amount.to,
      )
    const undo = async (set: string | null) => await manager.ask('POST', `/change/${set}/undo`, { body: {} })
    const change = async (amount: number) => {
      const { headers, status } = await propose(id, 'Plan', changeOp.update, planned.id, { amount })
      assert.equal(status, 201)
      return headers.get('change-set')
    }
    const [first, second] = [await change(70), await change(80)]
    const early = await undo(first)
    assert.deepEqual([early.status, early.body.conflicts[0].property], [409, 'changes'])
    const undone = await undo(second)
    assert.deepEqual([undone.status, await changes()], [200, [70]])
    assert.equal((await undo(undone.headers.get('change-set'))).status, 200)
    assert.deepEqual(await changes(), [80], 'the undo is undone')
    const withdrawn = await manager.ask('DELETE', `/plan/scenario/${id}/change/${planned.id}`)
    assert.deepEqual(await changes(), [])
    const sets = [1, 2].map(() => undo(withdrawn.headers.get('change-set')))
    assert.deepEqual((await Promise.all(sets)).map(({ status }) => status).sort(), [200, 409])
    assert.deepEqual(await changes(), [80])
    assert.equal((await undo(await change(90))).status, 200)
    assert.equal((await bob.ask('POST', `/change/${second}/undo`, { body: {} })).status, 404)
    assert.equal((await eve.ask('POST', `/change/${second}/undo`, { body: {} })).status, 404)
    const last = await change(100)
    await manager.post(`/plan/scenario/${id}/drop`, {})
    const closed = await undo(last)
    assert.deepEqual([closed.status, closed.body.conflicts[0].property], [409, 'state'])
  })

  test('schedules its items as it makes them, and takes the dates', async () => {
    const make = (title: string, date: string) =>
      ada.post('/item', { title, containerId: container.id, startDate: date, dueDate: date })
    const [a, b] = [await make('First', '2030-05-06'), await make('Second', '2030-05-07')]
    await ada.post('/link', { fromId: a.id, toId: b.id, type: 'precedes' })
    const { id } = await scenario()
    await proposed(id, 'Item', changeOp.update, a.id, { dueDate: '2030-05-10' })
    const body = { itemIds: [a.id, b.id], scenario: id, apply: true }
    const { items, moved } = await manager.post('/plan/schedule', body)
    const [second] = items.filter((each: { id: string }) => each.id === b.id)
    assert.deepEqual([second.dates.startDate, moved], ['2030-05-11', [b.id]])
    assert.equal((await ada.get(`/item/${b.id}`)).startDate, '2030-05-07')
    const changes = await manager.get(`/plan/scenario/${id}/change`)
    const [ofSecond] = changes.filter((each: { recordId: string }) => each.recordId === b.id)
    const [from, to] = ['2030-05-07', '2030-05-11']
    assert.deepEqual(ofSecond.changes, { startDate: { from, to }, dueDate: { from, to } })
    const { dates } = await manager.get(`/plan/scenario/${id}/compare`)
    assert.deepEqual(dates.find((each: { id: string }) => each.id === a.id).changes, {
      dueDate: { from: '2030-05-06', to: '2030-05-10' },
    })
    assert.equal((await bob.ask('POST', '/plan/schedule', { body })).status, 403)
  })

  test('changes the dates of containers and the entries of budgets', async () => {
    const place = await ada.post('/container', { name: 'Funded', dueDate: '2030-05-10' })
    const budget = await ada.post('/finance/budget', { owner: ownerKind.container, ownerId: place.id })
    const reason = await ada.post('/finance/budget-reason', { code: 'SC', name: 'Change request' })
    const item = await ada.post('/item', {
      title: 'Last',
      containerId: place.id,
      startDate: '2030-05-06',
      dueDate: '2030-05-10',
      remainingMinutes: 30,
    })
    const { id } = await scenario()
    await proposed(id, 'Container', changeOp.update, place.id, { dueDate: '2030-05-20' })
    await proposed(id, 'Item', changeOp.update, item.id, { remainingMinutes: 300 })
    const entry = { budgetId: budget.id, delta: '600', reasonId: reason.id, date: '2026-01-01' }
    await proposed(id, 'BudgetEntry', changeOp.create, undefined, entry)
    await proposed(id, 'Plan', changeOp.create, undefined, {
      from: '2030-05-06',
      to: '2030-05-06',
      userId: (await person({ name: 'Pia' })).id,
      owner: ownerKind.container,
      ownerId: place.id,
      amount: 60,
    })
    const floatOf = async (more: object) =>
      (await manager.post('/plan/schedule', { itemIds: [item.id], ...more })).items[0].floatDays
    assert.deepEqual([await floatOf({}), await floatOf({ scenario: id })], [0, 10])
    const balance = async (query = '') => {
      const found = await manager.get(`/finance/budget/${budget.id}/balance${query}`)
      return [found.current, found.committed, found.forecast]
    }
    assert.deepEqual(await balance(), ['0.0000', '0.0000', '30.0000'])
    assert.deepEqual(await balance(`?scenario=${id}`), ['600.0000', '60.0000', '300.0000'])
    const refused = await propose(id, 'BudgetEntry', changeOp.create, undefined, { ...entry, delta: '0' })
    assert.deepEqual([refused.status, refused.body.Fields[0].Field], [400, 'values.delta'])
    assert.equal((await propose(id, 'Container', changeOp.delete, place.id)).status, 400)
    assert.equal((await merge(id)).status, 200)
    assert.deepEqual(await balance(), ['600.0000', '60.0000', '300.0000'])
    assert.equal((await ada.get(`/container/${place.id}`)).dueDate, '2030-05-20')
  })

  test('is merged by property, in one change set that can be undone', async () => {
    const max = await person({ name: 'Max' })
    const item = await ada.post('/item', {
      title: 'Planned',
      containerId: container.id,
      startDate: '2030-06-03',
      dueDate: '2030-06-04',
    })
    const [changed, gone] = [await plan({ userId: max.id }), await plan({ userId: max.id })]
    const { id } = await scenario()
    await proposed(id, 'Item', changeOp.update, item.id, { dueDate: '2030-06-06', estimateMinutes: 90 })
    await proposed(id, 'Plan', changeOp.update, changed.id, { amount: 90, note: 'More' })
    await proposed(id, 'Plan', changeOp.delete, gone.id)
    const fresh = await proposed(id, 'Plan', changeOp.create, undefined, { ...week, userId: max.id, amount: 15 })
    // Others change what the scenario does not touch.
    await manager.must('PATCH', `/plan/${changed.id}`, { body: { tentative: true } })
    const { status, body, headers } = await merge(id)
    assert.equal(status, 200)
    assert.deepEqual([body.scenario.state, body.deleted], [scenarioState.merged, [gone.id]])
    assert.deepEqual(new Set(body.updated), new Set([item.id, changed.id]))
    assert.equal(body.created[0].recordId, fresh.recordId)
    const after = await manager.get(`/plan/${changed.id}`)
    assert.deepEqual([after.amount, after.note, after.tentative], [90, 'More', true])
    assert.equal((await manager.get(`/plan/${body.created[0].id}`)).amount, 15)
    assert.equal((await ada.get(`/item/${item.id}`)).dueDate, '2030-06-06')
    assert.deepEqual(await happened(1), ['scenario.merged'])
    assert.equal((await merge(id)).body.code, 'scenario-closed')
    assert.equal((await propose(id, 'Plan', changeOp.delete, changed.id)).body.code, 'scenario-closed')
    assert.equal((await manager.ask('GET', `/plan/load?scenario=${id}`)).body.code, 'scenario-closed')
    await ada.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.equal((await manager.get(`/plan/${changed.id}`)).amount, 60)
    assert.equal((await ada.get(`/item/${item.id}`)).dueDate, '2030-06-04')
  })

  test('names all conflicts, and takes what the merger says', async () => {
    const ida = await person({ name: 'Ida' })
    const [a, b, c] = [await plan({ userId: ida.id }), await plan({ userId: ida.id }), await plan({ userId: ida.id })]
    const { id } = await scenario()
    await proposed(id, 'Plan', changeOp.update, a.id, { amount: 90, note: 'Proposed' })
    await proposed(id, 'Plan', changeOp.update, b.id, { amount: 90 })
    await proposed(id, 'Plan', changeOp.delete, c.id)
    await manager.must('PATCH', `/plan/${a.id}`, { body: { amount: 45, note: 'Proposed' } })
    await manager.must('DELETE', `/plan/${b.id}`)
    await manager.must('PATCH', `/plan/${c.id}`, { body: { note: 'Still needed' } })
    const { status, body } = await merge(id)
    assert.deepEqual([status, body.code], [409, 'scenario-conflicts'])
    const known = body.conflicts.map((each: { id: string; property: string }) => `${each.id} ${each.property}`)
    assert.deepEqual(new Set(known), new Set([`${a.id} amount`, `${b.id} deleted`, `${c.id} deleted`]))
    const [first] = body.conflicts.filter((each: { id: string }) => each.id === a.id)
    assert.deepEqual([first.base, first.current, first.proposed], [60, 45, 90])
    assert.equal((await manager.get(`/plan/${a.id}`)).amount, 45)
    const take = (record: { id: string }, property: string, which: string) => ({
      entity: 'Plan',
      id: record.id,
      property,
      take: which,
    })
    const resolve = [take(a, 'amount', 'proposed'), take(b, 'deleted', 'current'), take(c, 'deleted', 'current')]
    assert.equal((await merge(id, { resolve })).status, 200)
    assert.equal((await manager.get(`/plan/${a.id}`)).amount, 90)
    assert.equal((await manager.get(`/plan/${c.id}`)).note, 'Still needed')
  })

  test('needs the rights of the merger for every record, and changes nothing otherwise', async () => {
    const secret = await ada.post('/item', {
      title: 'Secret',
      containerId: container.id,
      visibility: itemVisibility.confidential,
      assignees: [ada.id],
    })
    const { id } = await ada.post('/plan/scenario', { name: 'Of ada' })
    const lou = await person({ name: 'Lou' })
    const work = await plan({ userId: lou.id })
    await proposed(id, 'Plan', changeOp.update, work.id, { amount: 75 })
    await proposed(
      id,
      'Item',
      changeOp.update,
      secret.id,
      { estimateMinutes: 10, assignees: [ada.id, manager.id] },
      ada,
    )
    assert.equal((await manager.get(`/plan/scenario/${id}/change`)).length, 1)
    assert.deepEqual((await manager.get(`/plan/scenario/${id}/compare`)).dates, [])
    const hidden = await manager.post('/plan/schedule', { containerIds: [container.id], scenario: id })
    assert.ok(!JSON.stringify(hidden).includes(secret.id))
    assert.equal((await propose(id, 'Item', changeOp.update, secret.id, { estimateMinutes: 5 })).status, 422)
    assert.equal((await merge(id)).status, 409)
    assert.equal((await manager.get(`/plan/${work.id}`)).amount, 60)
    const vacation = await scenario()
    await proposed(vacation.id, 'Leave', changeOp.create, undefined, { userId: lou.id, ...week })
    assert.equal((await merge(vacation.id)).status, 403)
    assert.equal((await merge(vacation.id, {}, ada)).status, 200)
    assert.equal((await bob.ask('GET', `/plan/load?scenario=${id}`)).status, 403)
    assert.equal((await eve.ask('GET', `/plan/load?scenario=${id}`)).status, 400)
    assert.equal((await eve.ask('GET', `/plan/scenario/${id}`)).status, 404)
  })

  test('refuses what could not be read, and names the place', async () => {
    const { id } = await scenario()
    const refusal = async (...given: [string, number, string?, object?]) => {
      const { status, body } = await propose(id, ...given)
      return `${status} ${body.code} ${body.Fields?.[0]?.Field}`
    }
    const lea = await person({ name: 'Lea' })
    const work = await plan({ userId: lea.id })
    assert.equal(await refusal('Plan', changeOp.update, work.id, { to: '2000-01-01' }), '400 validation values.to')
    assert.equal(await refusal('Plan', changeOp.update, work.id, { amount: 'much' }), '400 validation values.amount')
    assert.equal(await refusal('Plan', changeOp.update, work.id, {}), '400 validation values')
    assert.equal(await refusal('Plan', changeOp.create, undefined, week), '422 plan-subject values.userId')
    assert.equal(await refusal('Item', changeOp.create, undefined, { title: 'X' }), '400 validation values.title')
    assert.equal(await refusal('Plan', changeOp.delete, crypto.randomUUID()), '422 unknown-reference recordId')
    assert.equal(await refusal('Plan', changeOp.delete), '422 unknown-reference recordId')
    assert.equal(await refusal('User', changeOp.delete, lea.id), '400 validation entity')

    await proposed(id, 'Plan', changeOp.delete, work.id)
    await manager.delete(`/plan/scenario/${id}/change/${work.id}`)
    assert.deepEqual(await manager.get(`/plan/scenario/${id}/change`), [])
    assert.equal((await manager.ask('DELETE', `/plan/scenario/${id}/change/${work.id}`)).status, 404)
    assert.equal((await manager.post(`/plan/scenario/${id}/drop`, undefined)).state, scenarioState.dropped)
    assert.equal((await merge(id)).body.code, 'scenario-closed')
    assert.equal((await manager.post(`/plan/scenario/${id}/reopen`, undefined)).state, scenarioState.open)
  })
})

test('a property is merged, left or in conflict by its three values', () => {
  const change: ScenarioChange = {
    entity: 'Plan',
    recordId: 'a',
    op: changeOp.update,
    proposed: { amount: 2 },
    base: { amount: 1 },
    changedBy: 'b',
  }
  const cases: [unknown, 'current' | 'proposed' | undefined, object | undefined, number][] = [
    [1, undefined, { amount: 2 }, 0],
    [2, undefined, undefined, 0],
    [3, undefined, undefined, 1],
    [3, 'proposed', { amount: 2 }, 0],
    [3, 'current', undefined, 0],
  ]
  for (const [amount, take, values, conflicts] of cases) {
    const decision = decide(change, { amount }, () => take)
    assert.deepEqual([decision.values, decision.conflicts.length], [values, conflicts])
  }
})
