import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { wipPolicies } from '../../containers/board/board.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob } = await sharedTestService()

interface Column {
  id: string
  count: number
  cards: { id: string; title: string; rank: string }[]
}

async function boardOf(name: string, cards: number, wip = 0) {
  const container = await ada.post('/container', { name })
  const board = await ada.post('/board', {
    name,
    owner: ownerKind.container,
    ownerId: container.id,
    columns: [
      { id: 'todo', values: ['To do'] },
      { id: 'doing', values: ['In progress'], wip, wipPolicy: wipPolicies.block },
    ],
  })
  const made: { id: string }[] = []
  for (let n = 0; n < cards; n++)
    made.push(await ada.post('/item', { title: `c${n}`, containerId: container.id, status: 'To do' }))
  return { board, made }
}

async function columnsOf(board: { id: string }): Promise<Map<string, Column>> {
  const { columns }: { columns: Column[] } = await ada.get(`/board/${board.id}/cards?limit=1000`)
  return new Map(columns.map(each => [each.id, each]))
}

test('thirty concurrent moves by several users lose no card, and no two cards have the same rank', async () => {
  const { board, made } = await boardOf('Busy', 30)
  const [anchor] = made
  const answers = await Promise.all(
    made.map((card, i) =>
      [ada, bob][i % 2]?.ask('POST', `/board/${board.id}/move`, {
        body: {
          itemId: card.id,
          column: i % 3 === 0 ? 'doing' : 'todo',
          ...(i % 2 === 0 ? { after: anchor?.id } : { before: anchor?.id }),
        },
      }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(answer => answer?.status))], [200])
  const columns = await columnsOf(board)
  const all = [...columns.values()].flatMap(each => each.cards)
  assert.deepEqual(all.map(card => card.id).sort(), made.map(card => card.id).sort())
  assert.equal(new Set(all.map(card => card.rank)).size, 30)
  for (const { cards } of columns.values())
    assert.deepEqual(
      cards.map(card => card.rank),
      cards.map(card => card.rank).sort(),
    )
})

test('concurrent moves into a column do not exceed its limit', async () => {
  const { board, made } = await boardOf('Limited', 12, 4)
  const answers = await Promise.all(
    made.map((card, i) =>
      [ada, bob][i % 2]?.ask('POST', `/board/${board.id}/move`, { body: { itemId: card.id, column: 'doing' } }),
    ),
  )
  const counts = Map.groupBy(answers, answer => answer?.status)
  assert.deepEqual([counts.get(200)?.length, counts.get(422)?.length], [4, 8])
  assert.equal((await columnsOf(board)).get('doing')?.count, 4)
})

test('any sequence of moves has the same result as on a plain list, also if ranks have to be redistributed', async () => {
  const { board, made } = await boardOf('Long', 5)
  const order = made.map(card => card.id)
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let n = 0; n < 255; n++) {
    // Many moves into the same gap, which makes ranks long.
    const narrow = n >= 20 && n < 240
    const [moved = ''] = order.splice(narrow ? 4 : random(5), 1)
    const side = narrow || n % 2 === 0 ? 'after' : 'before'
    const at = narrow ? 0 : random(4)
    await ada.post(`/board/${board.id}/move`, { itemId: moved, column: 'todo', [side]: order[at] })
    order.splice(side === 'after' ? at + 1 : at, 0, moved)
  }
  const cards = (await columnsOf(board)).get('todo')?.cards ?? []
  assert.deepEqual(
    cards.map(card => card.id),
    order,
  )
  assert.ok(cards.every(card => card.rank.length <= 40))
  // Some ranks were redistributed: one move, several events.
  const histories: { changeSetId: string }[][] = await Promise.all(
    made.map(card => ada.get(`/item/${card.id}/history`)),
  )
  const together = Map.groupBy(histories.flat(), event => event.changeSetId)
  assert.ok([...together.values()].some(events => events.length > 2))
})
