import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Changes } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { type Sql, sql } from '../../../kernel/sql.ts'
import { wholeChanges } from '../../../records/history/whole-changes.ts'

/** A chain of rules: its first change set (`root`) and record, its last rule, and its length. */
export interface Cause {
  ruleId: Id
  root: string
  record: Id
  depth: number
}

/** The trigger of a rule: an event, a scheduled time, or a request. */
export interface Occurrence {
  /** Null for a trigger that is not an event. */
  eventId: Id | null
  kind: string
  entity: string
  recordId: Id | null
  /** The item on which the rule acts, if any. */
  itemId: Id | null
  actorId: Id
  actorKind: string
  at: Date
  changes: Changes
  /** The chain of rules that caused it, if any. */
  cause: Cause | null
  /** Identifies the chain that starts here if there is no cause. */
  root: string
  /** An incoming mail, or the body of an inbound call. */
  more: { mail?: Record<string, unknown>; call?: unknown }
}

/** Makes an occurrence of a logged event. */
export function occurrenceOf(event: LoggedEvent, itemId: Id | null, cause: Cause | null = null): Occurrence {
  const { id, kind, entity, recordId, actorId, actorKind, at, changes, changeSetId } = event
  return {
    ...{ eventId: id, kind, entity, recordId, itemId, actorId, actorKind, at, changes, cause, root: changeSetId },
    more: {},
  }
}

type EventWithCause = LoggedEvent & { cause: Cause | null }

/** The place of an event in the log. */
export interface LogPlace {
  readonly xact: string
  readonly id: Id
}

/** Reads the events at these places in the log and makes occurrences of them. Those that are gone are left out. */
export async function occurrencesAt(
  ctx: Context,
  places: readonly LogPlace[],
): Promise<{ event: LoggedEvent; occurrence: Occurrence }[]> {
  const events = (await Promise.all(places.map(place => readEvent(ctx, place)))).flat()
  const items = await itemsOf(ctx, events)
  return await Promise.all(
    events.map(async event => {
      const occurrence = occurrenceOf(event, items.get(event.id) ?? null, event.cause)
      return { event, occurrence: { ...occurrence, more: await mailOf(ctx, occurrence) } }
    }),
  )
}

/** Reads the event at a place in the log, with its cause. */
async function readEvent(ctx: Context, { xact, id }: LogPlace): Promise<EventWithCause[]> {
  return await readEvents(ctx, sql`e.xact = ${xact}::xid8 and e.id = ${id}`)
}

/** Reads the events of a change set in their order, with their causes. */
export async function eventsOfChangeSet(ctx: Context, changeSetId: Id): Promise<EventWithCause[]> {
  return await readEvents(ctx, sql`e.change_set_id = ${changeSetId}`)
}

async function readEvents(ctx: Context, which: Sql): Promise<EventWithCause[]> {
  return await ctx.sql`
    select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
      e.actor_kind as "actorKind", e.change_set_id as "changeSetId", ${wholeChanges} as changes, e.cause
    from event e where e.tenant_id = ${ctx.caller.tenantId} and ${which} order by e.xact, e.id`
}

/** Returns the causes of events that rules have made. */
export async function causesOf(ctx: Context, events: readonly LoggedEvent[]): Promise<Map<Id, Cause>> {
  if (events.length === 0) return new Map()
  const rows = await ctx.sql<{ id: Id; cause: Cause }>`select e.id, e.cause
    from unnest(${events.map(each => each.xact)}::text[], ${events.map(each => each.id)}::uuid[]) as k(xact, id)
    cross join lateral (select e.id, e.cause from event e where e.tenant_id = ${ctx.caller.tenantId} and e.xact = k.xact::xid8 and e.id = k.id limit 1) e
    where e.cause is not null`
  return new Map(rows.map(({ id, cause }) => [id, cause]))
}

type EventReference = Pick<LoggedEvent, 'id' | 'entity' | 'recordId' | 'changes'>

/** Returns the item of each event: its record, its `itemId`, or the item to which its record belongs. */
export async function itemsOf(ctx: Context, events: readonly EventReference[]): Promise<Map<Id, Id>> {
  const found = new Map<Id, Id>()
  const unknown: EventReference[] = []
  for (const event of events) {
    const named = event.changes.itemId?.to ?? event.changes.itemId?.from
    if (event.entity === 'Item' || event.entity === 'Ticket') found.set(event.id, event.recordId)
    else if (typeof named === 'string' && named !== '') found.set(event.id, named)
    else if (event.entity === 'Annotation' || event.entity === 'Time') unknown.push(event)
  }
  if (unknown.length === 0) return found
  const ids = unknown.map(each => each.recordId)
  const rows = await ctx.sql<{ id: Id; itemId: Id }>`
    select id, item_id as "itemId" from annotation where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and item_id is not null
    union all select id, item_id from time where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and item_id is not null`
  const itemOf = new Map(rows.map(row => [row.id, row.itemId]))
  for (const { id, recordId } of unknown) {
    const itemId = itemOf.get(recordId)
    if (itemId) found.set(id, itemId)
  }
  return found
}

/** Returns the mail of an occurrence for conditions and templates. */
export async function mailOf(ctx: Context, { entity, recordId }: Occurrence): Promise<Occurrence['more']> {
  if (entity !== 'MailMessage' || recordId === null) return {}
  const [row] = await ctx.sql<{ mail: Record<string, unknown> }>`
    select jsonb_build_object('from', m.sender, 'subject', m.subject) as mail from mail_message m
    where m.tenant_id = ${ctx.caller.tenantId} and m.id = ${recordId}`
  return row ? { mail: row.mail } : {}
}
