import { revokeFeedsOf } from '../identity/calendar-feed/calendar-feed.ts'
import { forgetConsents } from '../identity/consent/consent.ts'
import { forgetPasskeys } from '../identity/passkey/passkey.ts'
import { removeSecondFactor } from '../identity/second-factor/second-factor.ts'
import { forgetSessions } from '../identity/session/session.ts'
import type { Context } from '../kernel/context.ts'
import { appendEvents } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { type Forgotten, forgetAnswers, forgetInRecords } from '../records/history/forgetting.ts'
import { anonymiseKeysOf, revokeKeysOf } from './api-key.ts'
import { anonymiseLeave } from './leave/absence.ts'
import { refuseLastSuperAdmin, type User, users } from './user/user.ts'
import { endSessions } from './user/write-user.ts'
import { anonymiseIdentities } from './user-identity.ts'

/** An anonymised user, with all names they ever had, so that callers can remove those from texts. */
interface Anonymised extends Forgotten {
  names: readonly string[]
}

/**
 * Anonymises a user: the record keeps its id and loses all personal data, also in the event log. Returns undefined if the
 * user is anonymised already. It cannot be undone, because no copy of the data remains.
 */
export async function anonymise(ctx: Context, user: User): Promise<Anonymised | undefined> {
  if (user.anonymised) return undefined
  if (user.superAdmin) await refuseLastSuperAdmin(ctx, user.id)
  const person: Anonymised = {
    id: user.id,
    alias: `Anonymous ${user.id.slice(-6)}`,
    ...(await formerNames(ctx, user)),
  }
  // The statement reads the whole event log of the tenant.
  await ctx.sql`set local statement_timeout = '10min'`
  await blankRecord(ctx, person)
  await endSessions(ctx, user.id)
  await revokeKeysOf(ctx, user.id)
  await anonymiseKeysOf(ctx, user.id)
  await revokeFeedsOf(ctx, user.id)
  await anonymiseLeave(ctx, user.id)
  await anonymiseIdentities(ctx, user.id)
  await removeSecondFactor(ctx, user.id)
  await forgetSessions(ctx, user.id)
  await forgetConsents(ctx, user.id)
  await forgetPasskeys(ctx, user.id)
  await forgetInRecords(ctx, person, ['User', 'Item'])
  await forgetAnswers(ctx, person)
  await ctx.sql`select forget_in_log(${user.id}::uuid)`
  await appendEvents(ctx, [
    {
      kind: 'user.anonymised',
      entity: 'User',
      recordId: user.id,
      changes: { anonymised: { from: false, to: true }, active: { from: user.active, to: false } },
    },
  ])
  return person
}

/** The current and all former names and addresses of a user. */
export async function formerNames(
  ctx: Context,
  { id, name, email }: User,
): Promise<Pick<Anonymised, 'names' | 'addresses'>> {
  const rows = await ctx.sql<{ key: string; value: string | null }>`select distinct c.key, s.value #>> '{}' as value
    from event e cross join jsonb_each(e.changes) c cross join jsonb_each(c.value) s
    where e.tenant_id = ${ctx.caller.tenantId} and e.record_id = ${id} and e.entity = 'User' and c.key in ('name', 'email')`
  const had = (key: string) => rows.flatMap(row => (row.key === key && row.value ? [row.value] : []))
  const addresses = [email, ...had('email')].map(each => each.trim().toLowerCase()).filter(Boolean)
  return { names: [...new Set([name, ...had('name')])], addresses: [...new Set(addresses)] }
}

async function blankRecord(ctx: Context, { id, alias }: Anonymised): Promise<void> {
  await ctx.sql`update "user" set name = ${alias}, initials = '', email = '', login = '', phone = '', external_id = '', avatar_file_id = null,
      skills = '{}', password = null, last_seen = null, invited_at = null, super_admin = false, active = false, anonymised = true,
      failures = 0, failing_since = null, updated = ${ctx.now}, updated_by = ${ctx.caller.userId}, version = version + 1
    where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
}

/** Locks the user to anonymise; deleted users can be anonymised, too. */
export const userToAnonymise = (ctx: Context, id: Id) => users.get(ctx, id, { deleted: true, lock: true })
