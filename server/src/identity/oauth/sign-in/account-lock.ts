import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import { appendWith } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { raw } from '../../../kernel/sql.ts'
import { tenantCaller } from '../../tenant-caller.ts'

/** The number of wrong passwords and codes in a quarter of an hour that stops password sign-in. */
export const maxFailures = 10
const window = 15 * 60_000
const firstLock = 15 * 60_000
const longestLock = 24 * 60 * 60_000

interface User {
  tenantId: Id
  userId: Id
}

/** The duration of the lock. It doubles with each lock that follows without a successful sign-in, up to a day. */
export function lockDuration(lockouts: number): number {
  return Math.min(firstLock * 2 ** Math.min(lockouts, 20), longestLock)
}

/**
 * Counts an attempt before its password or code is verified, so that parallel attempts count as much as sequential ones.
 * Returns the number of attempts in this quarter of an hour; undefined if the user or their password is locked.
 */
export async function countAttemptIn(ctx: Context, userId: Id): Promise<number | undefined> {
  const since = new Date(ctx.now.getTime() - window)
  const [row] = await ctx.sql<{ failures: number }>`update "user" set
      failures = case when failing_since > ${since} then failures + 1 else 1 end,
      failing_since = case when failing_since > ${since} then failing_since else ${ctx.now} end
    where tenant_id = ${ctx.caller.tenantId} and id = ${userId} and (locked is null or locked <= ${ctx.now})
      and (password_locked is null or password_locked <= ${ctx.now})
    returning failures`
  return row?.failures
}

/** Takes back the count of an attempt that was right, but does not complete a sign-in. */
export async function forgiveAttemptIn(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`update "user" set failures = greatest(failures - 1, 0)
    where tenant_id = ${ctx.caller.tenantId} and id = ${userId}`
}

/**
 * Stops password sign-in for a while and records an event. Sessions, keys, rules and sign-in through a provider go on:
 * otherwise anybody could stop the work of somebody whose address they know.
 */
export async function lockPasswordIn(ctx: Context, userId: Id): Promise<void> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ locked: Date | null; lockouts: number }>`
    select password_locked as locked, lockouts from "user" where tenant_id = ${tenantId} and id = ${userId}`
  if (!row) return
  const until = new Date(ctx.now.getTime() + lockDuration(row.lockouts))
  const changes = { passwordLocked: { from: row.locked?.toISOString() ?? null, to: until.toISOString() } }
  // No row is changed if another attempt has already locked it, or a success has reset the count.
  await ctx.sql`with changed as (
      update "user" set password_locked = ${until}, lockouts = lockouts + 1, failures = 0, failing_since = null,
        version = version + 1, updated = ${ctx.now}, updated_by = ${ctx.caller.userId}
      where tenant_id = ${tenantId} and id = ${userId} and failures >= ${maxFailures} returning version
    ) ${appendWith(ctx, raw('changed'), { kind: 'user.locked', entity: 'User', recordId: userId, changes }, raw('changed.version'))}`
}

// The same for sign-in, which happens before there is a context of the tenant.

export function countAttempt(database: Database, { tenantId, userId }: User): Promise<number | undefined> {
  return database.single(tenantCaller(tenantId), ctx => countAttemptIn(ctx, userId))
}

export function forgiveAttempt(database: Database, { tenantId, userId }: User): Promise<void> {
  return database.single(tenantCaller(tenantId), ctx => forgiveAttemptIn(ctx, userId))
}

export function lockPassword(database: Database, { tenantId, userId }: User): Promise<void> {
  return database.single(tenantCaller(tenantId), ctx => lockPasswordIn(ctx, userId))
}

/** Resets the count of failures after a successful sign-in. */
export async function clearAttempts(database: Database, { tenantId, userId }: User): Promise<void> {
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update "user" set failures = 0, failing_since = null, lockouts = 0, last_seen = ${ctx.now}
      where tenant_id = ${tenantId} and id = ${userId}`,
  )
}
