import type { BudgetAmount } from '../../finance/budget/budget.ts'
import type { Id } from '../../kernel/id.ts'
import { dayNumber, type WorkCalendar } from '../schedule/work-calendar.ts'
import type { PlannedContainer, PlannedItem, Snapshot } from './snapshot.ts'

/** A property that differs; of a date also the working days by which it has moved, where both are dates. */
interface Change {
  from: unknown
  to: unknown
  days?: number | null
}

interface Changed {
  id: Id
  changes: Record<string, Change>
}

export interface Comparison {
  containers: Changed[]
  items: Changed[]
  added: Id[]
  removed: Id[]
  budgets: { budgetId: Id; from: string | null; to: string | null }[]
}

const itemProperties = ['startDate', 'dueDate', 'estimateMinutes', 'remainingMinutes', 'statusCategory'] as const
const dates = ['startDate', 'dueDate'] as const
type ComparedProperty = (typeof itemProperties)[number]

type DaysBetween = (containerId: Id, from: string, to: string) => number | null

/** Compares two plans of the same containers; `shown` are the properties of items that may be told of. */
export function compare(
  before: Snapshot,
  after: Snapshot,
  days: DaysBetween,
  shown: (property: ComparedProperty) => boolean,
): Comparison {
  const now = new Map(after.items.map(each => [each.id, each]))
  const then = new Set(before.items.map(each => each.id))
  const properties = itemProperties.filter(shown)
  return {
    containers: changedContainers(before.containers, after.containers, days),
    items: before.items.flatMap(was => {
      const is = now.get(was.id)
      return is ? changed(was, is, properties, (from, to) => days(was.containerId, from, to)) : []
    }),
    added: after.items.filter(each => !then.has(each.id)).map(each => each.id),
    removed: before.items.filter(each => !now.has(each.id)).map(each => each.id),
    budgets: changedBudgets(before.budgets, after.budgets),
  }
}

function changedContainers(
  before: readonly PlannedContainer[],
  after: readonly PlannedContainer[],
  days: DaysBetween,
): Changed[] {
  const now = new Map(after.map(each => [each.id, each]))
  return before.flatMap(was => {
    const is = now.get(was.id)
    return is ? changed(was, is, dates, (from, to) => days(was.id, from, to)) : []
  })
}

function changed<P extends keyof PlannedItem, R extends Pick<PlannedItem, P | 'id'>>(
  was: R,
  is: R,
  properties: readonly P[],
  days: (from: string, to: string) => number | null,
): Changed[] {
  const changes: Record<string, Change> = {}
  for (const property of properties) {
    const [from, to] = [was[property], is[property]]
    if (from === to) continue
    const isDate = dates.some(each => each === property)
    const moved = typeof from === 'string' && typeof to === 'string' ? days(from, to) : null
    changes[property] = isDate ? { from, to, days: moved } : { from, to }
  }
  return Object.keys(changes).length > 0 ? [{ id: was.id, changes }] : []
}

function changedBudgets(before: readonly BudgetAmount[], after: readonly BudgetAmount[]): Comparison['budgets'] {
  const [was, is] = [before, after].map(all => new Map(all.map(each => [each.budgetId, each.amount])))
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    .map(budgetId => ({ budgetId, from: was?.get(budgetId) ?? null, to: is?.get(budgetId) ?? null }))
    .filter(({ from, to }) => from !== to)
}

// A span of centuries is no plan, and counting it day by day would take long.
const [firstCounted, lastCounted] = [dayNumber('1970-01-01'), dayNumber('2199-12-31')]

/** Counts the working days between dates of containers: each calendar is read once, over all dates that occur. */
export function dayCounter(
  calendarOf: (containerId: Id) => WorkCalendar,
  occurring: Iterable<string | null>,
): DaysBetween {
  const counted = [...occurring].flatMap(date => (date === null ? [] : [dayNumber(date)])).filter(isCounted)
  const first = counted.reduce((a, b) => Math.min(a, b), lastCounted)
  const last = counted.reduce((a, b) => Math.max(a, b), firstCounted)
  const sums = new Map<WorkCalendar, Int32Array>()
  return (containerId, from, to) => {
    const [a, b] = [dayNumber(from), dayNumber(to)]
    if (!isCounted(a) || !isCounted(b)) return null
    const calendar = calendarOf(containerId)
    const sum = sums.get(calendar) ?? openUntil(calendar, first, last)
    sums.set(calendar, sum)
    return (sum[b - first] ?? 0) - (sum[a - first] ?? 0)
  }
}

const isCounted = (day: number) => day >= firstCounted && day <= lastCounted

/** The number of working days from the first day until each day, both included. */
function openUntil(calendar: WorkCalendar, first: number, last: number): Int32Array {
  const sum = new Int32Array(Math.max(0, last - first + 1))
  let count = 0
  for (let day = first; day <= last; day++) {
    if (calendar.isOpen(day)) count++
    sum[day - first] = count
  }
  return sum
}
