import { type Dependency, dependencyKind } from './schedule-graph.ts'
import { type DayNumber, lastOpen, nextOpen, stepDays, type WorkCalendar } from './work-calendar.ts'

// What one link demands of the items at its ends.

/** Days from the first to the last, both included. */
export interface Span {
  start: DayNumber
  due: DayNumber
  /** Whether the end is known; nothing waits for an end that is not. */
  ends: boolean
}

export const endOf = (calendar: WorkCalendar, start: DayNumber, length: number) => stepDays(calendar, start, length - 1)
export const startOf = (calendar: WorkCalendar, due: DayNumber, length: number) => stepDays(calendar, due, 1 - length)

export const waitsForEnd = ({ dependency }: Pick<Dependency, 'dependency'>) =>
  dependency !== dependencyKind.startStart && dependency !== dependencyKind.startFinish

/** The first day on which a link lets its successor begin, counted in the successor's working days. */
export function firstDay(
  { dependency, lagDays }: Pick<Dependency, 'dependency' | 'lagDays'>,
  { start, due }: Pick<Span, 'start' | 'due'>,
  calendar: WorkCalendar,
  length: number,
): { anchor: DayNumber; first: DayNumber } {
  const ending = (day: DayNumber) => startOf(calendar, nextOpen(calendar, stepDays(calendar, day, lagDays)), length)
  switch (dependency) {
    case dependencyKind.startStart:
      return { anchor: start, first: stepDays(calendar, start, lagDays) }
    case dependencyKind.finishFinish:
      return { anchor: due, first: ending(due) }
    case dependencyKind.startFinish:
      return { anchor: start, first: ending(start) }
    default:
      // An unknown code waits for the end, like a link without one.
      return { anchor: due, first: stepDays(calendar, due, 1 + lagDays) }
  }
}

/** The last day on which a predecessor may end, so that its successor can keep these latest days. */
export function lastDue(
  { dependency, lagDays }: Dependency,
  { start, due }: Span,
  { calendar, own, length }: { calendar: WorkCalendar; own: WorkCalendar; length: number },
): DayNumber {
  const beginning = (day: DayNumber) => endOf(own, lastOpen(own, stepDays(calendar, day, -lagDays)), length)
  switch (dependency) {
    case dependencyKind.startStart:
      return beginning(start)
    case dependencyKind.finishFinish:
      return stepDays(calendar, due, -lagDays)
    case dependencyKind.startFinish:
      return beginning(due)
    default:
      return stepDays(calendar, start, -(1 + lagDays))
  }
}
