import type { Caller } from '../kernel/access.ts'
import type { Redaction } from '../kernel/redaction.ts'

// Item fields can be hidden from users. They are removed here, at the one boundary that every response and every event
// passes, so that no operation can forget it. Callers without hidden fields, which is nearly everybody, cost nothing.

/** The kinds of records that contain values of items. */
const entities = new Set(['Item', 'Ticket'])

export const hidesAnyField = ({ authority }: Caller) => authority.hiddenFields.size > 0

/** Tells whether this property, or this custom field by its key or id, is hidden from the caller. */
export function hides({ authority }: Caller, entity: string, property: string): boolean {
  return authority.hiddenFields.size > 0 && entities.has(entity) && authority.hiddenFields.has(property.toLowerCase())
}

/** Removes hidden fields from a value that leaves the service; a record names its kind in `entity`. */
export function redactHidden(caller: Caller, value: unknown): unknown {
  return hidesAnyField(caller) ? stripped(value, caller.authority.hiddenFields) : value
}

/** Does the same for JSON text. */
export function redactHiddenText(caller: Caller, text: string): string {
  return hidesAnyField(caller) ? JSON.stringify(stripped(JSON.parse(text), caller.authority.hiddenFields)) : text
}

export const hiddenFields: Redaction = {
  hidesAnything: hidesAnyField,
  hides,
  redact: redactHidden,
  redactText: redactHiddenText,
}

function stripped(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(each => stripped(each, hidden))
  if (value === null || typeof value !== 'object') return value
  const isItem = 'entity' in value && entities.has(String(value.entity))
  const shown = Object.entries(value).filter(([key]) => !isItem || !hidden.has(key.toLowerCase()))
  return Object.fromEntries(
    shown.map(([key, each]) => {
      if (isItem && key === 'changes') return [key, changesShown(each, hidden)]
      if (isItem && key === 'Field' && Array.isArray(each))
        return [key, each.filter(field => !isHiddenField(field, hidden))]
      return [key, stripped(each, hidden)]
    }),
  )
}

function isHiddenField(field: unknown, hidden: ReadonlySet<string>): boolean {
  return typeof field === 'object' && field !== null && 'fieldId' in field && hidden.has(String(field.fieldId))
}

/**
 * The changes in an event are listed by property; custom fields appear as `Field.<id>`, or together in `Field` for a
 * new item.
 */
function changesShown(changes: unknown, hidden: ReadonlySet<string>): unknown {
  if (changes === null || typeof changes !== 'object') return changes
  const shown = Object.entries(changes).filter(([key]) => !hidden.has(key.toLowerCase().replace(/^field\./, '')))
  return Object.fromEntries(shown.map(([key, change]) => [key, key === 'Field' ? fieldsShown(change, hidden) : change]))
}

function fieldsShown(change: unknown, hidden: ReadonlySet<string>): unknown {
  const sides = Object.entries((change ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    sides.map(([side, all]) => [side, Array.isArray(all) ? all.filter(each => !isHiddenField(each, hidden)) : all]),
  )
}
