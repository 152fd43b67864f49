import type { Database } from '../../../kernel/database.ts'
import { operatorId } from '../../../kernel/id.ts'
import { verifyPassword } from '../../password/password.ts'
import { openTenantStatuses } from '../../tenant-status.ts'
import type { AccountRef } from '../accounts.ts'
import { clearAttempts, countAttempt, lockPassword, maxFailures } from './account-lock.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'

interface SignInInput {
  email: string
  password: string
  /** The slug of the tenant; needed only if several tenants know the e-mail address. */
  workspace: string
  ip: string
}

interface Candidate extends AccountRef {
  slug: string
  password: string
}

/**
 * Signs a person in. An unknown address, a wrong password, a closed account and an ambiguous address get the same
 * answer at the same cost. `later` means that this network or this account has made too many attempts.
 */
export async function signIn(
  database: Database,
  attempts: AttemptLimit,
  credentials: SignInInput,
): Promise<AccountRef | 'refused' | 'later'> {
  const counters = [`from ${networkOf(credentials.ip)}`, `for ${credentials.email.trim().toLowerCase()}`]
  if (!counters.every(counter => attempts.take(counter))) return 'later'

  const candidate = await findCandidate(database, credentials)
  // The attempt is counted in parallel, and for unknown users as well, so that response times do not reveal whether an
  // account exists.
  const [matches, count] = await Promise.all([
    verifyPassword(candidate?.password, credentials.password),
    countAttempt(database, candidate ?? nobody),
  ])
  if (!candidate || count === undefined || count > maxFailures) return 'refused'
  if (!matches) {
    if (count === maxFailures) await lockPassword(database, candidate)
    return 'refused'
  }
  await clearAttempts(database, candidate)
  for (const counter of counters) attempts.giveBack(counter)
  return candidate
}

const nobody = { tenantId: operatorId, userId: operatorId }

/** Returns the user with this address; undefined if several tenants know it and no workspace is given. */
async function findCandidate(
  { crossTenantSql }: Database,
  { email, workspace }: SignInInput,
): Promise<Candidate | undefined> {
  const slug = workspace.trim().toLowerCase()
  const users = await crossTenantSql<Candidate>`
    select u.tenant_id as "tenantId", u.id as "userId", u.auth_version as "authVersion", u.password, t.slug
    from "user" u join tenant t on t.tenant_id = u.tenant_id
    where lower(u.email) = lower(${storable(email.trim())}) and u.email <> '' and not u.deleted
      and u.password is not null and u.active and (t.status in (${openTenantStatuses}) or u.super_admin) and not t.deleted limit 1000`
  const meant = slug === '' ? users : users.filter(user => user.slug.toLowerCase() === slug)
  return meant.length === 1 ? meant[0] : undefined
}

/** An address that the database cannot store belongs to nobody. */
function storable(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? '' : text
}
