import { GroupFailure, Postponed, type Task, TaskFailure, type Work } from '../../engine/dispatch/dispatch.ts'
import { callerInContext } from '../../identity/authority.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import type { OutboundCall } from '../../platform/outbound/outbound.ts'
import { attempt, ladder } from '../delivery/delivery-attempt.ts'
import { deliveryState, endDelivery, type NewDelivery } from '../delivery/delivery-log.ts'
import { envelope, webhookFormat } from '../envelope.ts'
import { derivedId, signed } from '../signature.ts'
import { type Hook, hooks } from './hook.ts'
import { recordHookOutcome } from './hook-health.ts'
import { hookTaskName } from './hook-listener.ts'
import { hookMessage } from './hook-message.ts'
import { callSecrets } from './hook-secrets.ts'

/** Sends one event to one hook. */
export const hookTask: Task = {
  name: hookTaskName,
  retryDelays: ladder,
  async run(work) {
    const [hookId, eventId] = [String(work.payload.hookId), String(work.payload.eventId)]
    const id = derivedId(eventId, hookId)
    const target = await targetOf(work, hookId)
    if (!target)
      return await work.single(work.service, ctx => endDelivery(ctx, id, deliveryState.cancelled, 'the hook is off'))
    const { hook, owner } = target
    const pause = hook.retryAt ? Date.parse(hook.retryAt) - Date.now() : 0
    if (pause > 0) throw new Postponed(pause, 'the address is paused after failures')
    const message = await work.single(owner, ctx => hookMessage(ctx, work, hook))
    if (!message) return
    const { body, type } = envelope(hook.format, message)
    const call: OutboundCall = {
      tenantId: work.tenantId,
      method: 'POST',
      url: hook.url,
      headers: {
        ...target.headers,
        'content-type': type,
        ...signed({ id: message.webhookId, at: new Date(), body }, target.secrets),
      },
      body,
    }
    const delivery: NewDelivery = {
      id,
      ownerEntity: hooks.entity,
      ownerId: hook.id,
      event: message.seq === '' ? undefined : { xact: String(work.payload.xact), id: eventId },
      type: message.type,
      entity: message.entity,
      recordId: message.id,
      url: hook.url,
      method: 'POST',
      webhookId: message.webhookId,
    }
    const outcome = await attempt(work, call, delivery)
    if (outcome.failure || hook.failures > 0 || work.attempt > 1) {
      const paused = await work.transaction(work.service, ctx => recordHookOutcome(ctx, hook, outcome))
      if (outcome.failure instanceof TaskFailure) throw new GroupFailure(outcome.failure, paused)
    }
    if (outcome.failure) throw outcome.failure
  },
  async onGiveUp({ payload, single, service }) {
    const [hookId, eventId] = [String(payload.hookId), String(payload.eventId)]
    await single(service, ctx => endDelivery(ctx, derivedId(eventId, hookId), deliveryState.failed))
  },
}

/** A hook with everything that a call to it needs. */
interface HookTarget {
  hook: Hook
  owner: Caller
  secrets: string[]
  headers: Record<string, string>
}

/** Cached for a moment, because many calls to one hook go out at once. */
async function targetOf({ single, service }: Work, hookId: Id): Promise<HookTarget | undefined> {
  return await single(service, ctx => remembered(ctx, `hook ${hookId}`, () => readTarget(ctx, hookId)))
}

async function readTarget(ctx: Context, hookId: Id): Promise<HookTarget | undefined> {
  const hook = await hooks.find(ctx, hookId)
  if (!hook?.active || hook.disabledAt || hook.url === '') return undefined
  if (!Object.values<number>(webhookFormat).includes(hook.format)) return undefined
  const owner = await callerInContext(ctx, hook.ownerUser, hook.scopes)
  return owner && { hook, owner, ...(await callSecrets(ctx, hook)) }
}
