import type { Context } from '../../kernel/context.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { timeState } from '../time-state.ts'
import { isOfSheet } from './restate-times.ts'
import type { Timesheet } from './sheet.ts'

const count: Schema = { type: 'integer' }

export const totalsSchema: Schema = {
  type: 'object',
  description: 'The entries of the sheet without drafts, whoever may see them.',
  properties: {
    entries: count,
    drafts: count,
    seconds: count,
    billableSeconds: count,
    days: {
      type: 'array',
      items: { type: 'object', properties: { date: { type: 'string', format: 'date' }, seconds: count } },
    },
    containers: {
      type: 'array',
      items: { type: 'object', properties: { containerId: { type: 'string' }, seconds: count, entries: count } },
    },
  },
  required: ['entries', 'drafts', 'seconds', 'billableSeconds', 'days', 'containers'],
}

/** Sums the entries of a sheet: in all, by day, and by container. */
export async function totalsOf(ctx: Context, sheet: Timesheet): Promise<object> {
  const [row] = await ctx.sql<{ totals: object }>`
    with entry as materialized (
      select e.date, coalesce(e.container_id::text, '') as container_id, e.seconds, e.state,
        case when e.billable = 1 then true when e.billable = 0 or e.non_billable is not null then false else coalesce(c.billable, false) end as billable
      from time e left join container c on c.tenant_id = ${ownTenant} and c.id = e.container_id
      where e.tenant_id = ${ctx.caller.tenantId} and ${isOfSheet(sheet)} and not e.deleted
    ), counted as (select * from entry where state <> ${timeState.draft})
    select json_build_object(
      'entries', (select count(*) from counted),
      'drafts', (select count(*) from entry where state = ${timeState.draft}),
      'seconds', (select coalesce(sum(seconds), 0) from counted),
      'billableSeconds', (select coalesce(sum(seconds), 0) from counted where billable),
      'days', coalesce((select json_agg(d order by d.date) from (select date, sum(seconds)::int as seconds from counted group by date) d), '[]'),
      'containers', coalesce((select json_agg(k order by k."containerId") from (
        select container_id as "containerId", sum(seconds)::int as seconds, count(*)::int as entries from counted group by container_id) k), '[]')
    ) as totals`
  return row?.totals ?? {}
}
