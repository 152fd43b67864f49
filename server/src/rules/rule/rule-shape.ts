import { Type } from 'typebox'
import { actionShape } from '../../containers/action/action.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import {
  ActingScopes,
  Count,
  Integer,
  LongText,
  Name,
  Parts,
  Ref,
  Refs,
  Text,
  Timezone,
} from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { endpoint } from '../../notify/endpoint.ts'
import { triggerEvents } from '../../notify/trigger-event.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { owners } from '../../records/references/owner.ts'
import { mode, triggers } from './rule-codes.ts'

/** The maximum number of actions of a rule, including calls. */
export const maxActions = 50

export const ruleShape = {
  name: Name(200),
  description: LongText(),
  active: Type.Boolean(),
  owner: Code(owners),
  ownerId: Text(60),
  trigger: Code(triggers),
  triggerEvent: Code(triggerEvents),
  triggerInterval: Text(500),
  container: Refs('Container'),
  conditionGroup: ConditionGroups,
  actionValue: Parts(actionShape, [], maxActions),
  actionEndpoint: Parts(endpoint, [], maxActions),
  order: Integer(),
  mode: Code(codeTableOfCodes('rule.mode', mode), {
    description:
      '0 acts after the commit · 1 acts before the commit: it can only set fields (actions 0 to 5) or refuse the change (24).',
  }),
  runAs: Text(36, {
    description:
      'The user whose rights apply: `0` or empty for `ownerUser` · `1` for the actor of the event · the id of a user.',
  }),
  ownerUser: Ref('User', {
    description:
      'The user who is responsible for the rule and with whose rights it acts: the last one who changed its behaviour.',
  }),
  stopOnMatch: Type.Boolean({ description: 'After it has acted, no later rule runs for the same event.' }),
  oncePerRecord: Type.Boolean({ description: 'Acts at most once on each record.' }),
  debounce: Text(40, { description: 'Waits until no further event has come for this duration: `PT5M`.' }),
  maxPerHour: Count(1_000_000),
  quietHours: Ref('Clock', { description: 'Does nothing while this clock is open.' }),
  timezone: Timezone,
  notes: LongText(20_000),
  scopes: ActingScopes,
}

export type Rule = Stored<typeof ruleShape>
export type RuleValues = Values<typeof ruleShape>
