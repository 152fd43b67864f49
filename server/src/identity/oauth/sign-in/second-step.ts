import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import {
  confirmSecondFactor,
  type Enrolment,
  enrolmentFor,
  isSecondFactorRequired,
  newSecret,
  proposeSecondFactor,
  readSecondFactor,
  useSecondFactor,
} from '../../second-factor/second-factor.ts'
import { tenantCaller } from '../../tenant-caller.ts'
import type { AccountRef } from '../accounts.ts'
import { clearAttempts, countAttempt, lockPassword, maxFailures } from './account-lock.ts'

/** What follows a right password: the sign-in itself, a code, or the enrolment that the tenant requires. */
export type NextStep = 'admit' | 'code' | 'enrol'

export async function nextStep(database: Database, { tenantId, userId }: AccountRef): Promise<NextStep> {
  return await database.single(tenantCaller(tenantId), async ctx => {
    if ((await readSecondFactor(ctx, userId)).since) return 'code'
    return (await isSecondFactorRequired(ctx)) ? 'enrol' : 'admit'
  })
}

/** The methods of a sign-in, as the session and its tokens keep them (RFC 8176). */
export const methods = {
  password: ['pwd'],
  passwordAndCode: ['pwd', 'otp', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
  provider: ['fed'],
} as const
export type Methods = (typeof methods)[keyof typeof methods]

/**
 * Tells whether a session that began in this way may go on: a tenant that requires a second factor accepts no session by
 * password alone, also of those that began before.
 */
export async function isStrongEnough(database: Database, tenantId: Id, amr: readonly string[]): Promise<boolean> {
  if (amr.includes('mfa') || amr.includes('fed')) return true
  return !(await database.single(tenantCaller(tenantId), isSecondFactorRequired))
}

/** Verifies a code. Wrong ones count like wrong passwords and lock the sign-in by password. */
export async function verifyCode(
  database: Database,
  holder: AccountRef,
  code: string,
): Promise<'ok' | 'refused' | 'locked'> {
  const count = await countAttempt(database, holder)
  if (count === undefined || count > maxFailures) return 'locked'
  const { tenantId, userId } = holder
  const matches = await database.transaction(tenantCaller(tenantId, userId), ctx => useSecondFactor(ctx, userId, code))
  if (matches) {
    await clearAttempts(database, holder)
    return 'ok'
  }
  if (count < maxFailures) return 'refused'
  await lockPassword(database, holder)
  return 'locked'
}

/** Proposes a key to a user who must enrol; `known` is one that was shown already. */
export async function beginEnrolment(
  database: Database,
  { tenantId, userId }: AccountRef,
  known?: string,
): Promise<Enrolment> {
  return await database.single(tenantCaller(tenantId), ctx => enrolmentFor(ctx, userId, known ?? newSecret()))
}

/** Returns the recovery codes; undefined if the code is wrong, or another enrolment was faster. */
export async function completeEnrolment(
  database: Database,
  holder: AccountRef,
  secret: string,
  code: string,
): Promise<string[] | undefined> {
  const { tenantId, userId } = holder
  const codes = await database.transaction(tenantCaller(tenantId, userId), async ctx => {
    await ctx.sql`select 1 from "user" where tenant_id = ${tenantId} and id = ${userId} for update`
    if ((await readSecondFactor(ctx, userId)).since) return undefined
    await proposeSecondFactor(ctx, userId, secret)
    return await confirmSecondFactor(ctx, userId, code.replace(/\s/g, ''))
  })
  if (codes) await clearAttempts(database, holder)
  return codes
}
