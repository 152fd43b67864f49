import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { deskKind } from './ticket.ts'

describe('tickets by last change', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const desks = [
    await ada.post('/container', { name: 'First desk', kind: deskKind }),
    await ada.post('/container', { name: 'Second desk', kind: deskKind }),
    await ada.post('/container', { name: 'Private desk', kind: deskKind, private: true }),
  ]
  const made: { id: string }[] = []
  for (let n = 0; n < 24; n++)
    made.push(
      await ada.post('/ticket', {
        title: `Ticket ${n}`,
        containerId: desks[n % 3].id,
        visibility: n % 5 === 4 ? itemVisibility.restricted : itemVisibility.normal,
      }),
    )
  const at = (n: number) => made[n]?.id
  // The facets of some change after their items, and some items after their facets.
  for (const n of [3, 14, 7, 2, 20]) await ada.must('PATCH', `/ticket/${at(n)}`, { body: { waitingOn: 1 } })
  for (const n of [5, 14, 0, 21]) await ada.must('PATCH', `/item/${at(n)}`, { body: { title: `Renamed ${n}` } })
  for (const n of [1, 0, 9]) await ada.must('PATCH', `/ticket/${at(n)}`, { body: { waitingOn: 2 } })
  await ada.must('DELETE', `/item/${at(6)}`)

  for (const [name, caller] of Object.entries({ ada, bob, eve }))
    for (const filter of ['', '&waitingOn=1', '&priority=0', `&containerId=${desks[1].id}`])
      test(`${name} pages through what the whole list has, and counts it${filter}`, async () => {
        const all: { id: string; updated: string }[] = await caller.get(`/ticket?fields=id,updated${filter}`)
        const order = all.map(({ updated, id }) => `${updated} ${id}`).sort()
        for (const limit of [1, 4, 50]) {
          const met: string[] = []
          let cursor: string | null = ''
          while (cursor !== null) {
            const path: string = `/ticket?sort=-updated&fields=id,updated&limit=${limit}&count=exact${filter}${cursor && `&cursor=${cursor}`}`
            const { body, headers } = await caller.ask('GET', path)
            assert.equal(headers.get('x-total-count'), String(all.length))
            met.push(...body.map(({ updated, id }: { updated: string; id: string }) => `${updated} ${id}`))
            cursor = headers.get('x-next-cursor')
          }
          assert.deepEqual(met, order.toReversed())
        }
      })
})
