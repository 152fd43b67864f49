import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { dropSecrets, readSecret, storeSecret } from '../../platform/secrets.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { digestOfCode, newRecoveryCodes } from './recovery-codes.ts'
import { base32, fromBase32, matchingStep, newTotpKey, otpauthUri } from './totp.ts'

const required = setting('user.secondFactorRequired', {
  security: true,
  schema: Type.Boolean(),
  default: false,
  scopes: ['tenant'],
  description:
    'Whether sign-in by password needs a second factor. Users without one enrol during their next sign-in. API keys and sign-in through a provider are not affected.',
})

/** The name of the key among the sealed secrets of the user. */
const secretName = 'totp'

interface SecondFactorState {
  /** Null until the user has confirmed it with a code; sign-in asks for it from then on. */
  since: Date | null
  recoveryCodesLeft: number
}

export async function readSecondFactor(ctx: Context, userId: Id): Promise<SecondFactorState> {
  const [row] = await ctx.sql<SecondFactorState>`
    select confirmed as since, cardinality(recovery) as "recoveryCodesLeft" from second_factor
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId}`
  return row ?? { since: null, recoveryCodesLeft: 0 }
}

/** Whether the tenant requires a second factor for sign-in by password. */
export const isSecondFactorRequired = (ctx: Context): Promise<boolean> => settingOf(ctx, required)

/** A key that an authenticator app can be set up with. */
export interface Enrolment {
  secret: string
  uri: string
}

export const newSecret = () => base32(newTotpKey())

export async function enrolmentFor(ctx: Context, userId: Id, secret: string): Promise<Enrolment> {
  const [row] = await ctx.sql<{ email: string; tenant: string }>`select u.email, t.name as tenant
    from "user" u join tenant t on t.tenant_id = u.tenant_id where u.tenant_id = ${ctx.caller.tenantId} and u.id = ${userId}`
  return { secret, uri: otpauthUri(secret, row?.email ?? '', `Gantry ${row?.tenant ?? ''}`.trim()) }
}

/** Stores a key that counts only when it is confirmed. It replaces an earlier one that was not. */
export async function proposeSecondFactor(ctx: Context, userId: Id, secret: string): Promise<void> {
  await storeSecret(ctx, userId, secretName, secret)
  await ctx.sql`insert into second_factor (tenant_id, user_id) values (${ctx.caller.tenantId}, ${userId})
    on conflict (tenant_id, user_id) do update set confirmed = null, last_step = 0, recovery = '{}'`
}

/** Puts the proposed key into force and returns the recovery codes; undefined if the code is wrong. */
export async function confirmSecondFactor(ctx: Context, userId: Id, code: string): Promise<string[] | undefined> {
  if (!(await useTotp(ctx, userId, code))) return undefined
  await ctx.sql`update second_factor set confirmed = ${ctx.now}
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId}`
  await happened(ctx, 'secondFactorAdded', userId)
  return await renewRecoveryCodes(ctx, userId)
}

/** Replaces all recovery codes and returns the new ones, which nobody can read again. */
export async function renewRecoveryCodes(ctx: Context, userId: Id): Promise<string[]> {
  const codes = newRecoveryCodes()
  await ctx.sql`update second_factor set recovery = ${codes.map(digestOfCode)}::bytea[]
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId}`
  return codes
}

/** Uses a code of the app or a recovery code up; false if it is wrong or was used before. */
export async function useSecondFactor(ctx: Context, userId: Id, code: string): Promise<boolean> {
  const given = code.replace(/\s/g, '')
  return /^\d{6}$/.test(given) ? await useTotp(ctx, userId, given) : await useRecoveryCode(ctx, userId, given)
}

async function useTotp(ctx: Context, userId: Id, code: string): Promise<boolean> {
  const secret = await readSecret(ctx, userId, secretName)
  const step = secret && matchingStep(fromBase32(secret), code, ctx.now)
  if (!step) return false
  const [used] = await ctx.sql`update second_factor set last_step = ${step}
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and last_step < ${step} returning true`
  return used !== undefined
}

async function useRecoveryCode(ctx: Context, userId: Id, code: string): Promise<boolean> {
  const digest = digestOfCode(code)
  const [used] = await ctx.sql`update second_factor set recovery = array_remove(recovery, ${digest}::bytea)
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and ${digest}::bytea = any(recovery) returning true`
  if (used) await happened(ctx, 'recoveryCodeUsed', userId)
  return used !== undefined
}

/** Removes the factor with its codes. */
export async function removeSecondFactor(ctx: Context, userId: Id): Promise<void> {
  const [row] = await ctx.sql<{ confirmed: Date | null }>`delete from second_factor
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} returning confirmed`
  await dropSecrets(ctx, userId)
  if (row?.confirmed) await happened(ctx, 'secondFactorRemoved', userId)
}

export async function happened(ctx: Context, verb: string, userId: Id): Promise<void> {
  await appendEvents(ctx, [{ kind: `user.${verb}`, entity: 'User', recordId: userId, changes: {} }])
}
