import type { Database } from '../../kernel/database.ts'
import { newId } from '../../kernel/id.ts'
import type { Place } from '../live/place.ts'
import { jobsFor } from './ask-listeners.ts'
import { tellDue } from './enqueue.ts'
import type { BareEvent, EventJob, Listener } from './listener.ts'

export interface DispatcherOptions {
  database: Database
  listeners: readonly Listener[]
  log: (line: Record<string, unknown>) => void
  /** Between two looks at most, ms: waking is a courtesy. */
  poll?: number
}

/** Events of one reading. */
const mostRead = 1000
/** For how long a node that reads is believed to be alive; ms. */
const lease = 5000
/** How long what was written is gathered before the log is read; ms. */
const gathering = 10
/** A look is followed by a rest of so many times its own length, so that much is looked at together where much is written; ms at most. */
const restsFor = 10
const longestRest = 50
/** Reads the log behind its place, asks who cares, and moves on: what is owed and the new place are one statement. */
export function openDispatcher({ database, listeners, log, poll = 1000 }: DispatcherOptions) {
  const { atDoor } = database
  const token = newId()
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let due = 0
  /** Something was written while the log was being read: it is read once more. */
  let woken = false
  let restedAt = 0

  function schedule(wait: number): void {
    const at = performance.now() + wait
    if (stopping.signal.aborted || (timer && due <= at)) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(() => {
      timer = undefined
      looking = look()
    }, wait)
  }

  async function look(): Promise<void> {
    let wait = poll * (0.8 + 0.4 * Math.random())
    woken = false
    const began = performance.now()
    try {
      for (;;) {
        const state = await step()
        if (state === 'full' && !stopping.signal.aborted) continue
        if (state !== 'quiet') wait = state === 'leased' ? 50 : 0
        break
      }
    } catch (error) {
      log({ level: 'error', error: `dispatching: ${error instanceof Error ? error.message : error}` })
    }
    looking = undefined
    const ended = performance.now()
    restedAt = ended + Math.min(longestRest, (ended - began) * restsFor)
    if (woken || wait === 0) wake()
    else schedule(wait)
  }

  /** One look at a time: whoever wakes during one has the next follow at once. */
  function wake(): void {
    if (looking) woken = true
    else schedule(Math.max(gathering, restedAt - performance.now()))
  }

  /** One reading: there was more, nothing, something that is not in its final order yet, or another node is at it. */
  async function step(): Promise<'full' | 'quiet' | 'unsettled' | 'leased'> {
    const [news] = await atDoor<{ settled: boolean; unsettled: boolean }>`
      select exists (select 1 from event e where (e.xact, e.id) > (d.xact, d.id) and e.xact < x.settled) as settled,
        exists (select 1 from event e where (e.xact, e.id) > (d.xact, d.id) and e.xact >= x.settled) as unsettled
      from dispatch d, (select pg_snapshot_xmin(pg_current_snapshot()) as settled) x where d.name = 'log'`
    if (!news?.settled) return news?.unsettled ? 'unsettled' : 'quiet'
    const [from] =
      await atDoor<Place>`update dispatch set lease = ${token}, leased_until = now() + ${lease} * interval '1 millisecond'
      where name = 'log' and (leased_until <= now() or lease = ${token}) returning xact::text as xact, id`
    if (!from) return 'leased'
    const rows = await atDoor<BareEvent>`
      select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
        e.actor_kind as "actorKind", e.change_set_id as "changeSetId"
      from event e where (e.xact, e.id) > (${from.xact}::xid8, ${from.id}::uuid) and e.xact < pg_snapshot_xmin(pg_current_snapshot())
      order by e.xact, e.id limit ${mostRead}`
    const last = rows.at(-1)
    const owed = await jobsFor({ database, listeners, log }, rows)
    await moveOn(from, last ?? from, owed)
    if (owed.length > 0) tellDue()
    return rows.length === mostRead ? 'full' : news.unsettled ? 'unsettled' : 'quiet'
  }

  /** Together, and only by whoever still finds the place where they read it: so each event is handed out once. */
  async function moveOn(from: Place, to: Place, owed: readonly EventJob[]): Promise<void> {
    const rows = owed.map(({ event, task, payload, lane }) => ({
      tenant_id: event.tenantId,
      lane: lane ?? `${task} ${newId()}`,
      xact: event.xact,
      id: event.id,
      task,
      payload,
    }))
    await atDoor`with moved as (
        update dispatch set xact = ${to.xact}::xid8, id = ${to.id}, leased_until = '-infinity'
        where name = 'log' and lease = ${token} and xact = ${from.xact}::xid8 and id = ${from.id} returning 1)
      insert into errand (tenant_id, lane, xact, id, task, payload)
      select r.tenant_id, r.lane, r.xact, r.id, r.task, r.payload
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(tenant_id uuid, lane text, xact xid8, id uuid, task text, payload jsonb), moved
      on conflict do nothing`
  }

  const stopHearing = database.onWritten(wake)
  return {
    start(): void {
      schedule(0)
    },
    wake,
    async stop(): Promise<void> {
      stopping.abort()
      stopHearing()
      clearTimeout(timer)
      await looking
      await atDoor`update dispatch set leased_until = '-infinity' where name = 'log' and lease = ${token}`.catch(
        () => {},
      )
    },
  }
}

/** Whether all that is committed has been handed out. */
export async function allDispatched({ atDoor }: Database): Promise<boolean> {
  const [row] = await atDoor<{ done: boolean }>`select not exists (
    select 1 from event e, dispatch d where d.name = 'log' and (e.xact, e.id) > (d.xact, d.id)) as done`
  return row?.done ?? true
}
