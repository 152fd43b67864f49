import { useEffect } from 'react'
import { baseOf, paint, shown, type Values } from './store.ts'

// A property that somebody edits stays as they see it, whatever arrives meanwhile.

/** By record and property: the value that the service had when the edit began. */
const begun = new Map<string, unknown>()
const nameOf = (id: string, property: string) => `${id} ${property}`

/** Holds a property of a record while it is edited. A change that is saved afterwards is one of the value that was seen. */
export function useEditing(entity: string, id: string, property: string, active: boolean): void {
  useEffect(() => {
    if (active) return hold(entity, id, property)
  }, [entity, id, property, active])
}

/** Holds a property until the returned function is called. */
export function hold(entity: string, id: string, property: string): () => void {
  const value = (shown(entity, id) as Values | undefined)?.[property]
  begun.set(nameOf(id, property), (baseOf(entity, id) as Values | undefined)?.[property])
  const release = paint(entity, id, { [property]: value })
  return () => {
    release()
    // The save follows the end of the edit in the same turn.
    setTimeout(() => begun.delete(nameOf(id, property)))
  }
}

/** The values that some properties had when their edit began, or have now. */
export function valuesBefore(entity: string, id: string, properties: readonly string[]): Values {
  const base = baseOf(entity, id) as Values | undefined
  const before = (property: string) => {
    const name = nameOf(id, property)
    return begun.has(name) ? begun.get(name) : base?.[property]
  }
  return Object.fromEntries(properties.map(property => [property, before(property)]))
}
