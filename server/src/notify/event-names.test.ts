import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOf, namesOf } from './event-names.ts'

const cases: [string, Record<string, { from?: unknown; to?: unknown }>, string[]][] = [
  ['item.created', { title: { to: 'New' } }, []],
  ['item.created', { assignees: { to: ['a'] } }, ['item.assigned']],
  ['item.updated', { title: { from: 'A', to: 'B' } }, []],
  ['item.updated', { status: { from: 'Open', to: 'Waiting' } }, ['item.transitioned']],
  ['item.updated', { assignees: { from: ['a'], to: ['a', 'b'] } }, ['item.assigned']],
  ['item.updated', { assignees: { from: ['a', 'b'], to: ['a'] } }, []],
  [
    'item.updated',
    { containerId: { from: 'x', to: 'y' }, labels: { from: [], to: ['l'] } },
    ['item.moved', 'item.labelled'],
  ],
  [
    'item.updated',
    { status: { from: 'Open', to: 'Done' }, closedAt: { from: null, to: '2026-01-01' } },
    ['item.transitioned', 'item.closed'],
  ],
  ['item.updated', { closedAt: { from: '2026-01-01', to: null } }, ['item.reopened']],
  ['user.updated', { active: { from: true, to: false } }, ['user.deactivated']],
  ['document.updated', { archived: { from: false, to: true } }, ['document.archived']],
  ['file.created', {}, ['file.uploaded']],
  ['clock.updated', { name: { from: 'a', to: 'b' } }, []],
]

test('an event has its own name and the more specific ones', () => {
  for (const [kind, changes, implied] of cases) assert.deepEqual(namesOf({ kind, changes }), [kind, ...implied])
})

test('the codes are those of the table, and include the code of any event', () => {
  assert.deepEqual(codesOf({ kind: 'item.updated', changes: { status: { from: 'a', to: 'b' } } }), [0, 2, 5])
  assert.deepEqual(codesOf({ kind: 'clock.updated', changes: {} }), [0])
})
