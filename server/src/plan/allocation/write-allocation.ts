import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { raw } from '../../kernel/sql.ts'
import { rruleFault } from '../../language/recurrence/recurrence.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { type Allocation, type AllocationValues, allocations, maxAllocationDays } from './allocation.ts'
import { subjectDays } from './subject-days.ts'

/** Plans work. */
export async function createAllocation(ctx: Context, values: Partial<AllocationValues>): Promise<Allocation> {
  const plan = allocations.completed(values)
  return await allocations.create(ctx, { ...values, ...(await following(ctx, plan)) })
}

/** Changes planned work. */
export async function changeAllocation(
  ctx: Context,
  id: Id,
  values: Partial<AllocationValues>,
  more: { expect?: Expect },
): Promise<Allocation> {
  const before = await allocations.get(ctx, id, { lock: true })
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  return await allocations.update(ctx, id, { ...values, ...(await following(ctx, { ...before, ...given })) }, more)
}

/** Puts a user in the place of a group, a placeholder or another user. The job role stays: it is what they work as. */
export async function assign(ctx: Context, id: Id, userId: Id, more: { expect?: Expect }): Promise<Allocation> {
  return await changeAllocation(ctx, id, { userId, userGroupId: '' }, more)
}

/** What follows from the others: the container, and whether anybody can work on these days. */
export async function following(ctx: Context, plan: AllocationValues): Promise<Partial<AllocationValues>> {
  const { from, to } = plan
  const containerId = await containerOf(ctx, plan)
  // Faults of the dates and the rule are reported when the record is validated.
  const days = from && to && from <= to ? await readDays(ctx, { ...plan, from, to }) : undefined
  return { containerId, ...(days ? { noCapacity: days.every(({ capacity }) => capacity === 0) } : {}) }
}

async function readDays(ctx: Context, plan: AllocationValues & { from: string; to: string }) {
  const ids = {
    userId: isId(plan.userId) ? plan.userId.toLowerCase() : '',
    userGroupId: isId(plan.userGroupId) ? plan.userGroupId.toLowerCase() : '',
  }
  if (Date.parse(plan.to) - Date.parse(plan.from) > maxAllocationDays * 86_400_000) return undefined
  const demand = { ...plan, ...ids, recurrence: rruleFault(plan.recurrence) ? '' : plan.recurrence }
  return (await subjectDays(ctx, [demand])).daysOf(demand)
}

async function containerOf(ctx: Context, { owner, ownerId }: AllocationValues): Promise<Id | ''> {
  if (!isId(ownerId)) return ''
  const { tenantId } = ctx.caller
  if (owner === ownerKind.container) return ownerId.toLowerCase()
  if (owner !== ownerKind.item && owner !== ownerKind.cycle) return ''
  const table = owner === ownerKind.item ? raw('item') : raw('cycle')
  const [row] = await ctx.sql<{
    id: Id | null
  }>`select t.container_id as id from ${table} t where t.tenant_id = ${tenantId} and t.id = ${ownerId}`
  return row?.id ?? ''
}
