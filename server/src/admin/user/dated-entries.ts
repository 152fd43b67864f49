import { Type } from 'typebox'
import { type Fault, fault } from '../../kernel/refusal.ts'
import { Count, Ref, Text } from '../../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { datedFaults, From, To } from '../../records/dated.ts'
import { complete, type Entry } from '../../records/input/entries.ts'
import { dayHalf, dayHalves, halfFaults } from '../leave/leave-span.ts'

// Capacity and absences of a user are lists of entries with a first day. A change adds an entry and keeps the
// earlier ones, so that past days keep their values.

/** Minutes of each weekday, Monday first; without them the clock counts. An entry without an end lasts until the next one. */
export const capacityEntry = {
  from: From,
  to: To,
  minutesPerWeekday: Type.Array(Count(1440), { maxItems: 7 }),
  clockId: Ref('Clock'),
}

/** The codes of `kind` of an absence. */
export const absenceKind = { holiday: 0, illness: 1, training: 2, other: 3 } as const
export const absenceKinds = codeTableOfCodes('leave.kind', absenceKind)

/** Days of absence, the last one included. An entry without an end lasts until further notice. */
export const absenceEntry = {
  from: From,
  to: To,
  kind: Code(absenceKinds, {
    description:
      '0 holiday · 1 illness · 2 training · 3 other. Shown, like `note`, to the user, to their manager (`managerId`) and to those who may change users.',
  }),
  note: Text(500),
  fromHalf: Code(dayHalves, { description: '0 the whole first day · 1 its morning · 2 its afternoon.' }),
  toHalf: Code(dayHalves, { description: '0 the whole last day · 1 its morning · 2 its afternoon.' }),
}

export type Capacity = Entry<typeof capacityEntry>
export type Absence = Entry<typeof absenceEntry>

export function capacityFaults(entries: readonly Partial<Capacity>[]): Fault[] {
  const weeks = entries.flatMap(({ minutesPerWeekday = [], clockId = '' }, i) => {
    const path = ['capacity', i, 'minutesPerWeekday']
    if (minutesPerWeekday.length === 7) return []
    if (minutesPerWeekday.length > 0) return [fault(path, 'week', 'must have seven entries, Monday first')]
    return clockId === '' ? [fault(path, 'required', 'is required if there is no clockId')] : []
  })
  return [...weeks, ...datedFaults('capacity', entries, 'until the next')]
}

export function absenceFaults(entries: readonly Partial<Absence>[]): Fault[] {
  const spans = complete(absenceEntry, entries)
  const halves = spans.flatMap((entry, i) => halfFaults(entry, ['absence', i]))
  const parts = spans.map(({ from, to, fromHalf, toHalf }) => ({
    from,
    to,
    beginsAtNoon: fromHalf === dayHalf.afternoon,
    endsAtNoon: (from === to ? fromHalf : toHalf) === dayHalf.morning,
  }))
  return [...halves, ...datedFaults('absence', parts, 'for ever')]
}
