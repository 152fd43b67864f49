import { shownTo } from '../../containers/redaction/redaction.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import { may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { compile } from '../../language/conditions/conditions.ts'
import { wholeChanges } from '../../records/history/whole-changes.ts'
import { readRecords } from '../../records/page/read-records.ts'
import type { WebhookMessage } from '../envelope.ts'
import { namesOf } from '../event-names.ts'
import { derivedId, webhookIdOf } from '../signature.ts'
import { triggerEvents } from '../trigger-event.ts'
import { type Hook, hooks } from './hook.ts'
import type { HookTarget } from './hook-target.ts'

/** A call to a hook that is due. */
export interface DueCall {
  readonly target: HookTarget
  /** The place of its event in the log. */
  readonly xact: string
  readonly eventId: Id
  /** A test call has no event in the log. */
  readonly test: boolean
}

/** The row of an event in the log, with the name of its actor. */
interface EventRow {
  at: Date
  kind: string
  entity: string
  recordId: Id
  actorId: Id
  actorKind: string
  actorName: string | null
  changeSetId: Id
  changes: Changes
  xact: string
}

/**
 * Builds the messages of calls of a tenant, each as the owner of its hook sees the record now. There is none where the owner does not
 * see it or the conditions of the hook do not hold. Records are read by one statement for each owner and kind.
 */
export async function hookMessages(ctx: Context, due: readonly DueCall[]): Promise<Map<DueCall, WebhookMessage>> {
  const logged = await loggedEvents(ctx, due)
  const messages = new Map<DueCall, WebhookMessage>()
  for (const own of Map.groupBy(due, ownerOf).values()) {
    const [first] = own
    if (!first) continue
    const seen = ctx.derive({ caller: first.target.owner })
    const calls = own.flatMap(call => {
      const event = call.test ? testEvent(seen, call.target.hook) : logged.get(placeOf(call))
      return event ? [{ call, event }] : []
    })
    const records = await visibleRecords(seen, calls)
    for (const { call, event } of calls) {
      const record = records.get(call)
      if (record) messages.set(call, await messageOf(seen, call, event, record))
    }
  }
  return messages
}

/** Hooks with the same key see the same records. */
const ownerOf = ({ target: { hook } }: DueCall) => [hook.ownerUser, ...hook.scopes].join(' ')
const placeOf = ({ xact, eventId }: { xact: string; eventId: Id }) => `${xact} ${eventId}`

async function loggedEvents(ctx: Context, due: readonly DueCall[]): Promise<Map<string, EventRow>> {
  const logged = due.filter(({ test }) => !test)
  if (logged.length === 0) return new Map()
  const places = JSON.stringify(logged.map(({ xact, eventId }) => ({ xact, id: eventId })))
  // PostgreSQL expects the same number of rows for any JSON, so one plan is kept; it would plan for each number of elements of an array.
  const rows = await ctx.sql<EventRow & { eventId: Id }>`
    select e.*, (select u.name from "user" u where u.tenant_id = ${ownTenant} and u.id = e."actorId") as "actorName"
    from jsonb_to_recordset(${places}::jsonb) as k(xact xid8, id uuid) cross join lateral (
      select e.id as "eventId", e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId", e.actor_kind as "actorKind",
        e.change_set_id as "changeSetId", ${wholeChanges} as changes, e.xact::text as xact
      from event e where e.tenant_id = ${ctx.caller.tenantId} and e.xact = k.xact and e.id = k.id limit 1) e`
  return new Map(rows.map(row => [placeOf(row), row]))
}

async function messageOf(
  ctx: Context,
  { target: { hook }, eventId }: DueCall,
  event: EventRow,
  record: Record<string, unknown>,
): Promise<WebhookMessage> {
  const { at, entity, recordId: id, changeSetId } = event
  const shown = await shownTo(ctx, { entity, recordId: id, changes: event.changes, record })
  const kind = kindNamed(entity)
  return {
    webhookId: webhookIdOf(derivedId(eventId, hook.id)),
    type: messageType(hook, event),
    at,
    seq: event.xact === '' ? '' : `${event.xact}-${eventId}`,
    tenantId: ctx.caller.tenantId,
    changeSetId,
    actor: { id: event.actorId, kind: event.actorKind, name: event.actorName ?? '' },
    entity,
    id,
    href: `${ctx.services.baseUrl}/api/${(kind?.area ?? entity).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}/${id}`,
    record: shown.record,
    changes: valuesOf(shown.changes, 'to'),
    ...(hook.includePrevious ? { previous: valuesOf(shown.changes, 'from') } : {}),
  }
}

/** The event of a test call: it is about the hook itself. */
function testEvent(ctx: Context, hook: Hook): EventRow {
  return {
    at: ctx.now,
    kind: 'hook.tested',
    entity: hooks.entity,
    recordId: hook.id,
    actorId: ctx.caller.userId,
    actorKind: ctx.caller.kind,
    actorName: ctx.caller.name,
    changeSetId: hook.id,
    changes: {},
    xact: '',
  }
}

/** Returns the record of each call whose owner, the caller, may read it, if it meets the conditions of the hook. */
async function visibleRecords(
  ctx: Context,
  calls: readonly { call: DueCall; event: EventRow }[],
): Promise<Map<DueCall, Record<string, unknown>>> {
  const found = new Map<DueCall, Record<string, unknown>>()
  for (const [entity, own] of Map.groupBy(calls, ({ event }) => event.entity)) {
    const kind = kindNamed(entity)
    if (!kind || !(kind.placed ? maySomewhere : may)(ctx.caller, kind.permissions.read)) continue
    const records = await readRecords(ctx, kind, [...new Set(own.map(({ event }) => event.recordId))])
    for (const [hook, ofHook] of Map.groupBy(own, ({ call }) => call.target.hook)) {
      const ids = ofHook.map(({ event }) => event.recordId).filter(id => records.has(id))
      const wanted = entity === items.entity ? await meetingConditions(ctx, ids, hook) : new Set(ids)
      for (const { call, event } of ofHook) {
        const record = records.get(event.recordId)
        if (record && wanted.has(event.recordId)) found.set(call, record)
      }
    }
  }
  return found
}

/** Conditions apply to items only: a record of another kind meets them all. */
async function meetingConditions(ctx: Context, itemIds: readonly Id[], { conditionGroup }: Hook): Promise<Set<Id>> {
  if (conditionGroup.length === 0 || itemIds.length === 0) return new Set(itemIds)
  const { caller, now } = ctx
  const condition = compile(conditionGroup, await itemVocabulary(ctx), {
    userId: caller.userId,
    now,
    timezone: caller.timezone,
  })
  const rows = await ctx.sql<{
    id: Id
  }>`select t.id from item t where t.tenant_id = ${caller.tenantId} and t.id = any(${itemIds}::uuid[])
    and ${visibleItems(caller, raw('t'))} and ${condition}`
  return new Set(rows.map(row => row.id))
}

/** The kind of the event, unless the hook selects only a more specific name of it. */
function messageType({ events }: Hook, event: EventRow): string {
  const names = namesOf(event)
  const wanted = new Set(triggerEvents.meanings.filter(({ code }) => events.includes(code)).map(({ name }) => name))
  if (events.length === 0 || events.includes(0) || wanted.has(event.kind)) return event.kind
  return names.findLast(name => wanted.has(name)) ?? event.kind
}

function valuesOf(changes: Changes, which: 'from' | 'to'): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([key, change]) => (which in change ? [[key, change[which]]] : [])),
  )
}
