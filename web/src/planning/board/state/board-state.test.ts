import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  applyMove,
  type BoardState,
  type ColumnState,
  cardsDown,
  columnFor,
  settlingMove,
  withNewCards,
  without,
} from './board-state.ts'

const column = (id: string, ids: string[], more: Partial<ColumnState> = {}): ColumnState => ({
  id,
  name: id,
  values: [id],
  count: ids.length,
  sum: ids.length,
  minutes: ids.length * 60,
  over: false,
  next: null,
  ids,
  ...more,
})

const board = (...columns: ColumnState[]): BoardState => ({
  columnField: 'status',
  laneField: '',
  lanes: [],
  laneOf: new Map(),
  columns: [...columns, column('other', [], { values: [] })],
})

const weightOf = () => ({ estimateMinutes: 60 })
const idsOf = ({ columns }: BoardState) => columns.map(({ ids }) => ids.join(''))

describe('a move on a board', () => {
  const todo = column('To do', ['a', 'b', 'c'])
  const doing = column('Doing', ['d', 'e'], { wip: 2 })
  const done = column('Done', [])
  const state = board(todo, doing, done)

  test('puts a card before or after another one, or last', () => {
    assert.deepEqual(idsOf(applyMove(state, { ids: ['b'], column: 'Doing', before: 'e' }, weightOf)).slice(0, 2), [
      'ac',
      'dbe',
    ])
    assert.deepEqual(idsOf(applyMove(state, { ids: ['b'], column: 'Doing', after: 'e' }, weightOf)).slice(0, 2), [
      'ac',
      'deb',
    ])
    assert.deepEqual(idsOf(applyMove(state, { ids: ['b'], column: 'Done' }, weightOf)).slice(0, 3), ['ac', 'de', 'b'])
    assert.deepEqual(idsOf(applyMove(state, { ids: ['c'], column: 'To do', before: 'a' }, weightOf))[0], 'cab')
  })

  test('is not needed by new cards: each is last in its column, or in the first if the service decides', () => {
    const cards = [
      { id: 'x', value: 'doing', lane: undefined },
      { id: 'y', value: '', lane: undefined },
      { id: 'a', value: 'Done', lane: undefined },
    ]
    assert.deepEqual(idsOf(withNewCards(state, cards, weightOf)).slice(0, 3), ['abcy', 'dex', ''])
  })

  test('puts several cards side by side', () => {
    const after = applyMove(state, { ids: ['c', 'd'], column: 'To do', before: 'b' }, weightOf)
    assert.deepEqual(idsOf(after).slice(0, 2), ['acdb', 'e'])
  })

  test('changes the figures of the two columns, and says when a limit is exceeded', () => {
    const [from, to] = applyMove(state, { ids: ['a'], column: 'Doing' }, weightOf).columns
    assert.deepEqual([from?.count, from?.sum, from?.minutes], [2, 2, 120])
    assert.deepEqual([to?.count, to?.sum, to?.minutes, to?.over], [3, 3, 180, true])
  })

  test('leaves the other columns the same objects', () => {
    assert.equal(applyMove(state, { ids: ['a'], column: 'Doing' }, weightOf).columns[2], done)
  })

  test('counts the lanes anew', () => {
    const lanes = [
      { value: 'ana', name: 'Ana', count: 2 },
      { value: 'bo', name: 'Bo', count: 1 },
    ]
    const withLanes = {
      ...state,
      laneField: 'assignee',
      lanes,
      laneOf: new Map(Object.entries({ a: 'ana', b: 'bo', c: 'ana' })),
    }
    const after = applyMove(withLanes, { ids: ['a'], column: 'To do', lane: 'bo' }, weightOf)
    assert.deepEqual(
      after.lanes.map(({ count }) => count),
      [1, 2],
    )
    assert.deepEqual(cardsDown(after, todo, new Set()), ['c', 'a', 'b'])
    assert.deepEqual(cardsDown(after, todo, new Set(['ana'])), ['a', 'b'])
  })
})

describe('a card that was changed elsewhere', () => {
  const ranks = new Map(Object.entries({ a: '1', b: '3', c: '5', d: '2', e: '6' }))
  const rankOf = (id: string) => ranks.get(id) ?? ''
  const state = board(column('To do', ['a', 'b', 'c']), column('Doing', ['d', 'e']))

  test('goes to the column of its value, in the order of ranks', () => {
    const move = settlingMove(state, 'b', { value: 'doing', rank: '3' }, rankOf)
    assert.deepEqual(move, { ids: ['b'], column: 'Doing', before: 'e' })
  })

  test('stays where it is if that is its place', () => {
    assert.equal(settlingMove(state, 'b', { value: 'To do', rank: '3' }, rankOf), undefined)
  })

  test('goes to the last column if no other has its value', () => {
    assert.equal(columnFor(state, 'Parked')?.id, 'other')
  })

  test('is taken off the board when it is gone', () => {
    const after = without(state, 'a', weightOf)
    assert.deepEqual([after.columns[0]?.ids, after.columns[0]?.count], [['b', 'c'], 2])
  })
})
