import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Changes } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'

/** Where a chain of rules began, and how long it is by now. */
export interface Cause {
  ruleId: Id
  root: string
  record: Id
  depth: number
}

/** What a rule is asked about: something that happened, a moment that came, or somebody's request. */
export interface Occurrence {
  /** The event, if there is one. */
  eventId: Id | null
  kind: string
  entity: string
  recordId: Id | null
  /** The item that it is about, if there is one. */
  itemId: Id | null
  actorId: Id
  actorKind: string
  at: Date
  changes: Changes
  /** What it came from by itself: a chain that is going on. */
  cause: Cause | null
  /** The chain that begins here, if it is none. */
  root: string
  /** What came in: a mail, or the body of a call. */
  more: { mail?: Record<string, unknown>; call?: unknown }
}

/** An event of the log, once its item is known. */
export function occurrenceOf(event: LoggedEvent, itemId: Id | null, cause: Cause | null = null): Occurrence {
  const { id, kind, entity, recordId, actorId, actorKind, at, changes, changeSetId } = event
  return {
    ...{ eventId: id, kind, entity, recordId, itemId, actorId, actorKind, at, changes, cause, root: changeSetId },
    more: {},
  }
}

/** Its events, whole, with what they came from. */
export async function readEvents(
  ctx: Context,
  places: readonly { xact: string; id: Id }[],
): Promise<(LoggedEvent & { cause: Cause | null })[]> {
  return await ctx.sql`
    select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
      e.actor_kind as "actorKind", e.change_set_id as "changeSetId", e.changes, e.cause
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(xact text, id uuid)
    join event e on e.tenant_id = ${ctx.caller.tenantId} and e.xact = p.xact::xid8 and e.id = p.id order by e.xact, e.id`
}

type About = Pick<LoggedEvent, 'id' | 'entity' | 'recordId' | 'changes'>

/** The item that each event is about: itself, what it names, or what its record belongs to. */
export async function itemsOf(ctx: Context, events: readonly About[]): Promise<Map<Id, Id>> {
  const found = new Map<Id, Id>()
  const unknown: About[] = []
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

/** What a mail that came in says of itself, for conditions and texts. */
export async function mailOf(ctx: Context, { entity, recordId }: Occurrence): Promise<Occurrence['more']> {
  if (entity !== 'MailMessage' || recordId === null) return {}
  const [row] = await ctx.sql<{ mail: Record<string, unknown> }>`
    select jsonb_build_object('from', m.sender, 'subject', m.subject) as mail from mail_message m
    where m.tenant_id = ${ctx.caller.tenantId} and m.id = ${recordId}`
  return row ? { mail: row.mail } : {}
}
