import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { ConditionGroups } from '../../kernel/conditions/conditions.ts'
import { numbered } from '../../kernel/conditions/numbered.ts'
import type { Context } from '../../kernel/database.ts'
import { complete, duplicateIds, type Entry, withIds } from '../../kernel/entries.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import { refuseUnknownOwner } from '../../kernel/owner.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { type Expect, resource, type Stored, type Values } from '../../kernel/resource.ts'
import { check, create, get, history, list, remove, restore, update } from '../../kernel/stock.ts'
import { AnyJson, Code, LongText, Name, Parts, Refs, Text } from '../../kernel/values.ts'
import { differs, endpoint, keepValues, type ReadEndpoints, readEndpoints } from './endpoint.ts'
import { ruleFindings } from './rule-findings.ts'

const mostConditions = 100
const mostActions = 50

const actionValue = {
  actionType: Code(),
  field: Text(200),
  value: AnyJson,
  id: Text(100),
  active: Type.Boolean({ default: true }),
}

const shape = {
  name: Name(200),
  description: LongText(),
  active: Type.Boolean(),
  owner: Code(),
  ownerId: Text(60),
  trigger: Code(),
  triggerEvent: Code(),
  triggerInterval: Text(500),
  container: Refs('Container'),
  conditionGroup: ConditionGroups,
  actionValue: Parts(actionValue, [], mostActions),
  actionEndpoint: Parts(endpoint, [], mostActions),
  order: Code(),
}

export type Rule = Stored<typeof shape>
type RuleValues = Values<typeof shape>

/** When, if, then: what happens by itself. */
export const rules = resource('Rule', {
  about:
    'When, if, then: what happens by itself. Values of `httpHeader` are written and never shown: `Authorization: ***` sent back keeps the value that is there.',
  shape,
  check: checkRule,
  findings: ruleFindings,
})

async function checkRule(ctx: Context, rule: RuleValues, before: Rule | undefined): Promise<void> {
  const faults = [
    ...duplicateIds(complete(actionValue, rule.actionValue), 'actionValue'),
    ...duplicateIds(complete(endpoint, rule.actionEndpoint), 'actionEndpoint'),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  const conditions = rule.conditionGroup.reduce((sum, group) => sum + group.condition.length, 0)
  if (conditions > mostConditions) refuseTooMany('conditions', 'conditionGroup', mostConditions)
  if (rule.actionValue.length + rule.actionEndpoint.length > mostActions)
    refuseTooMany('actions', 'actionValue', mostActions)
  await refuseUnknownOwner(ctx, rule, before)
}

function refuseTooMany(what: string, property: string, most: number): never {
  const message = `a rule has at most ${most} ${what}`
  throw new RuleBroken(`too-many-${what}`, message, [fault([property], `too-many-${what}`, message)])
}

async function createRule(ctx: Context, values: Partial<RuleValues>): Promise<Rule> {
  const endpoints = readable(readEndpoints(ctx, values.actionEndpoint ?? [], []))
  const rule = await rules.create(ctx, { ...tidied(values), actionEndpoint: endpoints.masked })
  await keepValues(ctx, rule.id, endpoints)
  return rule
}

async function changeRule(ctx: Context, id: Id, values: Partial<RuleValues>, more: { expect?: Expect }): Promise<Rule> {
  const before = await rules.get(ctx, id, { lock: true })
  const wanted = tidied(values, before)
  if (values.actionEndpoint === undefined) return await rules.update(ctx, id, wanted, more)
  const endpoints = readable(readEndpoints(ctx, values.actionEndpoint ?? [], before.actionEndpoint))
  const { masked } = endpoints
  // A new value behind the same mask is no change of the record, and yet one that its history must tell of.
  const unseen = isDeepStrictEqual(masked, before.actionEndpoint) && (await differs(ctx, before.id, endpoints))
  const own = { columns: {}, changes: { actionEndpoint: { from: masked, to: masked } } }
  const rule = await rules.update(
    ctx,
    id,
    { ...wanted, actionEndpoint: masked },
    { ...more, ...(unseen ? { own } : {}) },
  )
  await keepValues(ctx, rule.id, endpoints)
  return rule
}

function readable(endpoints: ReadEndpoints): ReadEndpoints {
  if (endpoints.faults.length > 0) throw new Invalid(endpoints.faults)
  return endpoints
}

/** Nothing left out, and an id for every condition and every action. */
function tidied(values: Partial<RuleValues>, before?: Rule): Partial<RuleValues> {
  const { conditionGroup, actionValue: actions } = values
  return {
    ...values,
    ...(conditionGroup && { conditionGroup: numbered(conditionGroup) }),
    ...(actions && {
      actionValue: withIds(complete(actionValue, actions), complete(actionValue, before?.actionValue ?? []), likeness),
    }),
  }
}

function likeness({ actionType, field, value }: Entry<typeof actionValue>): string {
  return JSON.stringify([actionType, field, value])
}

export const routes: Routes = {
  'GET /rule': list(rules),
  'POST /rule': create(rules, createRule),
  'PUT /rule': update(rules, changeRule),
  'GET /rule/:id': get(rules),
  'PUT /rule/:id': update(rules, changeRule),
  'PATCH /rule/:id': update(rules, changeRule),
  'DELETE /rule/:id': remove(rules),
  'POST /rule/:id/restore': restore(rules),
  'GET /rule/:id/history': history(rules),
  'GET /rule/:id/check': check(rules),
}
