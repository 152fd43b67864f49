import { unnamedCall } from '../../containers/action/action.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { mask, readSecret, storeSecret, UnsealFailed } from '../../platform/secrets.ts'
import { headerValues } from '../endpoint.ts'
import { isSecret, newSecret } from '../signature.ts'
import { type Hook, type HookValues, hooks } from './hook.ts'

/** How long calls are signed by the former secret too, so that a receiver can switch without missing a call; ms. */
const rotationPeriod = 24 * 3600 * 1000
export const secretName = 'secret'
export const formerName = 'formerSecret'

export async function rotateSecret(ctx: Context, id: Id): Promise<{ secret: string; formerUntil: string }> {
  const hook = await hooks.get(ctx, id, { lock: true })
  const until = new Date(ctx.now.getTime() + rotationPeriod).toISOString()
  const former = await openSecret(ctx, hook.id, secretName)
  const secret = newSecret()
  if (former) await storeSecret(ctx, hook.id, formerName, JSON.stringify({ secret: former, until }))
  await storeSecret(ctx, hook.id, secretName, secret)
  await hooks.update(
    ctx,
    hook.id,
    { secret: mask },
    { own: { columns: {}, changes: { secret: { from: mask, to: mask } } } },
  )
  return { secret, formerUntil: until }
}

/** The secrets and header values of a call, which are never shown. */
export async function callSecrets(
  ctx: Context,
  hook: Hook,
): Promise<{ secrets: string[]; headers: Record<string, string> }> {
  const secret = await openSecret(ctx, hook.id, secretName)
  const former = await openSecret(ctx, hook.id, formerName)
  const kept: { secret: string; until: string } | undefined = former ? JSON.parse(former) : undefined
  const formerStillValid = kept && Date.parse(kept.until) > ctx.now.getTime() ? [kept.secret] : []
  return {
    secrets: [...(secret ? [secret] : []), ...formerStillValid],
    headers: await headerValues(ctx, hook.id, endpointOf(hook)),
  }
}

/** A secret that can no longer be decrypted counts as missing: the receiver will refuse the call. */
async function openSecret(ctx: Context, hookId: Id, name: string): Promise<string | undefined> {
  try {
    return await readSecret(ctx, hookId, name)
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** The secret that the caller gives; undefined if they give none or send the mask back. */
export function givenSecret({ secret }: Partial<HookValues>): string | undefined {
  if (!secret || secret === mask) return undefined
  if (!isSecret(secret))
    throw new Invalid([fault(['secret'], 'secret', 'must be whsec_ and 24 to 64 bytes as base64, or left out')])
  return secret
}

/** The address and the headers of a hook are stored like those of an endpoint of a rule. */
export const endpointOf = ({ url, headers }: Pick<Hook, 'url' | 'headers'>) => ({
  actionType: unnamedCall,
  url,
  httpHeader: headers,
  to: '',
  text: '',
  id: 'hook',
  active: true,
})
