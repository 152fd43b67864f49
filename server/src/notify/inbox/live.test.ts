import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from '../../../test/support/engines.ts'
import { Listener } from '../../../test/support/listener.ts'
import { Person, serveOn, sharedTestService } from '../../../test/support/people.ts'
import { encodeNotice } from '../../engine/live/private-notices.ts'

describe('the inbox on the stream of events', async () => {
  const home = await sharedTestService()
  const { ada, bob, person, database, databaseUrl, dataDir } = home
  const other = await serveOn(databaseUrl, dataDir)
  const running = await engines(home)
  const carl = await person({ name: 'Carl' })
  const elsewhere = (who: Person) => new Person(other.base, who.key, who.id, who.tenantId)

  test('only the owner of an inbox receives its change, from this process and from another one', async () => {
    const all = [
      await Listener.to(bob, '/event/stream'),
      await Listener.to(elsewhere(bob), '/event/stream?entity=InboxEntry'),
    ]
    const others = [
      await Listener.to(carl, '/event/stream'),
      await Listener.to(bob, '/event/stream?entity=Item'),
      await Listener.to(elsewhere(ada), '/event/stream'),
    ]
    await ada.post('/item', { title: 'For Bob', assignees: [bob.id] })
    for (const listener of all) {
      await listener.until(() => listener.asides.length > 0)
      assert.equal(listener.asides[0], 'inbox.changed')
    }
    await running.settle()
    const before = all.map(listener => listener.asides.length)
    await bob.post('/notification/inbox/read', { all: true })
    for (const [i, listener] of all.entries()) await listener.until(() => listener.asides.length > (before[i] ?? 0))
    await bob.post('/notification/inbox/read', { all: true })
    await sleep(300)
    for (const listener of others) assert.deepEqual(listener.asides, [])
    for (const listener of [...all, ...others]) {
      assert.ok(listener.received.every(({ data }) => data.kind !== 'inbox.changed'))
      listener.hangUp()
    }
  })

  test('private notices of another node arrive through the database', async () => {
    const all = [await Listener.to(bob, '/event/stream'), await Listener.to(carl, '/event/stream')]
    const aside = { tenantId: ada.tenantId, entity: 'InboxEntry', name: 'inbox.changed', userIds: [ada.id, bob.id] }
    for (const word of encodeNotice(aside))
      await database.crossTenantSql`select pg_notify('gantry_written', ${`${crypto.randomUUID()} ${word}`})`
    const [his, others] = all as [Listener, Listener]
    await his.until(() => his.asides.length > 0)
    await sleep(100)
    assert.deepEqual([his.asides, others.asides], [['inbox.changed'], []])
    for (const listener of all) listener.hangUp()
  })

  test('a client that reconnects with the id of its last event misses no event of the log', async () => {
    const first = await Listener.to(bob, '/event/stream')
    await ada.post('/item', { title: 'Once more', assignees: [bob.id] })
    await first.until(() => first.asides.length > 0 && first.received.length > 0)
    const place = first.last
    assert.match(place, /^\d+-/)
    first.hangUp()
    await ada.post('/item', { title: 'Meanwhile' })
    const second = await Listener.to(bob, '/event/stream?entity=Item', { 'last-event-id': place })
    await second.count(1)
    assert.equal(second.received[0]?.data.changes.title.to, 'Meanwhile')
    second.hangUp()
  })
})
