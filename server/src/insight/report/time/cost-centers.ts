import { containers } from '../../../containers/container/container.ts'
import { type Caller, managers, type Permission } from '../../../kernel/access.ts'
import { ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { readableIn, readBill, readCost, readsSomewhere } from '../../../records/amounts.ts'
import { timeState } from '../../../time/time-state.ts'
import { sources } from '../../query/source.ts'
import { calendar, reference } from '../item-dimensions.ts'
import { type ColumnKind, count, sum } from '../measures.ts'
import { report } from '../report.ts'

/** Each entry with its cost centre, or with the part of each of several. */
const charges = sql`time t cross join lateral (
    select t.cost_center_id as center, t.seconds, t.cost_amount, t.bill_amount where t.shares = '[]'
    union all select s.cost_center_id, s.seconds, s.cost_amount, s.bill_amount from time_share s
      where s.tenant_id = ${ownTenant} and s.time_id = t.id and t.shares <> '[]') charge`

/** The cost centre of a part and all above it, so that a part counts in each of them. */
const upwards = sql`left join lateral (with recursive up as (
    select k.id, k.parent_id from cost_center k where k.tenant_id = ${ownTenant} and k.id = charge.center
    union select k.id, k.parent_id from cost_center k join up on k.id = up.parent_id where k.tenant_id = ${ownTenant} and not k.deleted)
  select id from up) node on true`

/** The time and the money of cost centres. */
export const costCentersReport = report('cost-centers', {
  about:
    'The time of cost centres, without drafts. A row of a cost centre sums itself and all below it, so rows are not to be added; an entry with several cost centres counts in each by its share.',
  roles: managers,
  source: sources.Time,
  from: charges,
  during: ({ first, last }) =>
    sql`t.date between ${first}::date and ${last}::date and t.state <> ${raw(String(timeState.draft))}`,
  container: raw('t.container_id'),
  user: raw('t.user_id'),
  dimensions: {
    costCenter: () => ({
      kind: 'id',
      value: raw('node.id'),
      each: upwards,
      label: id => sql`(select o.name from cost_center o where o.tenant_id = ${ownTenant} and o.id = ${id})`,
    }),
    user: reference('user', raw('t.user_id')),
    container: (_period, { caller }) => ({
      kind: 'id',
      value: raw('t.container_id'),
      // Own time can be in a container that the caller does not see any more.
      label: id =>
        sql`(select o.name from container o where o.tenant_id = ${ownTenant} and o.id = ${id} and ${caller ? containers.visible(caller, raw('o')) : raw('false')})`,
    }),
    currency: () => ({ kind: 'text', value: raw(`nullif(t.currency, '')`) }),
    ...calendar('date', () => raw('t.date')),
  },
  groupBy: ['costCenter'],
  measures: (_period, { caller }) => ({
    entries: count('The entries, or parts of entries.'),
    seconds: sum('Their length.', raw('charge.seconds')),
    cost: amount(
      'What they cost, in the currency of the tenant; of containers where the caller has `cost.read`; null without it.',
      caller,
      readCost,
      'cost',
    ),
    value: amount(
      'What customers pay for them, in containers where the caller has `bill.read`; null without it, and where there are several currencies: group by currency.',
      caller,
      readBill,
      'bill',
    ),
    withheld: count(
      'The entries, or parts, in containers where the caller may not read one of the amounts, which is not in its sum.',
      caller
        ? sql`not (${readableIn(caller, readCost, raw('t.container_id'))} and ${readableIn(caller, readBill, raw('t.container_id'))})`
        : raw('false'),
    ),
  }),
})

function amount(about: string, caller: Caller | undefined, needed: Permission, of: 'cost' | 'bill') {
  const shown = caller ? readableIn(caller, needed, raw('t.container_id')) : raw('false')
  const total = sql`coalesce(sum(charge.${raw(`${of}_amount`)}) filter (where ${shown}), 0)::numeric(30,4)::text`
  const ofOne = sql`case when count(distinct t.currency) filter (where charge.bill_amount is not null and ${shown}) <= 1 then ${total} end`
  const value: Sql = !caller || !readsSomewhere(caller, needed) ? raw('null::text') : of === 'bill' ? ofOne : total
  const kind: ColumnKind = 'text'
  return { kind, about, value }
}
