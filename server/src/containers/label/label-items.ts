import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

// A deleted label is removed from all items, deleted ones included, in the same transaction; the events record what a
// restoration needs. This is plain SQL because this room must not import `items`, which is a higher one.

const batch = 500

interface Moved {
  id: Id
  from: Id[]
  to: Id[]
}

/** The label that replaces another, and the labels that it excludes. */
interface Instead {
  id: Id
  rivals: readonly Id[]
}

/** Removes a label from all items, or replaces it by another. */
export async function takeFromItems(ctx: Context, labelId: Id, instead?: Instead): Promise<void> {
  const kept = sql`select min(k.n) as n, k.id from (
      select u.n, ${instead ? sql`case when u.id = ${labelId} then ${instead.id}::uuid else u.id end` : raw('u.id')} as id from unnest(c.labels) with ordinality u(id, n)
      where u.id <> all(${instead ? instead.rivals : [labelId]}::uuid[])) k group by k.id`
  for (;;) {
    const moved = await relabel(
      ctx,
      sql`select i.id, i.labels from item i where i.tenant_id = ${ctx.caller.tenantId}
        and i.id in (select u.item_id from item_label u where u.tenant_id = ${ctx.caller.tenantId} and u.label_id = ${labelId} order by u.item_id limit ${batch}) order by i.id for update`,
      kept,
    )
    if (moved < batch) return
  }
}

/** Reverts what a change set did to the labels of items; later changes stay. */
export async function giveBack(ctx: Context, changeSet: Id): Promise<void> {
  const { tenantId } = ctx.caller
  await relabel(
    ctx,
    sql`select i.id, i.labels, e.changes -> 'labels' as change from event e join item i on i.tenant_id = ${tenantId} and i.id = e.record_id
      where e.tenant_id = ${tenantId} and e.change_set_id = ${changeSet} and e.entity = 'Item' and e.changes ? 'labels' order by i.id for update of i`,
    sql`select b.n, b.id::uuid from jsonb_array_elements_text(c.change -> 'from') with ordinality b(id, n)
        where not (c.change -> 'to' ? b.id) and exists (select 1 from label l where l.tenant_id = ${tenantId} and l.id = b.id::uuid and not l.deleted)
      union all select u.n + 1000, u.id from unnest(c.labels) with ordinality u(id, n)
        where not (c.change -> 'to' ? u.id::text and not c.change -> 'from' ? u.id::text) and not (c.change -> 'from' ? u.id::text and not c.change -> 'to' ? u.id::text)`,
  )
}

/** Sets the labels of the chosen items (`c`) to those that `wanted` selects for each, ordered by `n`. */
async function relabel(ctx: Context, chosen: Sql, wanted: Sql): Promise<number> {
  const moved = await ctx.sql<Moved>`
    with chosen as materialized (${chosen})
    update item t set labels = array(select w.id from (${wanted}) w order by w.n), updated = ${ctx.now}, updated_by = ${ctx.caller.userId}, version = version + 1
    from chosen c where t.tenant_id = ${ctx.caller.tenantId} and t.id = c.id
    returning t.id, c.labels as "from", t.labels as "to"`
  await appendEvents(
    ctx,
    moved.map(({ id, from, to }) => ({
      kind: 'item.updated',
      entity: 'Item',
      recordId: id,
      changes: { labels: { from, to } },
    })),
  )
  return moved.length
}
