import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { soon, useConnection } from '../client.ts'
import { newId } from '../records/ids.ts'
import { clear, type Stored, shown } from '../records/store.ts'
import { actOnRecord, createRecord, tellOutcome, updateRecord, useOutcomes } from '../updates.ts'
import { drainAll, tellOutcomes, useOutbox } from './outbox.ts'

// A service that answers as the real one does, as far as ids and versions go.
describe('creations', () => {
  const records = new Map<string, Stored & Record<string, unknown>>()
  let requests: string[] = []
  let refuses = false
  let losesAnswers = 0

  const answer = async (url: string, init: RequestInit) => {
    if (useConnection.getState().offline) throw new TypeError('fetch failed')
    const method = init.method ?? 'GET'
    const body = init.body ? JSON.parse(String(init.body)) : {}
    requests.push(`${method} ${body.title ?? ''}`)
    const id: string =
      body.id ??
      url
        .replace(/\/rank$/, '')
        .split('/')
        .at(-1)
        ?.split('?')[0]
    const known = records.get(id)
    const problem = (status: number, code: string) =>
      Response.json({ status, code, title: code, detail: code, Fields: [] }, { status })
    if (method === 'POST' && refuses) return problem(422, 'refused')
    if (method === 'POST' && known && !url.endsWith('/rank')) return problem(409, 'id-taken')
    if (method !== 'POST' && !known) return problem(404, 'not-found')
    const defaults = { entity: 'Item', id, priority: 0, version: 0 }
    const now = { ...defaults, ...known, ...body, version: Number(known?.version ?? 0) + (method === 'GET' ? 0 : 1) }
    records.set(id, now)
    if (losesAnswers-- > 0) throw new TypeError('fetch failed')
    return Response.json(now)
  }
  // Other files run in the same process.
  const { fetch } = globalThis
  before(() => {
    mock.method(globalThis, 'fetch', answer)
    tellOutcomes(tellOutcome)
  })
  after(() => {
    globalThis.fetch = fetch
    useConnection.setState({ offline: false })
  })
  beforeEach(() => {
    clear()
    requests = []
    refuses = false
    losesAnswers = 0
    useConnection.setState({ offline: false })
  })

  const make = (title: string) => {
    const id = newId()
    const record = { entity: 'Item', id, title }
    const draft = { place: `form ${id}`, value: title }
    return { id, draft, sent: createRecord({ record, route: 'POST /item', body: { title }, draft, text: title }) }
  }
  const rename = (id: string, values: object) =>
    updateRecord({ entity: 'Item', id, route: 'PATCH /item/{id}', values: { ...values }, text: '' })
  const back = () => {
    useConnection.setState({ offline: false })
    drainAll()
  }

  test('a new record is shown at once, and its changes follow it without a conflict', async () => {
    useConnection.setState({ offline: true })
    const { id, sent } = make('one')
    assert.equal(await soon(sent), 'waits')
    const changed = rename(id, { priority: 2 })
    assert.deepEqual(shown('Item', id), { entity: 'Item', id, title: 'one', version: 0, priority: 2 })
    assert.equal(useOutbox.getState().waiting.length, 2)
    back()
    await Promise.all([sent, changed])
    assert.deepEqual(requests, ['POST one', 'PATCH '])
    assert.deepEqual([records.get(id)?.priority, records.get(id)?.version], [2, 2])
    assert.equal(useOutcomes.getState().conflicts.size, 0)
  })

  test('one that arrived although its answer was lost is read, and not created again', async () => {
    losesAnswers = 1
    const { id, sent } = make('two')
    while (requests.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    back()
    await sent
    assert.equal(requests.filter(each => each === 'POST two').length, requests.length - 1)
    assert.equal(requests.at(-1), 'GET ')
    assert.equal(shown('Item', id)?.version, 1)
  })

  test('what is done to one record follows the creation of another that it names, and nothing else waits for it', async () => {
    useConnection.setState({ offline: true })
    const [one, other] = [make('one'), make('other')]
    const ranked = actOnRecord({
      entity: 'Item',
      id: one.id,
      route: 'POST /item/{id}/rank',
      body: { title: 'rank' },
      follows: useOutbox.getState().waiting.map(({ id }) => id),
      text: '',
    })
    back()
    await Promise.all([one.sent, other.sent, ranked])
    assert.deepEqual(requests.toSorted(), ['POST one', 'POST other', 'POST rank'])
    assert.equal(requests.at(-1), 'POST rank')
    assert.deepEqual(useOutbox.getState().waiting, [])
  })

  test('one that is refused leaves with its changes, and the form has its reason', async () => {
    useConnection.setState({ offline: true })
    const { id, draft, sent } = make('three')
    const changed = rename(id, { priority: 2 })
    refuses = true
    back()
    assert.equal((await sent).problem?.code, 'refused')
    assert.equal((await changed)?.code, 'refused')
    assert.deepEqual(requests, ['POST three'])
    assert.equal(shown('Item', id), undefined)
    assert.equal(useOutcomes.getState().refused.get(draft.place)?.code, 'refused')
    assert.deepEqual(useOutbox.getState().waiting, [])
  })
})
