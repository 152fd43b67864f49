import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual as isSame } from 'node:util'
import fc from 'fast-check'
import { firstDay } from './link-days.ts'
import { circleOf, type Schedule, type ScheduleItem, schedule, schedulingMode } from './schedule.ts'
import { type Dependency, dependencyKind } from './schedule-graph.ts'
import { dateOf, dayNumber, everyDay, openDays, type WorkCalendar } from './work-calendar.ts'

const { finishStart, startStart, finishFinish, startFinish } = dependencyKind

/** Monday to Friday, without Good Friday and Easter Monday of 2026. */
const office: WorkCalendar = {
  isOpen: day =>
    ![6, 0].includes(new Date(day * 86_400_000).getUTCDay()) && !['2026-04-03', '2026-04-06'].includes(dateOf(day)),
  closure: day => ({ date: dateOf(day), reason: 'day-off' }),
}

const item = (
  id: string,
  startDate: string | null,
  dueDate: string | null,
  more: Partial<ScheduleItem> = {},
): ScheduleItem => ({
  id,
  parentId: '',
  startDate,
  dueDate,
  scheduling: schedulingMode.pushed,
  startNoEarlier: null,
  closed: false,
  calendar: office,
  deadline: null,
  ...more,
})
const link = (fromId: string, toId: string, lagDays = 0, dependency: number = finishStart): Dependency => ({
  linkId: `${fromId}-${toId}`,
  fromId,
  toId,
  dependency,
  lagDays,
})

function made(items: readonly ScheduleItem[], links: readonly Dependency[]): Schedule {
  const result = schedule(items, links)
  if ('circle' in result) throw new Error(`a circle: ${result.circle}`)
  return result
}
const datesIn = (result: Schedule, id: string) => {
  const found = result.items.find(each => each.id === id)
  return found && `${found.dates.startDate} ${found.dates.dueDate}`
}

describe('working days', () => {
  test('an item begins on the next working day after its predecessor, and lag counts working days', () => {
    for (const [lag, start] of [
      [0, '2026-04-07'],
      [2, '2026-04-09'],
      [-1, '2026-04-02'],
    ] as const) {
      const result = made(
        [item('a', '2026-04-02', '2026-04-02'), item('b', '2026-04-01', '2026-04-01')],
        [link('a', 'b', lag)],
      )
      assert.equal(datesIn(result, 'b'), `${start} ${start}`, `lag ${lag}`)
    }
  })

  test('finish to finish keeps the length in working days', () => {
    const items = [item('a', '2026-04-07', '2026-04-07'), item('b', '2026-03-25', '2026-03-27')]
    assert.equal(datesIn(made(items, [link('a', 'b', 0, finishFinish)]), 'b'), '2026-04-01 2026-04-07')
  })

  test('start to start and start to finish tie the beginning of the predecessor', () => {
    const items = [item('a', '2026-04-07', '2026-04-30'), item('b', '2026-03-25', '2026-03-26')]
    assert.equal(datesIn(made(items, [link('a', 'b', 1, startStart)]), 'b'), '2026-04-08 2026-04-09')
    assert.equal(datesIn(made(items, [link('a', 'b', 0, startFinish)]), 'b'), '2026-04-02 2026-04-07')
  })

  test('it is told which link and which closed days determined a date', () => {
    const result = made(
      [item('a', '2026-04-02', '2026-04-02'), item('b', '2026-04-01', '2026-04-01')],
      [link('a', 'b')],
    )
    const because = result.items.find(each => each.id === 'b')?.because
    assert.equal(because?.linkId, 'a-b')
    assert.deepEqual(
      because?.skipped.map(each => each.date),
      ['2026-04-03', '2026-04-04', '2026-04-05', '2026-04-06'],
    )
  })
})

describe('how items move', () => {
  const a = item('a', '2026-04-01', '2026-04-02')

  test('pushed items move only to later days, automatic ones as early as possible, fixed and closed ones never', () => {
    const far = (more: Partial<ScheduleItem>) => item('b', '2026-04-20', '2026-04-21', more)
    const after = (more: Partial<ScheduleItem>) => datesIn(made([a, far(more)], [link('a', 'b')]), 'b')
    assert.equal(after({}), '2026-04-20 2026-04-21')
    assert.equal(after({ scheduling: schedulingMode.automatic }), '2026-04-07 2026-04-08')
    assert.equal(after({ scheduling: schedulingMode.automatic, startNoEarlier: '2026-04-11' }), '2026-04-13 2026-04-14')
    for (const more of [{ scheduling: schedulingMode.fixed }, { closed: true }]) {
      const result = made([a, item('b', '2026-04-01', '2026-04-01', more)], [link('a', 'b')])
      assert.equal(datesIn(result, 'b'), '2026-04-01 2026-04-01')
      const reason = more.closed ? 'closed' : 'fixed'
      assert.deepEqual(result.conflicts, [{ id: 'b', linkId: 'a-b', reason, earliest: '2026-04-07' }])
    }
  })

  test('nothing waits for closed items, or for an end that is not known', () => {
    const b = item('b', '2026-04-01', '2026-04-01')
    assert.equal(datesIn(made([{ ...a, closed: true }, b], [link('a', 'b')]), 'b'), '2026-04-01 2026-04-01')
    assert.equal(datesIn(made([{ ...a, dueDate: null }, b], [link('a', 'b')]), 'b'), '2026-04-01 2026-04-01')
  })

  test('an automatic parent lasts as long as its children, and a link to it binds them', () => {
    const items = [
      a,
      item('p', '2026-01-01', '2026-01-02', { scheduling: schedulingMode.automatic }),
      item('p1', '2026-04-01', '2026-04-01', { parentId: 'p' }),
      item('p2', '2026-04-01', '2026-04-02', { parentId: 'p' }),
      item('z', '2026-04-01', '2026-04-01'),
    ]
    const result = made(items, [link('a', 'p'), link('p1', 'p2'), link('p', 'z')])
    assert.deepEqual(
      ['p', 'p1', 'p2', 'z'].map(id => datesIn(result, id)),
      ['2026-04-07 2026-04-09', '2026-04-07 2026-04-07', '2026-04-08 2026-04-09', '2026-04-10 2026-04-10'],
    )
  })

  test('a circle through a parent is found', () => {
    const items = [item('p', null, null), item('c', null, null, { parentId: 'p' }), item('x', null, null)]
    const links = [link('c', 'x'), link('x', 'p')]
    assert.deepEqual(circleOf(items, links)?.toSorted(), ['c', 'c', 'x'])
    assert.equal(circleOf(items, links.slice(0, 1)), undefined)
    const automatic = items.map(each => ({ ...each, scheduling: schedulingMode.automatic }))
    assert.ok('circle' in schedule(automatic, links))
    assert.ok('circle' in schedule(items, [link('c', 'x'), link('x', 'c')]))
  })
})

test('float is what an item can be late by; what has none is critical', () => {
  const items = [
    item('a', '2026-04-07', '2026-04-08'),
    item('long', '2026-04-09', '2026-04-15'),
    item('short', '2026-04-09', '2026-04-09'),
    item('end', '2026-04-16', '2026-04-16'),
  ]
  const links = [link('a', 'long'), link('a', 'short'), link('long', 'end'), link('short', 'end')]
  const told = (result: Schedule) =>
    result.items.map(each => [each.id, each.floatDays, each.critical, each.late.dueDate])
  assert.deepEqual(told(made(items, links)).toSorted(), [
    ['a', 0, true, '2026-04-08'],
    ['end', 0, true, '2026-04-16'],
    ['long', 0, true, '2026-04-15'],
    ['short', 4, false, '2026-04-15'],
  ])
  const tight = items.map(each => ({ ...each, deadline: '2026-04-14' }))
  assert.deepEqual(made(tight, links).items.find(each => each.id === 'end')?.floatDays, -2)
})

test('for any links forward: every demand is met, lengths are kept, and pushed items never move to earlier days', () => {
  const nodes = 7
  const day = (n: number) => dateOf(dayNumber('2026-03-20') + n)
  const calendar = fc.constantFrom(office, everyDay)
  const span = fc.tuple(fc.nat(25), fc.nat(5), calendar)
  const forward = fc.record({
    from: fc.nat(nodes - 2),
    step: fc.integer({ min: 1, max: 3 }),
    lagDays: fc.integer({ min: -2, max: 4 }),
    dependency: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(
      fc.array(span, { minLength: nodes, maxLength: nodes }),
      fc.array(forward, { maxLength: 14 }),
      (spans, drawn) => {
        const items = spans.map(([from, days, each], i) =>
          item(String(i), day(from), day(from + days), { calendar: each }),
        )
        const links = drawn.map(({ from, step, lagDays, dependency }) =>
          link(String(from), String(Math.min(nodes - 1, from + step)), lagDays, dependency),
        )
        const result = made(items, links)
        const datesOf = (id: string) =>
          result.items.find(each => each.id === id)?.dates ?? { startDate: '', dueDate: '' }
        const days = (id: string) => {
          const { startDate, dueDate } = datesOf(id)
          return { start: dayNumber(startDate ?? ''), due: dayNumber(dueDate ?? '') }
        }
        for (const each of links) {
          const follower = items.find(one => one.id === each.toId) ?? item('', null, null)
          const { start, due } = days(each.toId)
          const length = Math.max(1, openDays(follower.calendar, start, due))
          const { first } = firstDay(each, days(each.fromId), follower.calendar, length)
          assert.ok(start >= first, `${each.linkId} ${each.dependency}`)
        }
        const again = made(
          items.map(each => ({ ...each, ...datesOf(each.id) })),
          links,
        )
        assert.deepEqual(
          again.items.filter(each => each.because && !isSame(each.dates, datesOf(each.id))),
          [],
          'a second run moves nothing',
        )
        for (const before of items) {
          const after = result.items.find(each => each.id === before.id)?.dates
          const lengthOf = (dates: { startDate: string | null; dueDate: string | null } | undefined) =>
            openDays(before.calendar, dayNumber(dates?.startDate ?? ''), dayNumber(dates?.dueDate ?? ''))
          assert.equal(Math.max(1, lengthOf(after)), Math.max(1, lengthOf(before)))
          assert.ok((after?.startDate ?? '') >= (before.startDate ?? ''))
        }
      },
    ),
  )
})
