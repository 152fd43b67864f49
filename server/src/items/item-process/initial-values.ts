import { initialOf, type States, stateText } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import { fault, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { ReadField } from '../fields/fields.ts'
import type { ItemPatch } from '../item-body/item-body.ts'
import { itemSource } from '../item-codes.ts'
import {
  fieldValue,
  type ItemProcess,
  type ItemValues,
  missingFields,
  nameOf,
  pathOf,
  processOf,
} from './item-process.ts'

// The initial values of new items. Nothing here needs a transaction: only the draft is read.

/** The patch of a new item with the defaults of its process. */
export function withProcessDefaults({ defaults: { core } }: ItemProcess, patch: ItemPatch): ItemPatch {
  const silent = Object.entries(core).filter(([property]) =>
    ['', null, undefined].includes(Reflect.get(patch, property)),
  )
  return silent.length === 0 ? patch : { ...patch, ...Object.fromEntries(silent) }
}

/** The custom values of a new item with the defaults of its process. */
export function withDefaultFields({ defaults: { custom } }: ItemProcess, given: readonly ReadField[]): ReadField[] {
  const named = new Set(given.map(each => each.field.id))
  return [...given, ...custom.filter(each => !named.has(each.field.id))]
}

/** Items from mail and imports are accepted without required fields, because nobody can be asked for them. */
export const cannotBeAsked: readonly unknown[] = [itemSource.mail, itemSource.import]

/** Refuses a new item that lacks required fields or has a state that its process does not have. */
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
  // The cached value may be stale: it is reloaded before anything is refused because of it.
  const refusal = against(await processOf(ctx, processId, true))
  if (!refusal) return
  if (refusal.code !== 'required-fields' || !cannotBeAsked.includes(values.source)) throw refusal
  warnings.push(refusal.message)
}

/** The reason why an item may not start in a process. */
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
    fault(pathOf(process, fieldId), 'unknown-state', 'is not a state of the process', fieldValue(current, fieldId)),
  )
  const allowed = lost.flatMap(([fieldId, states]) =>
    [...states.values()].map(({ value, name, stepId }) => ({ fieldId, value, name, stepId })),
  )
  return new RuleBroken('unknown-state', 'the process of the item has no such state', faults, { allowed })
}

export function requiredFields(process: ItemProcess, missing: readonly string[]): Refusal {
  const names = missing.map(each => nameOf(process, each))
  const faults = missing.map(each => fault(pathOf(process, each), 'required', 'must be filled in'))
  return new RuleBroken('required-fields', `${names.join(', ')} must be filled in`, faults)
}
