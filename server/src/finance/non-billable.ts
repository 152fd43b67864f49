import { Type } from 'typebox'
import { managers } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Stored, Values } from '../kernel/record/record.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Name, Refs, Text } from '../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../records/code-table.ts'
import { history } from '../records/history/history.ts'

/** The codes of `kind` of a non-billable code. */
export const codeKind = { internal: 0, leave: 1, sick: 2, holiday: 3, training: 4, sales: 5, idle: 6 } as const

/** The codes of `unit` of a non-billable code. */
export const allowanceUnit = { minutes: 0, days: 1 } as const
export const allowanceUnits = codeTableOfCodes('nonBillable.unit', allowanceUnit)

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  group: Refs('UserGroup'),
  active: Type.Boolean({ default: true }),
  kind: Code(codeTableOfCodes('nonBillable.kind', codeKind)),
  countsAsWorked: Type.Boolean({ default: true }),
  color: Text(30),
  unit: Code(allowanceUnits, { description: 'The unit of allowances of leave on this code: 0 minutes · 1 days.' }),
  paid: Type.Boolean({ default: true, description: 'Leave on this code is credited as if it were worked.' }),
  limited: Type.Boolean({ description: 'Leave on this code must not exceed the allowance of its year.' }),
}

type NonBillable = Stored<typeof shape>

/** A code for time that is not billed: training, leave, sales. */
export const nonBillables = resource('NonBillable', {
  about:
    'A code for time that is not billed. `group` lists the user groups that may book on it (if empty, everybody); an inactive code accepts no new time.',
  shape,
  may: { create: managers, update: managers, delete: managers },
  check: checkNonBillable,
})

/** Timesheets and exports show the code, so that it cannot change once time is booked on it. */
async function checkNonBillable(
  ctx: Context,
  { code }: Values<typeof shape>,
  before: NonBillable | undefined,
): Promise<void> {
  if (!before || before.code === code) return
  // Concurrent bookings wait, because this update locks the record to which their entries refer.
  const [booked] = await ctx.sql`select 1 from time
    where tenant_id = ${ctx.caller.tenantId} and non_billable = ${before.id} and not deleted limit 1`
  if (booked) {
    const message = 'time is booked on this code, so that it cannot be changed'
    throw new RuleBroken('code-in-use', message, [fault(['code'], 'code-in-use', message, code)])
  }
}

export const routes: Routes = {
  'GET /finance/non-billable': list(nonBillables),
  'POST /finance/non-billable': create(nonBillables),
  'PUT /finance/non-billable': update(nonBillables),
  'GET /finance/non-billable/:id': get(nonBillables),
  'PUT /finance/non-billable/:id': update(nonBillables),
  'PATCH /finance/non-billable/:id': update(nonBillables),
  'DELETE /finance/non-billable/:id': remove(nonBillables),
  'POST /finance/non-billable/:id/restore': restore(nonBillables),
  'GET /finance/non-billable/:id/history': history(nonBillables),
}
