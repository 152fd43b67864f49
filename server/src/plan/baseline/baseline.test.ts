import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { everyDay } from '../schedule/work-calendar.ts'
import { dayCounter } from './compare.ts'

const { ada, bob, eve, person } = await sharedTestService()

let manager: Person
let clock: { id: string }
before(async () => {
  manager = await person({ name: 'Planner', role: roleCode.manager })
  clock = await ada.post('/clock', {
    name: 'Office',
    weekStart: 'Monday',
    weekEnd: 'Friday',
    dayStart: '09:00',
    dayEnd: '17:00',
  })
})

const project = (name: string, more: object = {}) => ada.post('/container', { name, clockId: clock.id, ...more })
const task = (containerId: string, title: string, more: object = {}) =>
  ada.post('/item', { containerId, title, startDate: '2030-06-03', dueDate: '2030-06-07', ...more })
const change = (id: string, body: object) => ada.must('PATCH', `/item/${id}`, { body })
const compared = (id: string, who: Person = manager, query = '') => who.get(`/plan/baseline/${id}/compare${query}`)
const ids = (rows: { id: string }[]) => rows.map(each => each.id).sort()

describe('a baseline', () => {
  test('says which items moved, by how many working days, and which were added and removed', async () => {
    const { id } = await project('Bridge', { startDate: '2030-06-03', dueDate: '2030-06-28' })
    const moved = await task(id, 'Moved', { estimateMinutes: 60 })
    const same = await task(id, 'Same')
    const dropped = await task(id, 'Dropped')
    const made = await manager.post('/plan/baseline', { name: 'Offer', containerIds: [id] })
    assert.deepEqual((await compared(made.id)).items, [])

    await change(moved.id, { startDate: '2030-06-10', dueDate: '2030-06-12', estimateMinutes: 90 })
    await ada.must('DELETE', `/item/${dropped.id}`)
    await ada.must('PATCH', `/container/${id}`, { body: { dueDate: '2030-06-21' } })
    const added = await task(id, 'Added')
    const found = await compared(made.id)
    assert.deepEqual(
      found.items.map(({ id: item, changes }: { id: string; changes: object }) => ({ item, changes })),
      [
        {
          item: moved.id,
          changes: {
            // From Monday to Monday are five working days, from Friday to Wednesday three.
            startDate: { from: '2030-06-03', to: '2030-06-10', days: 5 },
            dueDate: { from: '2030-06-07', to: '2030-06-12', days: 3 },
            estimateMinutes: { from: 60, to: 90 },
          },
        },
      ],
    )
    assert.deepEqual([ids(found.added), ids(found.removed)], [[added.id], [dropped.id]])
    assert.equal(found.removed[0].deleted, true)
    assert.deepEqual(found.containers, [
      { id, changes: { dueDate: { from: '2030-06-28', to: '2030-06-21', days: -5 } } },
    ])
    assert.ok(!JSON.stringify(found).includes(same.id))
  })

  test('of an earlier moment is read from the log', async () => {
    const [here, there] = [await project('Past'), await project('Elsewhere')]
    const item = await task(here.id, 'Told', { estimateMinutes: 30 })
    const gone = await task(here.id, 'Moved out')
    const deleted = await task(here.id, 'Deleted')
    const empty = await task(here.id, 'Without dates', { startDate: null, dueDate: null })
    const at = empty.updated
    await change(item.id, { startDate: '2030-07-01', dueDate: '2030-07-05' })
    await change(item.id, { startDate: '2030-08-01', dueDate: '2030-08-05', estimateMinutes: 50 })
    await change(empty.id, { startDate: '2030-08-01' })
    await ada.post(`/item/${gone.id}/move`, { containerId: there.id })
    await ada.must('DELETE', `/item/${deleted.id}`)
    const late = await task(here.id, 'Later')
    const made = await manager.post('/plan/baseline', { name: 'Then', containerIds: [here.id], at })
    const found = await compared(made.id)
    assert.deepEqual([ids(found.added), ids(found.removed)], [[late.id], ids([gone, deleted])])
    const changes = new Map(found.items.map((each: { id: string; changes: object }) => [each.id, each.changes]))
    assert.deepEqual(changes.get(item.id), {
      startDate: { from: '2030-06-03', to: '2030-08-01', days: 43 },
      dueDate: { from: '2030-06-07', to: '2030-08-05', days: 41 },
      estimateMinutes: { from: 30, to: 50 },
    })
    assert.deepEqual(changes.get(empty.id), { startDate: { from: null, to: '2030-08-01', days: null } })

    const later = await manager.post('/plan/baseline', { name: 'Now', containerIds: [here.id] })
    assert.deepEqual((await compared(made.id, manager, `?to=${later.id}`)).items, found.items)
    await change(item.id, { dueDate: '2030-09-05' })
    assert.deepEqual((await compared(made.id, manager, `?to=${later.id}`)).items, found.items)
  })

  test('keeps the budgets of its containers, for those who read budgets', async () => {
    const { id } = await project('Budgeted')
    const budget = await ada.post('/finance/budget', { owner: ownerKind.container, ownerId: id, name: 'Hours' })
    const reason = await ada.post('/finance/budget-reason', { code: 'INI', name: 'Initial' })
    const grant = (delta: string) =>
      ada.post(`/finance/budget/${budget.id}/entry`, { delta, reasonId: reason.id, date: '2026-01-01' })
    const first = await grant('600')
    await grant('30.5')
    const made = await manager.post('/plan/baseline', { name: 'Before', containerIds: [id], at: first.created })
    const [found] = (await compared(made.id)).budgets
    assert.deepEqual(found, {
      budgetId: budget.id,
      containerId: id,
      unit: 0,
      currency: '',
      from: '600.0000',
      to: '630.5000',
    })
    assert.deepEqual((await compared(made.id, bob)).budgets, [])
  })

  test('shows nobody more than they may see now', async () => {
    const { id } = await project('Open')
    const open = await task(id, 'Open')
    const secret = await task(id, 'Secret', { visibility: itemVisibility.confidential, assignees: [ada.id] })
    const becomes = await task(id, 'Becomes secret')
    const made = await manager.post('/plan/baseline', { name: 'Mixed', containerIds: [id] })
    for (const item of [open, secret, becomes]) await change(item.id, { dueDate: '2030-06-10' })
    await change(becomes.id, { visibility: itemVisibility.confidential, assignees: [ada.id] })
    assert.deepEqual(ids((await compared(made.id, ada)).items), ids([open, secret, becomes]))
    assert.deepEqual(ids((await compared(made.id)).items), [open.id])
    await ada.must('DELETE', `/item/${secret.id}`)
    assert.deepEqual((await compared(made.id)).removed, [])

    const closed = await project('Closed')
    const both = await manager.post('/plan/baseline', { name: 'Both', containerIds: [id, closed.id] })
    await ada.must('PATCH', `/container/${closed.id}`, { body: { private: true } })
    assert.equal((await bob.ask('GET', `/plan/baseline/${both.id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/plan/baseline/${both.id}/compare`)).status, 404)
    const to = await bob.ask('GET', `/plan/baseline/${made.id}/compare?to=${both.id}`)
    const unknown = await bob.ask('GET', `/plan/baseline/${made.id}/compare?to=${crypto.randomUUID()}`)
    assert.deepEqual([to.status, to.body.Fields[0].Code], [unknown.status, unknown.body.Fields[0].Code])
    assert.equal((await eve.ask('GET', `/plan/baseline/${made.id}`)).status, 404)
  })

  test('is made by those who manage each of its containers, and keeps its moment and containers', async () => {
    const [mine, other] = [await project('Mine'), await project('Other')]
    const lead = await person({ name: 'Lead' })
    await ada.post('/access-control', {
      userId: lead.id,
      owner: ownerKind.container,
      ownerId: mine.id,
      role: roleCode.manager,
    })
    const made = await lead.post('/plan/baseline', { name: 'Own', containerIds: [mine.id] })
    const refused = await lead.ask('POST', '/plan/baseline', { body: { name: 'X', containerIds: [mine.id, other.id] } })
    assert.equal(refused.status, 403)
    const wider = await manager.post('/plan/baseline', { name: 'Wider', containerIds: [mine.id, other.id] })
    assert.equal((await lead.ask('DELETE', `/plan/baseline/${wider.id}`)).status, 403)
    assert.equal((await lead.ask('PATCH', `/plan/baseline/${wider.id}`, { body: { name: 'X' } })).status, 403)
    assert.equal((await bob.ask('POST', '/plan/baseline', { body: { name: 'X', containerIds: [] } })).status, 403)

    const renamed = await lead.put(`/plan/baseline/${made.id}`, { ...made, name: 'Renamed' })
    assert.equal(renamed.name, 'Renamed')
    const body = { at: '2026-01-01T00:00:00Z', containerIds: [other.id] }
    const fixed = await manager.ask('PATCH', `/plan/baseline/${made.id}`, { body })
    assert.deepEqual(
      [fixed.status, fixed.body.Fields.map((each: { Field: string }) => each.Field)],
      [422, ['at', 'containerIds']],
    )
    const apart = await manager.post('/plan/baseline', { name: 'Apart', containerIds: [other.id] })
    const nothing = await manager.ask('GET', `/plan/baseline/${made.id}/compare?to=${apart.id}`)
    assert.deepEqual([nothing.status, nothing.body.code], [422, 'nothing-in-common'])
  })

  test('is refused for a moment in the future, or before the log begins', async () => {
    const { id } = await project('Old')
    const ask = async (body: object) => {
      const answer = await manager.ask('POST', '/plan/baseline', { body: { name: 'X', containerIds: [id], ...body } })
      return `${answer.status} ${answer.body.code} ${answer.body.Fields?.[0]?.Field}`
    }
    assert.equal(await ask({ at: '2999-01-01T00:00:00Z' }), '400 validation at')
    assert.equal(await ask({ at: '2001-01-01T00:00:00Z' }), '422 log-too-short at')
    assert.equal(await ask({ containerIds: [] }), '400 validation containerIds')
    assert.equal(await ask({ containerIds: [crypto.randomUUID()] }), '422 unknown-reference containerIds.0')
  })
})

test('days are counted by the calendar, and not over centuries', () => {
  const days = dayCounter(() => everyDay, ['2030-01-01', '2030-01-11', '9999-12-31', null])
  assert.equal(days('', '2030-01-01', '2030-01-11'), 10)
  assert.equal(days('', '2030-01-11', '2030-01-01'), -10)
  assert.equal(days('', '2030-01-01', '9999-12-31'), null)
})
