import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { type LiveChange, onLargeChange, onNotice, take } from './live.ts'
import { concerns, concernsAtLarge, throttled } from './live-list.ts'

const change = (values: Partial<LiveChange>): LiveChange => ({
  seq: '1',
  kind: 'item.updated',
  entity: 'Item',
  recordId: 'a',
  changeSetId: 'c',
  actorId: 'u',
  at: '',
  own: false,
  ...values,
})

describe('a list that is kept up to date', () => {
  const list = { entity: 'Item', containerId: 'ops', properties: ['status', 'rank'] }
  const cases: [string, Partial<LiveChange>, boolean][] = [
    ['a property of its sort', { changes: { rank: { to: 'b' } } }, true],
    ['another property', { changes: { title: { to: 'b' } } }, false],
    ['an unknown property', {}, true],
    ['a new record', { kind: 'item.created', containerId: 'ops', changes: { title: { to: 'b' } } }, true],
    ['a new record elsewhere', { kind: 'item.created', containerId: 'net', changes: { title: { to: 'b' } } }, false],
    ['a deleted record', { kind: 'item.deleted', changes: { deleted: { to: true } } }, true],
    ['a record that leaves', { containerId: 'net', changes: { containerId: { from: 'ops', to: 'net' } } }, true],
    ['a ticket', { entity: 'Ticket', changes: { status: { to: 'b' } } }, true],
    ['another kind', { entity: 'Label', changes: { rank: { to: 'b' } } }, false],
  ]
  for (const [name, values, expected] of cases)
    test(`${name} ${expected ? 'concerns' : 'does not concern'} it`, () =>
      assert.equal(concerns(change(values), list), expected))

  test('a large change concerns it by kind and container', () => {
    assert.equal(concernsAtLarge({}, list), true)
    assert.equal(concernsAtLarge({ entities: { Item: 300 } }, list), true)
    assert.equal(concernsAtLarge({ entities: { Item: 300 }, containerIds: ['net'] }, list), false)
    assert.equal(concernsAtLarge({ entities: { Label: 300 } }, list), false)
  })

  test('it is fetched at once, and then at most twice a second', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    let fetched = 0
    const refetch = throttled(() => fetched++)
    for (let at = 0; at < 10; at++) refetch()
    assert.equal(fetched, 1)
    mock.timers.tick(499)
    assert.equal(fetched, 1)
    mock.timers.tick(1)
    assert.equal(fetched, 2)
    mock.timers.tick(2000)
    assert.equal(fetched, 2)
    refetch()
    assert.equal(fetched, 3)
    mock.timers.reset()
  })

  test('it is fetched again when the last fetch is over, however long that takes', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const fetches: PromiseWithResolvers<void>[] = []
    const refetch = throttled(() => {
      const fetch = Promise.withResolvers<void>()
      fetches.push(fetch)
      return fetch.promise
    })
    for (let at = 0; at < 10; at++) {
      refetch()
      mock.timers.tick(300)
    }
    assert.equal(fetches.length, 1)
    fetches[0]?.resolve()
    await new Promise(setImmediate)
    assert.equal(fetches.length, 2)
    fetches[1]?.resolve()
    await new Promise(setImmediate)
    mock.timers.tick(500)
    assert.equal(fetches.length, 2)
    mock.timers.reset()
  })

  test('messages that are no changes arrive by their name', () => {
    const heard: unknown[] = []
    onNotice(name => heard.push(name))
    onLargeChange(large => heard.push(large))
    take({ type: 'inbox.changed', data: {} })
    take({ type: 'bulk', data: { entities: { Item: 201 } } })
    take({ type: 'reset', data: {} })
    assert.deepEqual(heard, ['inbox.changed', { entities: { Item: 201 } }, {}])
  })
})
