import { Type } from 'typebox'
import { type Fault, fault } from '../kernel/refusal.ts'
import { complete, type Entry } from './input/entries.ts'

// Lists of entries with a first day. A change adds an entry and keeps the earlier ones, so that past days keep their values.

/** The first day of an entry. */
export const From = Type.Unsafe<string>({ type: 'string', format: 'date', maxLength: 10 })
/** The last day of an entry; `null` is none. */
export const To = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date', maxLength: 10 })

interface Dated {
  from: string
  to?: string | null
  /** Whether its first day begins at noon, and whether its last day ends there. */
  beginsAtNoon?: boolean
  endsAtNoon?: boolean
}

/** The entries sorted by their first day, a morning before its afternoon, with defaults for absent properties. */
export function sortedEntries<P extends Parameters<typeof complete>[0]>(
  properties: P,
  entries: Parameters<typeof complete<P>>[1],
): Entry<P>[] {
  const begin = (entry: object) => `${Reflect.get(entry, 'from')} ${Reflect.get(entry, 'fromHalf') ?? ''}`
  return complete(properties, entries).sort((a, b) => (begin(a) < begin(b) ? -1 : begin(a) > begin(b) ? 1 : 0))
}

/** Reports entries that end before they begin, and entries that overlap. */
export function datedFaults(
  property: string,
  entries: readonly Partial<Dated>[],
  open: 'until the next' | 'for ever',
): Fault[] {
  const faults = entries.flatMap(({ from = '', to }, i) =>
    to && to < from ? [fault([property, i, 'to'], 'range', 'must not be before from', to)] : [],
  )
  let reach = ''
  const ordered = entries
    .map((entry, i) => ({ ...halvesOf(entry, open), i }))
    .sort((a, b) => (a.first < b.first ? -1 : 1))
  for (const { first, last, from, i } of ordered) {
    if (first <= reach) faults.push(fault([property, i, 'from'], 'overlap', 'overlaps with another entry', from))
    if (last > reach) reach = last
  }
  return faults
}

/** The first and the last half day of an entry; `a` is a morning, `b` an afternoon. */
function halvesOf({ from = '', to, beginsAtNoon, endsAtNoon }: Partial<Dated>, open: 'until the next' | 'for ever') {
  const end = to ?? (open === 'for ever' ? '~' : from)
  return { from, first: `${from}${beginsAtNoon ? 'b' : 'a'}`, last: `${end}${endsAtNoon ? 'a' : 'b'}` }
}

/** The entry in force on a day. */
export function entryOn<E extends Dated>(entries: readonly E[], date: string): E | undefined {
  const begun = entries.filter(({ from }) => from <= date)
  const last = begun.reduce<E | undefined>(
    (latest, each) => (latest && latest.from > each.from ? latest : each),
    undefined,
  )
  return last?.to && last.to < date ? undefined : last
}
