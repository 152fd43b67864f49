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
import { staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { type Reference, refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Integer, LongText, Name, Parts, Text, Texts } from '../../kernel/schema/values.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { complete, duplicateIds, withIds } from '../../records/input/entries.ts'
import { refuseLiftedLimits } from './field-limit-guard.ts'
import { processFindings } from './process-findings.ts'

const shape = {
  name: Name(200),
  key: Text(30),
  description: LongText(),
  image: Text(2000),
  itemNoun: Text(60),
  order: Integer(),
  fields: Parts({ ...processField, ...processFieldMore }, ['fieldId'], 500),
  features: Texts(200, 200),
  workflow: Parts({ ...step, ...stepMore }, [], 500),
  active: Type.Boolean({ default: true }),
}

export type Process = Stored<typeof shape>
export type ProcessValues = Values<typeof shape>

/** Defines the fields of an item, its states, and who may change them. */
export const processes = resource('Process', {
  about:
    'Which fields an item has, which states it goes through, and who may move it on. `fieldId` is the id or the key of a field, or a property that every item has, such as `status`.',
  shape,
  may: { read: staff },
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
    if (seen.has(field)) faults.push(fault(['fields', i, 'fieldId'], 'duplicate', 'is a duplicate', fieldId))
    seen.add(field)
  }
  if (faults.length > 0) throw new Invalid(faults)
  // References that the stored record already has are not checked again: they were valid when they were set.
  const [fieldsBefore, stepsBefore] = [before ? fieldsOf(before) : [], before ? stepsOf(before) : []]
  const old = new Set([
    ...[...fieldsBefore, ...stepsBefore].map(each => each.fieldId),
    ...stepsBefore.flatMap(each => each.requires ?? []),
  ])
  if (before) refuseLiftedLimits(ctx.caller, before.id, fieldsBefore, fields)
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
  return complete(step, workflow).map((full, i) => ({ ...workflow[i], ...full }))
}

export function fieldsOf({ fields }: Pick<ProcessValues, 'fields'>): ProcessField[] {
  return complete(processField, fields).map((full, i) => ({ ...fields[i], ...full }))
}

/**
 * Completes the basic properties of entries, normalizes ids, and gives every step an id. Optional properties are stored
 * only if they were given, so that a client which knows the basic ones alone gets back what it sent.
 */
export function normalized(values: Partial<ProcessValues>, before?: Process): Partial<ProcessValues> {
  const { fields, workflow } = values
  return {
    ...values,
    ...(fields && { fields: fieldsOf({ fields }).map(normalizedField) }),
    ...(workflow && {
      workflow: withIds(stepsOf({ workflow }).map(normalizedStep), before ? stepsOf(before) : [], likeness),
    }),
  }
}

function normalizedField({ readOnlyFor, hiddenFor, ...each }: ProcessField): ProcessField {
  return {
    ...each,
    fieldId: plainName(each.fieldId),
    ...(readOnlyFor && { readOnlyFor: readOnlyFor.map(plainName) }),
    ...(hiddenFor && { hiddenFor: hiddenFor.map(plainName) }),
  }
}

function normalizedStep({ requires, conditionGroup, ...each }: WorkflowStep): WorkflowStep {
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
