import type { Context } from './context.ts'
import { type Id, newId } from './id.ts'
import { kindNamed } from './kinds.ts'
import type { Changes } from './record/record.ts'
import { join, name, ownTenant, raw, type Sql, sql } from './sql.ts'

export type { Changes } from './record/record.ts'

export interface NewEvent {
  /** `clock.updated`: the same name in the log, in the history and for listeners. */
  kind: string
  entity: string
  recordId: Id
  changes: Changes
}

/** Whether an event is history from another system, of which nobody is notified and on which no rule acts. */
export const isImported = ({ actorKind }: { actorKind: string }): boolean => actorKind === 'import'

/** Writes events by a statement of their own, for changes of several records. */
export async function appendEvents(ctx: Context, happenings: readonly NewEvent[]): Promise<void> {
  if (happenings.length === 0) return
  const rows = happenings.map(({ kind, entity, recordId, changes }) => ({
    id: newId(),
    kind,
    entity,
    record_id: recordId,
    changes,
  }))
  await ctx.sql`
    insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
    select ${ctx.caller.tenantId}::uuid, e.id, ${ctx.now}, e.kind, e.entity, e.record_id, ${ctx.caller.userId}::uuid, ${ctx.caller.kind}, ${ctx.changeSet}::uuid, e.changes, ${storedVersion(happenings)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, kind text, entity text, record_id uuid, changes jsonb) returning 1`
}

/** The version that the record of event `e` has now, which is after the change. */
function storedVersion(happenings: readonly NewEvent[]): Sql {
  const cases = [...new Set(happenings.map(each => each.entity))].flatMap(entity => {
    const table = kindNamed(entity)?.table
    return table
      ? sql`when ${entity} then (select t.version from ${name(table)} t where t.tenant_id = ${ownTenant} and t.id = e.record_id)`
      : []
  })
  return cases.length === 0 ? raw('null::integer') : sql`case e.entity ${join(cases, ' ')} end`
}

/**
 * The event as a part of the statement that makes the change: it is written if and only if `changed` returns a row.
 * `version` is that of the record after the change.
 */
export function appendWith(
  ctx: Context,
  changed: Sql,
  { kind, entity, recordId, changes }: NewEvent,
  version: Sql = raw('null::integer'),
): Sql {
  return sql`insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
    select ${ctx.caller.tenantId}::uuid, ${newId()}::uuid, ${ctx.now}::timestamptz, ${kind}, ${entity}, ${recordId}::uuid, ${ctx.caller.userId}::uuid, ${ctx.caller.kind}, ${ctx.changeSet}::uuid, ${JSON.stringify(changes)}::jsonb, ${version}
    from ${changed} returning 1`
}
