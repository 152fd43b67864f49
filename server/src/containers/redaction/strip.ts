import { mask } from '../../platform/secrets.ts'
import { fieldsRevealedBy, pathsIn } from './revealed-fields.ts'

// Removes hidden fields from JSON that leaves the service. Three forms of it contain values of items: the item itself, with its
// events; an observation, which names one field and says what was found there; and a part of a configuration, which names one
// field and has a value for it.

/** The names of hidden fields, in lower case: custom fields by id and by key, properties by name. */
export type HiddenNames = ReadonlySet<string>

/** What is hidden from a caller. */
export interface Hidden {
  /** Of an item; of an unknown one it is all that is hidden anywhere. */
  of(itemId: unknown): HiddenNames
  /** In conditions and actions of a configuration. */
  parts: HiddenNames
}

type Json = Readonly<Record<string, unknown>>

/** The kinds of records that contain values of items. Both have the id of the item. */
const itemEntities: ReadonlySet<unknown> = new Set(['Item', 'Ticket'])

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}

/** Returns the id of the item that an object is about, or contains in an event or in a log; undefined if it names none. */
function itemIdIn(value: Json): unknown {
  if ('entity' in value) return itemEntities.has(value.entity) ? (value.recordId ?? value.id) : undefined
  return value.itemId ?? undefined
}

/** Returns the ids of all items that a value is about. */
export function itemIdsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(itemIdsIn)
  if (!isObject(value)) return []
  const id = itemIdIn(value)
  return [...(id === undefined ? [] : [id]), ...Object.values(value).flatMap(itemIdsIn)]
}

/** Returns the value without hidden fields; `here` is what is hidden of the item that surrounds it. */
export function strip(value: unknown, hidden: Hidden, here: HiddenNames = hidden.of(undefined)): unknown {
  if (Array.isArray(value))
    return value.filter(each => !isHiddenObservation(each, hidden, here)).map(each => strip(each, hidden, here))
  if (!isObject(value)) return value
  const names = namesFor(value, hidden, here)
  if (itemEntities.has(value.entity) && !describesKind(value)) return stripItem(value, hidden, names)
  const all = Object.entries(value).map(([key, each]) => [key, strip(each, hidden, names)])
  return { ...Object.fromEntries(all), ...maskedParts(value, hidden), ...sumsShown(value, hidden.of(undefined)) }
}

/** Records and events always have an id. Without one it is a part of the documentation: a schema, or a kind of event. */
const describesKind = (value: Json) => !('id' in value) && !('recordId' in value)

function namesFor(value: Json, hidden: Hidden, here: HiddenNames): HiddenNames {
  const id = itemIdIn(value)
  return id === undefined ? here : hidden.of(id)
}

function stripItem(value: Json, hidden: Hidden, names: HiddenNames): unknown {
  const shown = Object.entries(value).filter(([key]) => !names.has(key.toLowerCase()))
  return Object.fromEntries(
    shown.map(([key, each]) => {
      if (key === 'changes') return [key, changesShown(each, names)]
      if (key === 'Field' && Array.isArray(each)) return [key, each.filter(field => !isHiddenField(field, names))]
      return [key, strip(each, hidden, names)]
    }),
  )
}

function isHiddenField(field: unknown, hidden: HiddenNames): boolean {
  return isObject(field) && 'fieldId' in field && hidden.has(String(field.fieldId))
}

/**
 * The changes in an event are listed by property; custom fields appear as `Field.<id>`, or together in `Field` for a
 * new item.
 */
function changesShown(changes: unknown, hidden: HiddenNames): unknown {
  if (!isObject(changes)) return changes
  const shown = Object.entries(changes).filter(([key]) => !hidden.has(key.toLowerCase().replace(/^field\./, '')))
  return Object.fromEntries(shown.map(([key, change]) => [key, key === 'Field' ? fieldsShown(change, hidden) : change]))
}

function fieldsShown(change: unknown, hidden: HiddenNames): unknown {
  const sides = Object.entries(isObject(change) ? change : {})
  return Object.fromEntries(
    sides.map(([side, all]) => [side, Array.isArray(all) ? all.filter(each => !isHiddenField(each, hidden)) : all]),
  )
}

/** The properties in which an observation has values: of a condition, of an action, of a conflict. */
const observed = ['left', 'before', 'after', 'expected', 'current']

/** An entry of a log, of a run or of a list of conflicts that names a hidden field: it is left out as a whole. */
function isHiddenObservation(entry: unknown, hidden: Hidden, here: HiddenNames): boolean {
  if (!isObject(entry)) return false
  const isResult = 'actionType' in entry && !('value' in entry)
  if (!isResult && !observed.some(each => each in entry)) return false
  if ('entity' in entry && !itemEntities.has(entry.entity)) return false
  return namesHidden(entry, namesFor(entry, hidden, here))
}

/** Whether an object names a hidden field as the one that its other properties are about. */
export function namesHidden(value: Json, hidden: HiddenNames): boolean {
  return [value.field, value.leftSide, value.property].some(
    name => typeof name === 'string' && fieldsRevealedBy(name).some(each => hidden.has(each)),
  )
}

/** The properties of a condition or an action that has a value for one field. */
export const configured = ['value', 'rightSide'] as const

function maskedParts(value: Json, hidden: Hidden): Json {
  const own = configured.filter(each => each in value)
  const masked = own.length > 0 && namesHidden(value, hidden.parts) ? own.map(each => [each, mask]) : []
  // An error may quote a value, so it is shown only where the configuration does not use hidden fields.
  const quoted =
    typeof value.lastError === 'string' && usesHidden(value, hidden.of(undefined)) ? [['lastError', '']] : []
  return Object.fromEntries([...masked, ...quoted])
}

/** Sums over the items of a cycle; those of one item are its values. */
function sumsShown({ count, points, minutes }: Json, hidden: HiddenNames): Json {
  if (count === undefined || points === undefined || minutes === undefined) return {}
  return {
    ...(hidden.has('points') ? { points: 0 } : {}),
    ...(hidden.has('estimateminutes') ? { minutes: 0 } : {}),
  }
}

/** Whether a condition, an action or a template anywhere in a configuration uses a hidden field. */
export function usesHidden(value: unknown, hidden: HiddenNames): boolean {
  if (typeof value === 'string')
    return pathsIn(value).some(path => fieldsRevealedBy(path).some(each => hidden.has(each)))
  if (Array.isArray(value)) return value.some(each => usesHidden(each, hidden))
  if (!isObject(value)) return false
  // The value of an action that copies is a path.
  const path = 'actionType' in value && typeof value.value === 'string' ? fieldsRevealedBy(value.value) : []
  return (
    namesHidden(value, hidden) ||
    path.some(each => hidden.has(each)) ||
    Object.values(value).some(each => usesHidden(each, hidden))
  )
}
