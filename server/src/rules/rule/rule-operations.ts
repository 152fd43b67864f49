import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { Invalid } from '../../kernel/refusal.ts'
import { differsFromStored, type ReadEndpoints, readEndpoints, storeHeaderValues } from '../../notify/endpoint.ts'
import { history } from '../../records/history/history.ts'
import { signingName } from './actions/signing-secret.ts'
import { routes as dryRunRoutes } from './dry-run/dry-run.ts'
import { routes as dryRunJobRoutes } from './dry-run/job/dry-run-job-operations.ts'
import { routes as logRoutes } from './log/log-operations.ts'
import { behaviourOf, normalized, type Rule, type RuleValues, rules } from './rule.ts'
import { routes as manualRunRoutes } from './triggers/manual-run.ts'
import { planRule } from './triggers/schedule.ts'

async function createRule(ctx: Context, values: Partial<RuleValues>): Promise<Rule> {
  const endpoints = readable(readEndpoints(ctx, values.actionEndpoint ?? [], []))
  const ownerUser = values.ownerUser || ctx.caller.userId
  const scopes = [...ctx.caller.scopes]
  const rule = await rules.create(ctx, { ...normalized(values), ownerUser, scopes, actionEndpoint: endpoints.masked })
  await storeHeaderValues(ctx, rule.id, endpoints)
  await planRule(ctx, rule)
  return rule
}

async function changeRule(ctx: Context, id: Id, values: Partial<RuleValues>, more: { expect?: Expect }): Promise<Rule> {
  const before = await rules.get(ctx, id, { lock: true })
  // Hidden values are restored first, because a rule that stays the same keeps its owner.
  const whole = ctx.services.redaction.keep(ctx.caller, normalized(values, before), before)
  const wanted = withOwner(ctx, whole, before)
  if (values.actionEndpoint === undefined) return await planAndReturn(ctx, await rules.update(ctx, id, wanted, more))
  const endpoints = readable(readEndpoints(ctx, values.actionEndpoint ?? [], before.actionEndpoint))
  const { masked } = endpoints
  // A new header value has the same mask, so the record does not change; its history must show the change nevertheless.
  const unseen =
    isDeepStrictEqual(masked, before.actionEndpoint) && (await differsFromStored(ctx, before.id, endpoints))
  const own = { columns: {}, changes: { actionEndpoint: { from: masked, to: masked } } }
  const rule = await rules.update(
    ctx,
    id,
    { ...wanted, actionEndpoint: masked },
    { ...more, ...(unseen ? { own } : {}) },
  )
  await storeHeaderValues(ctx, rule.id, { ...endpoints, kept: [...endpoints.kept, signingName] })
  return await planAndReturn(ctx, rule)
}

/**
 * A user who changes the behaviour of a rule becomes its owner, because it acts with the rights of its owner, and it acts
 * within the scopes of the credential that changed it.
 */
function withOwner(ctx: Context, wanted: Partial<RuleValues>, before: Rule): Partial<RuleValues> {
  const { userId, scopes, authority } = ctx.caller
  if (isDeepStrictEqual(behaviourOf({ ...before, ...wanted }), behaviourOf(before))) return wanted
  const named = wanted.ownerUser && wanted.ownerUser !== before.ownerUser
  const kept = named || (authority.superAdmin && before.ownerUser)
  return { ...wanted, ...(kept ? {} : { ownerUser: userId }), scopes: [...scopes] }
}

async function planAndReturn(ctx: Context, rule: Rule): Promise<Rule> {
  await planRule(ctx, rule)
  return rule
}

async function removeRule(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Rule> {
  return await planAndReturn(ctx, await rules.remove(ctx, id, more))
}

async function restoreRule(ctx: Context, id: Id): Promise<Rule> {
  return await planAndReturn(ctx, await rules.restore(ctx, id))
}

function readable(endpoints: ReadEndpoints): ReadEndpoints {
  if (endpoints.faults.length > 0) throw new Invalid(endpoints.faults)
  return endpoints
}

export const routes: Routes = {
  'GET /rule': list(rules),
  'POST /rule': create(rules, createRule),
  'PUT /rule': update(rules, changeRule),
  'GET /rule/:id': get(rules),
  'PUT /rule/:id': update(rules, changeRule),
  'PATCH /rule/:id': update(rules, changeRule),
  'DELETE /rule/:id': remove(rules, removeRule),
  'POST /rule/:id/restore': restore(rules, restoreRule),
  'GET /rule/:id/history': history(rules),
  'GET /rule/:id/check': check(rules),
  ...logRoutes,
  ...manualRunRoutes,
  ...dryRunRoutes,
  ...dryRunJobRoutes,
}
