import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { clockState, targetKind } from '../../clocks/item-clock/item-clock.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { statusCategory } from '../../items/status.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { localDay } from '../../time/time-entry.ts'

interface Card {
  id: string
  title: string
  clock: { state: number }[]
  [property: string]: unknown
}

describe('my work', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  let made = 0
  const worker = () => person({ name: `Worker ${++made}`, role: roleCode.member })
  const give = async (who: Person, title: string, body: object = {}) =>
    await ada.post('/item', { title, containerId: desk.id, assignees: [who.id], ...body })
  const titles = (cards: Card[]) => cards.map(each => each.title)
  const day = (offset: number, timezone = 'UTC') => localDay(new Date(Date.now() + offset * 86_400_000), timezone)
  /** A clock that runs on the item, as the engine stores it. */
  const run = async (itemId: string, state: number, dueAt: string) =>
    await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`insert into item_clock (tenant_id, item_id, lane, cycle, clock_id, target_id, kind, version, state, leads, started_at, due_at)
        values (${ada.tenantId}, ${itemId}, 'x', 1, ${newId()}, 'x', ${targetKind.resolution}, 1, ${state}, true, now(), ${dueAt})`,
    )

  test('is in one list each: started, overdue, with a running clock, due soon, the rest', async () => {
    const who = await worker()
    const started = await give(who, 'Started and overdue', { statusCategory: statusCategory.started, dueDate: day(-3) })
    const late = await give(who, 'Late with a clock', { dueDate: day(-2) })
    await give(who, 'Later', { dueDate: day(-1) })
    const [calm, hot, paused] = [
      await give(who, 'Calm', { dueDate: day(3) }),
      await give(who, 'Hot'),
      await give(who, 'Paused'),
    ]
    await give(who, 'Soon', { dueDate: day(7) })
    await give(who, 'Not soon', { dueDate: day(9) })
    await give(who, 'Done', { statusCategory: statusCategory.done, dueDate: day(-1) })
    await give(bob, 'Of somebody else', { dueDate: day(-1) })
    for (const each of [started, late, calm]) await run(each.id, clockState.green, '2031-01-02T00:00:00Z')
    await run(hot.id, clockState.red, '2031-01-03T00:00:00Z')
    await run(paused.id, clockState.paused, '2031-01-01T00:00:00Z')
    const work = await who.get('/user/me/work')
    assert.deepEqual(
      ['now', 'overdue', 'waiting', 'soon', 'later', 'recent'].map(name => titles(work[name])),
      [['Started and overdue'], ['Late with a clock', 'Later'], ['Hot', 'Calm'], ['Soon'], ['Not soon', 'Paused'], []],
    )
    assert.deepEqual(work.counts, { now: 1, overdue: 2, waiting: 2, soon: 1, later: 2, approvals: 0 })
    assert.deepEqual([work.now[0].clock[0].state, work.waiting[0].clock[0].state], [clockState.green, clockState.red])
    const { key, processId, Tags, spentMinutes, version, description } = work.now[0]
    assert.deepEqual([key, processId, Tags], [started.key, started.processId, []])
    assert.deepEqual([spentMinutes, version, description], [0, 1, undefined])
  })

  test('leaves the lists when it is closed, given away or deleted, and returns', async () => {
    const who = await worker()
    const item = await give(who, 'Comes and goes', { dueDate: day(-1) })
    const overdue = async () => (await who.get('/user/me/work')).overdue.length
    assert.equal(await overdue(), 1)
    for (const [away, back] of [
      [{ statusCategory: statusCategory.done }, { statusCategory: statusCategory.unstarted }],
      [{ assignees: [bob.id] }, { assignees: [bob.id, who.id] }],
      [
        { assignees: [bob.id], statusCategory: statusCategory.cancelled },
        { assignees: [who.id], statusCategory: statusCategory.backlog },
      ],
    ]) {
      await ada.put(`/item/${item.id}`, away)
      assert.equal(await overdue(), 0, JSON.stringify(away))
      await ada.put(`/item/${item.id}`, back)
      assert.equal(await overdue(), 1, JSON.stringify(back))
    }
    await ada.delete(`/item/${item.id}`)
    assert.equal(await overdue(), 0)
    await ada.post(`/item/${item.id}/restore`, {})
    assert.equal(await overdue(), 1)
  })

  test('is due by the day of the caller', async () => {
    const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata']
    for (const timezone of zones) {
      const who = await person({ name: `In ${timezone}`, role: roleCode.member, timezone })
      await give(who, 'Yesterday', { dueDate: day(-1, timezone) })
      await give(who, 'Today', { dueDate: day(0, timezone) })
      const { overdue, soon } = await who.get('/user/me/work')
      assert.deepEqual([titles(overdue), titles(soon)], [['Yesterday'], ['Today']], timezone)
    }
  })

  test('has twenty cards a list or as many as are asked for, and counts all', async () => {
    const who = await worker()
    const row = (n: number) => ({
      title: `Row ${n}`,
      containerId: desk.id,
      assignees: [who.id],
      dueDate: day(-100 + n),
    })
    await ada.post(
      '/item/bulk',
      Array.from({ length: 25 }, (_, n) => row(n)),
    )
    const { overdue, counts } = await who.get('/user/me/work')
    assert.deepEqual([overdue.length, overdue[0].title, counts.overdue], [20, 'Row 0', 25])
    assert.equal((await who.get('/user/me/work?limit=100')).overdue.length, 25)
    assert.equal((await who.ask('GET', '/user/me/work?limit=101')).status, 400)
  })

  test('shows what the caller touched last, beside the other lists', async () => {
    const who = await worker()
    const [first, second, mine] = [
      await give(bob, 'First'),
      await give(bob, 'Second'),
      await give(who, 'Mine', { dueDate: day(-1) }),
    ]
    const secret = await give(who, 'Secret', { visibility: itemVisibility.confidential })
    await who.post('/item', { title: 'Only created', containerId: desk.id })
    await who.put(`/item/${first.id}`, { points: 1 })
    for (const each of [mine, secret]) await who.put(`/item/${each.id}`, { points: 2 })
    await who.post('/annotation', { itemId: second.id, body: 'Seen' })
    await who.post('/annotation', { itemId: first.id, body: 'Seen, too' })
    await ada.put(`/item/${secret.id}`, { assignees: [bob.id] })
    const { recent, overdue } = await who.get('/user/me/work')
    assert.deepEqual([titles(recent), titles(overdue)], [['First', 'Second'], ['Mine']])
  })

  test('has the approvals that wait for the vote of the caller, with their items', async () => {
    const [who, other] = [await worker(), await worker()]
    const group = await ada.post('/user-group', { name: 'Voters', members: [who.id, other.id] })
    const alone = await ada.post('/user-group', { name: 'Alone', members: [who.id] })
    const item = await give(bob, 'To approve')
    const ask = (by: Person, groupId: string, more: object = {}) =>
      by.post('/approval', { itemId: item.id, groupId, ...more })
    const open = await ask(bob, group.id, { quorum: 2, text: 'May we?' })
    const voted = await ask(bob, group.id, { quorum: 2 })
    await who.post(`/item/${item.id}/approve`, { approvalId: voted.id })
    const own = await ask(who, alone.id)
    await ask(who, group.id)
    const { approvals, counts } = await who.get('/user/me/work')
    assert.deepEqual(approvals.map((each: Card) => each.id).sort(), [open.id, own.id].sort())
    assert.deepEqual([approvals[0].item.title, counts.approvals], ['To approve', 2])
    assert.equal((await bob.get('/user/me/work')).counts.approvals, 0)
  })

  test('tells nothing that is hidden from the caller', async () => {
    const who = await worker()
    await give(who, 'Due and hidden', { dueDate: day(-1) })
    await give(who, 'Started', { statusCategory: statusCategory.started })
    for (const [field, now, overdue] of [
      ['dueDate', 1, 0],
      ['assignees', 0, 0],
    ] as const) {
      const { id } = await ada.post('/access-control', {
        userId: who.id,
        effect: grantEffect.deny,
        permissions: [`field.${field}.*`],
      })
      const work = await who.get('/user/me/work')
      assert.deepEqual([work.now.length, work.overdue.length, work.counts.overdue], [now, overdue, 0], field)
      assert.ok(work.now.every((card: Card) => !(field in card)))
      await ada.delete(`/access-control/${id}`)
    }
  })

  test('is empty for strangers, and shows requesters what was promised', async () => {
    assert.deepEqual((await eve.get('/user/me/work')).counts, {
      now: 0,
      overdue: 0,
      waiting: 0,
      soon: 0,
      later: 0,
      approvals: 0,
    })
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    const item = await ada.post('/item', {
      title: 'Hers',
      containerId: desk.id,
      requesterId: rita.id,
      assignees: [rita.id],
    })
    await run(item.id, clockState.red, '2031-01-01T00:00:00Z')
    await rita.post('/annotation', { itemId: item.id, body: 'Hello' })
    const { waiting, later } = await rita.get('/user/me/work')
    assert.deepEqual([waiting, titles(later)], [[], ['Hers']])
    const shown = ['kind', 'cycle', 'state', 'dueAt', 'metAt', 'breachedAt']
    assert.deepEqual(Object.keys(later[0].clock[0]), shown)
  })
})
