import { GroupFailure, Postponed, type Task, TaskFailure, type Work } from '../../engine/dispatch/dispatch.ts'
import { openTenantBatches } from '../../engine/tenant-batches.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { OutboundCall } from '../../platform/outbound/outbound.ts'
import { attempt, ladder } from '../delivery/delivery-attempt.ts'
import { deliveryState, endDelivery, type NewDelivery } from '../delivery/delivery-log.ts'
import { envelope, type WebhookMessage } from '../envelope.ts'
import { derivedId, signed } from '../signature.ts'
import { hooks } from './hook.ts'
import { recordHookOutcome } from './hook-health.ts'
import { hookTaskName } from './hook-listener.ts'
import { type DueCall, hookMessages } from './hook-message.ts'
import { type HookTarget, targetOf } from './hook-target.ts'

/** Sends one event to one hook. */
export const hookTask: Task = {
  name: hookTaskName,
  retryDelays: ladder,
  async run(work) {
    const job = jobOf(work)
    const { hookId, eventId, xact } = job
    const id = derivedId(eventId, hookId)
    const prepared = await prepare(work, job)
    work.signal.throwIfAborted()
    if (prepared.kind === 'off')
      return await work.single(work.service, ctx => endDelivery(ctx, id, deliveryState.cancelled, 'the hook is off'))
    if (prepared.kind === 'paused') throw new Postponed(prepared.wait, 'the address is paused after failures')
    if (prepared.kind === 'unwanted') return
    const { target, message } = prepared
    const { hook } = target
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
      event: message.seq === '' ? undefined : { xact, id: eventId },
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

/** The ids that the job of a call holds. */
interface HookJob extends Omit<DueCall, 'target'> {
  readonly hookId: Id
}

function jobOf({ payload }: Work): HookJob {
  const [hookId, xact, eventId] = [String(payload.hookId), String(payload.xact), String(payload.eventId)]
  return { hookId, xact, eventId, test: payload.test === true }
}

/** What is sent and to where, or why nothing is sent now. */
type PreparedCall =
  | { readonly kind: 'ready'; readonly target: HookTarget; readonly message: WebhookMessage }
  /** The owner does not see the record, or it does not meet the conditions. */
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'paused'; readonly wait: number }
  | { readonly kind: 'off' }

/** The maximum of calls that are prepared together: a process runs at most so many jobs of a tenant. */
const maxTogether = 16

const prepareBatch = openTenantBatches<HookJob, PreparedCall>(maxTogether)

/** Calls of a tenant that are due at the same time are prepared by the same statements. */
async function prepare({ tenantId, service, single }: Work, job: HookJob): Promise<PreparedCall> {
  return await prepareBatch(tenantId, job, jobs => single(service, ctx => prepareAll(ctx, jobs)))
}

async function prepareAll(ctx: Context, jobs: readonly HookJob[]): Promise<PreparedCall[]> {
  const targets = new Map<Id, HookTarget>()
  for (const hookId of new Set(jobs.map(job => job.hookId))) {
    const target = await targetOf(ctx, hookId)
    if (target) targets.set(hookId, target)
  }
  const calls = jobs.map((job): DueCall | Exclude<PreparedCall, { kind: 'ready' }> => {
    const target = targets.get(job.hookId)
    if (!target) return { kind: 'off' }
    const wait = target.hook.retryAt ? Date.parse(target.hook.retryAt) - Date.now() : 0
    return wait > 0 ? { kind: 'paused', wait } : { ...job, target }
  })
  const messages = await hookMessages(
    ctx,
    calls.filter(call => 'target' in call),
  )
  return calls.map(call => {
    if ('kind' in call) return call
    const message = messages.get(call)
    return message ? { kind: 'ready', target: call.target, message } : { kind: 'unwanted' }
  })
}
