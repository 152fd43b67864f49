import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asOwner } from '../../../test/support/database/database.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { rankOfNew, ranksBetween } from './rank-key.ts'
import { rebalanceRanks } from './rebalance.ts'

const { ada, database, databaseUrl } = await sharedTestService()

test('new items are ranked after earlier ones', () => {
  const early = rankOfNew(new Date('2026-03-01T10:00:00.000Z'), 5)
  assert.ok(early < rankOfNew(new Date('2026-03-01T10:00:00.001Z'), 1))
  assert.ok(early < rankOfNew(new Date('2026-03-01T10:00:00.000Z'), 6))
  assert.ok(early < rankOfNew(new Date('2080-01-01T00:00:00.000Z'), 1))
})

test('there is room between any two ranks', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 60 }), steps => {
      const ranks = [rankOfNew(new Date('2026-03-01T10:00:00Z'), 61)]
      for (const step of steps) {
        const at = step % (ranks.length + 1)
        const [made] = ranksBetween(ranks[at - 1] ?? null, ranks[at] ?? null, 1) ?? []
        if (made === undefined) return true // too long: the ranks around it are redistributed
        ranks.splice(at, 0, made)
      }
      return ranks.every((rank, i) => i === 0 || (ranks[i - 1] ?? '') < rank)
    }),
  )
})

test('invalid ranks, and ranks without room between them, yield undefined', () => {
  assert.equal(ranksBetween('a1', 'a1', 1), undefined)
  assert.equal(ranksBetween('a2', 'a1', 1), undefined)
  assert.equal(ranksBetween('', 'a1', 1), undefined)
  assert.equal(ranksBetween('a1', '!', 1), undefined)
  assert.equal(ranksBetween('a1', `a1${'0'.repeat(50)}1`, 1), undefined)
})

test('long ranks are shortened, and the order stays', async () => {
  const container = await ada.post('/container', { name: 'Crowded' })
  const made: string[] = []
  for (let n = 0; n < 40; n++) made.push((await ada.post('/item', { title: `${n}`, containerId: container.id })).id)
  await asOwner(
    databaseUrl,
    undefined,
    `update item set rank = 'a1' || repeat('V', 30) || lpad(number::text, 4, '0') || 'V' where container_id = '${container.id}' and number between 5 and 30`,
  )
  await asOwner(
    databaseUrl,
    undefined,
    `update item set rank = 'a0V' where container_id = '${container.id}' and number < 5`,
  )
  const titles = async () => {
    const list: { title: string; rank: string }[] = await ada.get(`/item?containerId=${container.id}&sort=rank`)
    return { order: list.map(each => each.title), longest: Math.max(...list.map(each => each.rank.length)) }
  }
  const before = await titles()
  await rebalanceRanks(database).run(AbortSignal.timeout(30_000))
  const after = await titles()
  assert.deepEqual(after.order, before.order)
  assert.ok(before.longest > 32 && after.longest <= 24)
  // Items with the same rank get different ones when an item is moved between them.
  const [first, second, third] = before.order
  const idOf = (title = '') => made[Number(title)]
  await ada.post(`/item/${made[39]}/rank`, { after: idOf(first) })
  assert.deepEqual((await titles()).order.slice(0, 4), [first, '39', second, third])
})
