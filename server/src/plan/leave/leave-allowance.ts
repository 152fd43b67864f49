import { Type } from 'typebox'
import { approveLeave } from '../../admin/leave/leave.ts'
import { admins, type Caller, may, members } from '../../kernel/access.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, LocalDate, Ref, Text } from '../../kernel/schema/values.ts'
import { or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'

const Amount = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description })

const shape = {
  userId: Ref('User'),
  nonBillable: Ref('NonBillable'),
  year: Count(9999, 1),
  amount: Amount('In the unit of the code: minutes or days.'),
  carried: Amount('What is left of the year before.'),
  carriedUntil: Type.Unsafe<string | null>({
    ...LocalDate,
    description: 'The last day on which leave takes of `carried`; without it the whole year.',
  }),
  note: Text(500),
}

/** How much leave of a code a user has in a year. */
const leaveAllowances = resource('LeaveAllowance', {
  about: 'How much leave of a code a user has in a year, in the unit of the code.',
  shape,
  required: ['userId', 'nonBillable', 'year'],
  may: { read: members, create: admins, update: admins, delete: admins },
  visible: visibleAllowances,
  check(_ctx, { year, carriedUntil }) {
    if (carriedUntil !== null && Number(carriedUntil.slice(0, 4)) !== year)
      throw new Invalid([fault(['carriedUntil'], 'range', `must be a day of ${year}`, carriedUntil)])
  },
  order: 'year,created',
  example: {
    userId: '01890000-0000-7000-8000-000000000000',
    nonBillable: '01890000-0000-7000-8000-000000000001',
    year: 2026,
    amount: 30,
    carried: 4.5,
    carriedUntil: '2026-03-31',
  },
})

/** Users see their own, their managers and those who decide on leave see theirs. */
function visibleAllowances(caller: Caller, a: Sql): Sql {
  if (caller.authority.unrestricted || may(caller, approveLeave)) return raw('true')
  const { userId } = caller
  return or([
    sql`${a}.user_id = ${userId}`,
    sql`exists (select 1 from "user" u where u.tenant_id = ${ownTenant} and u.id = ${a}.user_id and u.manager_id = ${userId})`,
  ])
}

export const routes: Routes = {
  'GET /time/leave-allowance': list(leaveAllowances),
  'POST /time/leave-allowance': create(leaveAllowances),
  'PUT /time/leave-allowance': update(leaveAllowances),
  'GET /time/leave-allowance/:id': get(leaveAllowances),
  'PUT /time/leave-allowance/:id': update(leaveAllowances),
  'PATCH /time/leave-allowance/:id': update(leaveAllowances),
  'DELETE /time/leave-allowance/:id': remove(leaveAllowances),
  'POST /time/leave-allowance/:id/restore': restore(leaveAllowances),
  'GET /time/leave-allowance/:id/history': history(leaveAllowances),
}
