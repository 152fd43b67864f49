import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byDay, standingOf, withoutUndos } from './changes.ts'

const change = (id: string, undoes: string | null, undoneBy: string | null, records = 12) => ({
  id,
  undoes,
  undoneBy,
  undoing: null,
  records,
  undoable: undoneBy === null,
})
const known = (...changes: ReturnType<typeof change>[]) => new Map(changes.map(each => [each.id, each]))

test('a change that was undone and redone counts, and what is undone next is the redo', () => {
  const [first, undo, redo] = [change('a', null, 'b'), change('b', 'a', 'c', 9), change('c', 'b', null, 9)]
  assert.deepEqual(standingOf(first, known(first, undo, redo)), {
    isUndone: false,
    target: 'c',
    records: 9,
    may: true,
    undoing: undefined,
  })
  assert.deepEqual(standingOf(first, known(first, { ...undo, undoneBy: null, undoable: true })), {
    isUndone: true,
    target: 'b',
    records: 9,
    may: true,
    undoing: undefined,
  })
  assert.deepEqual(standingOf(redo, known(redo)), {
    isUndone: false,
    target: 'c',
    records: 9,
    may: true,
    undoing: undefined,
  })
})

test('an undo that is not in the list can still be undone', () => {
  const first = change('a', null, 'b')
  assert.deepEqual(standingOf(first, known(first)), {
    isUndone: true,
    target: 'b',
    records: undefined,
    may: true,
    undoing: undefined,
  })
})

test('an undo is a line of its own only where what it undid is not shown', () => {
  const all = [change('b', 'a', null), change('d', 'c', null), change('a', null, 'b')]
  assert.deepEqual(
    withoutUndos(all, known(...all)).map(({ id }) => id),
    ['d', 'a'],
  )
})

test('the day is that of the person', () => {
  const at = [{ at: '2026-11-16T23:30:00.000Z' }, { at: '2026-11-16T22:30:00.000Z' }]
  assert.deepEqual(
    byDay(at, 'Europe/Berlin').map(([day, those]) => [day, those.length]),
    [
      ['2026-11-17', 1],
      ['2026-11-16', 1],
    ],
  )
})
