import { users } from '../../../admin/user/user.ts'
import { userKind } from '../../../identity/user-kind.ts'
import { type Caller, may } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { othersTime } from '../../../time/time.ts'
import { oneOf } from '../report.ts'

/** A member of staff. */
export interface Member {
  id: Id
  name: string
}

const maxMembers = 1000
const t = raw('t')

/** The active staff that the caller sees, or those of them that were asked for. */
export async function teamOf(ctx: Context, asked: readonly Id[] | undefined): Promise<Member[]> {
  const found = await ctx.sql<Member>`select t.id, t.name from "user" t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and t.active and t.kind = ${userKind.staff}
      and ${users.visible(ctx.caller, t)} and ${oneOf(raw('t.id'), asked)} order by t.name, t.id limit ${maxMembers + 1}`
  if (found.length > maxMembers)
    throw new RuleBroken('too-many-records', `there are more than ${maxMembers} users: name them in userIds`)
  return found
}

/** The same for reports on the time of others, which few may read: all others see themselves. */
export async function bookingTeamOf(ctx: Context, asked: readonly Id[] | undefined): Promise<Member[]> {
  const team = await teamOf(ctx, asked)
  return mayReadAll(ctx.caller) ? team : team.filter(({ id }) => id === ctx.caller.userId)
}

const mayReadAll = (caller: Caller) => may(caller, othersTime)

const billableIf = (container: Sql): Sql =>
  sql`(t.billable = 1 or (t.billable <> 0 and t.non_billable is null and ${container}))`

/**
 * Whether an entry (`t`) is billable: as it says itself, else as its container does. The few containers of many entries are read once and
 * probed, which costs less than a join.
 */
export const isBillable = billableIf(
  sql`exists (select 1 from container c where c.tenant_id = ${ownTenant} and c.id = t.container_id and c.billable)`,
)

/**
 * The same for an unprepared statement that sums many entries: PostgreSQL hashes a list that it knows when it plans, which costs each
 * entry less than a sub-select.
 */
export async function billableNow(ctx: Context): Promise<Sql> {
  const { tenantId } = ctx.caller
  const found = await ctx.sql<{ id: Id }>`select c.id from container c where c.tenant_id = ${tenantId} and c.billable`
  return billableIf(sql`t.container_id = any(${found.map(each => each.id)}::uuid[])`)
}
