import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { schedulingMode } from './schedule.ts'
import { dependencyKind } from './schedule-graph.ts'

const { ada, bob, eve, person } = await sharedTestService()

// biome-ignore lint/suspicious/noExplicitAny: tests look into records as a person would
type Any = any
let office: Any

before(async () => {
  const clock = await ada.post('/clock', {
    name: 'Office',
    weekStart: 'Monday',
    weekEnd: 'Friday',
    dayStart: '09:00',
    dayEnd: '17:00',
    nonWorkingDay: ['2026-04-03', '2026-04-06'],
  })
  office = await ada.post('/container', { name: 'Office', clockId: clock.id })
})

const item = (startDate: string | null, dueDate: string | null, more: object = {}): Promise<Any> =>
  ada.post('/item', { title: 'Work', containerId: office.id, startDate, dueDate, ...more })
const precede = (a: Any, b: Any, more: object = {}): Promise<Any> =>
  ada.post('/link', { fromId: a.id, toId: b.id, type: 'precedes', ...more })
const dates = async ({ id }: Any): Promise<string> => {
  const { startDate, dueDate } = await ada.get(`/item/${id}`)
  return `${startDate} ${dueDate}`
}
const schedule = (items: Any[], more: object = {}): Promise<Any> =>
  ada.post('/plan/schedule', { itemIds: items.map(each => each.id), ...more })

describe('links that schedule', () => {
  test('count the working days of the container', async () => {
    const [a, b, c, d] = [
      await item('2026-04-02', '2026-04-02'),
      await item('2026-04-01', '2026-04-01'),
      await item('2026-04-01', '2026-04-01'),
      await item('2026-04-01', '2026-04-01'),
    ]
    await precede(a, b)
    const link = await precede(a, c, { lagDays: 2 })
    await precede(a, d, { lagDays: -1 })
    assert.deepEqual(
      [await dates(b), await dates(c), await dates(d)],
      ['2026-04-07 2026-04-07', '2026-04-09 2026-04-09', '2026-04-02 2026-04-02'],
    )
    await ada.put(`/link/${link.id}`, { lagDays: 3 })
    assert.equal(await dates(c), '2026-04-10 2026-04-10')
    const early = await ada.ask('PUT', `/item/${b.id}`, { body: { startDate: '2026-04-06' } })
    assert.deepEqual([early.status, early.body.code, early.body.earliest], [422, 'starts-too-early', '2026-04-07'])
  })

  test('tie other ends by their dependency', async () => {
    const [a, b] = [await item('2026-04-07', '2026-04-07'), await item('2026-03-25', '2026-03-27')]
    await precede(a, b, { dependency: dependencyKind.finishFinish })
    assert.equal(await dates(b), '2026-04-01 2026-04-07')
    await ada.put(`/item/${a.id}`, { dueDate: '2026-04-08' })
    assert.equal(await dates(b), '2026-04-02 2026-04-08')
    const [seen] = await ada.get(`/item/${b.id}/links`)
    assert.equal(seen.links[0].dependency, dependencyKind.finishFinish)
  })

  test('pull automatic items, move automatic parents, and leave fixed ones', async () => {
    const a = await item('2026-04-07', '2026-04-10')
    const parent = await item(null, null, { scheduling: schedulingMode.automatic })
    const child = await item('2026-04-13', '2026-04-14', { parentId: parent.id, scheduling: schedulingMode.automatic })
    const fixed = await item('2026-04-08', '2026-04-08', { scheduling: schedulingMode.fixed })
    await precede(a, child)
    await precede(a, fixed)
    await ada.put(`/item/${a.id}`, { dueDate: '2026-04-08' })
    assert.deepEqual(
      [await dates(child), await dates(parent), await dates(fixed)],
      ['2026-04-09 2026-04-10', '2026-04-09 2026-04-10', '2026-04-08 2026-04-08'],
    )
  })
})

describe('a schedule', () => {
  test('is computed without writing, and written with apply as one change set', async () => {
    const [a, b, c] = [
      await item('2026-05-04', '2026-05-05'),
      await item('2026-05-11', '2026-05-12', { scheduling: schedulingMode.automatic }),
      await item('2026-05-04', '2026-05-04', { scheduling: schedulingMode.fixed }),
    ]
    const [ab, ac] = [await precede(a, b), await precede(a, c)]
    await ada.put(`/item/${b.id}`, {
      startDate: '2026-05-18',
      dueDate: '2026-05-19',
      scheduling: schedulingMode.pushed,
    })
    await ada.put(`/item/${b.id}`, { startNoEarlier: '2026-05-07' })
    const pushed = await schedule([a, b, c])
    assert.deepEqual([pushed.moved, pushed.applied], [[], false])
    const late = pushed.items.find((each: Any) => each.id === b.id)
    assert.deepEqual([late.early.startDate, late.floatDays, late.critical], ['2026-05-07', 0, true])
    assert.equal(pushed.items.find((each: Any) => each.id === a.id).floatDays, 8)
    assert.deepEqual(pushed.conflicts, [{ id: c.id, linkId: ac.id, reason: 'fixed', earliest: '2026-05-06' }])
    await ada.ask('PATCH', '/item', { body: { ids: [b.id], patch: { scheduling: schedulingMode.automatic } } })
    assert.equal(await dates(b), '2026-05-07 2026-05-08', 'an item that becomes automatic is pulled')
    await ada.put(`/link/${ab.id}`, { lagDays: 1 })
    assert.equal(await dates(b), '2026-05-07 2026-05-08')
    const change = await ada.ask('PUT', `/item/${b.id}`, { body: { startNoEarlier: null } })
    assert.equal(change.status, 200)
    assert.equal(await dates(b), '2026-05-07 2026-05-08', 'the lag holds it')
  })

  test('of a container tells why, and applies with the rights of the caller', async () => {
    const place = await ada.post('/container', { name: 'Free' })
    const make = (startDate: string, more: object = {}) =>
      ada.post('/item', { title: 'Free', containerId: place.id, startDate, dueDate: startDate, ...more })
    const [a, b] = [await make('2026-05-04'), await make('2026-05-09')]
    const link = await precede(a, b)
    await ada.put(`/item/${a.id}`, { dueDate: '2026-05-06' })
    await ada.put(`/container/${place.id}`, { dueDate: '2026-05-08' })
    const body = { containerIds: [place.id], apply: true }
    const told = await bob.post('/plan/schedule', body)
    const found = told.items.find((each: Any) => each.id === b.id)
    assert.deepEqual([found.floatDays, found.critical, found.because], [-1, true, null])
    await ada.put(`/item/${b.id}`, { scheduling: schedulingMode.automatic })
    assert.equal(await dates(b), '2026-05-07 2026-05-07')
    const reader = await person({ name: 'Reader', role: 1 })
    assert.equal((await reader.ask('POST', '/plan/schedule', { body })).status, 403)
    const foreign = await eve.ask('POST', '/plan/schedule', { body })
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown-reference'])
    assert.equal(link.dependency, dependencyKind.finishStart)
    assert.equal((await bob.ask('POST', '/plan/schedule', { body: {} })).status, 400)
  })

  test('is not for those from whom the dates are hidden', async () => {
    const kim = await person({ name: 'Kim' })
    const body = { itemIds: [(await item('2026-05-04', '2026-05-05')).id] }
    assert.equal((await kim.ask('POST', '/plan/schedule', { body })).status, 200)
    const denial = { userId: kim.id, effect: grantEffect.deny, permissions: ['field.dueDate.*'] }
    await ada.post('/access-control', denial)
    await until(async () => (await kim.ask('POST', '/plan/schedule', { body })).status === 403)
  })

  test('refuses items that wait for each other through a parent', async () => {
    const parent = await item('2026-05-01', '2026-05-01')
    const [child, x] = [
      await item('2026-05-04', '2026-05-04', { parentId: parent.id }),
      await item('2026-05-05', '2026-05-05'),
    ]
    await precede(child, x)
    await precede(x, parent)
    const { status, body } = await ada.ask('POST', '/plan/schedule', { body: { itemIds: [parent.id, child.id, x.id] } })
    assert.deepEqual([status, body.code], [422, 'schedule-cycle'])
    assert.deepEqual(new Set(body.path), new Set([child.key, x.key]))
  })
})
