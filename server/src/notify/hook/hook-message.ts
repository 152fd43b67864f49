import { shownTo } from '../../containers/redaction/redaction.ts'
import type { Work } from '../../engine/dispatch/dispatch.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import { may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { compile } from '../../language/conditions/conditions.ts'
import type { WebhookMessage } from '../envelope.ts'
import { namesOf } from '../event-names.ts'
import { derivedId, webhookIdOf } from '../signature.ts'
import { triggerEvents } from '../trigger-event.ts'
import { type Hook, hooks } from './hook.ts'

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

/** Builds the message as the owner of the hook sees the record now; undefined if they do not see it or its conditions do not hold. */
export async function hookMessage(ctx: Context, { payload }: Work, hook: Hook): Promise<WebhookMessage | undefined> {
  const eventId = String(payload.eventId)
  const [event] = payload.test
    ? [testEvent(ctx, hook)]
    : await ctx.sql<EventRow>`select e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId", e.actor_kind as "actorKind", u.name as "actorName",
          e.change_set_id as "changeSetId", e.changes, e.xact::text as xact
        from event e left join "user" u on u.tenant_id = ${ownTenant} and u.id = e.actor_id
        where e.tenant_id = ${ctx.caller.tenantId} and e.xact = ${String(payload.xact)}::xid8 and e.id = ${eventId}`
  if (!event) return undefined
  const record = await visibleRecord(ctx, event, hook)
  if (!record) return undefined
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

/** Returns the record if the owner may read it and it meets the conditions of the hook. */
async function visibleRecord(
  ctx: Context,
  { entity, recordId }: EventRow,
  hook: Hook,
): Promise<Record<string, unknown> | undefined> {
  const { caller } = ctx
  const kind = kindNamed(entity)
  if (!kind || !(kind.placed ? maySomewhere : may)(caller, kind.permissions.read)) return undefined
  if (entity === items.entity && hook.conditionGroup.length > 0 && !(await meetsConditions(ctx, recordId, hook)))
    return undefined
  return await kind.find(ctx, recordId, { deleted: true })
}

/** Conditions apply to items only: a record of another kind meets them all. */
async function meetsConditions(ctx: Context, itemId: Id, { conditionGroup }: Hook): Promise<boolean> {
  const { caller, now } = ctx
  const condition = compile(conditionGroup, await itemVocabulary(ctx), {
    userId: caller.userId,
    now,
    timezone: caller.timezone,
  })
  const rows = await ctx.sql`select 1 from item t where t.tenant_id = ${caller.tenantId} and t.id = ${itemId}
    and ${visibleItems(caller, raw('t'))} and ${condition}`
  return rows.length > 0
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
