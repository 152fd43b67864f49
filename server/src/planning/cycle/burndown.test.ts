import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusCategory } from '../../containers/status-category.ts'
import { burndown, type CycleFacts, daysOf, type ItemHistory, progressOf, tallies } from './burndown.ts'

const facts = (values: Partial<CycleFacts> = {}): CycleFacts => ({
  cycleId: 'c',
  statusCategory: statusCategory.unstarted,
  points: 1,
  estimateMinutes: 10,
  deleted: false,
  ...values,
})
const at = (text: string) => new Date(text).getTime()

test('later changes are undone, and an item does not count before its creation', () => {
  const story: ItemHistory = {
    now: facts({ statusCategory: statusCategory.done, points: 5 }),
    log: [
      { at: 30, created: false, from: { statusCategory: statusCategory.started } },
      { at: 20, created: false, from: { points: 3 } },
      { at: 10, created: true, from: {} },
    ],
  }
  const result = tallies('c', [story], [40, 25, 15, 5])
  assert.deepEqual(
    result.map(each => [each.scope.points, each.done.points, each.inProgress.points, each.remaining.points]),
    [
      [5, 5, 0, 0],
      [5, 0, 5, 5],
      [3, 0, 3, 3],
      [0, 0, 0, 0],
    ],
  )
})

test('cancelled and deleted items, and those of other cycles, are out of scope', () => {
  const stories = [{ statusCategory: statusCategory.cancelled }, { deleted: true }, { cycleId: 'd' }].map(values => ({
    now: facts(values),
    log: [],
  }))
  const [result] = tallies('c', stories, [1])
  assert.equal(result?.scope.count, 0)
  assert.equal(result && progressOf(result), 0)
})

test('days end at midnight of the time zone, also if a day has 23 hours', () => {
  const span = {
    timezone: 'Europe/Berlin',
    startDate: '2026-03-28',
    endDate: '2026-03-30',
    startedAt: '2026-03-28T09:00:00Z',
    completedAt: null,
  }
  const late: ItemHistory = { now: facts(), log: [{ at: at('2026-03-29T21:59:00Z'), created: true, from: {} }] }
  const later: ItemHistory = { now: facts(), log: [{ at: at('2026-03-29T22:01:00Z'), created: true, from: {} }] }
  const { days } = burndown('c', [late, later], span, new Date('2026-03-30T12:00:00Z'), undefined)
  assert.deepEqual(
    days.map(day => [day.date, day.scope?.count]),
    [
      ['2026-03-28', 0],
      ['2026-03-29', 1],
      ['2026-03-30', 2],
    ],
  )
})

test('the days are those from the actual start to the planned end, or longer if the cycle is still active', () => {
  const span = {
    timezone: 'UTC',
    startDate: '2026-03-02',
    endDate: '2026-03-04',
    startedAt: '2026-03-03T00:00:00Z',
    completedAt: null,
  }
  const days = (more: object, now: string) => daysOf({ ...span, ...more }, new Date(now)).map(day => day.toString())
  assert.deepEqual(days({}, '2026-03-03T10:00:00Z'), ['2026-03-03', '2026-03-04'])
  assert.deepEqual(days({}, '2026-03-05T10:00:00Z'), ['2026-03-03', '2026-03-04', '2026-03-05'])
  assert.deepEqual(days({ startedAt: null }, '2026-01-01T10:00:00Z'), ['2026-03-02', '2026-03-03', '2026-03-04'])
  assert.deepEqual(days({ startDate: null, endDate: null, startedAt: null }, '2026-01-01T10:00:00Z'), ['2026-01-01'])
})

test('future days have only the ideal line', () => {
  const span = {
    timezone: 'UTC',
    startDate: '2026-03-02',
    endDate: '2026-03-05',
    startedAt: '2026-03-02T08:00:00Z',
    completedAt: null,
  }
  const { days } = burndown('c', [{ now: facts(), log: [] }], span, new Date('2026-03-03T12:00:00Z'), {
    count: 8,
    points: 8,
    minutes: 0,
  })
  assert.deepEqual(
    days.map(day => [day.scope?.count, day.ideal.count]),
    [
      [1, 6],
      [1, 4],
      [undefined, 2],
      [undefined, 0],
    ],
  )
})
