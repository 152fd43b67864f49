import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver } from '../hook-receiver.ts'
import { asOwner } from './check.ts'
import type { Client } from './import.ts'

/** The receiver of a hook. It records for each event the webhook ids of all deliveries, and outlives the service. */
export interface HookJournal {
  url: string
  env: Record<string, string>
  /** The webhook ids of all deliveries, by the id of the event. */
  webhookIds: Map<string, string[]>
  /** Makes the receiver unreachable for so many ms. */
  interrupt(ms: number): Promise<void>
  close(): void
}

export async function openHookJournal(): Promise<HookJournal> {
  const receiver = await openReceiver()
  const webhookIds: HookJournal['webhookIds'] = new Map()
  receiver.onCall = ({ webhookId, body }) => {
    const eventId = body.data.seq.slice(body.data.seq.indexOf('-') + 1)
    webhookIds.set(eventId, [...(webhookIds.get(eventId) ?? []), webhookId])
  }
  return { url: receiver.url, env: receiver.env, webhookIds, interrupt: receiver.interrupt, close: receiver.close }
}

/** Creates a hook that sends `item.created` events to the journal. */
export async function createHook({ base, key }: Client, journal: HookJournal): Promise<void> {
  const response = await fetch(`${base}/api/hook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Crash', url: journal.url, events: [1] }),
  })
  if (!response.ok) throw new Error(`POST /hook was answered ${response.status}: ${await response.text()}`)
}

/**
 * Waits until every committed event was delivered. Returns the events that were not delivered in time, that were delivered
 * under several webhook ids, or that were delivered and are not stored.
 */
export async function missingDeliveries(url: string, { webhookIds }: HookJournal, timeout = 60_000): Promise<string[]> {
  const deadline = performance.now() + timeout
  const committed = await asOwner(url, async owner => {
    // A new tenant has items that are older than the hook.
    const { rows } = await owner.query<{ id: string }>(`select id from event where kind = 'item.created'
      and xact > (select min(xact) from event where kind = 'hook.created')`)
    return rows.map(row => row.id)
  })
  const missing = () => committed.filter(id => !webhookIds.has(id))
  while (missing().length > 0 && performance.now() < deadline) await sleep(20)
  // Events that were committed after the query above are unknown to it.
  const queried = new Set(committed)
  const others = [...webhookIds.keys()].filter(id => !queried.has(id))
  const stored = await asOwner(url, async owner => {
    const { rows } = await owner.query<{ id: string }>('select id from event where id = any($1)', [others])
    return new Set(rows.map(row => row.id))
  })
  return [
    ...missing().map(id => `the event ${id} was not delivered within ${timeout} ms`),
    ...[...webhookIds]
      .filter(([, ids]) => new Set(ids).size > 1)
      .map(([id, ids]) => `the event ${id} was delivered under the ids ${ids.join(', ')}`),
    ...others.filter(id => !stored.has(id)).map(id => `the event ${id} was delivered and is not stored`),
  ]
}

/** How many deliveries were repetitions. */
export function repeatedDeliveries({ webhookIds }: HookJournal): number {
  return [...webhookIds.values()].reduce((sum, ids) => sum + ids.length - 1, 0)
}
