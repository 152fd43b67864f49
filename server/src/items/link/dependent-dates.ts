import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'

// If one item precedes another, the later one starts after the earlier one is due.

export interface Dates {
  startDate: string | null
  dueDate: string | null
}

/** A link by which one item must be finished before another begins, with the number of days between them. */
export interface Precedence {
  fromId: Id
  toId: Id
  lagDays: number
}

/** The first day on which an item may begin that follows an item with this due date. */
export function firstDayAfter(dueDate: string, lagDays: number): string {
  return later(dueDate, lagDays + 1)
}

/** The first day of an item: its start date, or its due date if it has no start date. */
export function beginning({ startDate, dueDate }: Dates): string | null {
  return startDate ?? dueDate
}

/**
 * The new dates of the items that follow others: an item that would begin too early is moved to the first possible day
 * and keeps its length, and so are the items that follow it. No item is moved to an earlier day.
 */
export function datesThatFollow(known: ReadonlyMap<Id, Dates>, links: readonly Precedence[]): Map<Id, Dates> {
  const moved = new Map<Id, Dates>()
  for (const id of inOrder(known.keys(), links)) {
    const dates = moved.get(id) ?? known.get(id)
    if (!dates?.dueDate) continue
    for (const { toId, lagDays } of links.filter(each => each.fromId === id)) {
      const other = moved.get(toId) ?? known.get(toId)
      const begins = other && beginning(other)
      const earliest = firstDayAfter(dates.dueDate, lagDays)
      if (other && begins && begins < earliest) moved.set(toId, shifted(other, daysBetween(begins, earliest)))
    }
  }
  return moved
}

/** Sorts items topologically. */
function inOrder(ids: Iterable<Id>, links: readonly Precedence[]): Id[] {
  const before = new Map([...ids].map(id => [id, 0]))
  for (const { toId } of links) before.set(toId, (before.get(toId) ?? 0) + 1)
  const order = [...before].filter(([, count]) => count === 0).map(([id]) => id)
  const next = Map.groupBy(links, each => each.fromId)
  for (const id of order) {
    for (const { toId } of next.get(id) ?? []) {
      const left = (before.get(toId) ?? 0) - 1
      before.set(toId, left)
      if (left === 0) order.push(toId)
    }
  }
  return order
}

function shifted({ startDate, dueDate }: Dates, days: number): Dates {
  return { startDate: startDate && later(startDate, days), dueDate: dueDate && later(dueDate, days) }
}

const day = 86_400_000

function later(date: string, days: number): string {
  const text = new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)
  if (!/^\d{4}-/.test(text)) throw new RuleBroken('date-out-of-range', 'a date would be after the year 9999')
  return text
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day)
}
