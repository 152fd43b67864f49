import { leaveState, leaves } from '../../admin/leave/leave.ts'
import { containers } from '../../containers/container/container.ts'
import { type BudgetEntryInput, budgetEntries, createBudgetEntry, entryState } from '../../finance/budget/budget.ts'
import { tenantToday } from '../../finance/tenant-day.ts'
import { changeAll } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Kind, kind } from '../../kernel/kinds.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { type Allocation, allocations, checkAllocation } from '../allocation/allocation.ts'
import { changeAllocation, createAllocation, following } from '../allocation/write-allocation.ts'
import { changeLeave, requestLeave } from '../leave/leave-requests.ts'

type Values = Record<string, unknown>

/** How a scenario changes the records of a kind. */
export interface Changeable {
  kind: Kind
  /** The properties that it may change. */
  properties: readonly string[]
  /** Those that are not shown by readings with the scenario, because they decide who sees the record. */
  unseen: readonly string[]
  /** Reads a new record, where the kind does not read all that it needs. */
  readCreate?(values: unknown): Values
  /** Completes a proposed record, and refuses one that could not be read. */
  complete(ctx: Context, record: Values, before: Values | undefined): Promise<Values>
  /** Makes the changes, with the rights of the caller; a kind without `create` has no new records in scenarios. */
  create?(ctx: Context, values: Values): Promise<{ id: Id }>
  update?(ctx: Context, changes: readonly { id: Id; values: Values }[]): Promise<unknown>
  remove?(ctx: Context, id: Id): Promise<unknown>
}

const written = (kind: Kind) => kind.columns.map(each => each.property).filter(each => !kind.serverSet.includes(each))

// The declarations have the types of their shapes, and a scenario serves all kinds alike.
const [planKind, itemKind, leaveKind, containerKind, entryKind] = [
  kind(allocations.entity),
  kind(items.entity),
  kind(leaves.entity),
  kind(containers.entity),
  kind(budgetEntries.entity),
]

/** The kinds that scenarios change, in the order in which they are merged: allocations that follow items are set after them. */
export const changeables: Readonly<Record<'Container' | 'Item' | 'Leave' | 'Plan' | 'BudgetEntry', Changeable>> = {
  Container: {
    kind: containerKind,
    properties: ['startDate', 'dueDate'],
    unseen: [],
    complete: async (_ctx, record) => inOrder(record),
    async update(ctx, changes) {
      for (const { id, values } of changes) await containers.update(ctx, id, values)
    },
  },
  Item: {
    kind: itemKind,
    properties: ['startDate', 'dueDate', 'estimateMinutes', 'remainingMinutes', 'assignees'],
    unseen: ['assignees'],
    complete: async (_ctx, record) => inOrder(record),
    // All at once, because the dates of one may allow those of another.
    update: (ctx, changes) =>
      changeAll(
        ctx,
        changes.map(({ id, values }) => ({ id, read: { patch: values, warnings: [] } })),
      ),
  },
  Leave: {
    kind: leaveKind,
    properties: written(leaveKind),
    unseen: [],
    async complete(ctx, record) {
      const { from, to } = record
      if (typeof from !== 'string') throw new Invalid([fault(['from'], 'required', 'is required')])
      if (typeof to === 'string' && to < from)
        throw new Invalid([fault(['to'], 'range', 'must not be before from', to)])
      // It is to be seen what the days change, whoever has to approve them.
      return { ...record, userId: record.userId || ctx.caller.userId, state: leaveState.approved }
    },
    create: requestLeave,
    async update(ctx, changes) {
      for (const { id, values } of changes) await changeLeave(ctx, id, values, {})
    },
    remove: (ctx, id) => leaves.remove(ctx, id),
  },
  Plan: {
    kind: planKind,
    properties: written(planKind),
    unseen: [],
    async complete(ctx, record, before) {
      const plan = allocations.completed(record)
      await checkAllocation(ctx, plan, before as Allocation | undefined)
      return { ...plan, ...(await following(ctx, plan)) }
    },
    create: createAllocation,
    async update(ctx, changes) {
      for (const { id, values } of changes) await changeAllocation(ctx, id, values, {})
    },
    remove: (ctx, id) => allocations.remove(ctx, id),
  },
  BudgetEntry: {
    kind: entryKind,
    properties: [...written(entryKind), 'budgetId'],
    unseen: [],
    readCreate: values => readEntry(values),
    async complete(ctx, record) {
      if (Number(record.delta) === 0) throw new Invalid([fault(['delta'], 'zero', 'must not be zero', record.delta)])
      return { ...record, date: record.date ?? (await tenantToday(ctx)), state: entryState.approved }
    },
    create: (ctx, values) => createBudgetEntry(ctx, values as BudgetEntryInput),
  },
}

/** The path of an entry names its budget, so that its own reader does not. */
const readEntry = reader<Values>({
  type: 'object',
  properties: { ...entryKind.createSchema.properties, budgetId: { type: 'string', minLength: 1, maxLength: 36 } },
  required: [...(entryKind.createSchema.required ?? []), 'budgetId'],
})

/** Refuses a due date before the start date. */
function inOrder(record: Values): Values {
  const { startDate, dueDate } = record
  if (typeof startDate === 'string' && typeof dueDate === 'string' && dueDate < startDate)
    throw new Invalid([fault(['dueDate'], 'range', 'must not be before startDate', dueDate)])
  return record
}

export type ChangedEntity = keyof typeof changeables
export const changedEntities = keysOf(changeables)
