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

  test('gives an order to the items of a container that moved there or are older than its key, page by page', async () => {
    const [yard, dock] = [
      await ada.post('/container', { name: 'Yard', key: 'YARD' }),
      await ada.post('/container', { name: 'Dock' }),
    ]
    const make = async (containerId: string) => (await ada.post('/item', { title: 'Crane', containerId })).id
    const ids = [await make(yard.id), await make(yard.id)]
    await ada.must('PATCH', `/container/${yard.id}`, { body: { key: 'AYARD' } })
    ids.push(await make(yard.id), await make(dock.id))
    await bob.post(`/item/${ids[3]}/move`, { containerId: yard.id })
    for (const more of ['', '&title[contains]=rane']) {
      for (const [sort, expected] of [
        ['key', ['AYARD-3', 'AYARD-4', 'YARD-1', 'YARD-2']],
        ['-key', ['YARD-2', 'YARD-1', 'AYARD-4', 'AYARD-3']],
      ] as const) {
        const found: string[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const path = `/item?containerId=${yard.id}&sort=${sort}&limit=3${more}${cursor && `&cursor=${cursor}`}`
          const { body, headers } = await bob.ask('GET', path)
          found.push(...body.map(({ key }: { key: string }) => key))
          cursor = headers.get('x-next-cursor')
        }
        assert.deepEqual(found, expected)
      }
    }
    const search = { container: [dock.id, yard.id], sort: 'key', fields: 'key' }
    assert.deepEqual(
      (await bob.post('/item/search', search)).map(({ key }: { key: string }) => key),
      ['AYARD-3', 'AYARD-4', 'YARD-1', 'YARD-2'],
    )
    assert.deepEqual(await bob.get(`/item?containerId=${crypto.randomUUID()}&sort=key`), [])
  })
})
