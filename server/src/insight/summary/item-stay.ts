import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'

// The stays of items in their states. Those that have ended are rows of `item_stay`, which the database keeps in the transaction of
// each change; the present one follows from the item.

/** When the item `t` came into its present state. */
const stateSince: Sql = sql`coalesce((select l.to_at from item_stay l where l.tenant_id = ${ownTenant} and l.item_id = t.id order by l.n desc limit 1), t.created)`

/** Joins each item `t` with its stays `s`; the present one has no `to_at`. */
export const stays: Sql = sql`item t cross join lateral (
  select p.status, p.category, p.container_id, p.from_at, p.to_at from item_stay p where p.tenant_id = ${ownTenant} and p.item_id = t.id
  union all select t.status, t.status_category, t.container_id, ${stateSince}, null::timestamptz) s`

/** When the item `t` first was in a state of this category; null if it never was. */
export const firstIn = (category: number): Sql =>
  sql`coalesce((select min(p.from_at) from item_stay p where p.tenant_id = ${ownTenant} and p.item_id = t.id and p.category = ${raw(String(category))}),
    case when t.status_category = ${raw(String(category))} then ${stateSince} end)`
