import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { routes } from '../../app/routes/routes.ts'
import { containerKind } from '../../containers/container-kind.ts'

describe('the key of an item', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Keyed', kind: containerKind.desk })
  const item = await ada.post('/item', { title: 'Printer', containerId: desk.id })

  test('finds it below every address of one item or ticket', async () => {
    const reads = Object.keys(routes).flatMap(
      route => /^GET (\/(?:item|ticket)\/:id(?:\/[^:]*)?)$/.exec(route)?.[1] ?? [],
    )
    assert.ok(reads.includes('/item/:id/timeline') && reads.includes('/ticket/:id/history'))
    for (const path of reads) {
      const [byKey, byId] = await Promise.all(
        [item.key.toLowerCase(), item.id].map(id => ada.ask('GET', path.replace(':id', id))),
      )
      assert.equal(byKey?.status, byId?.status, path)
      if (byId?.status === 200) assert.deepEqual(byKey?.body, byId.body, path)
    }
    assert.equal((await ada.get(`/item/${item.key}/timeline`)).length, 1)
  })

  test('changes, deletes and restores it, also by the key that it had before it moved', async () => {
    assert.equal((await bob.put(`/item/${item.key}`, { id: item.id, title: 'Scanner' })).id, item.id)
    const shop = await ada.post('/container', { name: 'Keyed shop' })
    const moved = await bob.post(`/item/${item.key}/move`, { containerId: shop.id })
    assert.notEqual(moved.key, item.key)
    assert.equal((await bob.get(`/item/${item.key}/timeline`)).length, 3)
    await ada.delete(`/item/${item.key}`)
    assert.equal((await bob.ask('GET', `/item/${moved.key}/transitions`)).status, 404)
    assert.equal((await ada.must('POST', `/item/${moved.key}/restore`)).id, item.id)
  })

  test('finds nothing for those who do not see the item, and no key that nobody has', async () => {
    const vault = await ada.post('/container', { name: 'Keyed vault', private: true })
    const secret = await ada.post('/item', { title: 'Merger', containerId: vault.id })
    for (const [who, key] of [
      [bob, secret.key],
      [eve, item.key],
      [ada, 'NOBODY-1'],
      [ada, 'nonsense'],
    ] as const) {
      assert.equal((await who.ask('GET', `/item/${key}/timeline`)).status, 404)
      assert.equal((await who.ask('PATCH', `/item/${key}`, { body: { title: 'Mine' } })).status, 404)
    }
  })
})
