import { hash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { PermanentFailure, Postponed, TaskFailure, type Work } from '../../engine/dispatch/dispatch.ts'
import { openTenantBatches } from '../../engine/tenant-batches.ts'
import type { Id } from '../../kernel/id.ts'
import { type OutboundCall, OutboundFailure } from '../../platform/outbound/outbound.ts'
import { type Attempt, deliveryState, type NewDelivery, recordAttempts, type TriedDelivery } from './delivery-log.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delays between ten attempts within three days, as Standard Webhooks suggests. */
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

/** How long a call at least waits for which its host or its tenant had no free slot; ms. */
const busyPause = 1000

/** The result of one call. */
export interface DeliveryOutcome {
  status: number | undefined
  /** The error that the task throws, if the call failed. */
  failure?: Error
}

/** Makes one call and records it in the log of deliveries. */
export async function attempt(work: Work, call: OutboundCall, delivery: NewDelivery): Promise<DeliveryOutcome> {
  const { outcome, ms, error } = await tryCall(work, call)
  const retried = outcome.failure instanceof TaskFailure && work.attempt <= ladder.length
  const least = outcome.failure instanceof TaskFailure ? outcome.failure.least : 0
  const wait = Math.max(least, ladder[work.attempt - 1] ?? 0)
  const body = typeof call.body === 'string' ? call.body : ''
  const made: Attempt = {
    status: outcome.status,
    ms,
    error,
    state: !outcome.failure ? deliveryState.delivered : retried ? deliveryState.waiting : deliveryState.failed,
    nextAt: retried ? new Date(Date.now() + wait) : undefined,
    digest: hash('sha256', body),
    size: Buffer.byteLength(body),
  }
  await record(work, { delivery, attempt: made })
  return outcome
}

/** The maximum of attempts that one statement records, and how long it waits for calls that are under way; ms. */
const maxTogether = 64
const patience = 50

const recordBatch = openTenantBatches<TriedDelivery, 'recorded'>(maxTogether, untilCallsEnd)

/** Attempts of a tenant that end within a moment are recorded by one statement. */
async function record({ tenantId, service, single }: Work, tried: TriedDelivery): Promise<void> {
  await recordBatch(tenantId, tried, async all => {
    await single(service, ctx => recordAttempts(ctx, all))
    return all.map(() => 'recorded')
  })
}

/** The calls of each tenant that are under way. */
const underWay = new Map<Id, Set<Promise<unknown>>>()

async function untilCallsEnd(tenantId: Id): Promise<void> {
  const calls = underWay.get(tenantId)
  if (!calls) return
  await Promise.race([Promise.allSettled(calls), sleep(patience, undefined, { ref: false })])
  await turn() // those that have ended are recorded a few steps later
}

async function whileUnderWay<T>(tenantId: Id, call: Promise<T>): Promise<T> {
  const calls = underWay.get(tenantId) ?? new Set()
  underWay.set(tenantId, calls.add(call))
  try {
    return await call
  } finally {
    calls.delete(call)
    if (calls.size === 0) underWay.delete(tenantId)
  }
}

async function tryCall(
  { outbound, signal }: Work,
  call: OutboundCall,
): Promise<{ outcome: DeliveryOutcome; ms: number | undefined; error: string }> {
  try {
    const { status, ms, retryAfter = 0 } = await whileUnderWay(call.tenantId, outbound.call(call))
    if (status >= 200 && status < 300) return { outcome: { status }, ms, error: '' }
    const message = `the address answered ${status}`
    const failure =
      status === 410 ? new PermanentFailure(message) : new TaskFailure(message, Math.min(retryAfter, 24 * hour))
    return { outcome: { status, failure }, ms, error: message }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutboundFailure)) throw error
    // The address was not called, so it has not failed.
    if (error.reason === 'busy') throw new Postponed(busyPause * (1 + Math.random()), error.message)
    return {
      outcome: { status: error.status, failure: new TaskFailure(error.message) },
      ms: undefined,
      error: error.message,
    }
  }
}
