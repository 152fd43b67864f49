import type { Database } from '../../kernel/database.ts'
import { newId } from '../../kernel/id.ts'
import { leaseSql, type MonotonicClock, openLeases, processClock } from '../lease/lease.ts'
import type { LogPosition } from '../live/log-position.ts'
import { jobsFor, type ListenerOptions } from './ask-listeners.ts'
import { notifyDue } from './enqueue.ts'
import type { BareEvent, EventJob } from './listener.ts'

/** The maximum of events in one read. */
const maxRead = 1000

/** How long a reading node that does not renew is considered alive; ms. */
const leaseLength = 5000

interface ReadOutcome {
  /** There are more events, there are none, there are events whose order is not final yet, or another node holds the lease. */
  left: 'full' | 'quiet' | 'unsettled' | 'leased'
  /** How many events were dispatched. */
  count: number
}

/**
 * Reads the log of all tenants from the stored position, asks the listeners, and advances the position. Only one node
 * reads at a time.
 */
export function openLogReader(audience: ListenerOptions, clock: MonotonicClock = processClock) {
  const { crossTenantSql } = audience.database
  const token = newId()
  const lease = leaseSql({ token, length: leaseLength })
  const leases = openLeases<'log'>({
    length: leaseLength,
    clock,
    renew: async () =>
      (await crossTenantSql`update dispatch set ${lease.renew} where name = 'log' and ${lease.isHeld} returning 1`).map(
        () => 'log',
      ),
  })

  async function read(): Promise<ReadOutcome> {
    const [news] = await crossTenantSql<{ settled: boolean; unsettled: boolean }>`
      select exists (select 1 from event e where (e.xact, e.id) > (d.xact, d.id) and e.xact < x.settled) as settled,
        exists (select 1 from event e where (e.xact, e.id) > (d.xact, d.id) and e.xact >= x.settled) as unsettled
      from dispatch d, (select log_settled() as settled) x where d.name = 'log'`
    if (!news?.settled) return { left: news?.unsettled ? 'unsettled' : 'quiet', count: 0 }
    const asked = clock.now()
    const [from] = await crossTenantSql<LogPosition>`update dispatch set ${lease.acquire}
      where name = 'log' and (${lease.isFree} or ${lease.isHeld}) returning xact::text as xact, id`
    if (!from) return { left: 'leased', count: 0 }
    const held = leases.hold('log', asked)
    try {
      const count = await readFrom(from, held.lost)
      return { left: count === maxRead ? 'full' : news.unsettled ? 'unsettled' : 'quiet', count }
    } finally {
      held.release()
    }
  }

  async function readFrom(from: LogPosition, lost: AbortSignal): Promise<number> {
    const rows = await crossTenantSql<BareEvent>`
      select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
        e.actor_kind as "actorKind", e.change_set_id as "changeSetId"
      from event e where (e.xact, e.id) > (${from.xact}::xid8, ${from.id}::uuid) and e.xact < log_settled()
      order by e.xact, e.id limit ${maxRead}`
    const jobs = await jobsFor(audience, rows)
    lost.throwIfAborted()
    await moveOn(from, rows.at(-1) ?? from, jobs)
    if (jobs.length > 0) notifyDue()
    return rows.length
  }

  /**
   * Enqueues the jobs and advances the position in one transaction, provided that the position is still the one that
   * was read: so each event is dispatched once.
   */
  async function moveOn(from: LogPosition, to: LogPosition, jobs: readonly EventJob[]): Promise<void> {
    const rows = jobs.map(({ event, task, payload, lane, group }) => ({
      tenant_id: event.tenantId,
      lane: lane ?? `${task} ${newId()}`,
      xact: event.xact,
      id: event.id,
      task,
      payload,
      job_group: group ?? task,
    }))
    await crossTenantSql`with moved as (
        update dispatch set xact = ${to.xact}::xid8, id = ${to.id}, ${lease.release}
        where name = 'log' and ${lease.isHeld} and xact = ${from.xact}::xid8 and id = ${from.id} returning 1)
      insert into queued_job (tenant_id, lane, xact, id, task, payload, job_group)
      select r.tenant_id, r.lane, r.xact, r.id, r.task, r.payload, r.job_group
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(tenant_id uuid, lane text, xact xid8, id uuid, task text, payload jsonb, job_group text), moved
      on conflict do nothing`
  }

  return {
    read,
    /** Frees the lease, so that another node can read at once. */
    async release(): Promise<void> {
      await crossTenantSql`update dispatch set ${lease.release} where name = 'log' and ${lease.isHeld}`
    },
  }
}

/** Whether all committed events have been dispatched. */
export async function allDispatched({ crossTenantSql }: Database): Promise<boolean> {
  const [row] = await crossTenantSql<{ done: boolean }>`select not exists (
    select 1 from event e, dispatch d where d.name = 'log' and (e.xact, e.id) > (d.xact, d.id)) as done`
  return row?.done ?? true
}
