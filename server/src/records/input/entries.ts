import type { Static, TSchema } from 'typebox'
import { newId } from '../../kernel/id.ts'
import { columnOf, plainDefault } from '../../kernel/record/columns.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'

type Properties = Record<string, TSchema>
export type Entry<P extends Properties> = { [K in keyof P]: Static<P[K]> }

/** Gives every property of the entries of a list a value: the given one or the default. */
export function complete<P extends Properties>(
  properties: P,
  entries: readonly { [K in keyof P]?: Static<P[K]> }[],
): Entry<P>[] {
  const columns = Object.entries(properties).map(([property, schema]) => columnOf(property, schema))
  return entries.map(entry => {
    const values = columns.map(column => [column.property, entry[column.property] ?? plainDefault(column)])
    return Object.fromEntries(values) as Entry<P>
  })
}

/**
 * Gives every entry an id. An entry without one gets the id of an equal stored entry, so that an update by a client that does not
 * send ids does not change them.
 */
export function withIds<E extends { id: string }>(
  entries: readonly E[],
  before: readonly E[],
  likeness: (entry: E) => string,
): E[] {
  const given = new Set(entries.map(entry => entry.id))
  const free = Map.groupBy(
    before.filter(entry => !given.has(entry.id)),
    likeness,
  )
  return entries.map(entry => (entry.id ? entry : { ...entry, id: free.get(likeness(entry))?.shift()?.id ?? newId() }))
}

/** Reports the ids that several entries of a list have. */
export function duplicateIds(entries: readonly { id: string }[], property: string): Fault[] {
  const seen = new Set<string>()
  return entries.flatMap(({ id }, i) => {
    const known = seen.has(id)
    seen.add(id)
    return known ? [fault([property, i, 'id'], 'duplicate', 'another entry has this id', id)] : []
  })
}
