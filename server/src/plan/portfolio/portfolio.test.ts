import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerHealth } from '../../containers/container-health.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { statusCategory } from '../../items/status.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { noWork, progressOf, sumOf, worstHealth } from './portfolio.ts'

const { ada, bob, eve, person } = await sharedTestService()

let manager: Person
before(async () => {
  manager = await person({ name: 'Planner', role: roleCode.manager })
})

const project = (name: string, more: object = {}) => ada.post('/container', { name, ...more })
const task = (containerId: string, more: object = {}) => ada.post('/item', { containerId, title: 'Task', ...more })
const portfolio = (ids: string[], who: Person = manager) => who.get(`/plan/portfolio?containerIds=${ids.join()}`)

describe('a portfolio', () => {
  test('sums up progress, dates and health of containers', async () => {
    const bridge = await project('Bridge', { startDate: '2030-01-10', health: containerHealth.atRisk })
    const tower = await project('Tower', { dueDate: '2030-12-24' })
    const parent = await task(bridge.id, { estimateMinutes: 1000 })
    const done = { statusCategory: statusCategory.done }
    await task(bridge.id, { parentId: parent.id, estimateMinutes: 60, ...done, startDate: '2030-01-07' })
    await task(bridge.id, { parentId: parent.id, estimateMinutes: 180, progress: 50, dueDate: '2030-03-01' })
    await task(bridge.id, { estimateMinutes: 5000, statusCategory: statusCategory.cancelled })
    for (const more of [done, {}, { dueDate: '2020-01-01' }]) await task(tower.id, more)
    const { total, containers } = await portfolio([bridge.id, tower.id])
    const [first, second] = containers
    assert.deepEqual(
      [first.name, first.progress, first.progressBy, first.items, first.done, first.estimateMinutes],
      ['Bridge', 0.625, 'estimate', 2, 1, 240],
    )
    assert.deepEqual([first.firstStart, first.lastDue], ['2030-01-07', '2030-03-01'])
    assert.deepEqual(
      [second.progress, second.progressBy, second.items, second.overdue, second.health],
      [0.3333, 'count', 3, 1, containerHealth.onTrack],
    )
    assert.deepEqual(
      [total.progress, total.items, total.startDate, total.dueDate, total.health],
      [0.625, 5, '2030-01-07', '2030-12-24', containerHealth.atRisk],
    )
  })

  test('sums the budgets that count the same, for those who read budgets', async () => {
    const [a, b] = [await project('A'), await project('B')]
    const reason = await ada.post('/finance/budget-reason', { code: 'PF', name: 'Initial' })
    const grant = async (ownerId: string, delta: string, more: object = {}) => {
      const budget = await ada.post('/finance/budget', { owner: ownerKind.container, ownerId, ...more })
      await ada.post(`/finance/budget/${budget.id}/entry`, { delta, reasonId: reason.id, date: '2026-01-01' })
      return budget
    }
    await grant(a.id, '600')
    await grant(b.id, '60')
    await grant(b.id, '1000.5', { unit: 2, currency: 'EUR' })
    const item = await task(a.id)
    await ada.post('/time', { itemId: item.id, minutes: 45, date: '2026-02-02' })
    const { total, containers } = await portfolio([a.id, b.id])
    assert.deepEqual(
      total.budgets.sort((x: { unit: number }, y: { unit: number }) => x.unit - y.unit),
      [
        { unit: 0, currency: '', budgets: 2, current: '660.0000', actual: '45.0000', left: '615.0000' },
        { unit: 2, currency: 'EUR', budgets: 1, current: '1000.5000', actual: '0.0000', left: '1000.5000' },
      ],
    )
    assert.deepEqual(
      containers.map((each: { budgets: object[] }) => each.budgets.length),
      [1, 2],
    )
    assert.deepEqual((await portfolio([a.id, b.id], bob)).total.budgets, [])
  })

  test('counts what the caller sees', async () => {
    const { id } = await project('Half open')
    const parent = await task(id, { estimateMinutes: 60 })
    const secret = { visibility: itemVisibility.confidential, assignees: [ada.id], dueDate: '2031-01-01' }
    await task(id, { parentId: parent.id, estimateMinutes: 600, ...secret })
    const seen = async (who: Person) => {
      const [row] = (await portfolio([id], who)).containers
      return [row.items, row.estimateMinutes, row.lastDue]
    }
    assert.deepEqual(await seen(ada), [1, 600, '2031-01-01'])
    // A hidden child does not show by the absence of its parent.
    assert.deepEqual(await seen(manager), [1, 60, null])
  })

  test('names only containers that the caller sees', async () => {
    const [open, closed] = [await project('Seen'), await project('Unseen', { private: true })]
    const refusal = async (who: Person, id: string) => {
      const { status, body } = await who.ask('GET', `/plan/portfolio?containerIds=${open.id},${id}`)
      return [status, body.Fields?.[0]?.Field, body.Fields?.[0]?.Code]
    }
    const unknown = [400, 'containerIds.1', 'unknown-reference']
    assert.deepEqual(await refusal(bob, closed.id), unknown)
    assert.deepEqual(await refusal(bob, crypto.randomUUID()), unknown)
    assert.deepEqual(await refusal(bob, 'nonsense'), unknown)
    assert.equal((await eve.ask('GET', `/plan/portfolio?containerIds=${open.id}`)).status, 400)
    const ids = (await bob.get('/plan/portfolio')).containers.map((each: { id: string }) => each.id)
    assert.deepEqual([ids.includes(open.id), ids.includes(closed.id)], [true, false])
    const requester = await person({ name: 'Requester', role: roleCode.requester })
    assert.equal((await requester.ask('GET', '/plan/portfolio')).status, 403)
  })
})

describe('a sum', () => {
  test('is weighted by estimates once one item has one', () => {
    const counted = { ...noWork, items: 3, progressed: 1 }
    const estimated = { ...noWork, items: 1, progressed: 0.5, estimateMinutes: 100, progressedMinutes: 50 }
    assert.deepEqual(progressOf(counted), { progress: 0.3333, progressBy: 'count' })
    assert.deepEqual(progressOf(sumOf([counted, estimated])), { progress: 0.5, progressBy: 'estimate' })
    assert.deepEqual(progressOf(sumOf([])), { progress: null, progressBy: 'count' })
  })

  test('has the worst health of the known codes', () => {
    const at = (health: number) => ({ id: '', startDate: null, dueDate: null, health })
    assert.equal(worstHealth([at(0), at(2), at(1), at(99)]), containerHealth.offTrack)
    assert.equal(worstHealth([at(99)]), null)
  })
})
