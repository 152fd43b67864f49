import { setTimeout as sleep } from 'node:timers/promises'
import { tenantCaller } from '../identity/tenant-caller.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { type Id, newId } from '../kernel/id.ts'
import { openOutbound } from '../platform/outbound/outbound.ts'
import { obstacles } from './mailbox/findings.ts'
import { mailboxes } from './mailbox/mailbox.ts'
import { readMailbox } from './mailbox/read-mailbox.ts'
import { imapOf } from './mailbox/servers.ts'
import { keepRefreshToken } from './mailbox/write.ts'
import { type KeepToken, signedIn } from './transport/oauth.ts'
import { inWords } from './transport/place.ts'

export interface FetchingOptions {
  database: Database
  log: (line: Record<string, unknown>) => void
  /** For tests, ms: between two looks for mailboxes, between two looks into one, and how long a silent reader is believed to be alive. */
  pace?: { look?: number; poll?: number; lease?: number }
}

/** Mailboxes that one process reads at once. */
const mostAtOnce = 100

/**
 * Reads the mailboxes of all tenants. Over all processes each is read by one: whoever holds its lease. Who is silent for too
 * long has lost it, and whatever is done twice then is done once, because of the numbers that the server gives.
 */
export function openFetching({ database, log, pace = {} }: FetchingOptions) {
  const { look = 2000, poll = 60_000, lease = 30_000 } = pace
  const stopping = new AbortController()
  const running = new Map<Id, Promise<void>>()
  const outbound = openOutbound(database.services.outboundRules)
  let looking: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const { tenantId, id } of await unread())
          if (!running.has(id) && running.size < mostAtOnce) begin(tenantId, id)
      } catch (error) {
        log({ level: 'error', error: `looking for mailboxes: ${inWords(error)}` })
      }
      await sleep(look * (0.8 + 0.4 * Math.random()), undefined, { signal: stopping.signal, ref: false }).catch(
        () => {},
      )
    }
  }

  async function unread(): Promise<{ tenantId: Id; id: Id }[]> {
    return await database.atDoor<{ tenantId: Id; id: Id }>`select m.tenant_id as "tenantId", m.id from mailbox m
      join tenant t on t.tenant_id = m.tenant_id and t.status = 0 and not t.deleted
      left join mailbox_state s on s.tenant_id = m.tenant_id and s.mailbox_id = m.id
      where m.active and not m.deleted and m.protocol = 0 and (s.leased_until is null or s.leased_until < now()) and (s.next_try is null or s.next_try <= now())
      order by s.next_try nulls first limit ${mostAtOnce}`
  }

  function begin(tenantId: Id, id: Id): void {
    const work = read(tenantId, id)
      .catch(error => log({ level: 'error', mailbox: id, error: inWords(error) }))
      .finally(() => running.delete(id))
    running.set(id, work)
  }

  async function read(tenantId: Id, id: Id): Promise<void> {
    const token = newId()
    const transaction = <T>(act: (ctx: Context) => Promise<T>) => database.transaction(tenantCaller(tenantId), act)
    if (!(await transaction(ctx => claim(ctx, id, token, lease)))) return
    const lost = new AbortController()
    // Renewed with a look at whether the mailbox is still as it was: what was changed is read anew.
    const found = await transaction(async ctx => {
      const mailbox = await mailboxes.find(ctx, id)
      if (!mailbox?.active || obstacles(mailbox).length > 0) return undefined
      const server = await imapOf(ctx, mailbox)
      return server && { mailbox, server, rules: ctx.services.outboundRules }
    }).catch(error => {
      log({ level: 'error', mailbox: id, error: inWords(error) })
      return undefined
    })
    const renewals = setInterval(async () => {
      const kept = await transaction(ctx => renew(ctx, id, token, lease, found?.mailbox.version)).catch(() => true)
      if (!kept) lost.abort()
    }, lease / 3).unref()
    try {
      if (!found) return await transaction(ctx => failed(ctx, id, token, ''))
      const keep: KeepToken = (fresh, used) => transaction(ctx => keepRefreshToken(ctx, id, fresh, used))
      const server = await signedIn(found.server, outbound, keep)
      await readMailbox({
        ...found,
        server,
        transaction,
        signal: AbortSignal.any([stopping.signal, lost.signal]),
        poll,
      })
      await transaction(ctx => release(ctx, id, token))
    } catch (error) {
      if (stopping.signal.aborted || lost.signal.aborted) await transaction(ctx => release(ctx, id, token))
      else await transaction(ctx => failed(ctx, id, token, inWords(error)))
    } finally {
      clearInterval(renewals)
    }
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

async function claim(ctx: Context, id: Id, token: Id, lease: number): Promise<boolean> {
  const [row] = await ctx.sql`insert into mailbox_state as s (tenant_id, mailbox_id, lease, leased_until)
    values (${ctx.caller.tenantId}, ${id}, ${token}, now() + ${lease}::float8 * interval '1 millisecond')
    on conflict (tenant_id, mailbox_id) do update set lease = excluded.lease, leased_until = excluded.leased_until
    where s.leased_until is null or s.leased_until < now() returning 1`
  return row !== undefined
}

async function renew(ctx: Context, id: Id, token: Id, lease: number, version: number | undefined): Promise<boolean> {
  const [row] =
    await ctx.sql`update mailbox_state s set leased_until = now() + ${lease}::float8 * interval '1 millisecond'
    from mailbox m where s.tenant_id = ${ctx.caller.tenantId} and s.mailbox_id = ${id} and s.lease = ${token}
      and m.tenant_id = s.tenant_id and m.id = s.mailbox_id and not m.deleted and (${version ?? null}::int is null or m.version = ${version ?? null}::int) returning 1`
  return row !== undefined
}

async function release(ctx: Context, id: Id, token: Id): Promise<void> {
  await ctx.sql`update mailbox_state set lease = null, leased_until = null
    where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${id} and lease = ${token}`
}

/** Tried again after a while: 5 s, 10 s, 20 s … an hour at most. Somebody who changes the mailbox has it tried at once. */
async function failed(ctx: Context, id: Id, token: Id, error: string): Promise<void> {
  await ctx.sql`update mailbox_state set lease = null, leased_until = null, failures = failures + 1, last_error = ${error.slice(0, 1000)},
      next_try = now() + least(interval '1 hour', interval '5 seconds' * power(2, least(failures, 12)))
    where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${id} and lease = ${token}`
}
