import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalMode } from '../calendar/calendar.ts'
import { timeState } from '../time-state.ts'
import { dueOf } from './sheet-job.ts'
import {
  decidedParts,
  entryState,
  isOpenFor,
  personPart,
  type SheetPart,
  sheetState,
  stateOfParts,
  submittedParts,
} from './sheet-state.ts'

const [alpha, beta] = ['a', 'b']
const decision = (state: number) => ({ state, by: 'x', onBehalfOf: '', at: null, comment: '' })
const keys = (parts: readonly SheetPart[]) => parts.map(each => each.containerId)
const states = (parts: readonly SheetPart[]) => parts.map(each => each.state)
const sheet = (approval: number, parts: SheetPart[]) => ({ approval, parts, state: stateOfParts(parts) })

test('parts are those of the person, of the containers, or both', () => {
  const booked = [beta, alpha, alpha, '']
  assert.deepEqual(keys(submittedParts(approvalMode.none, booked, [])), [])
  assert.deepEqual(keys(submittedParts(approvalMode.person, booked, [])), [personPart])
  assert.deepEqual(keys(submittedParts(approvalMode.project, booked, [])), [personPart, alpha, beta])
  assert.deepEqual(keys(submittedParts(approvalMode.project, [alpha], [])), [alpha])
  assert.deepEqual(keys(submittedParts(approvalMode.project, [], [])), [personPart])
  assert.deepEqual(keys(submittedParts(approvalMode.both, [alpha], [])), [personPart, alpha])
  assert.deepEqual(keys(submittedParts(99, [alpha], [])), [personPart])
})

test('a sheet is approved with its last part, and rejected with the first', () => {
  const parts = submittedParts(approvalMode.project, [alpha, beta], [])
  const one = decidedParts(sheet(approvalMode.project, parts), new Map([[alpha, decision(sheetState.approved)]]))
  assert.equal(stateOfParts(one), sheetState.submitted)
  const both = decidedParts(sheet(approvalMode.project, one), new Map([[beta, decision(sheetState.approved)]]))
  assert.equal(stateOfParts(both), sheetState.approved)
  const other = decidedParts(sheet(approvalMode.project, one), new Map([[beta, decision(sheetState.rejected)]]))
  assert.equal(stateOfParts(other), sheetState.rejected)
  assert.deepEqual(states(submittedParts(approvalMode.project, [alpha, beta], other)), [
    sheetState.approved,
    sheetState.submitted,
  ])
})

test('a rejection sends everything back where every entry belongs to two parts', () => {
  const parts = submittedParts(approvalMode.both, [alpha, beta], [])
  const after = decidedParts(sheet(approvalMode.both, parts), new Map([[beta, decision(sheetState.rejected)]]))
  assert.deepEqual(new Set(states(after)), new Set([sheetState.rejected]))
})

test('the state of an entry follows from its sheet and its part', () => {
  const project = (state: number, of: Record<string, number>) => ({
    approval: approvalMode.project,
    state,
    parts: Object.entries(of).map(([containerId, each]) => ({ containerId, ...decision(each) })),
  })
  const { open, submitted, approved, rejected, locked } = sheetState
  const cases: [ReturnType<typeof project>, string, number][] = [
    [project(open, {}), alpha, timeState.logged],
    [project(submitted, { a: submitted }), alpha, timeState.submitted],
    [project(submitted, { a: approved, b: submitted }), alpha, timeState.approved],
    [project(submitted, { b: submitted }), alpha, timeState.submitted],
    [project(rejected, { a: rejected, b: approved }), alpha, timeState.rejected],
    [project(rejected, { a: rejected, b: approved }), beta, timeState.approved],
    [project(rejected, { b: rejected }), alpha, timeState.logged],
    [project(approved, { a: approved }), alpha, timeState.approved],
    [project(locked, { a: approved }), alpha, timeState.locked],
  ]
  for (const [given, containerId, expected] of cases) {
    assert.equal(entryState(given, containerId), expected, JSON.stringify(given))
    const open = expected === timeState.logged || expected === timeState.rejected
    assert.equal(isOpenFor(given, containerId), open)
  }
})

test('reminders that were missed are one, and sheets are submitted when the grace is over', () => {
  const late = { id: 'i', userId: 'u', state: sheetState.open, to: '2026-04-05', reminded: 0 }
  const calendar = { remindAfterDays: [1, 3], autoSubmit: true, graceDays: 4 }
  const due = (day: string, more = {}) => {
    const { reminder, submit } = dueOf({ ...late, ...more }, calendar, day)
    return [reminder, submit]
  }
  assert.deepEqual(due('2026-04-05'), [0, false])
  assert.deepEqual(due('2026-04-06'), [1, false])
  assert.deepEqual(due('2026-04-06', { reminded: 1 }), [0, false])
  assert.deepEqual(due('2026-04-09'), [2, false])
  assert.deepEqual(due('2026-04-10', { reminded: 2 }), [0, true])
  assert.deepEqual(due('2026-04-10', { reminded: 2, state: sheetState.rejected }), [0, false])
})
