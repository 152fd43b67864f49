import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { watchLevel, watchReason } from '../../desk/watch/watch-codes.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { notifyForget } from '../../kernel/memory.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { digestInterval } from '../preference/preference.ts'
import { notify } from './inbox.ts'

describe('the inbox', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person, database } = home
  const running = await engines(home)
  const carl = await person({ name: 'Carl', email: 'carl@example.com' })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })

  /** Empties all inboxes. */
  async function fresh(): Promise<void> {
    await running.settle()
    for (const who of [ada, bob, carl, rita]) await who.post('/notification/inbox/archive', { all: true })
  }

  async function inbox(who: Person, more = '') {
    await running.settle()
    return await who.get(`/notification/inbox${more}`)
  }

  async function item(values: object = {}) {
    return await ada.post('/item', { title: 'Cable', containerId: desk.id, ...values })
  }

  test('an assignee is notified, the actor is not, and all events of an item are one entry', async () => {
    const { id, key } = await item({ assignees: [bob.id] })
    await ada.put(`/item/${id}`, { priority: 1 })
    await ada.put(`/item/${id}`, { status: 'In progress' })
    const [entry, ...more] = await inbox(bob)
    assert.deepEqual(more, [])
    assert.partialDeepStrictEqual(entry, {
      subject: 'Item',
      itemId: id,
      key,
      title: 'Cable',
      reason: watchReason.assignee,
      unread: true,
      snoozedUntil: null,
      actorIds: [ada.id],
      count: 3,
    })
    assert.equal(entry.changeSetIds.length, 3)
    assert.ok(entry.events.includes('item.assigned') && entry.events.includes('item.transitioned'))
    assert.deepEqual(await inbox(ada), [])
    assert.deepEqual(await bob.get('/notification/inbox/count'), { unread: 1 })
    assert.deepEqual(await inbox(eve), [])
  })

  test('an entry that was read starts again, and an archived one is followed by a new entry', async () => {
    await fresh()
    const { id } = await item({ assignees: [bob.id] })
    const [first] = await inbox(bob)
    assert.deepEqual(await bob.post('/notification/inbox/read', { ids: [first.id] }), { count: 1 })
    assert.deepEqual(await inbox(bob, '?unread=true'), [])
    await ada.put(`/item/${id}`, { priority: 2 })
    const [again] = await inbox(bob, '?unread=true')
    assert.deepEqual(
      [again.id, again.count, again.changeSetIds.length, again.events],
      [first.id, 1, 1, ['item.updated']],
    )
    assert.deepEqual(await bob.post('/notification/inbox/archive', { ids: [first.id] }), { count: 1 })
    assert.deepEqual(await inbox(bob), [])
    assert.equal((await inbox(bob, '?archived=only')).at(0).id, first.id)
    await ada.put(`/item/${id}`, { priority: 3 })
    const [other] = await inbox(bob)
    assert.notEqual(other.id, first.id)
    assert.deepEqual(await bob.post('/notification/inbox/archive', { ids: [first.id], archived: false }), { count: 0 })
  })

  test('snoozed entries come back at the given time', async () => {
    await fresh()
    await item({ assignees: [bob.id] })
    const [entry] = await inbox(bob)
    await bob.post('/notification/inbox/snooze', { ids: [entry.id], until: '2999-01-01T00:00:00Z' })
    assert.deepEqual(await inbox(bob), [])
    assert.deepEqual(await bob.get('/notification/inbox/count'), { unread: 0 })
    assert.equal((await inbox(bob, '?snoozed=only'))[0].snoozedUntil, '2999-01-01T00:00:00.000Z')
    await bob.post('/notification/inbox/snooze', { ids: [entry.id], until: null })
    assert.equal((await inbox(bob)).length, 1)
  })

  test('entries of other users are answered like entries that do not exist', async () => {
    await fresh()
    await item({ assignees: [bob.id] })
    const [entry] = await inbox(bob)
    for (const id of [entry.id, crypto.randomUUID(), 'x']) {
      const { status, body } = await carl.ask('POST', '/notification/inbox/read', { body: { ids: [id] } })
      assert.deepEqual([status, body.Fields[0].Pointer], [422, '/ids/0'])
    }
    for (const body of [{}, { ids: [] }, { all: true, ids: [entry.id] }])
      assert.equal((await bob.ask('POST', '/notification/inbox/read', { body })).status, 400)
  })

  test('a bulk change of many items is one entry for each recipient', async () => {
    await fresh()
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push((await item({ assignees: i < 3 ? [bob.id, carl.id] : [bob.id] })).id)
    await fresh()
    await ada.must('PATCH', '/item', { body: { ids, patch: { priority: 1 } } })
    const [bundle, ...more] = await inbox(bob)
    assert.deepEqual(
      [more, bundle.subject, bundle.count, bundle.itemIds.toSorted()],
      [[], 'ChangeSet', 12, ids.toSorted()],
    )
    assert.equal((await inbox(carl)).length, 3)
  })

  test('mute and level apply, a mention overrides them, and a requester is not notified of internal notes', async () => {
    const { id } = await item({ assignees: [bob.id], requesterId: rita.id })
    await fresh()
    await bob.put(`/item/${id}/watch`, { level: watchLevel.muted })
    await carl.put(`/item/${id}/watch`, { level: watchLevel.status })
    await ada.post('/annotation', { itemId: id, kind: annotationKind.note, body: 'Look at this' })
    assert.deepEqual([await inbox(bob), await inbox(carl), await inbox(rita)], [[], [], []])
    await ada.put(`/item/${id}`, { status: 'Done' })
    assert.deepEqual([(await inbox(bob)).length, (await inbox(carl)).length, (await inbox(rita)).length], [0, 1, 1])
    await ada.post('/annotation', { itemId: id, kind: annotationKind.note, body: `Hello @[${bob.id}]` })
    assert.partialDeepStrictEqual((await inbox(bob))[0], {
      reason: watchReason.mentioned,
      events: ['user.mentioned'],
      itemId: id,
    })
    await fresh()
    await ada.post('/annotation', { itemId: id, kind: annotationKind.reply, body: 'It is done' })
    assert.deepEqual((await inbox(rita))[0].events, ['annotation.replied'])
    await rita.post('/annotation', { itemId: id, kind: annotationKind.message, body: 'Thank you' })
    assert.ok((await inbox(ada))[0].events.includes('annotation.requesterReplied'))
  })

  test('a user who loses access to an item is not notified any more, and their entries about it disappear', async () => {
    await fresh()
    const secret = await ada.post('/container', { name: 'Secret', private: true })
    await ada.put(`/container/${secret.id}/member`, { userId: bob.id, role: roleCode.member })
    const { id } = await ada.post('/item', { title: 'Plan', containerId: secret.id })
    await bob.put(`/item/${id}/watch`, { level: watchLevel.all })
    await ada.put(`/item/${id}`, { priority: 1 })
    assert.equal((await inbox(bob)).length, 1)
    await ada.delete(`/container/${secret.id}/member/${bob.id}`)
    assert.deepEqual(await inbox(bob), [])
    assert.deepEqual(await bob.get('/notification/inbox/count'), { unread: 0 })
    await ada.put(`/item/${id}`, { priority: 2 })
    await running.settle()
    await ada.put(`/container/${secret.id}/member`, { userId: bob.id, role: roleCode.member })
    assert.deepEqual(
      (await inbox(bob)).map((each: { count: number }) => each.count),
      [1],
    )
  })

  test('a watch on a container reports new items; a watch on a filter reports items that enter and leave', async () => {
    await fresh()
    const shop = await ada.post('/container', { name: 'Shop' })
    await bob.post('/watch', { owner: ownerKind.container, ownerId: shop.id })
    const urgent = await ada.post(`/container/${shop.id}/filter`, {
      name: 'Urgent',
      criteria: {
        conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }],
      },
    })
    await ada.post('/item', { title: 'Old', containerId: shop.id, priority: 1 })
    await carl.post('/watch', { owner: ownerKind.containerFilter, ownerId: urgent.id })
    await running.settle()
    const { id } = await ada.post('/item', { title: 'New', containerId: shop.id })
    assert.deepEqual(
      (await inbox(bob)).map((each: { title: string }) => each.title),
      ['New', 'Old'],
    )
    assert.deepEqual(await inbox(carl), [])
    await ada.put(`/item/${id}`, { priority: 1 })
    const [entered] = await inbox(carl)
    assert.deepEqual([entered.itemId, entered.events], [id, ['filter.entered']])
    await carl.post('/notification/inbox/read', { all: true })
    await ada.put(`/item/${id}`, { title: 'Still urgent' })
    assert.deepEqual(await inbox(carl, '?unread=true'), [])
    await ada.put(`/item/${id}`, { priority: 3 })
    assert.deepEqual((await inbox(carl, '?unread=true'))[0].events, ['filter.left'])
  })

  test('a range of the log that is processed twice notifies once', async () => {
    await fresh()
    await item({ assignees: [bob.id] })
    await running.settle()
    const [{ count }] = await inbox(bob)
    await database.single(tenantCaller(ada.tenantId), async ctx => {
      await ctx.sql`insert into queued_job (tenant_id, lane, id, task, payload)
        select tenant_id, 'inbox', id, 'inbox', jsonb_build_object('from', jsonb_build_object('xact', xact::text, 'id', id), 'to', jsonb_build_object('xact', (select max(xact)::text from event where tenant_id = ${ada.tenantId}), 'id', id))
        from inbox_done where tenant_id = ${ada.tenantId} order by at desc limit 1 returning 1`
    })
    assert.equal((await inbox(bob))[0].count, count)
  })

  test('events that concern nobody cost no write', async () => {
    const quiet = await ada.post('/container', { name: 'Quiet' })
    await running.settle()
    const done = async () =>
      await database.single(
        tenantCaller(ada.tenantId),
        ctx => ctx.sql`select xact, id from inbox_done where tenant_id = ${ada.tenantId}`,
      )
    const before = (await done()).length
    // The filter that carl watches is tested for every item; without the watch the events concern nobody.
    for (const watch of await ada.get('/watch?owner=16')) await ada.delete(`/watch/${watch.id}`)
    await notifyForget(ada.tenantId, false)
    await ada.post('/item', { title: 'Alone', containerId: quiet.id })
    await running.settle()
    assert.equal((await done()).length, before)
  })

  test('a rule notifies users in the application', async () => {
    await fresh()
    const { id } = await item()
    await bob.put(`/item/${id}/watch`, { level: watchLevel.muted })
    await running.settle()
    await database.transaction(tenantCaller(ada.tenantId), ctx =>
      notify(ctx, { to: [bob.id, carl.id, eve.id], itemId: id, text: 'Have a look' }),
    )
    assert.deepEqual(await inbox(bob), [])
    assert.partialDeepStrictEqual((await inbox(carl))[0], { itemId: id, reason: watchReason.rule, text: 'Have a look' })
  })

  test('users choose their channels per event, everywhere or in one container', async () => {
    await fresh()
    const input = [
      { event: 'item.updated', inbox: false },
      { event: 'item.updated', containerId: desk.id, inbox: true },
      { event: 'nothing.like.it', mail: false },
    ]
    const told = await bob.put('/notification/preference', { events: input })
    assert.deepEqual([told.digest, told.quietHours, told.mail], [digestInterval.quarter, true, false])
    assert.deepEqual(
      told.check.map((each: { path: string }) => each.path),
      ['/events/2/event'],
    )
    const yard = await ada.post('/container', { name: 'Yard' })
    const there = await ada.post('/item', { title: 'There', containerId: yard.id, assignees: [bob.id] })
    const here = await item({ assignees: [bob.id] })
    await fresh()
    for (const id of [there.id, here.id]) await ada.put(`/item/${id}`, { priority: 1 })
    assert.deepEqual(
      (await inbox(bob)).map((each: { itemId: string }) => each.itemId),
      [here.id],
    )
    const foreign = await eve.post('/container', { name: 'Theirs' })
    const { status, body } = await bob.ask('PUT', '/notification/preference', {
      body: { events: [{ event: '*', containerId: foreign.id }] },
    })
    assert.deepEqual([status, body.Fields[0].Pointer], [422, '/events/0/containerId'])
    await bob.put('/notification/preference', { events: [] })
  })
})
