import { isDeepStrictEqual } from 'node:util'
import type { TProperties } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import { newId } from '../../kernel/id.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import type { Resource } from '../../kernel/resource.ts'
import { join, name, raw, type Sql, sql } from '../../kernel/sql.ts'

// Records that follow from others (what a container shows, what a filter lists) change many at a time, as a consequence of
// another change. One statement locks them and one writes them, however many there are, and each has its event.

const t = raw('t')

/** Locks and returns the matching records of a kind, in the order of their ids, so that two transactions cannot deadlock. */
export async function lockRecords<P extends TProperties>(
  ctx: Context,
  kind: Resource<P>,
  where: Sql,
): Promise<Stored<P>[]> {
  const rows = await ctx.sql<{ json: string }>`select ${kind.json(t)} as json from ${name(kind.table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} order by t.id for update of t`
  return rows.map(row => JSON.parse(row.json))
}

/** A record before the change, and its new values. */
type Rewritten<P extends TProperties> = readonly [before: Stored<P>, values: Partial<Values<P>>]

/** Writes the records that change, and returns their number. */
export async function updateRecords<P extends TProperties>(
  ctx: Context,
  kind: Resource<P>,
  all: readonly Rewritten<P>[],
): Promise<number> {
  const changed = all.flatMap(([before, values]) => {
    const changes: Changes = {}
    for (const [property, to] of Object.entries(values)) {
      const from = Reflect.get(before, property)
      if (!isDeepStrictEqual(from, to)) changes[property] = { from, to }
    }
    return Object.keys(changes).length > 0 ? [{ before, values, changes }] : []
  })
  if (changed.length === 0) return 0
  const properties = new Set(changed.flatMap(({ changes }) => Object.keys(changes)))
  const columns = kind.columns.filter(({ property }) => properties.has(property))
  const rows = changed.map(({ before, values, changes }) => ({
    record: before.id,
    event: newId(),
    changes,
    ...Object.fromEntries(
      columns.map(({ property, column, type }) => {
        const value = Reflect.get({ ...before, ...values }, property)
        return [`c_${column}`, type === 'uuid' && value === '' ? null : value]
      }),
    ),
  }))
  const { tenantId, userId, kind: actorKind } = ctx.caller
  await ctx.sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as w(record uuid, event uuid, changes jsonb, ${join(columns.map(({ column, type }) => sql`${name(`c_${column}`)} ${raw(type)}`))})
    ), made as (
      update ${name(kind.table)} r set ${join(columns.map(each => sql`${name(each.column)} = ${each.schema.readOnly ? raw('default') : sql`w.${name(`c_${each.column}`)}`}`))},
        updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
      from wanted w where r.tenant_id = ${tenantId} and r.id = w.record
      returning w.record, w.event, w.changes, r.version
    )
    insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
    select ${tenantId}::uuid, m.event, ${ctx.now}::timestamptz, ${`${kind.area}.updated`}, ${kind.entity}, m.record, ${userId}::uuid, ${actorKind}, ${ctx.changeSet}::uuid, m.changes, m.version
    from made m returning 1`
  forgetAfterCommit(ctx)
  return changed.length
}
