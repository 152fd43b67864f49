import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { annotations } from './annotation.ts'

/** Which annotations move to which item, and which item each of them records as its origin. */
interface AnnotationMove {
  where: Sql
  to: Id
  mergedFrom: (before: { itemId: Id; mergedFrom: Id }) => Id
}

/** Moves annotations from one item to another and returns their ids. Tombstones move as well, without events. */
export async function moveAnnotations(ctx: Context, { where, to, mergedFrom }: AnnotationMove): Promise<Id[]> {
  const found = await lockRecords(ctx, annotations, where)
  await updateRecords(
    ctx,
    annotations,
    found.map(each => [each, { itemId: to, ownerId: to, mergedFrom: mergedFrom(each) }] as const),
  )
  const gaps = await ctx.sql<{ id: Id }>`update annotation t set item_id = ${to}, owner_id = ${to}
    where t.tenant_id = ${ctx.caller.tenantId} and t.deleted and ${where} returning t.id`
  return [...found, ...gaps].map(({ id }) => id)
}

export const isAboutItem = (itemId: Id): Sql => sql`t.item_id = ${itemId}`
