import { fieldsOf } from '../../containers/field/field.ts'
import { type BindingLimits, limitsOnItems, limitsOnValues } from '../../identity/field-limit/field-limit.ts'
import { fieldPermission } from '../../identity/field-limit/field-permission.ts'
import { hiddenUnder, hides } from '../../identity/field-limit/hidden-fields.ts'
import type { Caller } from '../../kernel/access.ts'
import { appliesAt, covers, type Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden } from '../../kernel/refusal.ts'

/** A write to an item: where it is, its id unless it is new, and its values after the write. */
interface ItemWrite {
  place: Place
  itemId?: Id
  values: Readonly<Record<string, unknown>>
}

/**
 * Refuses writes to fields that are hidden from the caller, or denied by a rule or by the process of the item; custom fields are
 * named `Field.<id>`. No write may show its author what was hidden from them, such as a move to another process.
 */
export async function refuseUnwritable(
  ctx: Context,
  { place, itemId, values }: ItemWrite,
  properties: readonly string[],
): Promise<void> {
  const { superAdmin, rules, fieldLimits, hiddenFields } = ctx.caller.authority
  const denying = rules.some(({ names }) => names.some(each => /^(field|\*)\./i.test(each)))
  if (superAdmin || (!denying && fieldLimits.length === 0 && hiddenFields.size === 0)) return
  const limits = await limitsOnWrite(ctx, itemId, values)
  const keys = new Map((await fieldsOf(ctx)).map(({ id, key }) => [id, key]))
  const denied = properties.filter(property => {
    const id = property.startsWith('Field.') ? property.slice(6) : undefined
    const called = id === undefined ? [property] : [id, keys.get(id) ?? id]
    return (
      called.some(each => hides(ctx.caller, 'Item', each)) ||
      isDenied(ctx.caller, called, place) ||
      limits.some(({ names }) => called.some(each => names.has(each.toLowerCase())))
    )
  })
  if (denied.length === 0) return
  const named = denied.map(each => (each.startsWith('Field.') ? (keys.get(each.slice(6)) ?? each) : each))
  throw new Forbidden(`this needs the permission ${named.map(each => `field.${each}.write`).join(', ')}`)
}

/** The limits before the write, or those of a new item. */
async function limitsOnWrite(
  ctx: Context,
  itemId: Id | undefined,
  values: ItemWrite['values'],
): Promise<BindingLimits> {
  if (ctx.caller.authority.fieldLimits.length === 0) return []
  const after = await limitsOnValues(ctx, { ...values, id: itemId })
  if (itemId === undefined) return after
  const before = (await limitsOnItems(ctx, [itemId])).get(itemId) ?? ctx.caller.authority.fieldLimits
  const { authority } = ctx.caller
  const hiddenAfter = hiddenUnder(authority, after)
  const shown = [...hiddenUnder(authority, before)].filter(each => !hiddenAfter.has(each))
  if (shown.length === 0) return before
  throw new Forbidden(
    `this would show you what is hidden from you here: it needs the permission field.${shown[0]}.read`,
  )
}

/** A rule may name a field by its id or by its key: the first rule that names either decides. */
function isDenied({ authority }: Caller, called: readonly string[], place: Place): boolean {
  const decides = authority.rules.find(
    rule =>
      rule.rows === undefined &&
      called.some(each => covers(rule, fieldPermission(each, 'write'))) &&
      appliesAt(rule, place),
  )
  return decides?.effect === 'deny'
}
