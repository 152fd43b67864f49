import { initialOf, type States, stateText } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import { fault, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { ReadField } from '../fields/fields.ts'
import type { ItemPatch } from '../item-body/item-body.ts'
import {
  fieldValue,
  type ItemProcess,
  type ItemValues,
  missingFields,
  nameOf,
  pathOf,
  processOf,
} from './item-process.ts'

// How new work begins in its process. Nothing here needs a transaction: it looks at the draft alone.

/** A body of a new item, with what its process gives. */
export function withProcessDefaults({ defaults: { core } }: ItemProcess, patch: ItemPatch): ItemPatch {
  const silent = Object.entries(core).filter(([property]) =>
    ['', null, undefined].includes(Reflect.get(patch, property)),
  )
  return silent.length === 0 ? patch : { ...patch, ...Object.fromEntries(silent) }
}

/** Its custom values, with those that the process gives. */
export function withDefaultFields({ defaults: { custom } }: ItemProcess, given: readonly ReadField[]): ReadField[] {
  const named = new Set(given.map(each => each.field.id))
  return [...given, ...custom.filter(each => !named.has(each.field.id))]
}

/** What came by mail (2) or is imported (4) cannot be asked again: nothing of it is lost for want of a field. */
const cannotBeAsked: readonly unknown[] = [2, 4]

/** Refuses a new item that lacks what its process requires, or would begin where its process has no state. */
export async function refuseInvalidStart(
  ctx: Context,
  values: Record<string, unknown>,
  fields: readonly ReadField[],
  warnings: string[],
): Promise<void> {
  const processId = String(values.processId)
  const custom = Object.fromEntries(fields.map(({ field, value }) => [field.id, value.shown]))
  const against = (process: ItemProcess) => startRefusal(process, { core: values, custom })
  if (!against(await processOf(ctx, processId))) return
  // Before something is refused because of what is remembered, it is looked up afresh.
  const refusal = against(await processOf(ctx, processId, true))
  if (!refusal) return
  if (refusal.code !== 'required-fields' || !cannotBeAsked.includes(values.source)) throw refusal
  warnings.push(refusal.message)
}

/** Why an item may not begin in a process as it is. */
export function startRefusal(process: ItemProcess, current: ItemValues): Refusal | undefined {
  const lost = [...process.states].filter(([fieldId, states]) => {
    const value = stateText(fieldValue(current, fieldId))
    return value !== undefined && initialOf(states) !== undefined && !states.has(value)
  })
  if (lost.length > 0) return unknownStates(process, current, lost)
  const missing = missingFields(process, current)
  return missing.length === 0 ? undefined : requiredFields(process, missing)
}

function unknownStates(process: ItemProcess, current: ItemValues, lost: readonly [string, States][]): Refusal {
  const faults = lost.map(([fieldId]) =>
    fault(pathOf(process, fieldId), 'unknown-state', 'is no state of the process', fieldValue(current, fieldId)),
  )
  const allowed = lost.flatMap(([fieldId, states]) =>
    [...states.values()].map(({ value, name, stepId }) => ({ fieldId, value, name, stepId })),
  )
  return new RuleBroken('unknown-state', 'its process does not have such a state', faults, { allowed })
}

export function requiredFields(process: ItemProcess, missing: readonly string[]): Refusal {
  const names = missing.map(each => nameOf(process, each))
  const faults = missing.map(each => fault(pathOf(process, each), 'required', 'must be filled in'))
  return new RuleBroken('required-fields', `${names.join(', ')} must be filled in`, faults)
}
