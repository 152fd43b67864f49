import type { Context } from './context.ts'
import { type Id, newId } from './id.ts'
import { type Sql, sql } from './sql.ts'

/** The old and the new value of each changed property; a new record has no old values. */
export type Changes = Record<string, { from?: unknown; to?: unknown }>

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
    insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
    select ${ctx.caller.tenantId}::uuid, e.id, ${ctx.now}, e.kind, e.entity, e.record_id, ${ctx.caller.userId}::uuid, ${ctx.caller.kind}, ${ctx.changeSet}::uuid, e.changes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, kind text, entity text, record_id uuid, changes jsonb) returning 1`
}

/** The event as a part of the statement that makes the change: it is written if and only if `changed` returns a row. */
export function appendWith(ctx: Context, changed: Sql, { kind, entity, recordId, changes }: NewEvent): Sql {
  return sql`insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
    select ${ctx.caller.tenantId}::uuid, ${newId()}::uuid, ${ctx.now}::timestamptz, ${kind}, ${entity}, ${recordId}::uuid, ${ctx.caller.userId}::uuid, ${ctx.caller.kind}, ${ctx.changeSet}::uuid, ${JSON.stringify(changes)}::jsonb
    from ${changed} returning 1`
}
