import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { containerKind } from '../src/containers/container-kind.ts'
import { newId } from '../src/kernel/id.ts'
import type { Answer } from './support/answer.ts'
import { multipart } from './support/multipart.ts'
import { type Person, sharedTestService } from './support/people.ts'

describe('ids that clients make', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const [container, foreign] = [
    await ada.post('/container', { name: 'Own ids', key: 'OWN' }),
    await eve.post('/container', { name: 'Own ids', key: 'OWN' }),
  ]
  const [desk, foreignDesk] = [
    await ada.post('/container', { name: 'Desk of own ids', key: 'OWND', kind: containerKind.desk }),
    await eve.post('/container', { name: 'Desk of own ids', key: 'OWND', kind: containerKind.desk }),
  ]
  const about = await ada.post('/item', { title: 'About', containerId: container.id })
  const foreignItem = await eve.post('/item', { title: 'About', containerId: foreign.id })
  const isEve = (who: Person) => who.tenantId === eve.tenantId

  /** How a record of each kind is created under an id. */
  const creations: Record<string, (who: Person, id: unknown) => Promise<Answer>> = {
    item: (who, id) => {
      const containerId = isEve(who) ? foreign.id : container.id
      return who.ask('POST', '/item', { body: { id, title: 'Made offline', containerId } })
    },
    ticket: (who, id) => {
      const containerId = isEve(who) ? foreignDesk.id : desk.id
      return who.ask('POST', '/ticket', { body: { id, title: 'Made offline', containerId } })
    },
    annotation: (who, id) => {
      const itemId = isEve(who) ? foreignItem.id : about.id
      return who.ask('POST', '/annotation', { body: { id, itemId, body: 'Said offline' } })
    },
    time: (who, id) => {
      const itemId = isEve(who) ? foreignItem.id : about.id
      return who.ask('POST', '/time', { body: { id, itemId, date: '2026-03-31', minutes: 30 } })
    },
    file: (who, id) => who.ask('POST', '/file', multipart({ id: String(id), file: 'bytes' })),
  }
  const summary = ({ status, body }: Answer) => [status, body.code, body.Fields?.[0]?.Pointer, body.Fields?.[0]?.Code]
  /** A UUIDv7 of the given moment. */
  const idAt = (time: number) => {
    const digits = time.toString(16).padStart(12, '0')
    return `${digits.slice(0, 8)}-${digits.slice(8)}${newId().slice(13)}`
  }
  const day = 86_400_000

  for (const [kind, create] of Object.entries(creations)) {
    test(`${kind}: a new one has the id of the client, and a second one is refused`, async () => {
      const id = newId()
      const made = await create(ada, id.toUpperCase())
      assert.deepEqual([made.status, made.body.id], [201, id])
      assert.equal((await ada.get(`/${kind}/${id}`)).id, id)
      const taken = [409, 'id-taken', '/id', 'id-taken']
      assert.deepEqual(summary(await create(ada, id)), taken)
      await ada.delete(`/${kind}/${id}`)
      assert.deepEqual(summary(await create(ada, id)), taken)
    })

    test(`${kind}: another tenant uses the same id, and neither notices`, async () => {
      const id = newId()
      for (const who of [ada, eve]) {
        const made = await create(who, id)
        assert.deepEqual([made.status, made.body.id, made.body.tenantId], [201, id, who.tenantId])
      }
    })

    test(`${kind}: of several requests at the same time, one creates it`, async () => {
      const id = newId()
      const answers = await Promise.all([ada, bob, ada, bob].map(who => create(who, id)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
      for (const each of answers.filter(({ status }) => status === 409)) assert.equal(each.body.code, 'id-taken')
    })

    test(`${kind}: an own id is a UUIDv7 of a time that has come`, async () => {
      const wrong = [400, 'validation', '/id', 'uuidv7']
      for (const id of ['4711', '0190f3c2-1111-4222-8333-944444444444', '0190f3c2-1111-7222-c333-944444444444'])
        assert.deepEqual(summary(await create(ada, id)), wrong, id)
      assert.deepEqual(summary(await create(ada, idAt(Date.now() + 2 * day))), [400, 'validation', '/id', 'future'])
      assert.equal((await create(ada, idAt(Date.now() + day / 2))).status, 201)
      assert.equal((await create(ada, idAt(Date.now() - 90 * day))).status, 201)
    })
  }

  test('an empty id is none, and the id in the body of a change stays ignored', async () => {
    for (const id of ['', null]) {
      const made = await creations.item?.(ada, id)
      assert.equal(made?.status, 201)
    }
    const changed = await ada.must('PATCH', `/item/${about.id}`, { body: { id: about.id, title: 'About it' } })
    assert.deepEqual([changed.id, changed.title], [about.id, 'About it'])
  })

  test('a reply to a ticket has the id of the client', async () => {
    const { id: ticketId } = (await creations.ticket?.(ada, newId()))?.body ?? {}
    for (const action of ['reply', 'note']) {
      const id = newId()
      await ada.post(`/ticket/${ticketId}/${action}`, { id, body: 'Written offline' })
      assert.equal((await ada.get(`/annotation/${id}`)).itemId, ticketId)
      const again = await ada.ask('POST', `/ticket/${ticketId}/${action}`, { body: { id, body: 'Written offline' } })
      assert.deepEqual(summary(again), [409, 'id-taken', '/id', 'id-taken'])
    }
  })

  test('the id of a record of another kind is taken as well', async () => {
    assert.equal((await creations.annotation?.(ada, about.id))?.body.code, 'id-taken')
    assert.equal((await creations.annotation?.(eve, about.id))?.status, 201)
  })

  test('a repeated Idempotency-Key answers the first reply; without one, an external id decides before the id', async () => {
    const id = newId()
    const headers = { 'idempotency-key': id }
    const body = { id, title: 'Once', containerId: container.id, Meta: { source: 'own-ids', externalId: id } }
    const [first, second] = [
      await ada.ask('POST', '/item', { body, headers }),
      await ada.ask('POST', '/item', { body, headers }),
    ]
    assert.deepEqual([first.status, second.status, second.body.version], [201, 201, 1])
    const again = await ada.ask('POST', '/item', { body: { ...body, title: 'Once more' } })
    assert.deepEqual([again.status, again.body.id, again.body.title], [200, id, 'Once more'])
    const other = await ada.ask('POST', '/item', { body: { ...body, Meta: { source: 'own-ids', externalId: 'new' } } })
    assert.equal(other.body.code, 'id-taken')
  })

  test('each row of a bulk import keeps its id or is refused by itself', async () => {
    const [one, two, three] = [newId(), newId(), newId()]
    const row = (id: unknown) => ({ id, title: 'Imported', containerId: container.id })
    const outcomes = async (ids: unknown[]) => {
      const rows: { id?: string; outcome: string; code?: string }[] = await ada.post('/item/bulk', ids.map(row))
      return rows.map(({ id, outcome, code }) => (outcome === 'created' ? id : code))
    }
    assert.deepEqual(await outcomes([one, two, one, 'none']), [one, two, 'id-taken', 'validation'])
    assert.deepEqual(await outcomes([two, three, foreignItem.id]), ['id-taken', three, foreignItem.id])
    const contested = [newId(), newId(), newId()]
    const both = await Promise.all([outcomes(contested), outcomes(contested)])
    for (const [n, id] of contested.entries())
      assert.deepEqual(both.map(each => each[n]).sort(), [id, 'id-taken'].sort())
  })

  test('each of many time entries keeps its id, and the first day of a span that is split', async () => {
    const [one, two] = [newId(), newId()]
    const entry = (id: string) => ({ id, itemId: about.id, date: '2026-03-30', minutes: 5 })
    const rows: { id?: string; code?: string }[] = await ada.post('/time/bulk', [entry(one), entry(one), entry(two)])
    assert.deepEqual(
      rows.map(({ id, code }) => code ?? id),
      [one, 'id-taken', two],
    )
    const id = newId()
    const span = { id, itemId: about.id, start: '2026-03-20T20:00:00Z', end: '2026-03-21T04:00:00Z' }
    const { entries } = await ada.post('/time?split=true', span)
    assert.deepEqual([entries.length, entries[0].id], [2, id])
    assert.equal((await ada.ask('POST', '/time?split=true', { body: span })).body.code, 'id-taken')
  })
})
