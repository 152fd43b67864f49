import type { Column } from './columns.ts'
import { stored } from './columns.ts'
import type { Context } from './database.ts'
import { append, type Happening } from './events.ts'
import type { Id } from './id.ts'
import { allKinds } from './kinds.ts'
import { forgetLater } from './memory.ts'
import type { Resource } from './resource.ts'
import type { Schema } from './shape.ts'
import { name, raw, type Sql, sql } from './sql.ts'

// Which records point at one that is about to go. Every kind declares what it points at, so that the one that goes need
// not know who they are.

/** A record that points at another, and by which property; its name only if the caller may see it. */
export interface Pointer {
  entity: string
  id: Id
  property: string
  name?: string
}

const t = raw('t')

/** Who points at this record, as many as are worth listing. */
export async function pointersTo(ctx: Context, entity: string, id: Id, most = 100): Promise<Pointer[]> {
  const found: Pointer[] = []
  for (const { kind, column } of columnsPointingAt(entity)) {
    if (found.length >= most) break
    const called = kind.byProperty.has('name')
      ? sql`case when ${kind.visible(ctx.caller, t)} then t.name end`
      : raw('null::text')
    const rows = await ctx.sql<{
      id: Id
      name: string | null
    }>`select t.id, ${called} as name from ${name(kind.table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${holds(column, id)} order by t.id limit ${most - found.length}`
    for (const row of rows)
      found.push({
        entity: kind.entity,
        id: row.id,
        property: column.property,
        ...(row.name === null ? {} : { name: row.name }),
      })
  }
  return found
}

/** Lets everything that points at one record point at another of its kind, leaving an event each. */
export async function repoint(ctx: Context, entity: string, from: Id, to: Id): Promise<void> {
  for (const { kind, column } of columnsPointingAt(entity)) {
    const rows = await ctx.sql<{
      id: Id
      value: unknown
    }>`select t.id, to_jsonb(t.${name(column.column)}) as value from ${name(kind.table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${holds(column, from)} order by t.id for update`
    const happened: Happening[] = []
    for (const { id, value } of rows) {
      const changed = replaced(value, from, to)
      await ctx.sql`update ${name(kind.table)} set ${name(column.column)} = ${stored(column, changed)}, updated = ${ctx.now}, updated_by = ${ctx.caller.userId}, version = version + 1
        where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
      happened.push({
        kind: `${kind.area}.updated`,
        entity: kind.entity,
        recordId: id,
        changes: { [column.property]: { from: value, to: changed } },
      })
    }
    await append(ctx, happened)
  }
  forgetLater(ctx)
}

function columnsPointingAt(entity: string): { kind: Resource; column: Column }[] {
  return allKinds().flatMap(kind =>
    kind.columns.filter(column => pointsAt(column.schema, entity)).map(column => ({ kind, column })),
  )
}

function pointsAt(schema: Schema, entity: string): boolean {
  if (schema['x-ref'] === entity || schema['x-mentions'] === entity) return true
  if (schema.items && pointsAt(schema.items, entity)) return true
  return Object.values(schema.properties ?? {}).some(each => pointsAt(each, entity))
}

function holds({ column, type }: Column, id: Id): Sql {
  const place = sql`t.${name(column)}`
  if (type === 'uuid') return sql`${place} = ${id}`
  if (type.endsWith('[]')) return sql`${place} @> ${[id]}::${raw(type)}`
  // An id is like no other text, so it need not be known where in the value it stands.
  return sql`position(${id} in ${place}::text) > 0`
}

function replaced(value: unknown, from: Id, to: Id): unknown {
  if (value === from) return to
  if (Array.isArray(value)) {
    const entries = value.map(each => replaced(each, from, to))
    return value.includes(from) ? [...new Set(entries)] : entries
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([property, content]) => [property, replaced(content, from, to)]))
}
