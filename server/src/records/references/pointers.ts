import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kernel/context.ts'
import { appendEvents, type Changes, type NewEvent } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { allKinds } from '../../kernel/kinds.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import { sqlState } from '../../kernel/postgres/sql-state.ts'
import type { Column } from '../../kernel/record/columns.ts'
import { stored } from '../../kernel/record/columns.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { join, name, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { changeableKinds } from '../changeable-kinds.ts'
import { ownerKinds } from './owner.ts'

// Finds and replaces the references to a record that is about to be removed or merged. Every kind declares its references, so
// that the room of the referenced record need not know the kinds that refer to it.

/** A record that refers to another, and the property that does; its name only if the caller may see it. */
export interface Pointer {
  entity: string
  id: Id
  property: string
  name?: string
}

const t = raw('t')

/** Where references are searched: in declared references only, or wherever an id can be, in conditions and owners too. */
type Reach = 'declared' | 'anywhere'

/** Lists the records that refer to this one, up to `max`. */
export async function pointersTo(
  ctx: Context,
  entity: string,
  id: Id,
  { reach = 'declared', max = 100 }: { reach?: Reach; max?: number } = {},
): Promise<Pointer[]> {
  const found: Pointer[] = []
  for (const { kind, columns } of kindsPointingAt(entity, reach)) {
    if (found.length >= max) break
    const visibleName = kind.byProperty.has('name')
      ? sql`case when ${kind.visible(ctx.caller, t)} then t.name end`
      : raw('null::text')
    const properties = columns.map(column => sql`case when ${holds(column, id)} then ${column.property}::text end`)
    const rows = await ctx.sql<{
      id: Id
      name: string | null
      properties: string[]
    }>`select t.id, ${visibleName} as name, array_remove(array[${join(properties)}], null) as properties from ${name(kind.table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and t.id <> ${id} and not t.deleted and (${or(columns.map(column => holds(column, id)))})
      order by t.id limit ${max - found.length}`
    for (const row of rows)
      for (const property of row.properties)
        found.push({ entity: kind.entity, id: row.id, property, ...(row.name === null ? {} : { name: row.name }) })
  }
  return found
}

/**
 * Returns the kinds of the records that refer to each of these, by a declared reference or as their owner. Records (`t`)
 * that belong together with them do not count.
 */
export async function usersOf(
  ctx: Context,
  entity: string,
  ids: readonly Id[],
  belongs: (kind: string) => Sql,
): Promise<Map<Id, string[]>> {
  const users = new Map<Id, string[]>()
  const owners: readonly string[] = ownerKinds
  const code = owners.indexOf(entity)
  for (const kind of allKinds()) {
    const owner = code < 0 || !kind.byProperty.has('owner') ? undefined : kind.byProperty.get('ownerId')
    const refers = kind.columns
      .filter(column => pointsAt(column.schema, entity))
      .map(column => holds(column, raw('x.id')))
    if (owner) refers.push(sql`t.owner = ${code} and ${holds(owner, raw('x.id'))}`)
    // One statement for each column, so that each can use its index.
    for (const refer of refers) {
      const rows = await ctx.sql<{ id: Id }>`select x.id from unnest(${ids}::uuid[]) x(id)
        where exists (select 1 from ${name(kind.table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id <> x.id and not t.deleted and ${refer}
          and not ${belongs(kind.entity)})`
      for (const { id } of rows) users.set(id, [...new Set([...(users.get(id) ?? []), kind.entity])])
    }
  }
  return users
}

/** Whether the change set itself wrote a record (`t`). */
export function writtenBy({ caller }: Context, changeSetId: Id): () => Sql {
  return () =>
    sql`exists (select 1 from event e where e.tenant_id = ${caller.tenantId} and e.record_id = t.id and e.change_set_id = ${changeSetId})`
}

/** Replaces all references to one record by references to another of its kind; each changed record has its event. */
export async function repoint(
  ctx: Context,
  entity: string,
  from: Id,
  to: Id,
  { reach = 'declared' }: { reach?: Reach } = {},
): Promise<void> {
  const { tenantId, userId } = ctx.caller
  for (const { kind, columns } of kindsPointingAt(entity, reach)) {
    const rows = await ctx.sql<{
      id: Id
      values: unknown[]
    }>`select t.id, jsonb_build_array(${join(columns.map(each => sql`t.${name(each.column)}`))}) as values from ${name(kind.table)} t
      where t.tenant_id = ${tenantId} and t.id <> ${from} and not t.deleted and (${or(columns.map(column => holds(column, from)))}) order by t.id for update`
    const happened: NewEvent[] = []
    for (const { id, values } of rows) {
      const changes: Changes = {}
      const sets: Sql[] = []
      for (const [i, column] of columns.entries()) {
        const changed = replaced(values[i], from, to)
        if (isDeepStrictEqual(changed, values[i])) continue
        changes[column.property] = { from: values[i], to: changed }
        sets.push(sql`${name(column.column)} = ${stored(column, changed)}`)
      }
      const write = (what: readonly Sql[]) =>
        ctx.sql`update ${name(kind.table)} set ${join([...what, sql`updated = ${ctx.now}`])}, updated_by = ${userId}, version = version + 1
          where tenant_id = ${tenantId} and id = ${id}`
      const event = { entity: kind.entity, recordId: id }
      if (await unlessTaken(ctx, () => write(sets))) happened.push({ ...event, kind: `${kind.area}.updated`, changes })
      else {
        // An equal record of the other one exists already, so this one is deleted.
        await write([sql`deleted = true`])
        happened.push({ ...event, kind: `${kind.area}.deleted`, changes: { deleted: { from: false, to: true } } })
      }
    }
    await appendEvents(ctx, happened)
  }
  forgetAfterCommit(ctx)
}

/** Returns false if a unique index forbids the write. */
export async function unlessTaken(ctx: Context, write: () => Promise<unknown>): Promise<boolean> {
  await ctx.sql`savepoint repointed`
  try {
    await write()
    await ctx.sql`release savepoint repointed`
    return true
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    await ctx.sql`rollback to savepoint repointed`
    return false
  }
}

function kindsPointingAt(entity: string, reach: Reach): { kind: Kind; columns: Column[] }[] {
  return changeableKinds().flatMap(kind => {
    const columns = kind.columns.filter(
      column => pointsAt(column.schema, entity) || (reach === 'anywhere' && mayHoldAny(column)),
    )
    return columns.length > 0 ? [{ kind, columns }] : []
  })
}

function pointsAt(schema: Schema, entity: string): boolean {
  if (schema['x-ref'] === entity || schema['x-mentions'] === entity) return true
  if (schema.items && pointsAt(schema.items, entity)) return true
  return Object.values(schema.properties ?? {}).some(each => pointsAt(each, entity))
}

/** An id can be in JSON, and in texts that are long enough for one and not prose. */
function mayHoldAny({ type, schema }: Column): boolean {
  if (type === 'jsonb') return true
  const longest = Number((type === 'text[]' ? schema.items : schema)?.maxLength ?? 0)
  return (type === 'text' || type === 'text[]') && longest >= 36 && longest <= 500
}

function holds({ column, type }: Column, id: Id | Sql): Sql {
  const place = sql`t.${name(column)}`
  if (type === 'uuid' || type === 'text') return sql`${place} = ${id}::${raw(type)}`
  if (type.endsWith('[]')) return sql`${place} @> array[${id}::${raw(type.slice(0, -2))}]`
  // An id equals no other text, so its place in the value need not be known.
  return sql`position(${id}::text in ${place}::text) > 0`
}

/** An id may also be inside of a text, such as a list in a condition. */
function replaced(value: unknown, from: Id, to: Id): unknown {
  if (typeof value === 'string') return value.replaceAll(from, to)
  if (Array.isArray(value)) {
    const entries = value.map(each => replaced(each, from, to))
    return value.includes(from) ? [...new Set(entries)] : entries
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([property, content]) => [property, replaced(content, from, to)]))
}
