import { leaseSql, milliseconds } from '../../engine/lease/lease.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'

/** The lease of one process on one mailbox. Only its holder reads the mailbox; without renewal it expires after `length` ms. */
export function mailboxLease(id: Id, length: number) {
  const token = newId()
  const lease = leaseSql({ token, length, table: 's' })
  return {
    async claim(ctx: Context): Promise<boolean> {
      const [row] = await ctx.sql`insert into mailbox_state as s (tenant_id, mailbox_id, lease, leased_until)
        values (${ctx.caller.tenantId}, ${id}, ${token}, now() + ${milliseconds(length)})
        on conflict (tenant_id, mailbox_id) do update set ${lease.acquire} where ${lease.isFree} returning 1`
      return row !== undefined
    },

    /** Returns false if the lease was lost, or if the mailbox no longer has this version. */
    async renew(ctx: Context, version: number | undefined): Promise<boolean> {
      const [row] = await ctx.sql`update mailbox_state s set ${lease.renew}
        from mailbox m where s.tenant_id = ${ctx.caller.tenantId} and s.mailbox_id = ${id} and ${lease.isHeld}
          and m.tenant_id = ${ownTenant} and m.id = s.mailbox_id and not m.deleted and (${version ?? null}::int is null or m.version = ${version ?? null}::int) returning 1`
      return row !== undefined
    },

    async release(ctx: Context): Promise<void> {
      await ctx.sql`update mailbox_state s set ${lease.release}
        where s.tenant_id = ${ctx.caller.tenantId} and s.mailbox_id = ${id} and ${lease.isHeld}`
    },

    /** Schedules the next attempt with exponential backoff: 5 s, 10 s, 20 s … up to an hour. A change of the mailbox resets it. */
    async fail(ctx: Context, error: string): Promise<void> {
      await ctx.sql`update mailbox_state s set ${lease.release}, failures = failures + 1, last_error = ${error.slice(0, 1000)},
          next_try = now() + least(interval '1 hour', interval '5 seconds' * power(2, least(failures, 12)))
        where s.tenant_id = ${ctx.caller.tenantId} and s.mailbox_id = ${id} and ${lease.isHeld}`
    },
  }
}
