import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { nearest } from '../../kernel/schema/shape.ts'
import { name } from '../../kernel/sql.ts'
import { mask } from '../../platform/secrets.ts'
import {
  type Catalogue,
  type Configurable,
  type ConfigurationDocument,
  type DocumentEntry,
  findExternal,
  operationsOf,
  type StoredConfiguration,
} from './document.ts'
import { type RecordName, recordNamesIn, withIds } from './tokens.ts'

/** The planned change of one record. */
export interface PlanStep {
  kind: string
  key: string
  action: 'add' | 'change' | 'remove'
  /** The id of the existing record; empty for a new one. */
  id: Id | ''
  /** The old and the new value of each property that changes. */
  changes: Record<string, { from?: unknown; to?: unknown }>
  /** The numbers of records that refer to it. */
  affected: { entity: string; count: number }[]
}

interface PlanWarning {
  pointer: string
  code: string
  message: string
}

export interface ConfigurationPlan {
  steps: PlanStep[]
  warnings: PlanWarning[]
  planHash: string
}

/** A plan with the ids that applying it needs. */
export interface ResolvedPlan extends ConfigurationPlan {
  /** The ids of all records that the document names; `pendingId` for those that it adds. */
  known: Map<string, Id>
}

export const nameKey = ({ entity, key }: RecordName) => `${entity} ${key}`

/** Compares a document with the current configuration. All faults of the document are reported at once. */
export async function makePlan(
  ctx: Context,
  catalogue: Catalogue,
  current: StoredConfiguration,
  document: ConfigurationDocument,
): Promise<ResolvedPlan> {
  const warnings: PlanWarning[] = []
  const faults: Fault[] = []
  const known = await knownNames(ctx, catalogue, current, document)
  const steps: PlanStep[] = []
  const listed = new Set(catalogue.kinds.map(each => each.entity))
  for (const entity of Object.keys(document.kinds))
    if (!listed.has(entity)) {
      const near = nearest(entity, listed)
      const message = `is not a kind of configuration${near ? `; did you mean ${near}?` : ''}`
      faults.push(fault(['document', 'kinds', entity], 'unknown', message))
    }
  for (const each of catalogue.kinds) {
    const wanted = document.kinds[each.entity]
    if (!wanted) continue
    const there = current.records.get(each.entity) ?? new Map<string, { id: Id; entry: DocumentEntry }>()
    for (const [key, entry] of Object.entries(wanted)) {
      const path = ['document', 'kinds', each.entity, key]
      const existing = there.get(key)
      const input = existing ? entry : withoutSecrets(entry, path, warnings)
      faults.push(...faultsOf(catalogue, each, input, existing !== undefined, path, known, warnings))
      const changes = changesOf(existing?.entry, input)
      if (!existing) steps.push({ kind: each.entity, key, action: 'add', id: '', changes, affected: [] })
      else if (Object.keys(changes).length > 0)
        steps.push({ kind: each.entity, key, action: 'change', id: existing.id, changes, affected: [] })
    }
    for (const [key, { id }] of there)
      if (!Object.hasOwn(wanted, key))
        steps.push({ kind: each.entity, key, action: 'remove', id, changes: {}, affected: [] })
  }
  if (faults.length > 0) throw new Invalid(faults)
  for (const step of steps) step.affected = await countReferences(ctx, catalogue, step)
  return { steps, warnings, planHash: hashOf(steps), known }
}

function hashOf(steps: readonly PlanStep[]): string {
  return createHash('sha256').update(JSON.stringify(steps)).digest('hex')
}

function changesOf(before: DocumentEntry | undefined, after: DocumentEntry): PlanStep['changes'] {
  const changes: PlanStep['changes'] = {}
  for (const [property, to] of Object.entries(after))
    if (!before) changes[property] = { to }
    else if (!isDeepStrictEqual(before[property], to)) changes[property] = { from: before[property], to }
  return changes
}

/** The ids of all records that the document names; records that it adds have none yet. */
async function knownNames(
  ctx: Context,
  catalogue: Catalogue,
  { records }: StoredConfiguration,
  document: ConfigurationDocument,
): Promise<Map<string, Id>> {
  const known = new Map<string, Id>([[nameKey({ entity: 'Tenant', key: 'self' }), ctx.caller.tenantId]])
  for (const [entity, byKey] of records) for (const [key, { id }] of byKey) known.set(nameKey({ entity, key }), id)
  const named = Map.groupBy(recordNamesIn(document.kinds), each => each.entity)
  for (const each of catalogue.outside) {
    const keys = (named.get(each.entity) ?? []).map(one => one.key)
    for (const [key, id] of await findExternal(ctx, each, keys)) known.set(nameKey({ entity: each.entity, key }), id)
  }
  for (const [entity, byKey] of Object.entries(document.kinds))
    for (const key of Object.keys(byKey)) {
      const id = nameKey({ entity, key })
      if (!known.has(id)) known.set(id, pendingId)
    }
  return known
}

/** The placeholder for the id of a record that the document adds. */
export const pendingId: Id = '00000000-0000-7000-8000-000000000000'

function faultsOf(
  catalogue: Catalogue,
  each: Configurable,
  entry: DocumentEntry,
  exists: boolean,
  path: readonly (string | number)[],
  known: ReadonlyMap<string, Id>,
  warnings: PlanWarning[],
): Fault[] {
  const faults: Fault[] = []
  const outside = new Set(catalogue.outside.map(one => one.entity))
  const values = withIds(
    entry,
    (named, at) => {
      const id = known.get(nameKey(named))
      if (id !== undefined) return id
      const place = fault([...path, ...at], 'unknown-reference', `there is no ${named.entity} ${named.key}`, named.key)
      if (outside.has(named.entity))
        warnings.push({ pointer: place.Pointer, code: 'unknown-reference', message: `${place.Message}; left out` })
      else faults.push(place)
      return ''
    },
    [],
  )
  const { create, update } = operationsOf(catalogue, each)
  try {
    ;(exists ? update : create).body?.read(values)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    for (const { Field, Pointer, ...rest } of error.faults)
      faults.push({ ...rest, Field: [...path, Field].join('.'), Pointer: `${fault(path, '', '').Pointer}${Pointer}` })
  }
  return faults
}

/** Documents contain masks instead of secrets. A new record is created without them, and the plan warns about it. */
function withoutSecrets(entry: DocumentEntry, path: readonly string[], warnings: PlanWarning[]): DocumentEntry {
  const hidden = (value: unknown) => typeof value === 'string' && (value === mask || value.endsWith(`: ${mask}`))
  const clear = (value: unknown, at: readonly (string | number)[]): unknown => {
    if (hidden(value)) {
      const { Pointer } = fault(at, '', '')
      warnings.push({
        pointer: Pointer,
        code: 'secret-missing',
        message: 'secrets are not part of a document; set this value after applying',
      })
      return undefined
    }
    if (Array.isArray(value)) return value.map((each, i) => clear(each, [...at, i])).filter(each => each !== undefined)
    if (value === null || typeof value !== 'object') return value
    const left = Object.entries(value).map(([name, each]) => [name, clear(each, [...at, name])] as const)
    return Object.fromEntries(left.filter(([, each]) => each !== undefined))
  }
  return clear(entry, path) as DocumentEntry
}

async function countReferences(
  ctx: Context,
  { kinds }: Catalogue,
  { kind, action, id }: PlanStep,
): Promise<PlanStep['affected']> {
  const holders = action === 'add' ? [] : (kinds.find(each => each.entity === kind)?.referencedBy ?? [])
  const affected: PlanStep['affected'] = []
  for (const { entity, table, column } of holders) {
    const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from ${name(table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and t.${name(column)} = ${id}`
    if (row && row.count > 0) affected.push({ entity, count: row.count })
  }
  return affected
}
