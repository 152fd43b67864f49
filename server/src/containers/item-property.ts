import { kind } from '../kernel/kinds.ts'
import { commonNames, type Schema } from '../kernel/shape.ts'

/** What every item has besides its custom fields. Items are of a later room: they are known here by what they declare. */
export function itemProperties(): string[] {
  const { properties = {} } = kind('Item').schema as Schema
  return Object.keys(properties).filter(each => each !== 'Field' && !commonNames.some(common => common === each))
}

let known: ReadonlySet<string> | undefined

export function isItemProperty(name: string): boolean {
  known ??= new Set(itemProperties())
  return known.has(name)
}
