import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { isLong } from '../../../test/support/form.ts'
import { Listener } from '../../../test/support/listener.ts'
import { Person, serveOn, sharedTestService, startTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { appendEvents } from '../../kernel/events.ts'
import { ownerKind } from '../../records/references/owner.ts'

const titles = (listener: Listener) => listener.received.map(({ data }) => data.changes?.title?.to).filter(Boolean)

describe('the stream of events', async () => {
  const { ada, bob, eve, person, database, databaseUrl, dataDir } = await sharedTestService()
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const other = await serveOn(databaseUrl, dataDir)
  const elsewhere = (who: Person) => new Person(other.base, who.key, who.id, who.tenantId)

  test('committed events arrive without long changes and in order, in this and in another process', async () => {
    const here = await Listener.to(bob, '/event/stream')
    const there = await Listener.to(elsewhere(bob), '/event/stream')
    const item = await bob.post('/item', { title: 'First' })
    await bob.put(`/item/${item.id}`, { title: 'Second' })
    for (const listener of [here, there]) {
      await listener.count(2)
      assert.deepEqual(titles(listener), ['First', 'Second'])
      const [{ id, data }] = listener.received as [{ id: string; data: Record<string, unknown> }]
      const names = 'containerId seq type kind entity recordId version changeSetId actor actorId at changes'
      assert.deepEqual(Object.keys(data), names.split(' '))
      assert.deepEqual(
        [id, data.kind, data.entity, data.recordId, data.actorId, data.version, data.containerId],
        [data.seq, 'item.created', 'Item', item.id, bob.id, 1, item.containerId],
      )
      assert.deepEqual([data.type, data.actor], ['item.created', { id: bob.id, kind: 'apiKey' }], 'as in the log')
      listener.hangUp()
    }
  })

  test('a stream starts now, also while a long transaction keeps the order of the log open', async () => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { id: recordId } = await ada.post('/item', { title: 'Long' })
    const long = database.transaction(tenantCaller(ada.tenantId, ada.id), async ctx => {
      await appendEvents(ctx, [{ kind: 'item.updated', entity: 'Item', recordId, changes: {} }])
      started.resolve()
      await ended.promise
    })
    await started.promise
    await ada.post('/item', { title: 'Before' })
    const listener = await Listener.to(bob, '/event/stream')
    await ada.post('/item', { title: 'After' })
    ended.resolve()
    await long
    await ada.post('/item', { title: 'Later' })
    await listener.until(() => titles(listener).includes('Later'))
    assert.deepEqual(titles(listener), ['After', 'Later'])
    assert.equal(listener.received[0]?.data.recordId, recordId, 'the event of the long transaction is new, too')
    listener.hangUp()
  })

  test('a stream can be narrowed to types of events', async () => {
    const made = await Listener.to(bob, '/event/stream?types=item.created')
    const item = await bob.post('/item', { title: 'Typed' })
    await bob.put(`/item/${item.id}`, { title: 'Typed again' })
    await bob.post('/item', { title: 'Typed last' })
    await made.count(2)
    assert.deepEqual(titles(made), ['Typed', 'Typed last'])
    made.hangUp()
  })

  test('twenty writers at once: no event is lost or repeated, all come in the order of the log, across interruptions', async () => {
    const rounds = isLong ? 5 : 2
    const events = 20 * rounds * 3
    const steady = await Listener.to(ada, '/event/stream?entity=Item')
    const seen: string[] = []
    let place = steady.last
    let writing = true
    const broken = (async () => {
      for (let listener: Listener; ; ) {
        listener = await Listener.to(elsewhere(ada), '/event/stream?entity=Item', { 'last-event-id': place })
        await new Promise(resolve => setTimeout(resolve, 30 + Math.random() * 120))
        if (!writing) await listener.until(() => seen.length + listener.received.length >= events)
        listener.hangUp()
        seen.push(...listener.received.map(each => each.id))
        place = listener.last
        if (!writing && seen.length >= events) return
      }
    })()
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let n = 0; n < rounds; n++) {
          const { id } = await ada.post('/item', { title: `Writer ${writer}, ${n}` })
          await ada.put(`/item/${id}`, { status: 'started' })
          await ada.put(`/item/${id}`, { status: 'done' })
        }
      }),
    )
    writing = false
    await broken
    await steady.count(events)
    steady.hangUp()
    const log: { seq: string; entity: string }[] = await ada.get('/event?limit=1000')
    const items = log.filter(each => each.entity === 'Item').map(each => each.seq)
    const wanted = items.slice(items.length - events)
    assert.deepEqual(
      steady.received.map(each => each.id),
      wanted,
    )
    assert.deepEqual(seen, wanted)
  })

  test('callers receive events of the records they may see, deletions included; another tenant receives nothing', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
    const all = await Promise.all([ada, bob, rita, eve].map(who => Listener.to(who, '/event/stream?entity=Item')))
    const [boss, member, requester, stranger] = all as [Listener, Listener, Listener, Listener]
    const gold = await ada.post('/item', { title: 'Gold', containerId: vault.id })
    const open = await ada.post('/item', { title: 'Open', containerId: desk.id })
    const hers = await rita.post('/item', { title: 'Hers', containerId: desk.id })
    const secret = await ada.post('/item', {
      title: 'Secret',
      containerId: desk.id,
      visibility: itemVisibility.confidential,
    })
    for (const { id } of [gold, open, hers, secret]) await ada.delete(`/item/${id}`)
    await boss.count(8)
    await member.count(4)
    await requester.count(2)
    const told = (listener: Listener) => listener.received.map(({ data }) => [data.recordId, data.kind.split('.')[1]])
    const both = (...ids: string[]) => ids.flatMap(id => [[id, 'created']]).concat(ids.map(id => [id, 'deleted']))
    await new Promise(resolve => setTimeout(resolve, 200))
    assert.deepEqual(told(boss), both(gold.id, open.id, hers.id, secret.id))
    assert.deepEqual(told(member), both(open.id, hers.id))
    assert.deepEqual(told(requester), both(hers.id))
    assert.deepEqual(told(stranger), [])
    for (const each of all) each.hangUp()
  })

  test('a stream can be restricted to a record or a container, and ends by itself when a limit is given', async () => {
    const desk = await ada.post('/container', { name: 'Narrow' })
    const before = await Listener.to(ada, '/event/stream')
    before.hangUp()
    const one = await bob.post('/item', { title: 'One', containerId: desk.id, Time: [{ minutes: 5 }] })
    const two = await bob.post('/item', { title: 'Two' })
    await bob.put(`/item/${one.id}`, { title: 'One more' })
    const read = async (query: string) => {
      const answer = await ada.ask('GET', `/event/stream?after=${before.last}&${query}`)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
      return [...String(answer.body).matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1] ?? ''))
    }
    const kinds = async (query: string) => (await read(query)).map(each => each.kind)
    assert.deepEqual(await kinds(`recordId=${one.id}`), ['item.created', 'item.updated'])
    assert.deepEqual(await kinds(`containerId=${desk.id}`), ['item.created', 'time.created', 'item.updated'])
    assert.deepEqual(await kinds('entity=time'), ['time.created'])
    assert.deepEqual(await kinds(`recordId=${two.id}&limit=5`), ['item.created'])
    assert.deepEqual(await kinds('limit=1'), ['item.created'])
    assert.deepEqual(await kinds('recordId=nonsense'), [])
    for (const query of ['after=nonsense', 'limit=0', 'limit=1001'])
      assert.equal((await ada.ask('GET', `/event/stream?${query}`)).status, 400)
  })

  test('the stream of a caller without access ends, and a revoked permission stops its events', async () => {
    const vault = await ada.post('/container', { name: 'Second vault', private: true })
    const guest = await person({ name: 'Guest' })
    const grant = await ada.post('/access-control', {
      userId: guest.id,
      owner: ownerKind.container,
      ownerId: vault.id,
      role: roleCode.member,
    })
    const listener = await Listener.to(guest, '/event/stream?entity=Item')
    await ada.post('/item', { title: 'Seen', containerId: vault.id })
    await listener.count(1)
    await ada.delete(`/access-control/${grant.id}`)
    // Events that are sent after the permission was revoked must not reveal anything of the vault.
    const isTold = async (n: number) => {
      await ada.post('/item', { title: `Vault ${n}`, containerId: vault.id })
      await ada.post('/item', { title: `Plain ${n}` })
      await listener.until(() => titles(listener).includes(`Plain ${n}`))
      return titles(listener).includes(`Vault ${n}`)
    }
    let tries = 0
    await until(async () => !(await isTold(++tries)))
    for (let more = 0; more < 3; more++) assert.equal(await isTold(++tries), false)
    await ada.put(`/user/${guest.id}`, { active: false })
    await listener.until(() => listener.ended)
    const keyless = await person({ name: 'Keyless' })
    const second = await Listener.to(elsewhere(keyless), '/event/stream')
    const [key] = await keyless.get('/admin/api-key')
    await ada.delete(`/admin/api-key/${key.id}`)
    await second.until(() => second.ended)
    // Another node learns of the change from its event alone.
    const remote = await person({ name: 'Remote' })
    const third = await Listener.to(remote, '/event/stream')
    const [theirs] = await remote.get('/admin/api-key')
    await database.transaction(tenantCaller(ada.tenantId, ada.id), async ctx => {
      await ctx.sql`update api_key set deleted = true where tenant_id = ${ada.tenantId} and id = ${theirs.id}`
      const happened = { kind: 'apiKey.deleted', entity: 'ApiKey', recordId: theirs.id, changes: {} }
      await appendEvents(ctx, [happened])
    })
    await third.until(() => third.ended)
  })

  test('a caller has at most twenty streams; closing one makes room', async () => {
    const many = await person({ name: 'Many' })
    const streams = await Promise.all(Array.from({ length: 20 }, () => Listener.to(many, '/event/stream')))
    const refused = await many.ask('GET', '/event/stream', { headers: { accept: 'text/event-stream' } })
    assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-streams'])
    for (const each of streams) each.hangUp()
    await until(async () => {
      const again = await Listener.to(many, '/event/stream')
      again.hangUp()
      return again.status === 200
    })
  })

  test('a slow reader is waited for, falls behind, and receives every event', async () => {
    const { port } = new URL(ada.base)
    const slow = connect(Number(port), '127.0.0.1')
    slow.write(
      `GET /api/event/stream?entity=Item HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nAccept: text/event-stream\r\n\r\n`,
    )
    await once(slow, 'readable')
    // More than 200 at once would be one message.
    // 4 kB each: the sockets of both sides take less than 5 MB, and the stream has to wait then.
    const many = isLong ? 2500 : 1500
    for (let first = 0; first < many; first += 200)
      await ada.post(
        '/item/bulk',
        Array.from({ length: Math.min(200, many - first) }, (_, n) => ({
          title: `Slow ${first + n}`,
          description: 'x'.repeat(3500),
        })),
      )
    await new Promise(resolve => setTimeout(resolve, 1000))
    let text = ''
    for await (const part of slow) {
      text += part
      if (text.includes(`"Slow ${many - 1}"`)) break
    }
    const received = [...text.matchAll(/^id: (\S+)\r?\ndata: /gm)].map(match => match[1])
    assert.equal(new Set(received).size, received.length)
    assert.equal(new Set([...text.matchAll(/"Slow (\d+)"/g)].map(match => match[1])).size, many)
  })
})

test('the shutdown of the service ends the streams', async () => {
  const { ada } = await startTestService()
  const listener = await Listener.to(ada, '/event/stream')
  assert.equal(listener.ended, false)
  // `startTestService` closes its service after this file; a stream that stayed open would block that.
  await ada.post('/item', { title: 'Last' })
  await listener.count(1)
})
