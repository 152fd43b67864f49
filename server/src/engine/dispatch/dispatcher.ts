import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { type Database, isConnectionFault } from '../../kernel/database.ts'
import type { Changes } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { tellForget } from '../../kernel/memory.ts'
import type { Place } from '../live/place.ts'
import { enqueue, type NewJob, tellDue } from './job.ts'
import type { Task } from './worker.ts'

/** An event of the log, as listeners are asked about it. */
export interface LoggedEvent {
  readonly tenantId: Id
  /** Its place in the log: with the id, the order. */
  readonly xact: string
  readonly id: Id
  readonly at: Date
  /** `item.updated` */
  readonly kind: string
  readonly entity: string
  readonly recordId: Id
  readonly actorId: Id
  readonly actorKind: string
  readonly changeSetId: Id
  /** Before and after of what changed. What is longer than a page is named only: `{}`. */
  readonly changes: Changes
}

/** The event without what it changed. */
export type BareEvent = Omit<LoggedEvent, 'changes'>

/** Somebody who may have something to do when something has happened. */
export interface Listener {
  readonly name: string
  /** Whether the tenant has anything that listens. Asked for every batch, so it must be remembered: see kernel/memory.ts. */
  listens(ctx: Context): Promise<boolean>
  /** Which events it may care about, as far as can be told without what they changed: that is read for those alone. All, if not said. */
  hears?(event: BareEvent): boolean
  /** What is to be done about these events of one tenant, which come in the order of the log. */
  jobs(ctx: Context, events: readonly LoggedEvent[]): Promise<readonly EventJob[]>
}

/** A job, and the event that it follows from. */
export interface EventJob extends NewJob {
  readonly event: LoggedEvent
}

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
/** Values of so many bytes are left out of the changes. */
const longest = 4000

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
    const owed = await jobsFor(rows)
    await moveOn(from, last ?? from, owed)
    if (owed.length > 0) tellDue()
    return rows.length === mostRead ? 'full' : news.unsettled ? 'unsettled' : 'quiet'
  }

  async function jobsFor(rows: readonly BareEvent[]): Promise<EventJob[]> {
    const owed: EventJob[] = []
    for (const [tenantId, own] of Map.groupBy(rows, row => row.tenantId)) {
      // What another node has changed about who listens stands in this very log.
      if (own.some(row => kindNamed(row.entity)?.remembered)) await tellForget(tenantId, true)
      owed.push(...(await database.single(tenantCaller(tenantId), ctx => ask(ctx, own))))
    }
    return owed
  }

  async function ask(ctx: Context, rows: readonly BareEvent[]): Promise<EventJob[]> {
    const audience: { listener: Listener; heard: readonly BareEvent[] }[] = []
    for (const listener of listeners) {
      if (!(await listener.listens(ctx))) continue
      const heard = listener.hears ? rows.filter(row => listener.hears?.(row)) : rows
      if (heard.length > 0) audience.push({ listener, heard })
    }
    const wanted = new Set(audience.flatMap(each => each.heard))
    if (wanted.size === 0) return []
    const known = await withChanges(
      ctx,
      rows.filter(row => wanted.has(row)),
    )
    const byId = new Map(known.map(event => [event.id, event]))
    const owed: EventJob[] = []
    for (const { listener, heard } of audience) {
      const events = heard.flatMap(({ id }) => byId.get(id) ?? [])
      try {
        owed.push(...(await listener.jobs(ctx, events)))
      } catch (error) {
        // One listener that stumbles over one tenant's events must not hold up the log of all: it is asked again by and by.
        if (isConnectionFault(error)) throw error
        log({ level: 'error', listener: listener.name, error: error instanceof Error ? error.stack : error })
        owed.push(...askAgain(listener, events))
      }
    }
    return owed
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

/** The changes of those events alone that somebody cares about. */
async function withChanges(ctx: Context, rows: readonly BareEvent[]): Promise<LoggedEvent[]> {
  const { tenantId } = ctx.caller
  // At the door, as the log itself is read: behind the wall PostgreSQL does not look up events by their place.
  const found = await ctx.atDoor<{ id: Id; changes: Changes | null }>`
    select e.id, case when pg_column_size(e.changes) <= ${longest} then e.changes else (
      select jsonb_object_agg(c.key, case when pg_column_size(c.value) <= ${longest} then c.value else '{}'::jsonb end) from jsonb_each(e.changes) c) end as changes
    from unnest(${rows.map(row => row.xact)}::text[], ${rows.map(row => row.id)}::uuid[]) as k(xact, id)
    join event e on e.tenant_id = ${tenantId} and e.xact = k.xact::xid8 and e.id = k.id`
  const changes = new Map(found.map(row => [row.id, row.changes]))
  return rows.map(row => ({ ...row, changes: changes.get(row.id) ?? {} }))
}

const againName = 'listen-again'

function askAgain(listener: Listener, events: readonly LoggedEvent[]): EventJob[] {
  const [event] = events
  if (!event) return []
  const payload = { listener: listener.name, events: events.map(({ changes, ...row }) => row) }
  return [{ event, task: againName, lane: `${againName} ${listener.name}`, payload }]
}

/** Asks a listener once more about events over which it stumbled. */
export function againTask(listeners: readonly Listener[]): Task {
  return {
    name: againName,
    ladder: [5, 60, 600, 3600, 6 * 3600, 24 * 3600].map(seconds => seconds * 1000),
    async run({ payload, service, transaction }) {
      const listener = listeners.find(each => each.name === payload.listener)
      if (!listener) return
      await transaction(service, async ctx => {
        const [first, ...more] = await listener.jobs(ctx, await withChanges(ctx, readRows(payload.events)))
        if (first) await enqueue(ctx, first, ...more)
      })
    },
  }
}

/** As they come back from JSON. */
function readRows(rows: unknown): BareEvent[] {
  return (rows as BareEvent[]).map(row => ({ ...row, at: new Date(row.at) }))
}

/** Whether all that is committed has been handed out. */
export async function allDispatched({ atDoor }: Database): Promise<boolean> {
  const [row] = await atDoor<{ done: boolean }>`select not exists (
    select 1 from event e, dispatch d where d.name = 'log' and (e.xact, e.id) > (d.xact, d.id)) as done`
  return row?.done ?? true
}
