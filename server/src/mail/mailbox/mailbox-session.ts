import { type MonotonicClock, openLeases } from '../../engine/lease/lease.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { describeFailure } from '../transport/mail-server.ts'
import { type StoreRefreshToken, withAccessToken } from '../transport/oauth.ts'
import { mailboxes } from './mailbox.ts'
import { fetchObstacles } from './mailbox-findings.ts'
import { mailboxLease } from './mailbox-lease.ts'
import { imapOf } from './mailbox-servers.ts'
import { readMailbox } from './read-mailbox.ts'
import { storeRefreshToken } from './write-mailbox.ts'

interface SessionOptions {
  database: Database
  outbound: Outbound
  log: (line: Record<string, unknown>) => void
  clock: MonotonicClock
  /** Aborted when the service stops. */
  stopping: AbortSignal
  /** The poll interval of the mailbox and the length of its lease; ms. */
  poll: number
  lease: number
}

type Transaction = <T>(act: (ctx: Context) => Promise<T>) => Promise<T>

/** Reads one mailbox for as long as this process holds its lease. Does nothing if another process holds it. */
export async function holdMailboxSession(options: SessionOptions, tenantId: Id, id: Id): Promise<void> {
  const { database, outbound, clock, stopping, poll, lease: length } = options
  const transaction: Transaction = act => database.transaction(tenantCaller(tenantId), act)
  const rows = mailboxLease(id, length)
  const asked = clock.now()
  if (!(await transaction(rows.claim))) return
  let version: number | undefined
  // A change of the mailbox ends the lease too, so that it is read again with its new settings.
  const renew = async () => ((await transaction(ctx => rows.renew(ctx, version))) ? [id] : [])
  const lease = openLeases<Id>({ length, renew, clock }).hold(id, asked)
  try {
    const found = await findReadable(options, id, transaction)
    if (!found) return await transaction(ctx => rows.fail(ctx, ''))
    version = found.mailbox.version
    const keep: StoreRefreshToken = (fresh, used) => transaction(ctx => storeRefreshToken(ctx, id, fresh, used))
    const server = await withAccessToken(found.server, outbound, keep)
    const signal = AbortSignal.any([stopping, lease.lost])
    await readMailbox({ ...found, server, transaction, signal, poll })
    await transaction(rows.release)
  } catch (error) {
    if (stopping.aborted || lease.lost.aborted) await transaction(rows.release)
    else await transaction(ctx => rows.fail(ctx, describeFailure(error)))
  } finally {
    lease.release()
  }
}

/** Returns the mailbox and its server; undefined if something keeps it from being read. */
async function findReadable({ log }: SessionOptions, id: Id, transaction: Transaction) {
  try {
    return await transaction(async ctx => {
      const mailbox = await mailboxes.find(ctx, id)
      if (!mailbox?.active || fetchObstacles(mailbox).length > 0) return undefined
      const server = await imapOf(ctx, mailbox)
      return server && { mailbox, server, rules: ctx.services.outboundRules }
    })
  } catch (error) {
    log({ level: 'error', mailbox: id, error: describeFailure(error) })
    return undefined
  }
}
