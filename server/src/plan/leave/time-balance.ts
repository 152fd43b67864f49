import { decidesOn, type LeaveSpan, leaveState, takenOn } from '../../admin/leave/leave.ts'
import { users } from '../../admin/user/user.ts'
import { codeKind } from '../../finance/non-billable.ts'
import { may, permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { othersTime } from '../../time/time.ts'
import { timeState } from '../../time/time-state.ts'
import { capacities, type Day } from '../capacity/capacity.ts'
import { maxDays, periodOf, periodQuery } from '../capacity/period.ts'

const usualDays = 28
const seconds = (description: string): Schema => ({ type: 'integer', description })

/** Compares what a user should have worked with what they have. */
const balance = operation({
  permission: permission('userBalance.read', staff),
  mode: 'read',
  summary: 'Balance of working time',
  description: `What a user should have worked in a period, and what they have, in seconds. Only the user, their manager, and those who have \`leave.approve\` or \`time.others\` read it. At most ${maxDays} days.`,
  query: periodQuery(usualDays),
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'TimeBalance',
      properties: {
        userId: { type: 'string' },
        from: { type: 'string', format: 'date' },
        to: { type: 'string', format: 'date' },
        expected: seconds('The contract without holidays and unpaid leave.'),
        worked: seconds('Time on items, and on codes with `countsAsWorked` that are not for leave.'),
        credited: seconds('Paid leave.'),
        difference: seconds('`worked + credited − expected`.'),
      },
      required: ['userId', 'from', 'to', 'expected', 'worked', 'credited', 'difference'],
    },
    description: 'The balance.',
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    const days = periodOf(ctx.now, query, usualDays)
    const { id } = await users.get(ctx, params.id ?? '', { deleted: true })
    if (id !== ctx.caller.userId && !may(ctx.caller, othersTime) && !(await decidesOn(ctx, id)))
      throw new Forbidden('the balance of others is for their manager and those who have leave.approve or time.others')
    const away = await absenceOf(ctx, id, days)
    const worked = await workedIn(ctx, id, days)
    const expected = away.contract - away.unpaid
    const credited = away.leave - away.unpaid
    return {
      body: {
        userId: id,
        from: days[0]?.date,
        to: days.at(-1)?.date,
        expected,
        worked,
        credited,
        difference: worked + credited - expected,
      },
    }
  },
})

const first = (days: readonly Day[]) => days[0]?.date ?? null
const last = (days: readonly Day[]) => days.at(-1)?.date ?? null

/** The sums of a period: the contract, the absence, and the part of the absence that is not paid. */
async function absenceOf(ctx: Context, userId: Id, days: readonly Day[]) {
  const unpaid = await ctx.sql<LeaveSpan>`select l."from", l."to", l.from_half as "fromHalf", l.to_half as "toHalf"
    from leave l join non_billable n on n.tenant_id = ${ownTenant} and n.id = l.non_billable and not n.paid
    where l.tenant_id = ${ctx.caller.tenantId} and l.user_id = ${userId} and not l.deleted and l.state = ${leaveState.approved}
      and l."from" <= ${last(days)}::date and (l."to" is null or l."to" >= ${first(days)}::date)`
  const booked = await unpaidTime(ctx, userId, days)
  const sums = { contract: 0, leave: 0, unpaid: 0 }
  for (const { date, contract, leave } of (await capacities(ctx, [userId], days)).get(userId) ?? []) {
    sums.contract += contract
    sums.leave += leave
    sums.unpaid += Math.min(leave, Math.max(takenOn(unpaid, date, contract), booked.get(date) ?? 0))
  }
  return sums
}

/** The seconds that are booked on codes of unpaid leave, by day. */
async function unpaidTime(ctx: Context, userId: Id, days: readonly Day[]): Promise<Map<string, number>> {
  const rows = await ctx.sql<{ date: string; seconds: number }>`select t.date, sum(t.seconds)::int as seconds
    from time t join non_billable n on n.tenant_id = ${ownTenant} and n.id = t.non_billable and not n.paid and n.kind = any(${leaveCodes}::int[])
    where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date between ${first(days)}::date and ${last(days)}::date
      and not t.deleted and t.state <> ${timeState.draft} group by t.date`
  return new Map(rows.map(each => [each.date, each.seconds]))
}

const leaveCodes: readonly number[] = [codeKind.leave, codeKind.sick, codeKind.holiday]

async function workedIn(ctx: Context, userId: Id, days: readonly Day[]): Promise<number> {
  const [row] = await ctx.sql<{ seconds: number }>`select coalesce(sum(t.seconds), 0)::int as seconds
    from time t left join non_billable n on n.tenant_id = ${ownTenant} and n.id = t.non_billable
    where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date between ${first(days)}::date and ${last(days)}::date
      and not t.deleted and t.state <> ${timeState.draft}
      and (n.id is null or (n.counts_as_worked and n.kind <> all(${leaveCodes}::int[])))`
  return row?.seconds ?? 0
}

export const routes: Routes = {
  'GET /user/:id/balance': balance,
}
