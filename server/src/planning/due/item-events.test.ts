import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { statusCategory } from '../../items/status.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { reportDue } from './report-due.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a person would
type Any = any

describe('events of what becomes of an item', async () => {
  const home = await sharedTestService()
  const { ada, bob, database } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Standing' })
  const item = (values: object = {}): Promise<Any> =>
    ada.post('/item', { title: 'Work', containerId: desk.id, ...values })
  const close = (of: Any) => ada.put(`/item/${of.id}`, { statusCategory: statusCategory.done })
  const reopen = (of: Any) => ada.put(`/item/${of.id}`, { statusCategory: statusCategory.started })
  const block = (from: Any, to: Any) => ada.post('/link', { fromId: from.id, toId: to.id, type: 'blocks' })
  const watched = ['item.blocked', 'item.unblocked', 'item.childrenClosed', 'item.dueSoon', 'item.overdue']
  const told = async (of: Any): Promise<string[]> =>
    (await ada.get(`/item/${of.id}/history`))
      .map((each: Any) => each.type)
      .filter((each: string) => watched.includes(each))

  describe('blocked and unblocked', () => {
    test('tell the first open blocker and the end of the last one, once each', async () => {
      const [a, b, blocked] = [await item(), await item(), await item()]
      const first = await block(a, blocked)
      await block(b, blocked)
      assert.deepEqual(await told(blocked), ['item.blocked'])
      await close(a)
      assert.deepEqual(await told(blocked), ['item.blocked'], 'the other one still blocks it')
      await close(b)
      assert.deepEqual(await told(blocked), ['item.blocked', 'item.unblocked'])
      await reopen(a)
      await ada.delete(`/link/${first.id}`)
      await ada.must('POST', `/link/${first.id}/restore`)
      await ada.delete(`/item/${a.id}`)
      await ada.must('POST', `/item/${a.id}/restore`)
      const turns = ['item.blocked', 'item.unblocked']
      assert.deepEqual(await told(blocked), [...turns, ...turns, ...turns, 'item.blocked'])
    })

    test('say nothing of closed items, and of links and blockers that do not count', async () => {
      const [open, closed, done] = [await item(), await item(), await item()]
      await close(closed)
      await close(done)
      await block(open, done)
      await block(closed, open)
      await ada.post('/link', { fromId: closed.id, toId: open.id, type: 'relates' })
      assert.deepEqual([await told(open), await told(done)], [[], []])
      await reopen(done)
      assert.deepEqual(await told(done), ['item.blocked'], 'it is open now, and blocked')
      await close(done)
      await close(open)
      assert.deepEqual(await told(done), ['item.blocked'], 'what is closed is not told that nothing blocks it')
    })

    test('come once if the last two blockers are closed at the same time, and together', async () => {
      for (let round = 0; round < 5; round++) {
        const [a, b, blocked] = await Promise.all([item(), item(), item()])
        await block(a, blocked)
        await block(b, blocked)
        await Promise.all([close(a), close(b)])
        assert.deepEqual(await told(blocked), ['item.blocked', 'item.unblocked'])
      }
      const [a, b, blocked] = await Promise.all([item(), item(), item()])
      await block(a, blocked)
      await block(b, blocked)
      await ada.must('PATCH', '/item', { body: { ids: [a.id, b.id], patch: { statusCategory: statusCategory.done } } })
      assert.deepEqual(await told(blocked), ['item.blocked', 'item.unblocked'])
    })

    test('belong to the change set of their cause, whose undo turns them back and leaves the blocked item alone', async () => {
      const [blocker, blocked] = [await item(), await item()]
      await block(blocker, blocked)
      const { headers } = await ada.ask('PUT', `/item/${blocker.id}`, { body: { statusCategory: statusCategory.done } })
      const set = headers.get('change-set')
      const history: Any[] = await ada.get(`/item/${blocked.id}/history`)
      assert.equal(history.at(-1).changeSetId, set)
      const undone = await ada.post(`/change/${set}/undo`, {})
      assert.equal(undone.records, 1)
      assert.deepEqual(await told(blocked), ['item.blocked', 'item.unblocked', 'item.blocked'])
      assert.equal((await ada.get(`/item/${blocked.id}`)).version, blocked.version)
    })
  })

  describe('childrenClosed', () => {
    test('comes when the last open child is closed, deleted or moved away, and again after one was open', async () => {
      const [parent, elsewhere] = [await item(), await item()]
      const [a, b, c] = [
        await item({ parentId: parent.id }),
        await item({ parentId: parent.id }),
        await item({ parentId: parent.id }),
      ]
      await close(a)
      await ada.delete(`/item/${b.id}`)
      assert.deepEqual(await told(parent), [])
      await ada.put(`/item/${c.id}`, { parentId: elsewhere.id })
      assert.deepEqual([await told(parent), await told(elsewhere)], [['item.childrenClosed'], []])
      await close(c)
      await reopen(a)
      await close(a)
      assert.deepEqual(
        [await told(parent), await told(elsewhere)],
        [['item.childrenClosed', 'item.childrenClosed'], ['item.childrenClosed']],
      )
    })

    test('comes once for many at once, and not for a parent that is closed with them', async () => {
      const [parent, other] = [await item(), await item()]
      const children = [await item({ parentId: parent.id }), await item({ parentId: parent.id })]
      const child = await item({ parentId: other.id })
      const ids = [...children, child, other].map(each => each.id)
      await ada.must('PATCH', '/item', { body: { ids, patch: { statusCategory: statusCategory.done } } })
      assert.deepEqual([await told(parent), await told(other)], [['item.childrenClosed'], []])
    })
  })

  describe('dueSoon and overdue', () => {
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
    const run = (days = 0) =>
      reportDue(database, () => new Date(Date.now() + days * 86_400_000)).run(AbortSignal.timeout(20_000))

    test('come once for each due date, also if the job ran late and in two processes', async () => {
      const [soon, late, far] = [
        await item({ dueDate: day(1) }),
        await item({ dueDate: day(-3) }),
        await item({ dueDate: day(9) }),
      ]
      await Promise.all([run(), run()])
      await run()
      assert.deepEqual([await told(soon), await told(late), await told(far)], [['item.dueSoon'], ['item.overdue'], []])
      await Promise.all([run(30), run(30)])
      assert.deepEqual(
        [await told(soon), await told(late), await told(far)],
        [['item.dueSoon', 'item.overdue'], ['item.overdue'], ['item.overdue']],
      )
      await ada.put(`/item/${late.id}`, { dueDate: day(-2) })
      await run()
      await run()
      assert.deepEqual(await told(late), ['item.overdue', 'item.overdue'], 'another date is reported again')
      assert.equal((await ada.get(`/item/${soon.id}`)).version, soon.version)
    })

    test('do not come for items that are closed, deleted or imported late', async () => {
      const [closed, deleted] = [await item({ dueDate: day(-1) }), await item({ dueDate: day(-1) })]
      const imported = await item({ dueDate: day(-1), Meta: { created: '2024-01-05' } })
      await close(closed)
      await ada.delete(`/item/${deleted.id}`)
      await run()
      await ada.must('POST', `/item/${deleted.id}/restore`)
      assert.deepEqual([await told(closed), await told(deleted), await told(imported)], [[], [], []])
      await reopen(closed)
      await run()
      assert.deepEqual([await told(closed), await told(deleted)], [['item.overdue'], ['item.overdue']])
    })

    test('count the days in the time zone of the tenant and by its setting', async () => {
      const dayIn = (zone: string, ago: number) =>
        new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv-SE', { timeZone: zone })
      // In one of the two zones it is always another day than in UTC.
      const zone = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find(each => dayIn(each, 0) !== day(0)) ?? 'UTC'
      await ada.put(`/tenant/${ada.tenantId}`, { timezone: zone })
      const [due, overdue] = [await item({ dueDate: dayIn(zone, 0) }), await item({ dueDate: dayIn(zone, 1) })]
      await run()
      assert.deepEqual([await told(due), await told(overdue)], [['item.dueSoon'], ['item.overdue']], zone)
      await ada.post('/admin/setting', { key: 'item.dueSoonDays', value: 5 })
      const later = await item({ dueDate: day(4) })
      await run()
      assert.deepEqual(await told(later), ['item.dueSoon'])
    })
  })

  test('are heard by rules and the inbox', async () => {
    await ada.post('/rule', {
      name: 'Close the parent',
      active: true,
      triggerEvent: triggerEvent['item.childrenClosed'],
      container: [desk.id],
      actionValue: [{ actionType: action.close }],
    })
    const parent = await item({ assignees: [bob.id] })
    const child = await item({ parentId: parent.id })
    await close(child)
    await running.settle()
    assert.notEqual((await ada.get(`/item/${parent.id}`)).closedAt, null)
    const inbox: Any[] = await bob.get('/notification/inbox')
    const entry = inbox.find(each => each.itemId === parent.id)
    assert.ok(entry.events.includes('item.childrenClosed'), JSON.stringify(entry))
  })
})
