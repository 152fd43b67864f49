import type { Database } from '../../../kernel/database.ts'
import { operatorId } from '../../../kernel/id.ts'
import { recordSignIn, tenantOfStrangers } from '../../audit/sign-in-audit.ts'
import { verifyPassword } from '../../password/password.ts'
import { openTenantStatuses } from '../../tenant-status.ts'
import type { AccountRef } from '../accounts.ts'
import { clearAttempts, countAttempt, forgiveAttempt, lockPassword, maxFailures } from './account-lock.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'
import { type NextStep, nextStep } from './second-step.ts'

interface SignInInput {
  email: string
  password: string
  /** The slug of the tenant; needed only if several tenants know the e-mail address. */
  workspace: string
  ip: string
  /** The OAuth client that the person signs in to. */
  client?: string
}

interface Candidate extends AccountRef {
  slug: string
  password: string
}

/** The account whose password is right, and what else the sign-in needs. */
interface PasswordSignIn extends AccountRef {
  next: NextStep
}

/**
 * Verifies the password of a person. An unknown address, a wrong password, a closed account and an ambiguous address get the same
 * answer at the same cost. `later` means that this network or this account has made too many attempts.
 */
export async function signIn(
  database: Database,
  attempts: AttemptLimit,
  credentials: SignInInput,
): Promise<PasswordSignIn | 'refused' | 'later'> {
  const counters = [`from ${networkOf(credentials.ip)}`, `for ${credentials.email.trim().toLowerCase()}`]
  if (!counters.every(counter => attempts.take(counter))) return 'later'

  const candidate = await findCandidate(database, credentials)
  // The attempt is counted in parallel, and for unknown users as well, so that response times do not reveal whether an
  // account exists.
  const [matches, count, strangers] = await Promise.all([
    verifyPassword(candidate?.password, credentials.password),
    countAttempt(database, candidate ?? nobody),
    tenantOfStrangers(database, slugIn(credentials)),
  ])
  // Each refusal writes one entry, known user or not, because the time that it takes must not tell.
  const refuse = async (outcome: 'refused' | 'locked', reason: string) => {
    const tenantId = candidate?.tenantId ?? strangers
    const { ip: address, client = '' } = credentials
    const attempt = { userId: candidate?.userId, outcome, reason, address, credential: 'password', client } as const
    if (tenantId) await recordSignIn(database, tenantId, attempt)
    return 'refused' as const
  }
  if (!candidate) return await refuse('refused', 'no such account')
  if (count === undefined || count > maxFailures) return await refuse('locked', 'the account or its password is locked')
  if (!matches && count === maxFailures) {
    await lockPassword(database, candidate)
    return await refuse('locked', `wrong password; the password is locked after ${maxFailures} failures`)
  }
  if (!matches) return await refuse('refused', 'wrong password')
  const next = await nextStep(database, candidate)
  // The count goes on until the code is right, too: a right password does not give ten more codes.
  await (next === 'admit' ? clearAttempts : forgiveAttempt)(database, candidate)
  for (const counter of counters) attempts.giveBack(counter)
  return { ...candidate, next }
}

const nobody = { tenantId: operatorId, userId: operatorId }

/** Returns the user with this address; undefined if several tenants know it and no workspace is given. */
async function findCandidate(
  { crossTenantSql }: Database,
  { email, ...more }: SignInInput,
): Promise<Candidate | undefined> {
  const slug = slugIn(more)
  const users = await crossTenantSql<Candidate>`
    select u.tenant_id as "tenantId", u.id as "userId", u.auth_version as "authVersion", u.password, t.slug
    from "user" u join tenant t on t.tenant_id = u.tenant_id
    where lower(u.email) = lower(${storable(email.trim())}) and u.email <> '' and not u.deleted
      and u.password is not null and u.active and (t.status in (${openTenantStatuses}) or u.super_admin) and not t.deleted limit 1000`
  const meant = slug === '' ? users : users.filter(user => user.slug.toLowerCase() === slug)
  return meant.length === 1 ? meant[0] : undefined
}

const slugIn = ({ workspace }: Pick<SignInInput, 'workspace'>) => storable(workspace.trim().toLowerCase())

/** An address that the database cannot store belongs to nobody. */
function storable(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? '' : text
}
