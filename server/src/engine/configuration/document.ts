import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { name, raw } from '../../kernel/sql.ts'
import { idsIn, token, withTokens } from './tokens.ts'

/** A kind that is part of the configuration: its natural key and its exported properties. */
export interface Configurable {
  entity: string
  /** The path of its operations. */
  at: string
  /** The properties of the natural key, without empty ones; the name, if all are empty. */
  key: readonly string[]
  /** Properties that are data rather than configuration. */
  omit?: readonly string[]
  only?: (record: Record<string, unknown>) => boolean
  /** Columns that refer to records of this kind; a plan counts them before a change or a removal. */
  referencedBy?: readonly { entity: string; table: string; column: string }[]
}

/** A kind that a configuration refers to and does not contain; this property identifies its records. */
export interface ExternalKind {
  entity: string
  key: string
}

export interface Catalogue {
  kinds: readonly Configurable[]
  outside: readonly ExternalKind[]
  routes: Routes
}

/** One record in a document: its properties, with tokens instead of ids. */
export type DocumentEntry = Record<string, unknown>
type Kinds = Record<string, Record<string, DocumentEntry>>

export interface ConfigurationDocument {
  format: typeof format
  version: 1
  kinds: Kinds
}

export const format = 'gantry-configuration'

/** The records of a tenant by kind and natural key: the stored id and the entry in the document. */
export interface StoredConfiguration {
  records: Map<string, Map<string, { id: Id; entry: DocumentEntry }>>
  /** The token of an id. */
  nameOf: (id: Id) => string | undefined
}

const maxRecords = 20_000

/** The whole configuration of the caller's tenant. */
export async function readConfiguration(ctx: Context, { kinds, outside }: Catalogue): Promise<StoredConfiguration> {
  const called = new Map<Id, string>([[ctx.caller.tenantId, token('Tenant', 'self')]])
  const plain = new Map<Id, string>([[ctx.caller.tenantId, '']])
  const stored = new Map<Configurable, Map<string, Record<string, unknown>>>()
  let count = 0
  for (const each of kinds) {
    const all = (await recordsOf(ctx, each.entity)).filter(record => each.only?.(record) ?? true)
    count += all.length
    if (count > maxRecords)
      throw new RuleBroken('too-many-records', `a configuration has at most ${maxRecords} records`)
    const byKey = new Map<string, Record<string, unknown>>()
    for (const record of all) {
      const key = freeKey(
        naturalKey(each, record, id => plain.get(id)),
        byKey,
      )
      byKey.set(key, record)
      called.set(String(record.id), token(each.entity, key))
      plain.set(String(record.id), key)
    }
    stored.set(each, byKey)
  }
  const unknown = new Set([...stored.values()].flatMap(each => idsIn([...each.values()])).filter(id => !called.has(id)))
  for (const { entity, key } of outside)
    for (const record of await namesOf(ctx, entity, key, [...unknown])) called.set(record.id, token(entity, record.key))
  const nameOf = (id: Id) => called.get(id)
  const records = new Map(
    [...stored].map(([each, byKey]) => {
      const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
      return [
        each.entity,
        new Map(sorted.map(([key, record]) => [key, { id: String(record.id), entry: entryOf(each, record, nameOf) }])),
      ]
    }),
  )
  return { records, nameOf }
}

/** All records of a kind, oldest first, so that two records with the same name keep their numbered keys. */
async function recordsOf(ctx: Context, entity: string): Promise<Record<string, unknown>[]> {
  const { table, visible, jsonFor } = kind(entity)
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${await jsonFor(ctx, t)} as json from ${name(table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${visible(ctx.caller, t)} order by t.created, t.id limit ${maxRecords + 1}`
  return rows.map(row => JSON.parse(row.json))
}

async function namesOf(
  ctx: Context,
  entity: string,
  key: string,
  ids: readonly Id[],
): Promise<{ id: Id; key: string }[]> {
  const { table, byProperty } = kind(entity)
  const column = name(byProperty.get(key)?.column ?? key)
  return await ctx.sql<{ id: Id; key: string }>`select t.id, t.${column} as key from ${name(table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and t.${column} <> '' and not t.deleted`
}

/** The ids of records of an external kind by their keys. */
export async function findExternal(
  ctx: Context,
  { entity, key }: ExternalKind,
  keys: readonly string[],
): Promise<Map<string, Id>> {
  const { table, byProperty } = kind(entity)
  const column = name(byProperty.get(key)?.column ?? key)
  const rows = await ctx.sql<{ id: Id; key: string }>`select t.id, t.${column} as key from ${name(table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.${column} = any(${keys}::text[]) and not t.deleted order by t.created desc, t.id desc`
  return new Map(rows.map(row => [row.key, row.id]))
}

/** The natural key, such as `DESK / Europe / Germany`: the key properties, with the keys of other records instead of their ids. */
function naturalKey(
  { key }: Configurable,
  record: Record<string, unknown>,
  plainOf: (id: Id) => string | undefined,
): string {
  const parts = key.map(property => {
    const value = String(record[property] ?? '')
    return plainOf(value.toLowerCase()) ?? value
  })
  return parts.filter(Boolean).join(' / ') || String(record.name ?? '')
}

function freeKey(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  for (let n = 1; ; n++) {
    const key = n === 1 ? wanted : `${wanted} (${n})`
    if (!taken.has(key)) return key
  }
}

function entryOf(
  { entity, omit = [] }: Configurable,
  record: Record<string, unknown>,
  nameOf: (id: Id) => string | undefined,
): DocumentEntry {
  const { columns, serverSet } = kind(entity)
  const left = columns.filter(({ property }) => !serverSet.includes(property) && !omit.includes(property))
  return Object.fromEntries(
    left.map(({ property, schema }) => [property, withTokens(record[property], schema, nameOf)]),
  )
}

/** The document of a configuration. Equal configurations give identical text, in every tenant. */
export function documentOf({ records }: StoredConfiguration): ConfigurationDocument {
  const kinds: Kinds = {}
  for (const [entity, byKey] of records)
    kinds[entity] = Object.fromEntries([...byKey].map(([key, { entry }]) => [key, entry]))
  return { format, version: 1, kinds }
}

/** The operations of a kind. Applying uses the public ones, so that their checks and permissions hold. */
export function operationsOf(
  { routes }: Catalogue,
  { at }: Configurable,
): { create: Operation; update: Operation; remove: Operation } {
  const find = (route: string) => {
    const found = routes[route]
    if (!found) throw new Error(`there is no ${route}`)
    return found
  }
  return { create: find(`POST ${at}`), update: find(`PUT ${at}/:id`), remove: find(`DELETE ${at}/:id`) }
}
