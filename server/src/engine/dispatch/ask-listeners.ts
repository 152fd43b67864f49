import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { notifyForget } from '../../kernel/memory.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { wholeChanges } from '../../records/history/whole-changes.ts'
import { enqueue } from './enqueue.ts'
import type { BareEvent, EventJob, Listener, LoggedEvent } from './listener.ts'
import type { Task } from './task.ts'

/** The listeners that are asked about events, and what they are given to answer. */
export interface ListenerOptions {
  database: Database
  listeners: readonly Listener[]
  log: (line: Record<string, unknown>) => void
}

/** Values longer than this many bytes are left out of the changes. */
const longest = 4000

/** Asks the listeners of each tenant which jobs result from these events of the log. */
export async function jobsFor(audience: ListenerOptions, rows: readonly BareEvent[]): Promise<EventJob[]> {
  const jobs: EventJob[] = []
  for (const [tenantId, own] of Map.groupBy(rows, row => row.tenantId)) {
    // Changes that another node made to the listeners appear in this log, so the caches are cleared before the
    // question.
    if (own.some(row => kindNamed(row.entity)?.remembered)) await notifyForget(tenantId, true)
    jobs.push(...(await audience.database.single(tenantCaller(tenantId), ctx => ask(ctx, audience, own))))
  }
  return jobs
}

async function ask(ctx: Context, { listeners, log }: ListenerOptions, rows: readonly BareEvent[]): Promise<EventJob[]> {
  const concerned: { listener: Listener; relevant: readonly BareEvent[] }[] = []
  for (const listener of listeners) {
    if (!(await listener.listens(ctx))) continue
    const relevant = listener.accepts ? rows.filter(row => listener.accepts?.(row)) : rows
    if (relevant.length > 0) concerned.push({ listener, relevant })
  }
  const wanted = new Set(concerned.flatMap(each => each.relevant))
  if (wanted.size === 0) return []
  const known = await withChanges(
    ctx,
    rows.filter(row => wanted.has(row)),
  )
  const byId = new Map(known.map(event => [event.id, event]))
  const jobs: EventJob[] = []
  for (const { listener, relevant } of concerned) {
    const events = relevant.flatMap(({ id }) => byId.get(id) ?? [])
    try {
      jobs.push(...(await listener.jobs(ctx, events)))
    } catch (error) {
      // A listener that fails on the events of one tenant must not block the log of all tenants, so it is asked again
      // later.
      if (isConnectionFault(error)) throw error
      log({ level: 'error', listener: listener.name, error: error instanceof Error ? error.stack : error })
      jobs.push(...askAgain(listener, events))
    }
  }
  return jobs
}

/** Loads the changes of the events that at least one listener wants. */
async function withChanges(ctx: Context, rows: readonly BareEvent[]): Promise<LoggedEvent[]> {
  const { tenantId } = ctx.caller
  // The cross-tenant connection is used as for the log itself: under row level security PostgreSQL does not use the
  // index on the position of events.
  const found = await ctx.crossTenantSql<{ id: Id; changes: Changes | null }>`
    select e.id, case when pg_column_size(w.changes) <= ${longest} then w.changes else (
      select jsonb_object_agg(c.key, case when pg_column_size(c.value) <= ${longest} then c.value else '{}'::jsonb end) from jsonb_each(w.changes) c) end as changes
    from unnest(${rows.map(row => row.xact)}::text[], ${rows.map(row => row.id)}::uuid[]) as k(xact, id)
    join event e on e.tenant_id = ${tenantId} and e.xact = k.xact::xid8 and e.id = k.id
    cross join lateral (select ${wholeChanges} as changes offset 0) w`
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

/** The task that asks a listener again about events on which it failed. */
export function againTask(listeners: readonly Listener[]): Task {
  return {
    name: againName,
    retryDelays: [5, 60, 600, 3600, 6 * 3600, 24 * 3600].map(seconds => seconds * 1000),
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

/** Restores the rows after they were stored as JSON. */
function readRows(rows: unknown): BareEvent[] {
  return (rows as BareEvent[]).map(row => ({ ...row, at: new Date(row.at) }))
}
