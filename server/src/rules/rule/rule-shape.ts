import { Type } from 'typebox'
import { actionShape } from '../../containers/action/action.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { Code, Count, LongText, Name, Parts, Ref, Refs, Text, Timezone } from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { endpoint } from '../../notify/endpoint.ts'

/** The most actions of a rule, calls included. */
export const maxActions = 50

export const ruleShape = {
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
  actionValue: Parts(actionShape, [], maxActions),
  actionEndpoint: Parts(endpoint, [], maxActions),
  order: Code(),
  mode: Code({ description: '0 after the commit · 1 before it: sets fields (0 to 5) or refuses (24).' }),
  runAs: Text(36, {
    description:
      'In whose name: `0` or empty its own, with the rights of `ownerUser` · `1` whoever caused it · a user’s id.',
  }),
  ownerUser: Ref('User', {
    description: 'Who answers for it, and with whose rights it acts: whoever made it or changed it last.',
  }),
  stopOnMatch: Type.Boolean({ description: 'When it has acted, no later rule looks at the same event.' }),
  oncePerRecord: Type.Boolean({ description: 'Acts once on each record, for ever.' }),
  debounce: Text(40, { description: 'Waits until nothing has come for so long: `PT5M`.' }),
  maxPerHour: Count(1_000_000),
  quietHours: Ref('Clock', { description: 'Does nothing while this clock is open.' }),
  timezone: Timezone,
  notes: LongText(20_000),
}

export type Rule = Stored<typeof ruleShape>
export type RuleValues = Values<typeof ruleShape>
