import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { type Item, itemVisibility } from './item.ts'

describe('lists of items', async () => {
  const { ada, bob } = await sharedTestService()
  const { id: containerId } = await ada.post('/container', { name: 'Lists of items' })
  const due: Record<string, string> = { May: '2026-05-01', June: '2026-06-01', 'June too': '2026-06-01' }
  for (const title of ['Never', 'June', 'May', 'Nor ever', 'June too', 'At no time'])
    await ada.post('/item', { title, containerId, ...(due[title] ? { dueDate: due[title] } : {}) })

  /** The titles of all pages. */
  async function paged(sort: string, limit: number): Promise<string[][]> {
    const pages: string[][] = []
    let cursor = ''
    do {
      const query = `containerId=${containerId}&sort=${sort}&limit=${limit}&fields=title${cursor && `&cursor=${cursor}`}`
      const { body, headers } = await bob.ask('GET', `/item?${query}`)
      pages.push(body.map(({ title }: { title: string }) => title))
      cursor = headers.get('x-next-cursor') ?? ''
    } while (cursor !== '')
    return pages
  }

  const cases: [sort: string, pages: string[][]][] = [
    [
      'dueDate',
      [
        ['May', 'June'],
        ['June too', 'Never'],
        ['Nor ever', 'At no time'],
      ],
    ],
    [
      '-dueDate',
      [
        ['June too', 'June'],
        ['May', 'At no time'],
        ['Nor ever', 'Never'],
      ],
    ],
    [
      '-dueDate,title',
      [
        ['June', 'June too'],
        ['May', 'At no time'],
        ['Never', 'Nor ever'],
      ],
    ],
  ]
  for (const [sort, pages] of cases)
    test(`by ${sort}, those without a date come last on pages of any size`, async () => {
      assert.deepEqual(await paged(sort, 2), pages)
      for (const limit of [1, 3, 4, 6]) assert.deepEqual((await paged(sort, limit)).flat(), pages.flat())
    })

  test('by a property that few have, the others come where 0 and the empty text belong', async () => {
    const { id: desk } = await ada.post('/container', { name: 'Desk with severities' })
    const given = [0, 3, 0, 1, 3, 0, 2, 1]
    for (const [n, severity] of given.entries())
      await ada.post('/item', {
        title: `T${n}`,
        containerId: desk,
        severity,
        resolution: severity > 1 ? `R${severity}` : '',
      })
    const all: Item[] = await bob.get(`/item?containerId=${desk}&sort=id&limit=100`)
    for (const property of ['severity', 'resolution'] as const)
      for (const sign of ['', '-']) {
        const direction = sign === '' ? 1 : -1
        const expected = all.toSorted((a, b) => direction * (compare(a[property], b[property]) || compare(a.id, b.id)))
        for (const limit of [1, 2, 3, 5, 8]) {
          const titles: string[] = []
          let cursor = ''
          do {
            const query = `containerId=${desk}&sort=${sign}${property}&limit=${limit}${cursor && `&cursor=${cursor}`}`
            const { body, headers } = await bob.ask('GET', `/item?${query}`)
            for (const { title } of body) titles.push(title)
            cursor = headers.get('x-next-cursor') ?? ''
          } while (cursor !== '')
          const wanted = expected.map(each => each.title)
          assert.deepEqual(titles, wanted, `${sign}${property} in pages of ${limit}`)
        }
      }
  })

  test('an exact count leaves out what the caller does not see', async () => {
    const closed = { containerId, visibility: itemVisibility.restricted }
    await ada.post('/item', { ...closed, title: 'Not for Bob' })
    await ada.post('/item', { ...closed, title: 'For Bob', assignees: [bob.id] })
    await ada.post('/item', { ...closed, title: 'Not even for Ada', visibility: itemVisibility.confidential })
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    await ada.post('/item', { title: 'Out of reach', containerId: vault.id })
    await ada.post('/item', { title: 'Asked by Bob', containerId: vault.id, requesterId: bob.id })
    for (const person of [ada, bob]) {
      const { body, headers } = await person.ask('GET', '/item?count=exact&limit=1000')
      assert.equal(headers.get('x-total-count'), String(body.length))
    }
    assert.equal(
      (await bob.ask('GET', `/item?containerId=${vault.id}&count=exact&limit=1`)).headers.get('x-total-count'),
      '0',
    )
    for (const person of [ada, bob])
      for (const query of ['', '&priority=0', '&deleted=include', '&dueDate[gte]=2026-06-01']) {
        const { body, headers } = await person.ask(
          'GET',
          `/item?containerId=${containerId}&count=exact&limit=50${query}`,
        )
        assert.equal(headers.get('x-total-count'), String(body.length), query)
      }
    assert.equal(
      (await bob.ask('GET', `/item?containerId=${containerId}&count=exact&limit=1`)).headers.get('x-total-count'),
      '7',
    )
  })
})

function compare<V>(a: V, b: V): number {
  return a < b ? -1 : a > b ? 1 : 0
}
