import { isId } from '../../kernel/id.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

// Ids are valid in one tenant only. A document contains tokens of kind and natural key instead, such as `${Process:bug}`:
// in references, in conditions and inside texts.

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const tokens = /\$(\$\{[A-Z]\w*:)|\$\{([A-Z]\w*):((?:\\.|[^}\\])*)\}/g
const tokenLike = /\$\{(?=[A-Z]\w*:)/g

export function token(entity: string, key: string): string {
  return `\${${entity}:${key.replace(/[\\}]/g, '\\$&')}}`
}

/** All ids that occur in a value, also inside texts. */
export function idsIn(value: unknown): string[] {
  return [...(JSON.stringify(value) ?? '').matchAll(ids)].map(([id]) => id.toLowerCase())
}

/** Replaces ids by tokens. References to records without a token are removed. */
export function withTokens(value: unknown, schema: Schema, nameOf: (id: string) => string | undefined): unknown {
  if (typeof value === 'string') {
    if (schema['x-ref'] && isId(value) && nameOf(value.toLowerCase()) === undefined) return ''
    return value.replace(tokenLike, '$$$${').replace(ids, id => nameOf(id.toLowerCase()) ?? id)
  }
  if (Array.isArray(value)) {
    const items = schema.items ?? {}
    const all = value.map(each => withTokens(each, items, nameOf))
    return items['x-ref'] ? all.filter(each => each !== '') : all
  }
  if (value === null || typeof value !== 'object') return value
  const property = (name: string) => schema.properties?.[name] ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withTokens(each, property(name), nameOf)]),
  )
}

export interface RecordName {
  entity: string
  key: string
}

/** Replaces tokens by ids; `idOf` gets each record name and its path in the value. */
export function withIds(
  value: unknown,
  idOf: (named: RecordName, path: readonly (string | number)[]) => string,
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value === 'string')
    return value.replace(tokens, (_all, literal: string | undefined, entity: string, key: string) =>
      literal !== undefined ? literal : idOf({ entity, key: key.replace(/\\(.)/g, '$1') }, path),
    )
  if (Array.isArray(value)) return value.map((each, i) => withIds(each, idOf, [...path, i]))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each, idOf, [...path, name])]))
}

/** All records that a value refers to by tokens. */
export function recordNamesIn(value: unknown): RecordName[] {
  const names: RecordName[] = []
  withIds(value, named => {
    names.push(named)
    return ''
  })
  return names
}
