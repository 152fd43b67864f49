import { fieldsOf } from '../../containers/field/field.ts'
import { fieldsRevealedBy } from '../../containers/redaction/redaction.ts'
import { limitsOnItems, limitsOnValues } from '../../identity/field-limit/field-limit.ts'
import { hiddenUnder, hidesAnyField } from '../../identity/field-limit/hidden-fields.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { containerFor } from '../container-place.ts'
import type { ItemPatch } from '../item-body/item-body.ts'
import { type Draft, draftItem } from './draft.ts'

/** The values of a new item that come from another one, and the names of those that the caller gave. */
interface CarriedValues {
  patch: ItemPatch
  setByCaller: readonly string[]
  warnings: string[]
}

/**
 * Drafts an item with values of another one. Values that the caller may not see or write are carried over as long as they
 * stay hidden. Those that the caller would see in the new item are left out, and a warning names their fields.
 */
export async function draftFrom(ctx: Context, sourceId: Id, carried: CarriedValues): Promise<Draft> {
  const { setByCaller, warnings } = carried
  const patch = await withoutRevealed(ctx, sourceId, carried)
  try {
    return await draftItem(ctx, { patch, setByCaller, warnings })
  } catch (error) {
    // A fault quotes the value that is wrong, which the caller may not see.
    if (error instanceof Refusal && hidesAnyField(ctx.caller)) for (const fault of error.faults) delete fault.Value
    throw error
  }
}

async function withoutRevealed(
  ctx: Context,
  sourceId: Id,
  { patch, setByCaller, warnings }: CarriedValues,
): Promise<ItemPatch> {
  const revealed = await revealedFields(ctx, sourceId, patch)
  if (revealed.size === 0) return patch
  const properties = Object.keys(patch).filter(
    each => !setByCaller.includes(each) && fieldsRevealedBy(each).some(name => revealed.has(name)),
  )
  // A field is named whether or not it has a value, so that the warning does not tell.
  const custom = (await fieldsOf(ctx)).filter(({ id }) => revealed.has(id)).map(({ key }) => key)
  for (const each of [...properties, ...custom]) {
    const warning = `${each} is hidden from you in the original and would not be in the copy, so it was not copied`
    if (!warnings.includes(warning)) warnings.push(warning)
  }
  const kept = Object.fromEntries(Object.entries(patch).filter(([property]) => !properties.includes(property)))
  return { ...kept, Field: patch.Field?.filter(({ fieldId }) => !revealed.has(fieldId ?? '')) ?? [] }
}

/** The names of the fields that are hidden from the caller in the source, and would be shown in the new item. */
async function revealedFields(ctx: Context, sourceId: Id, patch: ItemPatch): Promise<ReadonlySet<string>> {
  const { authority } = ctx.caller
  if (!authority.fieldLimits.some(each => each.hides)) return new Set()
  const source = (await limitsOnItems(ctx, [sourceId])).get(sourceId) ?? authority.fieldLimits
  const { id: containerId, defaultProcessId } = await containerFor(ctx, patch.containerId)
  const processId = patch.processId || defaultProcessId
  const still = hiddenUnder(authority, await limitsOnValues(ctx, { ...patch, containerId, processId }))
  return new Set([...hiddenUnder(authority, source)].filter(name => !still.has(name)))
}
