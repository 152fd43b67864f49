import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { useConnection } from '../client.ts'
import { clear, put, type Stored, shown } from '../records/store.ts'
import { tellOutcome, updateRecord, useOutcomes } from '../updates.ts'
import { adopt, drainAll, tellOutcomes, useOutbox } from './outbox.ts'
import type { Write } from './write.ts'

// A service that answers as the real one does, as far as versions go.
describe('the outbox', () => {
  let record: Stored & { title: string; priority: number }
  let reachable = true
  let losesAnswers = false
  const requests: { method: string; match: string | null; body: string }[] = []

  const answer = async (_: string, init: RequestInit) => {
    if (!reachable) throw new TypeError('fetch failed')
    const match = new Headers(init.headers).get('if-match')
    requests.push({ method: init.method ?? 'GET', match, body: String(init.body) })
    if (match !== null && match !== `"v${record.version}"`) {
      const stale = { status: 412, code: 'stale', title: 'stale', detail: 'stale', Fields: [], current: record }
      return Response.json(stale, { status: 412 })
    }
    record = { ...record, ...JSON.parse(String(init.body)), version: (record.version ?? 0) + 1 }
    if (losesAnswers) throw new TypeError('fetch failed')
    return Response.json(record, { headers: { 'change-set': `set ${record.version}` } })
  }
  // Other files run in the same process.
  const { fetch } = globalThis
  before(() => {
    mock.method(globalThis, 'fetch', answer)
  })
  after(() => {
    globalThis.fetch = fetch
  })
  tellOutcomes(tellOutcome)

  beforeEach(() => {
    clear()
    requests.length = 0
    record = { entity: 'Item', id: 'a', version: 1, title: 'one', priority: 0 }
    put(record)
  })
  const change = (values: object) =>
    updateRecord({ entity: 'Item', id: 'a', route: 'PATCH /item/{id}', values: { ...values }, text: 'changed' })
  const back = () => {
    reachable = true
    losesAnswers = false
    useConnection.setState({ offline: false })
    drainAll()
  }

  test('changes of one record go out in order, each on the version that the last one made', async () => {
    await Promise.all([change({ title: 'two' }), change({ priority: 1 }), change({ title: 'three' })])
    assert.deepEqual(
      requests.map(({ match, body }) => [match, body]),
      [
        ['"v1"', '{"title":"two"}'],
        ['"v2"', '{"priority":1}'],
        ['"v3"', '{"title":"three"}'],
      ],
    )
    assert.deepEqual(shown('Item', 'a'), { ...record, title: 'three', priority: 1, version: 4 })
  })

  test('what cannot be sent is shown, waits, and goes out once', async () => {
    reachable = false
    const first = change({ title: 'two' })
    while (!useConnection.getState().offline) await new Promise(resolve => setTimeout(resolve, 5))
    const rest = [change({ priority: 1 }), change({ priority: 2 })]
    assert.equal((shown('Item', 'a') as typeof record).priority, 2)
    assert.equal(useOutbox.getState().waiting.length, 2)
    back()
    await Promise.all([first, ...rest])
    assert.deepEqual(
      requests.map(({ body }) => body),
      ['{"title":"two"}', '{"priority":2}'],
    )
    assert.equal(record.version, 3)
    assert.deepEqual(useOutbox.getState().waiting, [])
  })

  test('a change that arrived although its answer was lost is not made twice, and is no conflict', async () => {
    losesAnswers = true
    const made = change({ title: 'two' })
    const next = change({ title: 'three' })
    while (requests.length < 1) await new Promise(resolve => setTimeout(resolve, 1))
    back()
    await Promise.all([made, next])
    assert.deepEqual([record.title, record.version], ['three', 3])
    assert.equal(useOutcomes.getState().conflicts.size, 0)
  })

  test('somebody else’s change of another property stays; one of the same property is asked about', async () => {
    record = { ...record, priority: 3, version: 2 }
    await change({ title: 'mine' })
    assert.deepEqual([record.title, record.priority, record.version], ['mine', 3, 3])
    record = { ...record, title: 'theirs', version: 4 }
    await change({ title: 'mine again', priority: 1 })
    while (record.priority !== 1) await new Promise(resolve => setTimeout(resolve, 5))
    const [conflict] = useOutcomes.getState().conflicts.get('a') ?? []
    assert.deepEqual([conflict?.property, conflict?.mine, conflict?.theirs], ['title', 'mine again', 'theirs'])
    conflict?.keepMine()
    while (record.title !== 'mine again') await new Promise(resolve => setTimeout(resolve, 5))
    assert.equal(useOutcomes.getState().conflicts.size, 0)
  })

  test('changes of a tab that is gone are shown as soon as their record is known', async () => {
    clear()
    reachable = false
    useConnection.setState({ offline: true })
    const left: Write = {
      id: 'w',
      tab: 'gone',
      entity: 'Item',
      recordId: 'a',
      route: 'PATCH /item/{id}',
      path: { id: 'a' },
      body: { title: 'left behind' },
      before: { title: 'one' },
      madeOn: 1,
      attempted: true,
      sentOn: 1,
      text: '',
    }
    adopt([left, left])
    put(record)
    assert.equal((shown('Item', 'a') as typeof record).title, 'left behind')
    back()
    while (useOutbox.getState().waiting.length > 0) await new Promise(resolve => setTimeout(resolve, 5))
    assert.deepEqual([record.title, record.version, requests.length], ['left behind', 2, 1])
  })
})
