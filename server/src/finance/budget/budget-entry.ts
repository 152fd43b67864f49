import { Type } from 'typebox'
import { managers, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { type Expect, expectVersion, type Stored, type Values } from '../../kernel/record/record.ts'
import { fault, Invalid, NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, LocalDate, Part, Ref, Text } from '../../kernel/schema/values.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import { Money } from '../../language/money.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { budgetReasons } from '../budget-reason.ts'
import { tenantToday } from '../tenant-day.ts'
import { type Budget, budgets, visibleBudgets } from './budget-record.ts'

/** Whether a change counts. */
export const entryState = { proposed: 0, approved: 1, rejected: 2 } as const

const shape = {
  budgetId: Ref('Budget'),
  delta: Money({ description: 'Minutes or money, as the unit of the budget says; negative to take away.' }),
  reasonId: Ref('BudgetReason'),
  date: LocalDate,
  recurring: Type.Boolean({ description: 'Whether it counts in every later period, too.' }),
  note: Text(2000),
  state: Code(codeTableOfCodes('budgetEntry.state', entryState), {
    description: '0 proposed · 1 approved · 2 rejected',
  }),
  decidedBy: Ref('User'),
  decidedAt: Instant,
  comment: Text(2000),
}

type BudgetEntry = Stored<typeof shape>
type EntryValues = Values<typeof shape>

/** A change of a budget. */
export const budgetEntries = resource('BudgetEntry', {
  about:
    'A change of a budget, with its reason. It counts once it is approved, and never changes then; a reason that `requiresApproval` needs the approval of somebody else.',
  shape,
  required: ['delta', 'reasonId'],
  serverSet: ['budgetId', 'state', 'decidedBy', 'decidedAt', 'comment'],
  may: { read: managers, create: managers, update: managers, delete: managers },
  placed: true,
  visible: (caller, e) =>
    sql`exists (select 1 from budget b where b.tenant_id = ${ownTenant} and b.id = ${e}.budget_id and ${visibleBudgets(caller, raw('b'))})`,
  check: checkEntry,
  order: 'date,created',
  remembered: true,
  example: {
    delta: '600',
    reasonId: '01890000-0000-7000-8000-000000000000',
    date: '2026-04-01',
    note: 'Change request 7',
  },
})

function checkEntry(_ctx: Context, { delta }: EntryValues, before: BudgetEntry | undefined): void {
  if (before) refuseDecided(before)
  if (Number(delta) === 0) throw new Invalid([fault(['delta'], 'zero', 'must not be zero', delta)])
}

/** The ledger keeps what it was decided on; a mistake is taken back by another entry. */
function refuseDecided({ state }: BudgetEntry): void {
  if (state !== entryState.proposed)
    throw new RuleBroken('entry-decided', 'an approved or rejected entry does not change; add another one')
}

/** Appends a change. It is approved at once, unless its reason asks for somebody else. */
export async function appendEntry(
  ctx: Context,
  budgetId: Id,
  values: Partial<EntryValues>,
  requiresApproval: boolean,
): Promise<BudgetEntry> {
  return await budgetEntries.create(ctx, {
    ...values,
    date: values.date ?? (await tenantToday(ctx)),
    budgetId,
    ...(requiresApproval
      ? { state: entryState.proposed }
      : { state: entryState.approved, decidedBy: ctx.caller.userId, decidedAt: ctx.now.toISOString() }),
  })
}

async function createEntry(ctx: Context, budget: Budget, values: Partial<EntryValues>): Promise<BudgetEntry> {
  const reason = isId(values.reasonId) ? await budgetReasons.find(ctx, values.reasonId ?? '') : undefined
  if (reason && !reason.active)
    throw new RuleBroken('reason-inactive', 'the reason is not active', [
      fault(['reasonId'], 'reason-inactive', 'is not active', values.reasonId),
    ])
  return await appendEntry(ctx, budget.id, values, reason?.requiresApproval ?? false)
}

/** The values of an entry, with its budget. */
export type BudgetEntryInput = Partial<EntryValues> & { budgetId: Id }

/** Appends a change to a budget that the caller sees and may change. */
export async function createBudgetEntry(ctx: Context, { budgetId, ...values }: BudgetEntryInput): Promise<BudgetEntry> {
  const budget = await budgets.get(ctx, budgetId, { lock: true })
  await budgets.demand(ctx, 'update', budget)
  return await createEntry(ctx, budget, values)
}

async function removeEntry(ctx: Context, id: Id, more: { expect?: Expect }): Promise<BudgetEntry> {
  refuseDecided(await budgetEntries.get(ctx, id, { lock: true }))
  return await budgetEntries.remove(ctx, id, more)
}

const approving = permission('budget.approve', managers)
const decision = Part({ comment: Text(2000) })

function decide(state: number, summary: string): Operation {
  return operation<{ comment?: string }>({
    permission: approving,
    placed: true,
    mode: 'write',
    summary,
    description: 'Only a proposed entry is decided, by somebody else than its author (422 `own-entry`).',
    body: bodyOf(decision, { comment: 'As agreed' }),
    reply: { status: 200, schema: budgetEntries.schema, description: 'The decided entry.' },
    refusals: [404, 412, 422],
    async run(ctx, { params, body, expect }) {
      const entry = await budgetEntries.get(ctx, params.id ?? '', { lock: true })
      expectVersion(entry, expect)
      refuseDecided(entry)
      if (entry.createdBy === ctx.caller.userId)
        throw new RuleBroken('own-entry', 'nobody decides on their own change of a budget')
      const own = { state, decidedBy: ctx.caller.userId, decidedAt: ctx.now.toISOString(), comment: body.comment ?? '' }
      const made = await budgetEntries.update(ctx, entry.id, own, {
        verb: state === entryState.approved ? 'approved' : 'rejected',
      })
      return { body: made, version: made.version }
    },
  })
}

/** Runs an operation for a budget that the caller sees and may change; the entry of the path must belong to it. */
function ofBudget(verb: 'read' | 'update', wanted: Operation): Operation {
  return {
    ...wanted,
    placed: true,
    refusals: [404, ...(wanted.refusals ?? [])],
    async run(ctx, given) {
      const { budgetId = '', entryId } = given.params
      const budget = await budgets.get(ctx, budgetId)
      await budgets.demand(ctx, verb, budget)
      if (entryId === undefined) return await wanted.run(ctx, given)
      const [row] = isId(entryId)
        ? await ctx.sql`select 1 from budget_entry where tenant_id = ${ctx.caller.tenantId} and budget_id = ${budget.id} and id = ${entryId}`
        : []
      if (!row) throw new NotFound()
      return await wanted.run(ctx, { ...given, params: { ...given.params, id: entryId } })
    },
  }
}

const creating = create(budgetEntries, async (ctx, values, { params }) =>
  createEntry(ctx, await budgets.get(ctx, params.budgetId ?? '', { lock: true }), values),
)
const listing = list(budgetEntries, { where: (_ctx, { params }) => sql`t.budget_id = ${params.budgetId}` })

export const routes: Routes = {
  'GET /finance/budget/:budgetId/entry': ofBudget('read', listing),
  'POST /finance/budget/:budgetId/entry': ofBudget('update', creating),
  'GET /finance/budget/:budgetId/entry/:entryId': ofBudget('read', get(budgetEntries)),
  'PUT /finance/budget/:budgetId/entry/:entryId': ofBudget('update', update(budgetEntries)),
  'PATCH /finance/budget/:budgetId/entry/:entryId': ofBudget('update', update(budgetEntries)),
  'DELETE /finance/budget/:budgetId/entry/:entryId': ofBudget('update', remove(budgetEntries, removeEntry)),
  'POST /finance/budget/:budgetId/entry/:entryId/restore': ofBudget('update', restore(budgetEntries)),
  'GET /finance/budget/:budgetId/entry/:entryId/history': ofBudget('read', history(budgetEntries)),
  'POST /finance/budget/:budgetId/entry/:entryId/approve': ofBudget(
    'update',
    decide(entryState.approved, 'Approve a change of a budget'),
  ),
  'POST /finance/budget/:budgetId/entry/:entryId/reject': ofBudget(
    'update',
    decide(entryState.rejected, 'Reject a change of a budget'),
  ),
}
