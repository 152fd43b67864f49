import { setTimeout as sleep } from 'node:timers/promises'
import { isFree, type MonotonicClock, processClock } from '../engine/lease/lease.ts'
import { tenantStatus } from '../kernel/access.ts'
import type { Database } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import { openOutbound } from '../platform/outbound/outbound.ts'
import { holdMailboxSession } from './mailbox/mailbox-session.ts'
import { describeFailure } from './transport/mail-server.ts'

interface FetchingOptions {
  database: Database
  log: (line: Record<string, unknown>) => void
  /** For tests, ms: the pause between two searches for mailboxes, the poll interval of one mailbox, and the length of a lease. */
  pace?: { look?: number; poll?: number; lease?: number }
  /** For tests: the clock of the leases. */
  clock?: MonotonicClock
}

/** How many mailboxes one process reads at the same time. */
const maxAtOnce = 100

/**
 * Reads the mailboxes of all tenants. Of all processes, the one that holds the lease of a mailbox reads it. A message that two
 * processes read while a lease changes hands is stored once, because its UID on the server is unique.
 */
export function openMailFetching({ database, log, pace = {}, clock = processClock }: FetchingOptions) {
  const { look = 2000, poll = 60_000, lease = 30_000 } = pace
  const stopping = new AbortController()
  const running = new Map<Id, Promise<void>>()
  const outbound = openOutbound(database.services.outboundRules)
  const session = { database, outbound, log, clock, stopping: stopping.signal, poll, lease }
  let looking: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const { tenantId, id } of await unread())
          if (!running.has(id) && running.size < maxAtOnce) begin(tenantId, id)
      } catch (error) {
        log({ level: 'error', error: `looking for mailboxes: ${describeFailure(error)}` })
      }
      await sleep(look * (0.8 + 0.4 * Math.random()), undefined, { signal: stopping.signal, ref: false }).catch(
        () => {},
      )
    }
  }

  async function unread(): Promise<{ tenantId: Id; id: Id }[]> {
    return await database.crossTenantSql<{ tenantId: Id; id: Id }>`select m.tenant_id as "tenantId", m.id from mailbox m
      join tenant t on t.tenant_id = m.tenant_id and t.status = ${tenantStatus.active} and not t.deleted
      left join mailbox_state s on s.tenant_id = m.tenant_id and s.mailbox_id = m.id
      where m.active and not m.deleted and m.protocol = 0 and ${isFree('s')} and (s.next_try is null or s.next_try <= now())
      order by s.next_try nulls first limit ${maxAtOnce}`
  }

  function begin(tenantId: Id, id: Id): void {
    const work = holdMailboxSession(session, tenantId, id)
      .catch(error => log({ level: 'error', mailbox: id, error: describeFailure(error) }))
      .finally(() => running.delete(id))
    running.set(id, work)
  }

  return {
    start(): void {
      looking ??= run()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await looking
      await Promise.race([Promise.all(running.values()), sleep(5000, undefined, { ref: false })])
      await outbound.close()
    },
  }
}
