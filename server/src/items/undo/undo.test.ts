import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { roleCode } from '../../kernel/access.ts'

describe('undoing changes of items', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Undo' })
  const shop = await ada.post('/container', { name: 'Elsewhere' })
  const size = await ada.post('/field/number', { name: 'Size' })
  const make = (more: object = {}) => ada.post('/item', { title: 'Thing', containerId: desk.id, ...more })
  const plain = ({ version: _v, updated: _u, updatedBy: _b, warnings: _w, ...rest }: Record<string, unknown>) => rest
  const seen = async (id: string) => plain(await ada.get(`/item/${id}`))

  /** Sends a request and returns its change set. */
  async function setOf(who: Person, method: string, path: string, body?: unknown): Promise<string> {
    const { status, headers, body: told } = await who.ask(method, path, body === undefined ? {} : { body })
    assert.ok(status < 300, JSON.stringify(told))
    return headers.get('change-set') ?? ''
  }

  test('a bulk change is undone exactly, and so is its undo', async () => {
    const items = [
      await make({ priority: itemPriority.urgent, Tags: ['red'], Field: [{ key: 'size', value: 1 }] }),
      await make({ priority: itemPriority.high, assignees: [bob.id] }),
      await make({ status: 'Done' }),
    ]
    const before = await Promise.all(items.map(each => seen(each.id)))
    const change = await setOf(bob, 'PATCH', '/item', {
      ids: items.map(each => each.id),
      patch: {
        priority: itemPriority.medium,
        status: 'Doing',
        Tags: ['blue'],
        assignees: [ada.id],
        Field: [{ fieldId: size.id, value: 9 }],
      },
    })
    const after = await Promise.all(items.map(each => seen(each.id)))
    const told = await bob.get(`/change/${change}`)
    assert.deepEqual([told.records, told.undoneBy, told.actor.id], [4, null, bob.id], 'three items and a new label')
    const undo = await setOf(ada, 'POST', `/change/${change}/undo`)
    assert.deepEqual(await Promise.all(items.map(each => seen(each.id))), before)
    assert.equal((await ada.get(`/change/${change}`)).undoneBy, undo)
    assert.equal((await bob.ask('POST', `/change/${change}/undo`)).body.code, 'already-undone')
    await setOf(ada, 'POST', `/change/${undo}/undo`)
    assert.deepEqual(await Promise.all(items.map(each => seen(each.id))), after)
    const found = await ada.get(`/item?containerId=${desk.id}&priority=${itemPriority.medium}`)
    assert.equal(found.length, 3)
  })

  test('later changes are reported as conflicts, and nothing is undone', async () => {
    const [a, b] = [await make(), await make()]
    const change = await setOf(bob, 'PATCH', '/item', {
      ids: [a.id, b.id],
      patch: { priority: itemPriority.medium, points: 5 },
    })
    await ada.put(`/item/${b.id}`, { points: 8 })
    const { status, body } = await bob.ask('POST', `/change/${change}/undo`)
    assert.equal(status, 409)
    assert.deepEqual(body.conflicts, [{ entity: 'Item', recordId: b.id, property: 'points', expected: 5, current: 8 }])
    assert.equal((await ada.get(`/item/${a.id}`)).priority, itemPriority.medium)
    await ada.put(`/item/${b.id}`, { points: 5, title: 'Something else' })
    await setOf(bob, 'POST', `/change/${change}/undo`)
    assert.equal((await ada.get(`/item/${b.id}`)).title, 'Something else')
  })

  test('with conflicts=skip the other records are undone, and those left out are named', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    const ids = [a.id, b.id, c.id]
    const change = await setOf(bob, 'PATCH', '/item', { ids, patch: { points: 5, priority: itemPriority.urgent } })
    await ada.put(`/item/${b.id}`, { points: 8 })
    await ada.delete(`/item/${c.id}`)
    await ada.put(`/item/${a.id}`, { title: 'Other' })
    const path = `/change/${change}/undo`
    assert.equal((await bob.ask('POST', `${path}?conflicts=nonsense`)).status, 400)
    assert.equal((await bob.ask('POST', path)).body.code, 'undo-conflict')
    const expected = {
      undone: change,
      records: 1,
      skippedRecords: 2,
      skipped: [
        {
          entity: 'Item',
          recordId: c.id,
          reason: 'not-found',
          conflicts: [{ entity: 'Item', recordId: c.id, property: 'id' }],
        },
        {
          entity: 'Item',
          recordId: b.id,
          reason: 'changed',
          conflicts: [{ entity: 'Item', recordId: b.id, property: 'points', expected: 5, current: 8 }],
        },
      ],
      warnings: [],
      undoing: null,
    }
    const preview = await bob.post(`${path}?conflicts=skip&dryRun=true`, undefined)
    assert.deepEqual(preview.would, expected)
    assert.equal((await ada.get(`/item/${a.id}`)).points, 5)
    for (const who of [eve, await person({ name: 'Passer-by' })])
      assert.equal((await who.ask('POST', `${path}?conflicts=skip`)).status, 404)
    // Of several at once, one undoes it.
    const answers = await Promise.all([bob, bob, ada].map(who => who.ask('POST', `${path}?conflicts=skip`)))
    assert.deepEqual(answers.map(each => each.status).sort(), [200, 409, 409])
    assert.deepEqual(answers.find(each => each.status === 200)?.body, expected)
    const { points, title } = await ada.get(`/item/${a.id}`)
    assert.deepEqual([points, title, (await ada.get(`/item/${b.id}`)).points], [0, 'Other', 8])
    // The undo of the rest is undone like any other.
    const [undo] = await ada.get(`/change?limit=1&entity=Item`)
    await setOf(ada, 'POST', `/change/${undo.id}/undo`)
    assert.equal((await ada.get(`/item/${a.id}`)).points, 5)
  })

  test('where every record has a conflict, nothing is left to undo', async () => {
    const a = await make()
    const change = await setOf(bob, 'PATCH', `/item/${a.id}`, { points: 5 })
    await ada.put(`/item/${a.id}`, { points: 8 })
    const { status, body } = await bob.ask('POST', `/change/${change}/undo?conflicts=skip`)
    assert.deepEqual([status, body.code, body.conflicts.length], [409, 'undo-conflict', 1])
  })

  test('the undo of a move restores the number and moves the time back', async () => {
    const item = await make({ Time: [{ date: '2026-03-31', minutes: 15 }] })
    const before = await seen(item.id)
    const change = await setOf(bob, 'POST', `/item/${item.id}/move`, { containerId: shop.id })
    const there = await ada.get(`/item/${item.id}`)
    await setOf(ada, 'POST', `/change/${change}/undo`)
    assert.deepEqual(await seen(item.id), before)
    assert.equal((await ada.get(`/item/${there.key}`)).key, item.key)
  })

  test('the undo deletes created items with their time and restores deleted ones', async () => {
    const { body: item, headers } = await bob.ask('POST', '/item', {
      body: { title: 'Mistake', containerId: desk.id, Time: [{ date: '2026-03-31', minutes: 15 }] },
    })
    const made = headers.get('change-set')
    const undo = await setOf(ada, 'POST', `/change/${made}/undo`)
    assert.equal((await ada.ask('GET', `/item/${item.id}`)).status, 404)
    assert.equal((await ada.ask('GET', `/time/${item.Time[0].id}`)).status, 404)
    await setOf(ada, 'POST', `/change/${undo}/undo`)
    assert.equal((await ada.get(`/item/${item.id}`)).Time.length, 1)
    const removal = await setOf(ada, 'DELETE', `/item/${item.id}`)
    await setOf(ada, 'POST', `/change/${removal}/undo`)
    assert.equal((await ada.get(`/item/${item.id}`)).title, 'Mistake')
  })

  test('a merge is undone and redone', async () => {
    const [a, b] = [await make({ title: 'Source' }), await make({ title: 'Target' })]
    await bob.post('/annotation', { itemId: a.id, kind: annotationKind.note, body: 'said about the source' })
    const before = [await seen(a.id), await seen(b.id)]
    const change = await setOf(bob, 'POST', `/item/${a.id}/merge`, { into: b.id })
    const undo = await setOf(ada, 'POST', `/change/${change}/undo`)
    assert.deepEqual([await seen(a.id), await seen(b.id)], before)
    assert.equal((await bob.get(`/item/${a.id}/annotations`)).length, 1)
    await setOf(ada, 'POST', `/change/${undo}/undo`)
    assert.equal((await ada.get(`/item/${a.id}`)).mergedInto, b.id)
  })

  test('changes of other records are undone in the same way', async () => {
    const crm = await ada.post('/finance/crm', { name: 'Acme' })
    const change = await setOf(ada, 'PUT', `/finance/crm/${crm.id}`, { name: 'Acme Ltd', country: 'DE' })
    await setOf(ada, 'POST', `/change/${change}/undo`)
    const now = await ada.get(`/finance/crm/${crm.id}`)
    assert.deepEqual([now.name, now.country], ['Acme', ''])
  })

  test('the author of a change set and managers may undo it; for others and other tenants it does not exist', async () => {
    const carl = await person({ name: 'Carl', role: roleCode.member })
    const item = await make()
    const change = await setOf(bob, 'PUT', `/item/${item.id}`, { priority: itemPriority.low })
    assert.equal((await carl.ask('GET', `/change/${change}`)).status, 404)
    assert.equal((await eve.ask('POST', `/change/${change}/undo`)).status, 404)
    assert.equal((await ada.ask('GET', '/change/nonsense')).status, 404)
    await setOf(bob, 'POST', `/change/${change}/undo`)
  })

  test('of a concurrent undo and edit, exactly one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const item = await make({ priority: itemPriority.urgent })
      const change = await setOf(bob, 'PUT', `/item/${item.id}`, { priority: itemPriority.high })
      const [undo, edit] = await Promise.all([
        ada.ask('POST', `/change/${change}/undo`),
        bob.ask('PUT', `/item/${item.id}`, { body: { priority: itemPriority.medium } }),
      ])
      assert.equal(edit.status, 200)
      assert.ok([200, 409].includes(undo.status))
      assert.equal((await ada.get(`/item/${item.id}`)).priority, itemPriority.medium)
    }
  })
})
