import { changeItems } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import type { Pointer } from '../../records/references/pointers.ts'

// Custom values can refer to groups. No declaration of a kind contains these references, so they are handled here.

const maxItems = 5000
const maxTold = 100

interface Holding {
  itemId: Id
  key: string
  seen: boolean
  fieldId: Id
  value: unknown
}

/** The items that refer to the group in a custom field. */
async function holdings(ctx: Context, groupId: Id, most: number): Promise<Holding[]> {
  const t = raw('t')
  return await ctx.sql<Holding>`select t.id as "itemId", t.key, ${items.visible(ctx.caller, t)} as seen, v.field_id as "fieldId", t.fields -> v.field_id::text as value
    from (select distinct v.item_id, v.field_id from field f join item_value v on v.tenant_id = ${ownTenant} and v.field_id = f.id and v.id_value = ${groupId}
      where f.tenant_id = ${ctx.caller.tenantId} and lower(f.field_type) = 'usergroup') v
    join item t on t.tenant_id = ${ctx.caller.tenantId} and t.id = v.item_id and not t.deleted order by t.id, v.field_id limit ${most}`
}

export async function itemsNaming(ctx: Context, groupId: Id): Promise<Pointer[]> {
  return (await holdings(ctx, groupId, maxTold)).map(({ itemId, key, seen, fieldId }) => ({
    entity: 'Item',
    id: itemId,
    property: `Field.${fieldId}`,
    ...(seen ? { name: key } : {}),
  }))
}

/** Replaces the group in the values of items. Each change is validated, and one refusal refuses all. */
export async function renameInItems(ctx: Context, from: Id, to: Id): Promise<void> {
  const found = await holdings(ctx, from, maxItems + 1)
  if (found.length > maxItems)
    throw new RuleBroken(
      'too-many-items',
      `more than ${maxItems} items refer to the group in a field; change some of them first`,
    )
  const wanted = [...Map.groupBy(found, each => each.itemId)].map(([id, group]) => ({
    id,
    read: {
      patch: { Field: group.map(({ fieldId, value }) => ({ fieldId, value: renamed(value, from, to) })) },
      warnings: [],
    },
  }))
  const refused = (await changeItems(ctx, wanted)).filter(each => each.refusal !== undefined)
  if (refused.length === 0) return
  const told = refused
    .slice(0, maxTold)
    .map(({ id, refusal }) => ({ id, code: refusal?.code, detail: refusal?.message }))
  throw new RuleBroken(
    'replacement-refused',
    `${refused.length} items refuse the replacement; nothing was changed`,
    [],
    {
      refused: told,
    },
  )
}

function renamed(value: unknown, from: Id, to: Id): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(each => renamed(each, from, to)))]
  return typeof value === 'string' && value.toLowerCase() === from ? to : value
}
