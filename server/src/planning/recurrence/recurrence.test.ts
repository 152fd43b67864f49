import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemSource } from '../../items/item-codes.ts'
import { roleCode } from '../../kernel/access.ts'
import { recurrenceMode } from './recurrence.ts'
import { repeatItems } from './repeat-items.ts'

describe('recurring items', async () => {
  const { ada, bob, eve, database, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Again' })
  const make = (more: object = {}) => ada.post('/item', { title: 'Check the backups', containerId: desk.id, ...more })
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  const run = (now: Date) => repeatItems(database, () => now).run(AbortSignal.timeout(20_000))
  const all = (): Promise<{ id: string; startDate: string; dueDate: string; source: number; status: string }[]> =>
    ada.get(`/item?containerId=${desk.id}&sort=number`)

  test('a copy is created at each time, with dates at the same distance from its day', async () => {
    const item = await make({ startDate: '2026-01-05', dueDate: '2026-01-07', Field: [] })
    const rule = await bob.put(`/item/${item.id}/recurrence`, {
      rule: 'FREQ=WEEKLY;BYDAY=MO',
      day: '2026-01-05',
      at: '08:00',
      timezone: 'Europe/Berlin',
    })
    assert.equal(rule.upcoming.length, 5)
    const first = new Date(rule.upcoming[0])
    await run(new Date(first.getTime() - 1000))
    assert.equal((await all()).length, 1)
    await run(new Date(first.getTime() + 1000))
    await run(new Date(first.getTime() + 2000))
    const [, copy, ...more] = await all()
    assert.deepEqual(more, [])
    assert.equal(copy?.source, itemSource.recurrence)
    assert.equal(copy?.startDate, first.toISOString().slice(0, 10))
    assert.equal(Date.parse(copy?.dueDate ?? '') - Date.parse(copy?.startDate ?? ''), 2 * 86_400_000)
    const seen = await bob.get(`/item/${item.id}/recurrence`)
    assert.deepEqual([seen.made, seen.lastError], [1, ''])
    const history = await bob.get(`/item/${copy?.id}/history`)
    assert.deepEqual([history[0].actor.kind, history[0].actor.id], ['rule', bob.id])
    await bob.delete(`/item/${item.id}/recurrence`)
    await run(later(60))
    assert.equal((await all()).length, 2)
  })

  test('missed times are made up for once', async () => {
    const item = await make()
    await bob.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=DAILY' })
    const before = (await all()).length
    await run(later(40))
    assert.equal((await all()).length, before + 1)
    await bob.delete(`/item/${item.id}/recurrence`)
  })

  test('closing an item creates the next one, to which the rule moves', async () => {
    const item = await make({ dueDate: '2026-01-05' })
    await bob.put(`/item/${item.id}/recurrence`, {
      rule: 'FREQ=MONTHLY;BYMONTHDAY=5',
      mode: recurrenceMode.onClose,
      day: '2026-01-05',
    })
    const before = (await all()).length
    await run(later(1))
    assert.equal((await all()).length, before)
    await bob.put(`/item/${item.id}`, { status: 'Done' })
    await run(later(1))
    const made = (await all()).at(-1)
    assert.match(made?.dueDate ?? '', /-05$/)
    assert.equal((await bob.ask('GET', `/item/${item.id}/recurrence`)).status, 404)
    assert.equal((await bob.get(`/item/${made?.id}/recurrence`)).made, 1)
  })

  for (const [how, mode] of [
    ['copied', recurrenceMode.onClose],
    ['reopened', recurrenceMode.rolling],
  ] as const)
    test(`an item that is closed before its day is ${how} for the next day of the rule, each time`, async () => {
      const item = await make({ dueDate: '2097-03-05' })
      await bob.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=MONTHLY;BYMONTHDAY=5', mode, day: '2097-03-05' })
      const due: string[] = []
      for (let id = item.id, round = 0; round < 3; round++) {
        await bob.put(`/item/${id}`, { status: 'Done' })
        await run(later(1))
        const open = (await all()).filter(each => each.dueDate >= '2097-03-05' && each.status !== 'Done')
        due.push(...open.map(each => each.dueDate))
        id = open[0]?.id ?? ''
      }
      assert.deepEqual(due, ['2097-04-05', '2097-05-05', '2097-06-05'])
      for (const each of await all()) if (each.dueDate >= '2097-03-05') await ada.delete(`/item/${each.id}`)
    })

  test('in rolling mode a closed item is reopened', async () => {
    const item = await make({ dueDate: '2026-01-05' })
    await bob.put(`/item/${item.id}/recurrence`, {
      rule: 'FREQ=MONTHLY;BYMONTHDAY=5',
      mode: recurrenceMode.rolling,
      day: '2026-01-05',
    })
    await bob.put(`/item/${item.id}`, { status: 'Done' })
    await run(later(1))
    const now = await bob.get(`/item/${item.id}`)
    assert.equal(now.closedAt, null)
    assert.ok(now.dueDate > '2026-01-05')
  })

  test('a recurrence of a user who is no longer active creates nothing and records the reason', async () => {
    const carl = await person({ name: 'Carl', role: roleCode.member })
    const item = await make()
    await carl.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=DAILY' })
    await ada.put(`/user/${carl.id}`, { active: false })
    const before = (await all()).length
    await run(later(2))
    assert.equal((await all()).length, before)
    assert.notEqual((await bob.get(`/item/${item.id}/recurrence`)).lastError, '')
  })

  test('an invalid rule is refused with the reason', async () => {
    const item = await make()
    const put = (rule: string) => bob.ask('PUT', `/item/${item.id}/recurrence`, { body: { rule } })
    assert.equal((await put('FREQ=SOMETIMES')).body.Fields[0].Code, 'rrule')
    assert.equal((await put('FREQ=MINUTELY')).status, 400)
    assert.equal((await put('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')).body.code, 'recurrence-never')
    assert.equal((await put('FREQ=DAILY;UNTIL=20200101')).status, 422)
    assert.equal((await eve.ask('PUT', `/item/${item.id}/recurrence`, { body: { rule: 'FREQ=DAILY' } })).status, 404)
  })
})
