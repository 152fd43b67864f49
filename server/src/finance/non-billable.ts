import { Type } from 'typebox'
import { managers } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, history, list, remove, restore, update } from '../kernel/crud.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Stored, Values } from '../kernel/record/record.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Code, Name, Refs, Text } from '../kernel/schema/values.ts'

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  group: Refs('UserGroup'),
  active: Type.Boolean({ default: true }),
  kind: Code(),
  countsAsWorked: Type.Boolean({ default: true }),
  color: Text(30),
}

export type NonBillable = Stored<typeof shape>

/** What time is spent on that nobody pays for: training, leave, sales. */
export const nonBillables = resource('NonBillable', {
  about:
    'What time is spent on that nobody pays for. `group` are the user groups that may book on it, none meaning everybody; one that is not `active` takes no new time.',
  shape,
  may: { create: managers, update: managers, delete: managers },
  check: checkNonBillable,
})

/** Time sheets and exports name the code: once somebody has booked on it, it stays what it was. */
async function checkNonBillable(
  ctx: Context,
  { code }: Values<typeof shape>,
  before: NonBillable | undefined,
): Promise<void> {
  if (!before || before.code === code) return
  // Whoever books meanwhile waits: the record is held for this update, and their entry points at it.
  const [booked] = await ctx.sql`select 1 from time
    where tenant_id = ${ctx.caller.tenantId} and non_billable = ${before.id} and not deleted limit 1`
  if (booked) {
    const message = 'time is booked on this code, so it can no longer change'
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
