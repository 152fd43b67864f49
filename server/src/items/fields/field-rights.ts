import { fieldsOf } from '../../containers/field/field.ts'
import { fieldPermission } from '../../identity/field-permission.ts'
import { hides } from '../../identity/hidden-fields.ts'
import type { Caller } from '../../kernel/access.ts'
import { appliesAt, covers, type Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { Forbidden } from '../../kernel/refusal.ts'

/**
 * Refuses writes to fields that are hidden from the caller or denied by a rule; custom fields are named `Field.<id>`.
 */
export async function refuseUnwritable(ctx: Context, place: Place, properties: readonly string[]): Promise<void> {
  const { superAdmin, rules } = ctx.caller.authority
  if (superAdmin || !rules.some(({ names }) => names.some(each => /^(field|\*)\./i.test(each)))) return
  const keys = new Map((await fieldsOf(ctx)).map(({ id, key }) => [id, key]))
  const denied = properties.filter(property => {
    const id = property.startsWith('Field.') ? property.slice(6) : undefined
    const called = id === undefined ? [property] : [id, keys.get(id) ?? id]
    return called.some(each => hides(ctx.caller, 'Item', each)) || isDenied(ctx.caller, called, place)
  })
  if (denied.length === 0) return
  const named = denied.map(each => (each.startsWith('Field.') ? (keys.get(each.slice(6)) ?? each) : each))
  throw new Forbidden(`this needs the permission ${named.map(each => `field.${each}.write`).join(', ')}`)
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
