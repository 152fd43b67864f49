import type { Id } from '../kernel/id.ts'
import { own } from '../kernel/own.ts'
import { name, ownTenant, raw, sql } from '../kernel/sql.ts'
import type { Path, TextPlace } from '../language/conditions/conditions.ts'

/** The names of records that items (`t`) refer to: the table and column of each, and the reference. */
export const relatedNames = {
  'requester.email': { table: 'user', column: 'email', reference: 'requester_id' },
  'requester.name': { table: 'user', column: 'name', reference: 'requester_id' },
  'crm.code': { table: 'crm', column: 'code', reference: 'crm_id' },
  'crm.name': { table: 'crm', column: 'name', reference: 'crm_id' },
  'container.name': { table: 'container', column: 'name', reference: 'container_id' },
  'container.key': { table: 'container', column: 'key', reference: 'container_id' },
  'area.name': { table: 'area', column: 'name', reference: 'area_id' },
} as const

export type RelatedName = keyof typeof relatedNames

export function isRelatedName(path: string): path is RelatedName {
  return own(relatedNames, path) !== undefined
}

/** The records that were found for words at a place in a name, by `relatedKey`. */
export type RelatedRecords = ReadonlyMap<string, readonly Id[]>

export function relatedKey(path: RelatedName, words: readonly string[], place: TextPlace): string {
  return JSON.stringify([path, place, words])
}

/** The path of a name; its candidates are the items of the records that were found. */
export function relatedPath(path: RelatedName, found: RelatedRecords): Path {
  const { table, column, reference } = relatedNames[path]
  const [value, key] = [raw(`o.${column}`), raw(`t.${reference}`)]
  return {
    kind: 'text',
    value: sql`(select ${value} from ${name(table)} o where o.tenant_id = ${ownTenant} and o.id = ${key})`,
    candidates(words, place) {
      const ids = found.get(relatedKey(path, words, place))
      if (ids?.length === 0) return raw('false')
      return ids && sql`${key} = any(${ids}::uuid[])`
    },
  }
}
