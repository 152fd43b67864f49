import { callerInContext } from '../../identity/authority.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { webhookFormat } from '../envelope.ts'
import { type Hook, hooks } from './hook.ts'
import { callSecrets } from './hook-secrets.ts'

/** A hook with everything that a call to it needs. */
export interface HookTarget {
  hook: Hook
  owner: Caller
  secrets: string[]
  headers: Record<string, string>
}

/** Returns a hook that may be called. Cached for a moment, because many calls to one hook go out at once. */
export async function targetOf(ctx: Context, hookId: Id): Promise<HookTarget | undefined> {
  return await remembered(ctx, `hook ${hookId}`, () => readTarget(ctx, hookId))
}

async function readTarget(ctx: Context, hookId: Id): Promise<HookTarget | undefined> {
  const hook = await hooks.find(ctx, hookId)
  if (!hook?.active || hook.disabledAt || hook.url === '') return undefined
  if (!Object.values<number>(webhookFormat).includes(hook.format)) return undefined
  const owner = await callerInContext(ctx, hook.ownerUser, hook.scopes)
  return owner && { hook, owner, ...(await callSecrets(ctx, hook)) }
}
