import { userAccessOf } from '../../../identity/authority.ts'
import type { Caller } from '../../../kernel/access.ts'
import { tenantStatus } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId, newId } from '../../../kernel/id.ts'
import { remembered } from '../../../kernel/memory.ts'
import { type Sql, sql } from '../../../kernel/sql.ts'
import type { Rule } from '../rule-shape.ts'
import type { Cause } from './occurrence.ts'

/** The values of `runAs` that do not name a user: the owner of the rule (also the empty text), and the actor of the event. */
export const runAs = { owner: '0', actor: '1' } as const

/** Returns the caller as which a rule acts, with current rights within its scopes; undefined if its owner or that user can no longer sign in. */
export async function principalOf(
  ctx: Context,
  rule: Pick<Rule, 'ownerUser' | 'runAs' | 'scopes'>,
  actorId: Id,
): Promise<Caller | undefined> {
  const owner = await callerFor(ctx, rule.ownerUser)
  const ownRights = rule.runAs === '' || rule.runAs === runAs.owner
  const principal =
    owner && !ownRights ? await callerFor(ctx, rule.runAs === runAs.actor ? actorId : rule.runAs) : owner
  return principal && within(principal, rule.scopes)
}

/** The caller within scopes: the same object each time, because what is compiled for a caller is kept by it. */
function within(caller: Caller, scopes: readonly string[]): Caller {
  const known = narrowed.get(caller) ?? new Map<string, Caller>()
  narrowed.set(caller, known)
  const key = scopes.join(' ')
  const own = known.get(key) ?? { ...caller, scopes }
  known.set(key, own)
  return own
}

const narrowed = new WeakMap<Caller, Map<string, Caller>>()

async function callerFor(ctx: Context, userId: Id): Promise<Caller | undefined> {
  if (!isId(userId)) return undefined
  const known = await remembered(ctx, `principal ${userId}`, async () => {
    const found = await userAccessOf(ctx, userId)
    if (found?.tenantStatus !== tenantStatus.active) return {}
    const caller: Caller = { tenantId: ctx.caller.tenantId, userId, kind: 'rule', scopes: [], ...found }
    return { caller }
  })
  return known?.caller
}

/** Returns the context of a rule in the same transaction. Each run has its own change set, so that it can be undone alone. */
export function asRule(ctx: Context, caller: Caller): Context {
  return ctx.derive({ caller, changeSet: newId() })
}

/** Stores the cause in every event that is written from now on in the transaction. */
export async function setCause(ctx: Context, cause: Cause | undefined): Promise<void> {
  await ctx.sql`select ${causeSetting(cause)}`
}

/** The expression that stores the cause in every event that is written from now on in the transaction. */
export function causeSetting(cause: Cause | undefined): Sql {
  return sql`set_config('app.cause', ${cause ? JSON.stringify(cause) : ''}, true)`
}

/** Stores the cause in every event that is written during the work. */
export async function withCause<T>(ctx: Context, cause: Cause, work: () => Promise<T>): Promise<T> {
  await setCause(ctx, cause)
  const result = await work()
  await setCause(ctx, undefined)
  return result
}
