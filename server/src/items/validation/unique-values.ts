import { type Field, fieldsOf } from '../../containers/field/field.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { ItemChange, ItemValidator, ValidationResult } from './item-change.ts'

/** No two items may have the same value of a unique field; deleted items do not count. */
export const uniqueValueValidator: ItemValidator = {
  appliesToNew: async ctx => (await uniqueFields(ctx)).length > 0,
  async validate(ctx, changes) {
    const unique = await uniqueFields(ctx)
    const results: ValidationResult[] = []
    for (const [column, fields] of Map.groupBy(unique, each => columnOf(each.fieldType)))
      results.push(...(await taken(ctx, changes, column, fields)))
    return results
  },
}

async function uniqueFields(ctx: Context): Promise<Field[]> {
  const known = await remembered(ctx, 'unique fields', async () => (await fieldsOf(ctx)).filter(each => each.unique))
  return known ?? []
}

type Column = 'text_value' | 'number_value' | 'instant_value' | 'date_value' | 'id_value'

/** The column in which the values of a type are compared. */
function columnOf(fieldType: string): Column {
  if (fieldType === 'number' || fieldType === 'money' || fieldType === 'time') return 'number_value'
  if (fieldType === 'date') return 'date_value'
  if (fieldType === 'dateTime') return 'instant_value'
  return /^(user|userGroup|item|crm|file)$/.test(fieldType) ? 'id_value' : 'text_value'
}

async function taken(
  ctx: Context,
  changes: readonly ItemChange[],
  column: Column,
  fields: Field[],
): Promise<ValidationResult[]> {
  const { tenantId } = ctx.caller
  const items = changes.map(({ after }) => after.id)
  const own = sql`v.tenant_id = ${tenantId} and v.item_id = any(${items}::uuid[]) and v.field_id = any(${fields.map(each => each.id)}::uuid[])`
  const value = raw(`v.${column}`)
  await lockValues(ctx, own, value)
  const other = raw(`o.${column}`)
  // A separate statement after the locks, so that it sees what their previous holders committed. Of several items of one
  // change with the same value, the first keeps it.
  const rows = await ctx.sql<{ itemId: Id; fieldId: Id }>`select v.item_id as "itemId", v.field_id as "fieldId"
    from item_value v join item i on i.tenant_id = ${ownTenant} and i.id = v.item_id and not i.deleted
    where ${own} and exists (select 1 from item_value o join item j on j.tenant_id = ${ownTenant} and j.id = o.item_id and not j.deleted
      where o.tenant_id = ${tenantId} and o.field_id = v.field_id and ${other} = ${value} and o.item_id <> v.item_id
        and (o.item_id < v.item_id or o.item_id <> all(${items}::uuid[]))
        and o.text_value is not distinct from v.text_value
        and (v.text_value is null or length(v.text_value) < 500 or fold(j.fields ->> v.field_id::text) = fold(i.fields ->> v.field_id::text)))`
  return rows.map(({ itemId, fieldId }) => {
    const { name = '', key = '' } = fields.find(each => each.id === fieldId) ?? {}
    const message = `another item already has this ${name}`
    return {
      id: itemId,
      refusal: new RuleBroken('already-taken', message, [fault(['Field', key], 'already-taken', message)]),
    }
  })
}

/** Locks the values in one order, so that of two concurrent writers of the same value one waits. */
async function lockValues(ctx: Context, own: Sql, value: Sql): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(k.key) from (
    select distinct hashtextextended(concat_ws(' ', v.tenant_id, v.field_id, ${value}), 0) as key from item_value v where ${own} order by 1) k`
}
