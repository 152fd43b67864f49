import type { Caller } from '../kernel/access.ts'
import type { Redaction } from '../kernel/redaction.ts'

// Fields of items can be hidden from people. What goes out is stripped of them here, at the one edge that every answer and
// every event passes, so that no operation can forget it; who sees all fields, as nearly everybody does, pays nothing.

/** Kinds that show what an item holds. */
const entities = new Set(['Item', 'Ticket'])

export const hidesAnyField = ({ authority }: Caller) => authority.hiddenFields.size > 0

/** Whether this property, or this custom field by its key or id, is hidden from the caller. */
export function hides({ authority }: Caller, entity: string, property: string): boolean {
  return authority.hiddenFields.size > 0 && entities.has(entity) && authority.hiddenFields.has(property.toLowerCase())
}

/** A value that goes out, without what the caller must not see; records say by `entity` what they are. */
export function redactHidden(caller: Caller, value: unknown): unknown {
  return hidesAnyField(caller) ? stripped(value, caller.authority.hiddenFields) : value
}

/** The same for JSON text. */
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

/** What an event tells: by property, custom fields as `Field.<id>`, or as all of them in `Field` where an item is new. */
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
