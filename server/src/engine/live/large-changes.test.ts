import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../../test/support/listener.ts'
import { Person, serveOn, sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { appendEvents } from '../../kernel/events.ts'

describe('what the stream sends instead of many events', async () => {
  const { ada, bob, eve, database, databaseUrl, dataDir } = await sharedTestService()
  const other = await serveOn(databaseUrl, dataDir)
  const elsewhere = (who: Person) => new Person(other.base, who.key, who.id, who.tenantId)
  const rows = (count: number, containerId: string, more = {}) =>
    Array.from({ length: count }, (_, n) => ({ title: `Row ${n}`, containerId, ...more }))

  const bulk = (listener: Listener) => listener.contents[0] as Record<string, unknown>
  const create = async (items: object[]): Promise<string[]> =>
    (await ada.post('/item/bulk', items)).map((each: { id: string }) => each.id)
  const patchAll = async (ids: string[], patch: object) =>
    await ada.ask('PATCH', '/item', { body: { ids, patch, atomic: true } })

  test('a change set of more than 200 records is one message with what the receiver sees of it', async () => {
    const open = await ada.post('/container', { name: 'Open' })
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const secret = { visibility: itemVisibility.confidential }
    const ids = await create([...rows(150, open.id), ...rows(99, vault.id), ...rows(3, open.id, secret)])
    const listeners = [
      await Listener.to(ada, '/event/stream'),
      await Listener.to(elsewhere(bob), '/event/stream'),
      await Listener.to(bob, `/event/stream?containerId=${open.id}`),
      await Listener.to(bob, '/event/stream?entity=Time'),
      await Listener.to(eve, '/event/stream'),
    ] as const
    const [hers, his, narrow, times, foreign] = listeners
    const changeSetId = (await patchAll(ids, { priority: 2 })).headers.get('change-set')
    await ada.post('/item', { title: 'Afterwards', containerId: open.id })
    for (const listener of [hers, his, narrow]) {
      await listener.until(() => listener.received.length > 0)
      assert.deepEqual(
        listener.received.map(({ data }) => data.changes.title?.to),
        ['Afterwards'],
      )
      assert.deepEqual(listener.asides, ['bulk'])
    }
    assert.deepEqual(
      { ...bulk(hers), containerIds: (bulk(hers).containerIds as string[]).sort() },
      { changeSetId, count: 252, entities: { Item: 252 }, containerIds: [open.id, vault.id].sort() },
    )
    const seen = { changeSetId, count: 150, entities: { Item: 150 }, containerIds: [open.id] }
    assert.deepEqual(bulk(his), seen)
    assert.deepEqual(bulk(narrow), seen)
    assert.deepEqual([times.asides, times.received, foreign.asides, foreign.received], [[], [], [], []])
    // The position of the message is behind the change: a client that resumes there receives what follows, and only that.
    const again = await Listener.to(bob, '/event/stream', { 'last-event-id': his.positions[0] ?? '' })
    await again.count(1)
    assert.deepEqual([again.asides, again.received.length], [[], 1])
    for (const listener of [...listeners, again]) listener.hangUp()
  })

  test('a change that was committed in parts is one message for those who come later', async () => {
    const desk = await ada.post('/container', { name: 'Parts' })
    const before = await Listener.to(ada, '/event/stream')
    before.hangUp()
    await create(rows(450, desk.id, { Time: [{ minutes: 5 }] }))
    const later = await Listener.to(ada, '/event/stream', { 'last-event-id': before.last })
    await later.until(() => later.asides.length > 0)
    assert.deepEqual(later.asides, ['bulk'])
    const { changeSetId: _changeSetId, ...rest } = bulk(later)
    assert.deepEqual(rest, { count: 900, entities: { Item: 450, Time: 450 }, containerIds: [desk.id] })
    assert.deepEqual(later.received, [])
    later.hangUp()
  })

  test('200 records come one by one; so do all events of a record that is followed, and of replies with a limit', async () => {
    const open = await ada.post('/container', { name: 'Single' })
    const listener = await Listener.to(bob, '/event/stream')
    const start = listener.last
    const ids = await create(rows(200, open.id))
    await listener.count(200)
    ids.push(...(await create(rows(1, open.id))))
    const followed = await Listener.to(bob, `/event/stream?recordId=${ids[0]}`, { 'last-event-id': start })
    await followed.count(1)
    await patchAll(ids, { priority: 2 })
    await listener.until(() => listener.asides.length > 0)
    assert.deepEqual([listener.received.length, listener.asides], [201, ['bulk']])
    await followed.count(2)
    assert.deepEqual(
      followed.received.map(({ data }) => [data.kind, data.version]),
      [
        ['item.created', 1],
        ['item.updated', 2],
      ],
    )
    for (const each of [listener, followed]) each.hangUp()
    const page = await bob.ask('GET', `/event/stream?after=${start}&limit=1000`)
    assert.equal([...String(page.body).matchAll(/^data: /gm)].length, 201 + 201)
  })

  test('a client that missed more than 5,000 events is told so, and goes on from now', async () => {
    const before = await Listener.to(bob, '/event/stream')
    before.hangUp()
    const { id } = await ada.post('/item', { title: 'Often' })
    const append = (count: number) =>
      database.transaction(tenantCaller(ada.tenantId, ada.id), async ctx => {
        const happened = { kind: 'item.updated', entity: 'Item', recordId: id, changes: {} }
        await appendEvents(
          ctx,
          Array.from({ length: count }, () => happened),
        )
      })
    await append(4999)
    const near = await Listener.to(bob, '/event/stream', { 'last-event-id': before.last })
    await near.count(5000)
    assert.deepEqual(near.asides, [])
    near.hangUp()
    await append(1)
    const far = await Listener.to(bob, '/event/stream', { 'last-event-id': before.last })
    await far.until(() => far.asides.length > 0)
    await ada.put(`/item/${id}`, { title: 'Once more' })
    await far.count(1)
    assert.deepEqual([far.asides, far.received.length, far.received[0]?.data.version], [['reset'], 1, 2])
    far.hangUp()
  })
})
