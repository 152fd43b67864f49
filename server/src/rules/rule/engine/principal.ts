import { userAccessOf } from '../../../identity/authority.ts'
import type { Caller } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId, newId } from '../../../kernel/id.ts'
import { remembered } from '../../../kernel/memory.ts'
import type { Rule } from '../rule-shape.ts'
import type { Cause } from './occurrence.ts'

/** In whose name a rule acts: with what its owner holds right now, or with what the actor or somebody named does. */
export const actor = '1'

/** Who a rule is at this moment; undefined if its owner, or whoever it acts for, may no longer come in. */
export async function principalOf(
  ctx: Context,
  rule: Pick<Rule, 'ownerUser' | 'runAs'>,
  actorId: Id,
): Promise<Caller | undefined> {
  const owner = await callerFor(ctx, rule.ownerUser)
  if (!owner || rule.runAs === '' || rule.runAs === '0') return owner
  return await callerFor(ctx, rule.runAs === actor ? actorId : rule.runAs)
}

async function callerFor(ctx: Context, userId: Id): Promise<Caller | undefined> {
  if (!isId(userId)) return undefined
  const known = await remembered(ctx, `principal ${userId}`, async () => {
    const found = await userAccessOf(ctx, userId)
    if (found?.tenantStatus !== 0) return {}
    const caller: Caller = { tenantId: ctx.caller.tenantId, userId, kind: 'rule', scopes: [], ...found }
    return { caller }
  })
  return known?.caller
}

/** The same transaction, as the rule works in it: each act is a change set of its own, so that it can be undone by itself. */
export function asRule(ctx: Context, caller: Caller): Context {
  return ctx.derive({ caller, changeSet: newId() })
}

/** Whatever is written meanwhile says what it came from. */
export async function withCause<T>(ctx: Context, cause: Cause, work: () => Promise<T>): Promise<T> {
  await ctx.sql`select set_config('app.cause', ${JSON.stringify(cause)}, true)`
  const result = await work()
  await ctx.sql`select set_config('app.cause', '', true)`
  return result
}
