import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver } from '../hook-receiver.ts'
import { asOwner } from './check.ts'
import type { Client } from './import.ts'

/** What a hook was told through all deaths: for each event, under which ids and how often. */
export interface Told {
  url: string
  env: Record<string, string>
  /** By the id of the event. */
  journal: Map<string, string[]>
  /** Is gone for so many ms. */
  die(ms: number): Promise<void>
  close(): void
}

export async function openTold(): Promise<Told> {
  const receiver = await openReceiver()
  const journal: Told['journal'] = new Map()
  receiver.hear = ({ webhookId, body }) => {
    const eventId = body.data.seq.slice(body.data.seq.indexOf('-') + 1)
    journal.set(eventId, [...(journal.get(eventId) ?? []), webhookId])
  }
  return { url: receiver.url, env: receiver.env, journal, die: receiver.die, close: receiver.close }
}

/** Lets every new item be told. */
export async function hookUp({ base, key }: Client, told: Told): Promise<void> {
  const response = await fetch(`${base}/api/hook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Crash', url: told.url, events: [1] }),
  })
  if (!response.ok) throw new Error(`the hook was answered ${response.status}: ${await response.text()}`)
}

/** Waits until every committed event has been told, and tells which were not, in time or under one id. */
export async function untold(url: string, { journal }: Told, patience = 60_000): Promise<string[]> {
  const late = performance.now() + patience
  const committed = await asOwner(url, async owner => {
    const { rows } = await owner.query<{ id: string }>(`select id from event where kind = 'item.created'`)
    return rows.map(row => row.id)
  })
  const missing = () => committed.filter(id => !journal.has(id))
  while (missing().length > 0 && performance.now() < late) await sleep(20)
  // More may have been committed meanwhile.
  const before = new Set(committed)
  const strange = [...journal.keys()].filter(id => !before.has(id))
  const known = await asOwner(url, async owner => {
    const { rows } = await owner.query<{ id: string }>('select id from event where id = any($1)', [strange])
    return new Set(rows.map(row => row.id))
  })
  return [
    ...missing().map(id => `the event ${id} was told to nobody within ${patience} ms`),
    ...[...journal]
      .filter(([, ids]) => new Set(ids).size > 1)
      .map(([id, ids]) => `the event ${id} was told as ${ids.join(', ')}`),
    ...strange.filter(id => !known.has(id)).map(id => `the event ${id} was told, and is not there`),
  ]
}

/** How often something was told once more. */
export function repeats({ journal }: Told): number {
  return [...journal.values()].reduce((sum, ids) => sum + ids.length - 1, 0)
}
