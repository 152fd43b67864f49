import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { countAttemptIn, forgiveAttemptIn, lockPasswordIn, maxFailures } from '../oauth/sign-in/account-lock.ts'
import { verifyPassword } from '../password/password.ts'
import { useSecondFactor } from './second-factor.ts'

/** What a person knows or has, to prove that it is not just their session that acts. */
export interface Proof {
  password?: string
  code?: string
}

/**
 * Verifies the password or a code of the user; wrong ones count like those at sign-in. It must run before the
 * transaction locks the user, because the count is written outside of the transaction, which a refusal rolls back.
 */
export async function requireProof(ctx: Context, userId: Id, { password, code }: Proof): Promise<void> {
  if (password === undefined && code === undefined)
    throw new Invalid([fault(['password'], 'required', 'the password or a code is required')])
  await countFailures(ctx, userId, async () => {
    if (password !== undefined && !(await isPassword(ctx, userId, password))) return 'password'
    return code !== undefined && !(await useSecondFactor(ctx, userId, code)) ? 'code' : undefined
  })
}

/** The same for the password alone, which the body calls `field`. */
export async function requirePassword(ctx: Context, userId: Id, password: string, field: string): Promise<void> {
  await countFailures(ctx, userId, async () => ((await isPassword(ctx, userId, password)) ? undefined : field))
}

async function countFailures(ctx: Context, userId: Id, wrongField: () => Promise<string | undefined>): Promise<void> {
  const count = await ctx.apart(inner => countAttemptIn(inner, userId))
  if (count === undefined || count > maxFailures)
    throw new RuleBroken('password-locked', 'there were too many wrong passwords or codes; try again later')
  const wrong = await wrongField()
  if (wrong === undefined) return await ctx.apart(inner => forgiveAttemptIn(inner, userId))
  if (count === maxFailures) await ctx.apart(inner => lockPasswordIn(inner, userId))
  const message = wrong === 'code' ? 'is wrong, or was used before' : 'is not the current password'
  throw new Invalid([fault([wrong], 'password', message)])
}

async function isPassword({ sql, caller }: Context, userId: Id, password: string): Promise<boolean> {
  const [row] = await sql<{ password: string | null }>`select password from "user"
    where tenant_id = ${caller.tenantId} and id = ${userId}`
  return await verifyPassword(row?.password, password)
}
