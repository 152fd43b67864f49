import { schedulingMode } from '../../items/item-codes.ts'
import type { Id } from '../../kernel/id.ts'
import { endOf, firstDay, lastDue, type Span, startOf, waitsForEnd } from './link-days.ts'
import { childrenOf, type Dependency, inOrder, onLeaves } from './schedule-graph.ts'
import {
  type Closure,
  type DayNumber,
  dateOf,
  dayNumber,
  lastOpen,
  nextOpen,
  openDays,
  openDaysBetween,
  type WorkCalendar,
} from './work-calendar.ts'

// Computes when items can be worked on: forward from what precedes them, and backward from the end. It knows no database.

export { schedulingMode }

export interface ScheduleItem {
  id: Id
  parentId: Id | ''
  startDate: string | null
  dueDate: string | null
  scheduling: number
  startNoEarlier: string | null
  /** Done or cancelled: it does not move, and nothing waits for it. */
  closed: boolean
  /** It is not scheduled, but others wait for it. */
  outside?: boolean
  calendar: WorkCalendar
  /** The day by which the work must end; null takes the end of all items. */
  deadline: string | null
}

export interface Dates {
  startDate: string | null
  dueDate: string | null
}

/** What determines the dates of an item, and the closed days before them. */
interface Because {
  linkId?: Id
  constraint?: 'startNoEarlier'
  parent?: true
  skipped: Closure[]
}

/** The dates of one item. */
interface Scheduled {
  id: Id
  dates: Dates
  early: Dates
  late: Dates
  floatDays: number | null
  critical: boolean
  because: Because | null
}

/** A demand that an item does not meet, because it must not move. */
interface ScheduleConflict {
  id: Id
  linkId: Id | null
  reason: 'fixed' | 'closed'
  /** The first day on which the item may begin. */
  earliest: string
}

export interface Schedule {
  items: Scheduled[]
  conflicts: ScheduleConflict[]
}

/** Returns the circle that links form, if a link to any parent binds what is below it. */
export function circleOf(items: readonly ScheduleItem[], links: readonly Dependency[]): Id[] | undefined {
  const ids = new Set(items.map(item => item.id))
  const children = childrenOf(items)
  const found = inOrder(
    ids,
    onLeaves(links, children, id => children.has(id) && ids.has(id)),
  )
  return 'circle' in found ? found.circle : undefined
}

/** Schedules items, or returns the circle that prevents it. */
export function schedule(items: readonly ScheduleItem[], links: readonly Dependency[]): Schedule | { circle: Id[] } {
  const byId = new Map(items.map(item => [item.id, item]))
  const children = childrenOf(items)
  const isParent = (id: Id) => children.has(id) && byId.has(id)
  const isSummary = (id: Id) => isParent(id) && byId.get(id)?.scheduling === schedulingMode.automatic
  const bound = onLeaves(links, children, isSummary).filter(({ fromId, toId }) => byId.has(fromId) && byId.has(toId))
  const sorted = inOrder(byId.keys(), bound)
  if ('circle' in sorted) return sorted
  const leaves = sorted.order.flatMap(id => {
    const item = byId.get(id)
    return item && !isSummary(id) ? [item] : []
  })
  const before = Map.groupBy(bound, each => each.toId)
  const forward = pass(leaves, before, false)
  const early = pass(leaves, before, true)
  const late = latest(leaves, bound, forward.spans)
  const told = leaves.filter(item => !item.outside).map(item => scheduledOf(item, forward, early.spans, late))
  const byLeaf = new Map(told.map(each => [each.id, each]))
  const summaries = items.filter(({ id }) => isSummary(id)).flatMap(({ id }) => summaryOf(id, children, byLeaf) ?? [])
  return { items: [...told, ...summaries], conflicts: forward.conflicts }
}

interface Pass {
  spans: Map<Id, Span>
  because: Map<Id, Because>
  conflicts: ScheduleConflict[]
}

function spanOf({ startDate, dueDate }: Dates): Span | undefined {
  const [first, last] = [startDate ?? dueDate, dueDate ?? startDate]
  return first && last ? { start: dayNumber(first), due: dayNumber(last), ends: dueDate !== null } : undefined
}

/** Moves each item after those that precede it. With `pulled` every item that may move begins as early as it can. */
function pass(leaves: readonly ScheduleItem[], before: ReadonlyMap<Id, readonly Dependency[]>, pulled: boolean): Pass {
  const made: Pass = { spans: new Map(), because: new Map(), conflicts: [] }
  const closed = new Set(leaves.filter(each => each.closed).map(each => each.id))
  for (const item of leaves) {
    const known = spanOf(item)
    const demand = demandOn(
      item,
      known,
      (before.get(item.id) ?? []).filter(each => !closed.has(each.fromId)),
      made.spans,
    )
    if (!demand) {
      if (known) made.spans.set(item.id, known)
      continue
    }
    const isLate = !known || known.start < demand.start
    const isPulled =
      (pulled || item.scheduling === schedulingMode.automatic) && (!known || known.start !== demand.start)
    const stays = item.closed || item.outside || item.scheduling === schedulingMode.fixed
    if (stays || !(isLate || isPulled) || (!known && item.scheduling !== schedulingMode.automatic)) {
      if (known) made.spans.set(item.id, known)
      if (known && isLate && stays && !item.outside)
        made.conflicts.push({
          id: item.id,
          linkId: demand.because.linkId ?? null,
          reason: item.closed ? 'closed' : 'fixed',
          earliest: dateOf(demand.start),
        })
      continue
    }
    const due = endOf(item.calendar, demand.start, lengthOf(item, known))
    made.spans.set(item.id, { start: demand.start, due, ends: known?.ends ?? true })
    made.because.set(item.id, demand.because)
  }
  return made
}

/** The working days of an item; one that is on closed days alone has one. */
function lengthOf({ calendar }: ScheduleItem, span: Span | undefined): number {
  return span ? Math.max(1, openDays(calendar, span.start, span.due)) : 1
}

interface Demand {
  start: DayNumber
  because: Because
}

/** The first day on which an item may begin, and why; undefined if nothing determines it. */
function demandOn(
  item: ScheduleItem,
  known: Span | undefined,
  links: readonly Dependency[],
  spans: ReadonlyMap<Id, Span>,
): Demand | undefined {
  const { calendar } = item
  let found: Demand | undefined
  const demand = (from: DayNumber, first: DayNumber, because: Omit<Because, 'skipped'>) => {
    const start = nextOpen(calendar, first)
    if (found && found.start >= start) return
    found = { start, because: { ...because, skipped: closuresBetween(calendar, from, start) } }
  }
  for (const link of links) {
    const other = spans.get(link.fromId)
    if (!other || (!other.ends && waitsForEnd(link))) continue
    const { anchor, first } = firstDay(link, other, calendar, lengthOf(item, known))
    demand(anchor, first, { linkId: link.linkId })
  }
  if (item.startNoEarlier) {
    const day = dayNumber(item.startNoEarlier)
    demand(day, day, { constraint: 'startNoEarlier' })
  }
  return found
}

const maxClosures = 100

function closuresBetween(calendar: WorkCalendar, from: DayNumber, to: DayNumber): Closure[] {
  const found: Closure[] = []
  for (let day = from + 1; day < to && found.length < maxClosures; day++)
    if (!calendar.isOpen(day)) found.push(calendar.closure(day))
  return found
}

/** The last days on which items may end without moving the end: from their successors, or from the deadline. */
function latest(
  leaves: readonly ScheduleItem[],
  links: readonly Dependency[],
  spans: ReadonlyMap<Id, Span>,
): Map<Id, Span> {
  const after = Map.groupBy(links, each => each.fromId)
  const byId = new Map(leaves.map(item => [item.id, item]))
  const end = Math.max(...[...spans.values()].map(each => each.due))
  const late = new Map<Id, Span>()
  for (const item of leaves.toReversed()) {
    const span = spans.get(item.id)
    if (!span) continue
    const length = lengthOf(item, span)
    let due = item.deadline ? dayNumber(item.deadline) : end
    for (const link of after.get(item.id) ?? []) {
      const [other, follower] = [late.get(link.toId), byId.get(link.toId)]
      if (!other || !follower) continue
      due = Math.min(due, lastDue(link, other, { calendar: follower.calendar, own: item.calendar, length }))
    }
    due = lastOpen(item.calendar, due)
    late.set(item.id, { start: startOf(item.calendar, due, length), due, ends: true })
  }
  return late
}

function scheduledOf(
  item: ScheduleItem,
  forward: Pass,
  early: ReadonlyMap<Id, Span>,
  late: ReadonlyMap<Id, Span>,
): Scheduled {
  const [span, last] = [forward.spans.get(item.id), late.get(item.id)]
  const floatDays = span && last ? openDaysBetween(item.calendar, span.due, last.due) : null
  const moved = forward.because.get(item.id)
  return {
    id: item.id,
    dates: moved && span ? datesLike(item, span) : { startDate: item.startDate, dueDate: item.dueDate },
    early: datesOf(early.get(item.id)),
    late: datesOf(last),
    floatDays,
    critical: floatDays !== null && floatDays <= 0 && !item.closed,
    because: moved ?? null,
  }
}

/** An item that has only one of the two dates keeps only that one. */
function datesLike({ startDate, dueDate }: Dates, span: Span): Dates {
  const neither = startDate === null && dueDate === null
  return {
    startDate: startDate !== null || neither ? dateOf(span.start) : null,
    dueDate: dueDate !== null || neither ? dateOf(span.due) : null,
  }
}

const datesOf = (span: Span | undefined): Dates => ({
  startDate: span ? dateOf(span.start) : null,
  dueDate: span ? dateOf(span.due) : null,
})

/** A parent that is scheduled automatically lasts from its first child to its last one. */
function summaryOf(
  id: Id,
  children: ReadonlyMap<Id, readonly Id[]>,
  told: ReadonlyMap<Id, Scheduled>,
): Scheduled | undefined {
  const below = leavesBelow(id, children).flatMap(each => told.get(each) ?? [])
  const reach = (which: 'dates' | 'early' | 'late'): Dates => {
    const starts = below.flatMap(each => each[which].startDate ?? each[which].dueDate ?? [])
    const dues = below.flatMap(each => each[which].dueDate ?? each[which].startDate ?? [])
    return { startDate: starts.sort()[0] ?? null, dueDate: dues.sort().at(-1) ?? null }
  }
  const floats = below.flatMap(each => each.floatDays ?? [])
  const dates = reach('dates')
  if (dates.startDate === null) return undefined
  return {
    id,
    dates,
    early: reach('early'),
    late: reach('late'),
    floatDays: floats.length > 0 ? Math.min(...floats) : null,
    critical: below.some(each => each.critical),
    because: { parent: true, skipped: [] },
  }
}

function leavesBelow(id: Id, children: ReadonlyMap<Id, readonly Id[]>): Id[] {
  return (children.get(id) ?? []).flatMap(child => (children.has(child) ? leavesBelow(child, children) : [child]))
}
