import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import { type Expect, expectVersion, type Finding, type Stored, type Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { LocalDate, Name, Ref, Text } from '../../kernel/schema/values.ts'
import { history } from '../../records/history/history.ts'
import { usersOf, writtenBy } from '../../records/references/pointers.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { tenantToday } from '../tenant-day.ts'

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  parentId: Ref('CostCenter'),
  managerId: Ref('User'),
  active: Type.Boolean({ default: true }),
  validFrom: LocalDate,
  validTo: LocalDate,
  externalId: Text(200),
}

type CostCenter = Stored<typeof shape>

/** Where costs are counted: a department, a location, a project of the accounts. */
export const costCenters = resource('CostCenter', {
  about:
    'Where costs are counted, such as a department or a location. Cost centres form a tree; `costCenter` of a user or a container names one by its code or id.',
  shape,
  check: checkCostCenter,
  findings,
  example: { code: '4100', name: 'Consulting', validFrom: '2026-01-01' },
})

async function checkCostCenter(
  ctx: Context,
  { parentId, validFrom, validTo }: Values<typeof shape>,
  before: CostCenter | undefined,
): Promise<void> {
  if (validFrom && validTo && validTo < validFrom)
    throw new Invalid([fault(['validTo'], 'range', 'must not be before validFrom', validTo)])
  const isRestored = before?.deleted === true
  if (parentId === '' || (parentId === before?.parentId && !isRestored)) return
  const above = await ancestorsOf(ctx, costCenters, parentId.toLowerCase(), before?.id)
  if (isRestored && above.length === 0)
    throw new RuleBroken('parent-deleted', 'the cost centre above is deleted; restore it first', [
      fault(['parentId'], 'parent-deleted', 'is the id of a deleted cost centre', parentId),
    ])
}

async function findings({ active, validTo }: CostCenter, ctx: Context): Promise<Finding[]> {
  const isOver = active && validTo !== null && validTo < (await tenantToday(ctx))
  return isOver
    ? [{ path: '/validTo', code: 'ended', message: 'has passed, so no time of today is booked on the cost centre' }]
    : []
}

/** What refers to a cost centre would lose it: what lies below, budgets, and time in the books. */
async function removeCostCenter(ctx: Context, id: Id, more: { expect?: Expect }): Promise<CostCenter> {
  const before = await costCenters.get(ctx, id, { lock: true })
  expectVersion(before, more.expect)
  const used = (await usersOf(ctx, 'CostCenter', [before.id], writtenBy(ctx, ctx.changeSet))).get(before.id) ?? []
  const [shared] = await ctx.sql`select 1 from time_share s
    where s.tenant_id = ${ctx.caller.tenantId} and s.cost_center_id = ${before.id} limit 1`
  if (shared) used.push('Time')
  if (used.length > 0)
    throw new RuleBroken(
      'in-use',
      `records refer to the cost centre (${used.join(', ')}): move them to another one, or set active to false`,
    )
  return await costCenters.remove(ctx, id)
}

export const routes: Routes = {
  'GET /finance/cost-center': list(costCenters),
  'POST /finance/cost-center': create(costCenters),
  'PUT /finance/cost-center': update(costCenters),
  'GET /finance/cost-center/:id': get(costCenters),
  'PUT /finance/cost-center/:id': update(costCenters),
  'PATCH /finance/cost-center/:id': update(costCenters),
  'DELETE /finance/cost-center/:id': remove(costCenters, removeCostCenter),
  'POST /finance/cost-center/:id/restore': restore(costCenters),
  'GET /finance/cost-center/:id/history': history(costCenters),
  'GET /finance/cost-center/:id/check': check(costCenters),
}
