import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { name, raw } from '../../kernel/sql.ts'
import { idsIn, token, withTokens } from './tokens.ts'

/** A kind that is part of the configuration: what its records are called by, and what of them is taken along. */
export interface Configurable {
  entity: string
  /** The address of its operations. */
  at: string
  /** What a record is called by: these properties, as far as they are not empty; its name, if all are. */
  key: readonly string[]
  /** What is data rather than configuration. */
  omit?: readonly string[]
  only?: (record: Record<string, unknown>) => boolean
  /** Whose records hold on to one of this kind, to be counted before it changes or goes. */
  referencedBy?: readonly { entity: string; table: string; column: string }[]
}

/** A kind that a configuration only points at; its records are called by this property. */
export interface ExternalKind {
  entity: string
  key: string
}

export interface Catalogue {
  kinds: readonly Configurable[]
  outside: readonly ExternalKind[]
  routes: Routes
}

/** What is written about one record: its properties, with names for ids. */
export type DocumentEntry = Record<string, unknown>
export type Kinds = Record<string, Record<string, DocumentEntry>>

export interface ConfigurationDocument {
  format: typeof format
  version: 1
  kinds: Kinds
}

export const format = 'gantry-configuration'

/** The records of a tenant by kind and natural key, as they are stored and as they are written. */
export interface StoredConfiguration {
  records: Map<string, Map<string, { id: Id; entry: DocumentEntry }>>
  /** What an id is called. */
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

/** All of a kind, the oldest first: so that of two with one name it stays told which is which. */
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

/** Those of the outside that are called so here. */
export async function findExternal(
  ctx: Context,
  { entity, key }: ExternalKind,
  keys: readonly string[],
): Promise<Map<string, Id>> {
  const { table, byProperty } = kind(entity)
  const column = name(byProperty.get(key)?.column ?? key)
  const rows = await ctx.sql<{ id: Id; key: string }>`select t.id, t.${column} as key from ${name(table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.${column} = any(${keys}::text[]) and not t.deleted order by t.created desc`
  return new Map(rows.map(row => [row.key, row.id]))
}

/** `DESK / Europe / Germany`: what stands in the properties, with the keys of other records for their ids. */
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

/** The same configuration is the same text, whenever and wherever it is written. */
export function documentOf({ records }: StoredConfiguration): ConfigurationDocument {
  const kinds: Kinds = {}
  for (const [entity, byKey] of records)
    kinds[entity] = Object.fromEntries([...byKey].map(([key, { entry }]) => [key, entry]))
  return { format, version: 1, kinds }
}

/** How records of a kind are made, changed and removed: by the operations that everybody uses. */
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
