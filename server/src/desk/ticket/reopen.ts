import { isClosed, statusCategory } from '../../items/status.ts'
import type { ItemChange } from '../../items/validation/validation.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { deskKind, ensureFacets, tickets } from './ticket.ts'

/** Counts the reopenings of tickets, whichever way they were reopened. */
export async function countReopenings(ctx: Context, changes: readonly ItemChange[]): Promise<void> {
  const opened = changes.filter(
    ({ before, after }) => before && isClosed(before.statusCategory) && !isClosed(after.statusCategory),
  )
  if (opened.length === 0) return
  const rows = await ctx.sql<{
    id: Id
  }>`select i.id from item i join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = any(${opened.map(({ after }) => after.id)}::uuid[]) and c.kind = ${deskKind}`
  const ids = rows.map(row => row.id)
  await ensureFacets(ctx, ids)
  const found = await lockRecords(ctx, tickets, sql`t.id = any(${ids}::uuid[])`)
  await updateRecords(
    ctx,
    tickets,
    found.map(each => [each, { reopenCount: each.reopenCount + 1, spam: false }] as const),
  )
}

/** The status that an item had before it was last closed, to which it returns when it is reopened. */
export async function statusBeforeClosing(
  ctx: Context,
  itemId: Id,
): Promise<{ status: string; statusCategory: number }> {
  const [event] = await ctx.sql<{ status: string | null; category: number | null }>`
    select e.changes -> 'status' ->> 'from' as status, (e.changes -> 'statusCategory' ->> 'from')::int as category
    from event e where e.tenant_id = ${ctx.caller.tenantId} and e.record_id = ${itemId} and e.entity = 'Item'
      and e.changes -> 'closedAt' ->> 'to' is not null and e.changes -> 'statusCategory' ? 'from'
    order by e.xact desc, e.id desc limit 1`
  if (event?.category === undefined || event.category === null || isClosed(event.category))
    return { status: 'Open', statusCategory: statusCategory.unstarted }
  const [item] = await ctx.sql<{
    status: string
  }>`select status from item where tenant_id = ${ctx.caller.tenantId} and id = ${itemId}`
  return { status: event.status ?? item?.status ?? '', statusCategory: event.category }
}
