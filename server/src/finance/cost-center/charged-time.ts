import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'

// The time of cost centres: entries that have one, and the parts of those that have several. Drafts count nowhere.

/** From a first to a last day; null is open. */
export interface OpenPeriod {
  from: string | null
  to: string | null
}

const draft = 0

/** The ids of a cost centre and of all below it. */
export function costCentersBelow(id: Id): Sql {
  return sql`(with recursive below as (
      select ${id}::uuid as id union select k.id from cost_center k join below on k.parent_id = below.id where k.tenant_id = ${ownTenant} and not k.deleted)
    select id from below)`
}

/** The parts of time of these cost centres: `id, seconds, cost_amount, bill_amount, currency`. */
export function chargedTo(ids: Sql, period: OpenPeriod): Sql {
  return sql`select e.cost_center_id as id, e.seconds, e.cost_amount, e.bill_amount, e.currency from time e
      where e.tenant_id = ${ownTenant} and e.cost_center_id in ${ids} and not e.deleted and e.state <> ${draft} and ${during(raw('e'), period)}
    union all
    select s.cost_center_id, s.seconds, s.cost_amount, s.bill_amount, e.currency
      from time_share s join time e on e.tenant_id = ${ownTenant} and e.id = s.time_id
      where s.tenant_id = ${ownTenant} and s.cost_center_id in ${ids} and not e.deleted and e.state <> ${draft} and ${during(raw('s'), period)}`
}

/** The rows of a period, by their day. */
export function during(alias: Sql, { from, to }: OpenPeriod): Sql {
  const first = from ? sql`${alias}.date >= ${from}::date` : raw('true')
  return to ? sql`${first} and ${alias}.date <= ${to}::date` : first
}
