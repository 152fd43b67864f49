import type { Route } from '@gantry/sdk'
import type { Stored, Values } from '../records/store.ts'

// A write that waits for the service, and what can be decided about it without asking.

export interface Write {
  /** Its idempotency key. */
  id: string
  /** The tab that sends it. */
  tab: string
  entity: string
  recordId: string
  route: Route
  path?: Record<string, string> | undefined
  query?: Values | undefined
  body: Values
  /** What is shown until the service answers, if that is not the body alone. */
  painted?: Values | undefined
  /** Only for what is done to several records at once: what each of them shows until the service answers, by id. */
  paintedIn?: Readonly<Record<string, Values>> | undefined
  /** Only for creations: the record as it is shown until the service has it. */
  record?: Stored | undefined
  /** Only for creations: the form whose text comes back if it is refused, and the text. */
  draft?: { place: string; value: unknown } | undefined
  /** Ids of earlier writes, of this record or others, that have to be through before it. */
  follows?: readonly string[] | undefined
  /** What the undo centre, the toast and the list of waiting changes say about it. */
  text: string
  /** Only for changes of properties: the values that they had when the change was made. */
  before?: Values | undefined
  /** The version of the record when the change was made. */
  madeOn?: number | undefined
  /** Whether it may have arrived, although no answer came. */
  attempted?: boolean
  /** The version that was sent with it then. */
  sentOn?: number | undefined
}

/**
 * Puts a change behind the others of its record. A newer value of a property that still waits replaces the older one; changes of which
 * nothing is left are returned as replaced.
 */
export function enqueue(queue: readonly Write[], write: Write): { queue: Write[]; replaced: Write[] } {
  if (!write.before) return { queue: [...queue, write], replaced: [] }
  const names = Object.keys(write.body).filter(name => name !== 'Field')
  const before = { ...write.before }
  const replaced: Write[] = []
  const rest = queue.flatMap(earlier => {
    if (!earlier.before || earlier.attempted || !names.some(name => name in earlier.body)) return [earlier]
    for (const name of names) if (name in earlier.before) before[name] = earlier.before[name]
    const body = without(earlier.body, names)
    if (Object.keys(body).length > 0) return [{ ...earlier, body, before: without(earlier.before, names) }]
    replaced.push(earlier)
    return []
  })
  return { queue: [...rest, { ...write, before }], replaced }
}

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** The properties of a change that somebody else has set to another value since it was made. */
export function contested({ body, before = {} }: Write, current: Stored): string[] {
  return Object.keys(body).filter(name => {
    const theirs = partOf(current, name, body[name])
    return !isSame(theirs, partOf(before, name, body[name])) && !isSame(theirs, partOf(body, name, body[name]))
  })
}

/** Whether a record has all values of a change already. */
export const hasArrived = ({ body }: Write, current: Stored): boolean =>
  Object.keys(body).every(name => isSame(partOf(current, name, body[name]), partOf(body, name, body[name])))

/** The later changes of a record were made on top of one that is through now. */
export function onTopOf(
  queue: readonly Write[],
  { body, record, recordId, paintedIn }: Write,
  answer: Stored,
): Write[] {
  const set = paintedIn?.[recordId] ?? body
  return queue.map(later => {
    if (!later.before) return later
    // A new record has what the service has added, too: defaults, and what follows from other values.
    const names = Object.keys(later.before).filter(name => (record || name in set) && name in answer)
    const now = Object.fromEntries(names.map(name => [name, propertyOf(answer, name)]))
    return { ...later, before: { ...later.before, ...now } }
  })
}

interface FieldValue {
  fieldId?: string
  key?: string
  value?: unknown
}

/** A property; of custom fields only those that a change names. */
function partOf(record: object, name: string, mine: unknown): unknown {
  const value = propertyOf(record, name)
  if (name !== 'Field' || !Array.isArray(mine)) return value
  const named = mine as FieldValue[]
  const all = (Array.isArray(value) ? value : []) as FieldValue[]
  return named.map(({ fieldId, key }) => {
    const found = all.find(each => (fieldId ? each.fieldId === fieldId : each.key === key))
    return found?.value ?? null
  })
}

export const propertyOf = (record: object, name: string): unknown => (record as Values)[name]

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
