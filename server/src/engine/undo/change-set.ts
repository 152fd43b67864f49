import { contributors, everyone, managers, may, narrowedTo, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { eventJson } from '../../records/history/event-json.ts'
import { changeSetEntity, visibleEvents } from '../event-visibility.ts'
import type { ChangeSetEvent } from './reversal.ts'

/** Permits reading and undoing the change sets of other people. */
export const readChange = permission('change.read', everyone)
export const othersChanges = narrowedTo(managers, readChange)
export const undoChange = permission('change.undo', contributors)
/** The number of records of a change set that can be undone by one request. */
export const maxRecords = 5000
/** The number of its events that are read for one request. */
export const maxEvents = maxRecords * 4
/** The number of events of a change set that can be undone in the background; others wait in the log meanwhile. */
const maxRunEvents = 100_000

interface ChangeSet {
  id: Id
  at: string
  actor: { id: Id; kind: string }
  events: (ChangeSetEvent & { seq: string })[]
  /** The events whose records the caller may see. */
  shown: (ChangeSetEvent & { seq: string })[]
}

type LoggedEvent = { seq: string; at: string; type: string; actor: ChangeSet['actor'] } & Omit<ChangeSetEvent, 'kind'>

/** Returns a change set to the person who made it, or to a manager who sees some of its records. */
export async function changeSetOf(ctx: Context, id: Id): Promise<ChangeSet> {
  const { tenantId } = ctx.caller
  const kinds = isId(id)
    ? await ctx.sql<{
        entity: string
      }>`select distinct entity from event where tenant_id = ${tenantId} and change_set_id = ${id}`
    : []
  if (kinds.length === 0) throw new NotFound('change')
  const visible = visibleEvents(
    ctx.caller,
    raw('e'),
    kinds.map(each => each.entity),
  )
  const rows = await ctx.sql<{
    event: LoggedEvent
    shown: boolean
  }>`select ${eventJson()} as event, ${visible} as shown from event e
    where e.tenant_id = ${tenantId} and e.change_set_id = ${id} order by e.xact, e.id limit ${maxEvents}`
  const first = rows[0]?.event
  const events = rows.map(({ event }) => ({ ...event, kind: event.type }))
  const shown = events.filter((_, i) => rows[i]?.shown)
  const isReader = may(ctx.caller, othersChanges) && seesRecord(shown)
  if (!first || (first.actor.id !== ctx.caller.userId && !isReader)) throw new NotFound('change')
  return { id, at: first.at, actor: first.actor, events, shown }
}

/** All events of a change set, for an undo in the background. */
export async function eventsOf(ctx: Context, id: Id): Promise<ChangeSetEvent[]> {
  const rows = await ctx.sql<{ event: LoggedEvent }>`select ${eventJson()} as event from event e
    where e.tenant_id = ${ctx.caller.tenantId} and e.change_set_id = ${id} order by e.xact, e.id limit ${maxRunEvents + 1}`
  if (rows.length > maxRunEvents)
    throw new RuleBroken('too-many-records', `at most ${maxRunEvents} changes of records can be undone`)
  return rows.map(({ event: { type, entity, recordId, changes } }) => ({ kind: type, entity, recordId, changes }))
}

export function seesRecord(shown: readonly ChangeSetEvent[]): boolean {
  return shown.some(({ entity }) => entity !== changeSetEntity)
}

/** Returns the change set that undid this one last, unless that was undone itself. */
export async function undoneBy(ctx: Context, id: Id): Promise<Id | null> {
  return (await undoneByEach(ctx, [id])).get(id) ?? null
}

/** The same for many change sets. When an undo was undone, the original change is in effect again. */
export async function undoneByEach(ctx: Context, ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.sql<{
    id: Id
    by: Id
  }>`select distinct on (record_id) record_id as id, change_set_id as by from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = any(${ids}::uuid[]) and kind = ${undone} order by record_id, xact desc, id desc`
  const undoneAgain = await undoneByEach(
    ctx,
    rows.map(row => row.by),
  )
  return new Map(rows.filter(row => !undoneAgain.has(row.by)).map(row => [row.id, row.by]))
}

/** The kind of the event that an undo writes about the change set that it undid. */
export const undone = 'change.undone'
