import { createHash } from 'node:crypto'
import { Failed, Hopeless, Later, type Task, type Work } from '../../engine/dispatch/dispatch.ts'
import { callerWithin } from '../../identity/authority.ts'
import { withoutHidden } from '../../identity/hidden-fields.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import { type Caller, may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { append, type Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { forgetLater, remembered } from '../../kernel/memory.ts'
import { raw } from '../../kernel/sql.ts'
import { compile } from '../../language/conditions/conditions.ts'
import { type OutboundCall, OutboundFailure } from '../../platform/outbound/outbound.ts'
import { type Attempt, type Beginning, deliveryState, endDelivery, noteAttempt } from '../delivery/delivery-log.ts'
import { envelope, formats, type Told } from '../envelope.ts'
import { namesOf } from '../event-names.ts'
import { derivedId, signed, webhookIdOf } from '../signature.ts'
import { triggerEvents } from '../trigger-event.ts'
import { callingMeans, type Hook, hookState, hooks } from './hook.ts'
import { hookTaskName } from './hook-listener.ts'
import { beginOutage, warnOfEnd } from './hook-outage.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Ten attempts in three days, as Standard Webhooks suggests. */
export const ladder = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** An address that fails for so long is no longer told anything. */
const longestFailing = 5 * 24 * hour

/** From so many failures in a row on, the address is asked now and then only, whatever waits for it. */
const failuresBorne = 5
const longestRest = 5 * minute

/** Tells one hook of one event. */
export const hookTask: Task = {
  name: hookTaskName,
  ladder,
  async run(work) {
    const { hookId, eventId } = work.payload as { hookId: Id; eventId: Id }
    const id = derivedId(eventId, hookId)
    const means = await meansOf(work, hookId)
    if (!means)
      return await work.single(work.service, ctx => endDelivery(ctx, id, deliveryState.cancelled, 'the hook is off'))
    const { hook, owner } = means
    const rest = hook.retryAt ? Date.parse(hook.retryAt) - Date.now() : 0
    if (rest > 0) throw new Later(rest + Math.random() * 5 * second, 'the address is given a rest')
    const told = await work.single(owner, ctx => tell(ctx, work, hook))
    if (!told) return
    const { body, type } = envelope(hook.format, told)
    const call: OutboundCall = {
      tenantId: work.tenantId,
      method: 'POST',
      url: hook.url,
      headers: {
        ...means.headers,
        'content-type': type,
        ...signed({ id: told.webhookId, at: new Date(), body }, means.secrets),
      },
      body,
    }
    const begun: Beginning = {
      id,
      ownerEntity: hooks.entity,
      ownerId: hook.id,
      event: told.seq === '' ? undefined : { xact: String(work.payload.xact), id: eventId },
      type: told.type,
      entity: told.entity,
      recordId: told.id,
      url: hook.url,
      method: 'POST',
      webhookId: told.webhookId,
    }
    const outcome = await attempt(work, call, begun)
    if (outcome.failure || hook.failures > 0 || work.attempt > 1)
      await work.transaction(work.service, ctx => noteHook(ctx, hook, outcome))
    if (outcome.failure) throw outcome.failure
  },
  async gaveUp({ payload, single, service }) {
    const { hookId, eventId } = payload as { hookId: Id; eventId: Id }
    await single(service, ctx => endDelivery(ctx, derivedId(eventId, hookId), deliveryState.failed))
  },
}

interface Means {
  hook: Hook
  owner: Caller
  secrets: string[]
  headers: Record<string, string>
}

/** What a hook needs to be told something, believed for a moment: many calls go out at once. */
async function meansOf({ single, service }: Work, hookId: Id): Promise<Means | undefined> {
  return await single(service, ctx => remembered(ctx, `hook ${hookId}`, () => readMeans(ctx, hookId)))
}

async function readMeans(ctx: Context, hookId: Id): Promise<Means | undefined> {
  const hook = await hooks.find(ctx, hookId)
  if (!hook?.active || hook.disabledAt || hook.url === '') return undefined
  if (!Object.values<number>(formats).includes(hook.format)) return undefined
  const owner = await callerWithin(ctx, hook.ownerUser, 'rule')
  return owner && { hook, owner, ...(await callingMeans(ctx, hook)) }
}

interface Row {
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

/** What the hook is told, as its owner sees it now; nothing if they do not see it, or its conditions do not hold. */
async function tell(ctx: Context, { payload }: Work, hook: Hook): Promise<Told | undefined> {
  const eventId = String(payload.eventId)
  const [event] = payload.test
    ? [trialOf(ctx, hook)]
    : await ctx.sql<Row>`select e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId", e.actor_kind as "actorKind", u.name as "actorName",
          e.change_set_id as "changeSetId", e.changes, e.xact::text as xact
        from event e left join "user" u on u.tenant_id = e.tenant_id and u.id = e.actor_id
        where e.tenant_id = ${ctx.caller.tenantId} and e.xact = ${String(payload.xact)}::xid8 and e.id = ${eventId}`
  if (!event) return undefined
  const record = await seen(ctx, event, hook)
  if (!record) return undefined
  const { at, entity, recordId: id, changeSetId } = event
  const shown = withoutHidden(ctx.caller, { entity, changes: event.changes, record }) as {
    changes: Changes
    record: Told['record']
  }
  const kind = kindNamed(entity)
  return {
    webhookId: webhookIdOf(derivedId(eventId, hook.id)),
    type: typeFor(hook, event),
    at,
    seq: event.xact === '' ? '' : `${event.xact}-${eventId}`,
    tenantId: ctx.caller.tenantId,
    changeSetId,
    actor: { id: event.actorId, kind: event.actorKind, name: event.actorName ?? '' },
    entity,
    id,
    href: `${ctx.services.baseUrl}/api/${(kind?.area ?? entity).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}/${id}`,
    record: shown.record,
    changes: side(shown.changes, 'to'),
    ...(hook.includePrevious ? { previous: side(shown.changes, 'from') } : {}),
  }
}

/** What a trial tells: the hook itself. */
function trialOf(ctx: Context, hook: Hook): Row {
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

/** The record, if the owner may see it and see how it came about, and if it is what the hook asks for. */
async function seen(ctx: Context, { entity, recordId }: Row, hook: Hook): Promise<Record<string, unknown> | undefined> {
  const { caller } = ctx
  const kind = kindNamed(entity)
  if (!kind || !(kind.placed ? maySomewhere : may)(caller, kind.permissions.read)) return undefined
  if (entity === items.entity && hook.conditionGroup.length > 0 && !(await holds(ctx, recordId, hook))) return undefined
  return await kind.find(ctx, recordId, { deleted: true })
}

/** Conditions ask for items; what is not about an item has none to meet. */
async function holds(ctx: Context, itemId: Id, { conditionGroup }: Hook): Promise<boolean> {
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

/** An event goes by its own name, unless the hook asked for a more telling one only. */
function typeFor({ events }: Hook, event: Row): string {
  const names = namesOf(event)
  const wanted = new Set(triggerEvents.meanings.filter(({ code }) => events.includes(code)).map(({ name }) => name))
  if (events.length === 0 || events.includes(0) || wanted.has(event.kind)) return event.kind
  return names.findLast(name => wanted.has(name)) ?? event.kind
}

function side(changes: Changes, which: 'from' | 'to'): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([key, change]) => (which in change ? [[key, change[which]]] : [])),
  )
}

export interface Outcome {
  status: number | undefined
  /** What the task throws, if it did not work. */
  failure?: Error
}

/** One call, and its line in the log. */
export async function attempt(work: Work, call: OutboundCall, begun: Beginning): Promise<Outcome> {
  const { outcome, ms, error } = await tryCall(work, call)
  const again = outcome.failure instanceof Failed && work.attempt <= ladder.length
  const least = outcome.failure instanceof Failed ? outcome.failure.least : 0
  const wait = Math.max(least, ladder[work.attempt - 1] ?? 0)
  const body = typeof call.body === 'string' ? call.body : ''
  const noted: Attempt = {
    status: outcome.status,
    ms,
    error,
    state: !outcome.failure ? deliveryState.delivered : again ? deliveryState.waiting : deliveryState.failed,
    nextAt: again ? new Date(Date.now() + wait) : undefined,
    digest: createHash('sha256').update(body).digest('hex'),
    size: Buffer.byteLength(body),
  }
  await work.single(work.service, ctx => noteAttempt(ctx, begun, noted))
  return outcome
}

async function tryCall(
  { outbound, signal }: Work,
  call: OutboundCall,
): Promise<{ outcome: Outcome; ms: number | undefined; error: string }> {
  try {
    const { status, ms, retryAfter = 0 } = await outbound.call(call)
    if (status >= 200 && status < 300) return { outcome: { status }, ms, error: '' }
    const message = `the address answered ${status}`
    const failure = status === 410 ? new Hopeless(message) : new Failed(message, Math.min(retryAfter, 24 * hour))
    return { outcome: { status, failure }, ms, error: message }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutboundFailure)) throw error
    return {
      outcome: { status: error.status, failure: new Failed(error.message) },
      ms: undefined,
      error: error.message,
    }
  }
}

/**
 * How it stands with the address; an address that is gone, or has failed for days, is told nothing more. Calls that were on
 * their way when its rest began say nothing new: else one bad moment with many calls would silence it for minutes.
 */
async function noteHook(ctx: Context, hook: Hook, { status, failure }: Outcome): Promise<void> {
  const { tenantId } = ctx.caller
  if (!failure) {
    await ctx.sql`update hook set state = ${hookState.well}, failures = 0, failing_since = null, retry_at = null
        where tenant_id = ${tenantId} and id = ${hook.id} and disabled_at is null and failures > 0`
    return
  }
  const [row] = await ctx.sql<{
    failures: number
    since: Date
  }>`update hook set state = ${hookState.failing}, failures = case when retry_at > now() then failures else least(failures + 1, 1000000) end,
      failing_since = coalesce(failing_since, now()),
      retry_at = case when retry_at > now() then retry_at when failures + 1 < ${failuresBorne} then null
        else now() + least(${longestRest}, 1000 * power(2, least(failures + 1 - ${failuresBorne}, 20))) * interval '1 millisecond' end
    where tenant_id = ${tenantId} and id = ${hook.id} and disabled_at is null returning failures, failing_since as since`
  forgetLater(ctx)
  if (!row) return
  if (row.failures === 1) await beginOutage(ctx, hook.id, row.since)
  const days = Date.now() - row.since.getTime()
  if (status !== 410 && days < longestFailing) return
  const values = { state: hookState.disabled, disabledAt: ctx.now.toISOString(), retryAt: null }
  const off = await hooks.update(ctx, hook.id, values)
  const reason = status === 410 ? 'the address says that it is gone' : 'the address has failed for five days'
  await append(ctx, [
    {
      kind: 'hook.disabled',
      entity: hooks.entity,
      recordId: hook.id,
      changes: { disabledAt: { to: ctx.now.toISOString() }, reason: { to: reason } },
    },
  ])
  await warnOfEnd(ctx, off, row.since, reason, failure.message)
}
