import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { visibleTimes } from '../../time/time.ts'
import { timeState } from '../../time/time-state.ts'

/** Booked time of a day; the key is the id of a user, a container or a customer. */
export interface Measured {
  key: string
  date: string
  seconds: number
}

/** The time that the caller may read, by the user, container or customer of a grouping and by day, without drafts. */
export async function actualIn(
  ctx: Context,
  { from, to }: { from: string; to: string },
  groupBy: string,
  userIds: readonly Id[] | undefined,
): Promise<Measured[]> {
  const only = userIds ? sql`t.user_id = any(${userIds}::uuid[])` : raw('true')
  return await ctx.sql<Measured>`select coalesce(${keyOf(groupBy)}::text, '') as key, t.date, sum(t.seconds)::float8 as seconds
    from time t left join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id
    left join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and t.state <> ${timeState.draft}
      and t.date between ${from}::date and ${to}::date and ${only} and ${visibleTimes(ctx.caller, raw('t'))}
    group by 1, 2`
}

function keyOf(groupBy: string): Sql {
  switch (groupBy) {
    case 'container':
      return raw('t.container_id')
    case 'crm':
      return raw('coalesce(i.crm_id, c.crm_id)')
    default:
      return raw('t.user_id')
  }
}
