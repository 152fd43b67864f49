import { decidesOn, type Leave, type LeaveSpan, leaveState, leaves, takenOn } from '../../admin/leave/leave.ts'
import { users } from '../../admin/user/user.ts'
import { allowanceUnit, allowanceUnits, nonBillables } from '../../finance/non-billable.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { Forbidden, fault, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { capacities, daysBetween, type UserDay } from '../capacity/capacity.ts'

// What is left of a user's leave on a code in a year: the allowance and what was carried over, less the leave that is
// approved or requested. Only days on which the user would work count.

/** The leave of one code in a year. */
interface LeaveBalance {
  nonBillable: Id
  name: string
  unit: number
  amount: number
  carried: number
  carriedUntil: string | null
  approved: number
  requested: number
  balance: number
}

interface AllowanceRow
  extends Pick<LeaveBalance, 'nonBillable' | 'name' | 'unit' | 'amount' | 'carried' | 'carriedUntil'> {}
interface LeaveRow extends LeaveSpan {
  nonBillable: Id
  state: number
}

const number = (description: string): Schema => ({ type: 'number', description })

/** Lists what is left of a user's leave in a year. */
export const leaveBalance = operation({
  permission: leaves.permissions.read,
  mode: 'read',
  summary: 'Balance of leave',
  description:
    'What is left of a user’s leave in a year, for each code with an allowance or with leave: `amount + carried − approved − requested`, in the unit of the code. After `carriedUntil`, only the part of `carried` that was taken until then counts. Days on which the user would not work take nothing.',
  query: {
    userId: { type: 'string', description: 'The user; by default the caller.' },
    year: { type: 'integer', minimum: 1, maximum: 9999, description: 'By default the current year in UTC.' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'LeaveBalance',
        properties: {
          nonBillable: { type: 'string' },
          name: { type: 'string' },
          unit: Code(allowanceUnits),
          amount: number('The allowance of the year.'),
          carried: number('What is left of the year before.'),
          carriedUntil: { type: ['string', 'null'], format: 'date' },
          approved: number('Approved leave of the year.'),
          requested: number('Requested leave of the year.'),
          balance: number('What is left.'),
        },
        required: [
          'nonBillable',
          'name',
          'unit',
          'amount',
          'carried',
          'carriedUntil',
          'approved',
          'requested',
          'balance',
        ],
      },
    },
    description: 'The balances, by the name of the code.',
  },
  refusals: [404],
  async run(ctx, { query }) {
    const { id } = await users.get(ctx, String(query.userId || ctx.caller.userId))
    if (id !== ctx.caller.userId && !(await decidesOn(ctx, id)))
      throw new Forbidden('the balance of others is for their manager and those who have leave.approve')
    const year = readWhole('year', query.year, 1, 9999) ?? ctx.now.getUTCFullYear()
    const today = ctx.now.toISOString().slice(0, 10)
    return { body: (await yearOf(ctx, id, year)).map(each => balanceAt(each, today)) }
  },
})

interface CodeYear {
  allowance: AllowanceRow
  /** What was taken in the unit of the code until a day, by state. */
  taken: (state: number, until: string) => number
}

const lastDay = '9999-12-31'

function balanceAt({ allowance, taken }: CodeYear, today: string): LeaveBalance {
  const { amount, carried, carriedUntil } = allowance
  const approved = taken(leaveState.approved, lastDay)
  const requested = taken(leaveState.requested, lastDay)
  const expired = carriedUntil !== null && today > carriedUntil
  const counted = expired ? Math.min(carried, takenUntil(taken, carriedUntil)) : carried
  return { ...allowance, approved, requested, balance: amount + counted - approved - requested }
}

const takenUntil = (taken: CodeYear['taken'], until: string) =>
  taken(leaveState.approved, until) + taken(leaveState.requested, until)

/** The allowances and the leave of a user in a year, by code. */
async function yearOf(ctx: Context, userId: Id, year: number): Promise<CodeYear[]> {
  const [first, last] = [`${String(year).padStart(4, '0')}-01-01`, `${String(year).padStart(4, '0')}-12-31`]
  const { tenantId } = ctx.caller
  const rows =
    await ctx.sql<LeaveRow>`select l.non_billable as "nonBillable", l.state, l."from", l."to", l.from_half as "fromHalf", l.to_half as "toHalf" from leave l
    where l.tenant_id = ${tenantId} and l.user_id = ${userId} and not l.deleted and l.non_billable is not null
      and l.state in (${leaveState.requested}, ${leaveState.approved}) and l."from" <= ${last}::date and (l."to" is null or l."to" >= ${first}::date)`
  const codes = [...new Set(rows.map(each => each.nonBillable))]
  const allowances =
    await ctx.sql<AllowanceRow>`select n.id as "nonBillable", n.name, n.unit, coalesce(a.amount, 0)::float8 as amount, coalesce(a.carried, 0)::float8 as carried, a.carried_until as "carriedUntil"
    from non_billable n left join leave_allowance a on a.tenant_id = ${ownTenant} and a.non_billable = n.id and a.user_id = ${userId} and a.year = ${year} and not a.deleted
    where n.tenant_id = ${tenantId} and (a.id is not null or n.id = any(${codes}::uuid[])) order by n.name, n.id`
  const days = (await capacities(ctx, [userId], daysBetween(first, last))).get(userId) ?? []
  const byCode = Map.groupBy(rows, each => each.nonBillable)
  return allowances.map(allowance => {
    const spans = byCode.get(allowance.nonBillable) ?? []
    const taken = (state: number, until: string) =>
      takenOf(
        spans.filter(each => each.state === state),
        days.filter(({ date }) => date <= until),
        allowance.unit,
      )
    return { allowance, taken }
  })
}

/** What leave takes of days in the unit of its code. */
function takenOf(spans: readonly LeaveSpan[], days: readonly UserDay[], unit: number): number {
  if (unit === allowanceUnit.days)
    return days.reduce((sum, { date, contract }) => sum + (contract > 0 ? takenOn(spans, date, 2) / 2 : 0), 0)
  return days.reduce((sum, { date, contract }) => sum + takenOn(spans, date, contract), 0) / 60
}

const maxYears = 3

/** Refuses leave on a limited code that exceeds the allowance of one of its years. What was carried over ends with its day. */
export async function refuseOverdrawn(ctx: Context, { userId, nonBillable, from, to }: Leave): Promise<void> {
  if (nonBillable === '' || !(await nonBillables.get(ctx, nonBillable)).limited) return
  const [first, last] = [from, to].map(each => Number((each ?? lastDay).slice(0, 4)))
  const refuse = (message: string, extra: Record<string, unknown> = {}) => {
    throw new RuleBroken('leave-balance', message, [fault(['to'], 'leave-balance', message, to)], extra)
  }
  if (first === undefined || last === undefined) return
  if (last - first >= maxYears) refuse(`leave on a limited code must end within ${maxYears} years`)
  for (let year = first; year <= last; year++) {
    const found = (await yearOf(ctx, userId, year)).find(each => each.allowance.nonBillable === nonBillable)
    if (!found) continue
    const { amount, carried, carriedUntil } = found.allowance
    const counted = carriedUntil === null ? carried : Math.min(carried, takenUntil(found.taken, carriedUntil))
    const balance = amount + counted - takenUntil(found.taken, lastDay)
    if (balance < 0) refuse(`exceeds the allowance of ${year} by ${-balance}`, { year, balance })
  }
}
