import { isDeepStrictEqual } from 'node:util'
import { type Action, actionShape } from '../../containers/action/action.ts'
import { visibleContainers, visibleInContainers } from '../../identity/visibility.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { and, or, ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { endpoint } from '../../notify/endpoint.ts'
import { complete, duplicateIds, withIds } from '../../records/input/entries.ts'
import { ownerKind, refuseUnknownOwner } from '../../records/references/owner.ts'
import { ruleFindings } from './findings/rule-findings.ts'
import { maxActions, type Rule, type RuleValues, ruleShape } from './rule-shape.ts'

export type { Rule, RuleValues } from './rule-shape.ts'

const maxConditions = 100

/** An automation: a trigger, conditions and actions. */
export const rules = resource('Rule', {
  about:
    'An automation: its actions are performed when its trigger occurs and its conditions hold. Values of `httpHeader` are write-only: sending back `Authorization: ***` keeps the stored value.',
  shape: ruleShape,
  serverSet: ['scopes'],
  visible: visibleRules,
  check: checkRule,
  findings: ruleFindings,
  remembered: true,
  derived: {
    stats: {
      schema: {
        type: 'object',
        description: 'How often the rule matched, acted and failed, and its average duration.',
        properties: {
          matched: { type: 'integer' },
          acted: { type: 'integer' },
          failed: { type: 'integer' },
          avgMs: { type: 'number' },
        },
        required: ['matched', 'acted', 'failed', 'avgMs'],
      },
      value: t =>
        sql`(select json_build_object('matched', coalesce(max(s.matched), 0), 'acted', coalesce(max(s.acted), 0), 'failed', coalesce(max(s.failed), 0),
          'avgMs', coalesce(round((max(s.ms) / nullif(max(s.matched), 0))::numeric, 2), 0)) from rule_stat s where s.tenant_id = ${ownTenant} and s.rule_id = ${t}.id)`,
    },
    lastRun: {
      schema: { type: 'string', format: 'date-time', nullable: true },
      value: t =>
        sql`(select ${instantText(sql`s.last_run`)} from rule_stat s where s.tenant_id = ${ownTenant} and s.rule_id = ${t}.id)`,
    },
    lastError: {
      schema: { type: 'string' },
      value: t =>
        sql`coalesce((select s.last_error from rule_stat s where s.tenant_id = ${ownTenant} and s.rule_id = ${t}.id), '')`,
    },
  },
})

/** A rule tells about the containers in which it acts, so it is visible to its owner and to callers who see one of them. */
function visibleRules(caller: Caller, r: Sql): Sql {
  const containerId = sql`(case when ${r}.owner = ${ownerKind.container} then nullif(${r}.owner_id, '')::uuid end)`
  return or([
    sql`${r}.owner_user = ${caller.userId}`,
    and([
      visibleInContainers(caller, sql`${r}.container`),
      or([sql`${containerId} is null`, visibleContainers(caller, containerId)]),
    ]),
  ])
}

export async function checkRule(ctx: Context, rule: RuleValues, before: Rule | undefined): Promise<void> {
  const faults = [
    ...duplicateIds(complete(actionShape, rule.actionValue), 'actionValue'),
    ...duplicateIds(complete(endpoint, rule.actionEndpoint), 'actionEndpoint'),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  await refuseBorrowed(ctx, rule, before)
  const conditions = rule.conditionGroup.reduce((sum, group) => sum + group.condition.length, 0)
  if (conditions > maxConditions) refuseTooMany('conditions', 'conditionGroup', maxConditions)
  if (rule.actionValue.length + rule.actionEndpoint.length > maxActions)
    refuseTooMany('actions', 'actionValue', maxActions)
  await refuseUnknownOwner(ctx, rule, before)
}

/**
 * A rule may act only with the rights of the user who writes it, within the scopes of their credential; super admins may
 * name any user.
 */
async function refuseBorrowed(ctx: Context, rule: RuleValues, before: Rule | undefined): Promise<void> {
  const { caller } = ctx
  // An update that only describes the rule or switches it on or off grants no rights.
  const same = before && isDeepStrictEqual(behaviourOf(rule), behaviourOf(before))
  if (caller.scopes.length > 0 && !same && !isDeepStrictEqual(rule.scopes, [...caller.scopes]))
    throw new Forbidden('a credential with scopes lets a rule act only within these scopes')
  if (caller.authority.superAdmin) {
    if (isId(rule.runAs) && rule.runAs !== before?.runAs)
      await refuseUnknown(ctx, [{ entity: 'User', id: rule.runAs, path: ['runAs'] }])
    return
  }
  const borrowed = (['ownerUser', 'runAs'] as const).filter(
    each => isId(rule[each]) && rule[each].toLowerCase() !== caller.userId,
  )
  if (borrowed.length > 0 && !same)
    throw new RuleBroken(
      'may-not-act-for',
      'only a super admin may let a rule act with the rights of another user',
      borrowed.map(each => fault([each], 'may-not-act-for', 'must be yourself', rule[each])),
    )
}

/** Returns the properties that determine what a rule does; the others only describe it or switch it on. */
export function behaviourOf(rule: RuleValues | Rule): unknown {
  const { name, description, notes, order, active, ...rest } = rules.completed({ ...rule })
  return rest
}

function refuseTooMany(what: string, property: string, max: number): never {
  const message = `a rule has at most ${max} ${what}`
  throw new RuleBroken(`too-many-${what}`, message, [fault([property], `too-many-${what}`, message)])
}

/** Completes conditions and actions and gives each an id. */
export function normalized(values: Partial<RuleValues>, before?: Rule): Partial<RuleValues> {
  const { conditionGroup, actionValue: actions } = values
  return {
    ...values,
    ...(conditionGroup && { conditionGroup: withConditionIds(conditionGroup) }),
    ...(actions && {
      actionValue: withIds(complete(actionShape, actions), complete(actionShape, before?.actionValue ?? []), likeness),
    }),
  }
}

function likeness({ actionType, field, value }: Action): string {
  return JSON.stringify([actionType, field, value])
}
