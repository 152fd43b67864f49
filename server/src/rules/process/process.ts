import { Type } from 'typebox'
import { fieldsNamed, plainName } from '../../containers/fields-named.ts'
import {
  type ProcessField,
  processField,
  processFieldMore,
  step,
  stepMore,
  type WorkflowStep,
} from '../../containers/workflow/workflow.ts'
import { items } from '../../items/item/item.ts'
import { everyone } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { type Reference, refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Code, LongText, Name, Parts, Text, Texts } from '../../kernel/schema/values.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { complete, duplicateIds, withIds } from '../../records/entries.ts'
import { processFindings } from './process-findings.ts'

const shape = {
  name: Name(200),
  key: Text(30),
  description: LongText(),
  image: Text(2000),
  itemNoun: Text(60),
  order: Code(),
  fields: Parts({ ...processField, ...processFieldMore }, ['fieldId'], 500),
  features: Texts(200, 200),
  workflow: Parts({ ...step, ...stepMore }, [], 500),
  active: Type.Boolean({ default: true }),
}

export type Process = Stored<typeof shape>
export type ProcessValues = Values<typeof shape>

/** Which fields an item has, which states it goes through, and who may move it on. */
export const processes = resource('Process', {
  about:
    'Which fields an item has, which states it goes through, and who may move it on. `fieldId` is the id or the key of a field, or a property that every item has, such as `status`.',
  shape,
  may: { read: everyone },
  check: checkProcess,
  findings: (process, ctx) => processFindings(ctx, stepsOf(process), fieldsOf(process)),
  remembered: true,
})

async function checkProcess(ctx: Context, process: ProcessValues, before: Process | undefined): Promise<void> {
  const [steps, fields] = [stepsOf(process), fieldsOf(process)]
  const named = [
    ...fields.map(({ fieldId }, i) => ({ fieldId, path: ['fields', i, 'fieldId'] })),
    ...steps.map(({ fieldId }, i) => ({ fieldId, path: ['workflow', i, 'fieldId'] })),
    ...steps.flatMap(({ requires = [] }, i) =>
      requires.map((fieldId, n) => ({ fieldId, path: ['workflow', i, 'requires', n] })),
    ),
  ]
  const known = await fieldsNamed(
    ctx,
    named.map(each => each.fieldId),
  )
  const faults = duplicateIds(steps, 'workflow')
  const seen = new Set<string>()
  for (const [i, { fieldId }] of fields.entries()) {
    const field = known.get(fieldId)?.id ?? fieldId
    if (seen.has(field)) faults.push(fault(['fields', i, 'fieldId'], 'duplicate', 'is there twice', fieldId))
    seen.add(field)
  }
  if (faults.length > 0) throw new Invalid(faults)
  // What the stored record already names was right when it was made.
  const [fieldsBefore, stepsBefore] = [before ? fieldsOf(before) : [], before ? stepsOf(before) : []]
  const old = new Set([
    ...[...fieldsBefore, ...stepsBefore].map(each => each.fieldId),
    ...stepsBefore.flatMap(each => each.requires ?? []),
  ])
  const oldGroups = new Set(groupsIn(stepsBefore, fieldsBefore).map(each => each.id))
  await refuseUnknown(ctx, [
    ...named
      .filter(({ fieldId }) => fieldId !== '' && !items.byProperty.has(fieldId) && !old.has(fieldId))
      .map(({ fieldId, path }) => ({ entity: 'Field', id: known.get(fieldId)?.id ?? fieldId, path })),
    ...groupsIn(steps, fields).filter(({ id }) => !id.startsWith('@') && !oldGroups.has(id)),
  ])
}

function groupsIn(steps: readonly WorkflowStep[], fields: readonly ProcessField[]): Reference[] {
  const named = (groups: readonly string[], path: (string | number)[]) =>
    groups.map((id, g) => ({ entity: 'UserGroup', id, path: [...path, g] }))
  return [
    ...steps.flatMap(({ userGroup }, i) => named(userGroup, ['workflow', i, 'userGroup'])),
    ...fields.flatMap(({ readOnlyFor = [], hiddenFor = [] }, i) => [
      ...named(readOnlyFor, ['fields', i, 'readOnlyFor']),
      ...named(hiddenFor, ['fields', i, 'hiddenFor']),
    ]),
  ]
}

export function stepsOf({ workflow }: Pick<ProcessValues, 'workflow'>): WorkflowStep[] {
  return workflow.map(each => ({ ...each, ...only(complete(step, [each])) }))
}

export function fieldsOf({ fields }: Pick<ProcessValues, 'fields'>): ProcessField[] {
  return fields.map(each => ({ ...each, ...only(complete(processField, [each])) }))
}

const only = <T>([first]: readonly T[]): T => first as T

/**
 * Nothing of the plain entries left out, ids in one spelling, and an id for every step. Of the rest an entry has what
 * was said of it and nothing more, so that what came with the plain properties alone goes out so too.
 */
export function tidied(values: Partial<ProcessValues>, before?: Process): Partial<ProcessValues> {
  const { fields, workflow } = values
  return {
    ...values,
    ...(fields && { fields: fieldsOf({ fields }).map(tidiedField) }),
    ...(workflow && {
      workflow: withIds(stepsOf({ workflow }).map(tidiedStep), before ? stepsOf(before) : [], likeness),
    }),
  }
}

function tidiedField({ readOnlyFor, hiddenFor, ...each }: ProcessField): ProcessField {
  return {
    ...each,
    fieldId: plainName(each.fieldId),
    ...(readOnlyFor && { readOnlyFor: readOnlyFor.map(plainName) }),
    ...(hiddenFor && { hiddenFor: hiddenFor.map(plainName) }),
  }
}

function tidiedStep({ requires, conditionGroup, ...each }: WorkflowStep): WorkflowStep {
  return {
    ...each,
    fieldId: plainName(each.fieldId),
    userGroup: each.userGroup.map(plainName),
    ...(requires && { requires: requires.map(plainName) }),
    ...(conditionGroup && { conditionGroup: withConditionIds(conditionGroup) }),
  }
}

function likeness({ fieldId, value, next }: WorkflowStep): string {
  return JSON.stringify([fieldId, value, next])
}
