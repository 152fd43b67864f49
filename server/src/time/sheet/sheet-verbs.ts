import { demand, may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { approvalMode, timeCalendars } from '../calendar/calendar.ts'
import { closeTime, othersTime } from '../permissions.ts'
import { timezoneOfUser } from '../time-limits.ts'
import { timeState } from '../time-state.ts'
import { decidersOf, demandApprover, notApprover, refuseOwnSheet } from './approvers.ts'
import { containersOfSheet, countInState, restateTimes } from './restate-times.ts'
import { type Timesheet, timesheets } from './sheet.ts'
import { decidedParts, type SheetPart, sheetState, stateOfParts, submittedParts } from './sheet-state.ts'

/** What somebody says with a verb. */
export interface VerbInput {
  comment?: string | undefined
  reason?: string | undefined
  /** The parts that are meant; an empty id is the part of the person. */
  containerIds?: readonly string[]
}

type SheetVerb = (ctx: Context, sheet: Timesheet, input: VerbInput) => Promise<Timesheet>

/** The verbs of a sheet. Each gets the locked row and refuses before it writes. */
export const sheetVerbs = {
  submit,
  recall,
  approve: (ctx, sheet, input) => decide(ctx, sheet, input, sheetState.approved),
  reject: (ctx, sheet, input) => decide(ctx, sheet, input, sheetState.rejected),
  reopen,
  lock,
  unlock,
} as const satisfies Record<string, SheetVerb>

/**
 * Performs a verb. The row is locked, for which the writers of its entries wait, and it waits for them: who comes second sees
 * what the first one did.
 */
export async function perform(
  ctx: Context,
  id: Id,
  verb: SheetVerb,
  { input, expect }: { input: VerbInput; expect?: Expect },
): Promise<Timesheet> {
  const sheet = asSheet(await timesheets.get(ctx, id, { lock: true }))
  expectVersion(sheet, expect)
  return await verb(ctx, sheet, input)
}

/** The service writes all properties of a sheet and of its parts, which the declared type leaves open. */
export const asSheet = (record: object): Timesheet => record as Timesheet

async function submit(ctx: Context, sheet: Timesheet, { comment }: VerbInput): Promise<Timesheet> {
  await demandSubmitter(ctx, sheet)
  if (sheet.state !== sheetState.open && sheet.state !== sheetState.rejected)
    throw new RuleBroken('already-submitted', 'the timesheet is already submitted', [], { state: sheet.state })
  const drafts = await countInState(ctx, sheet, timeState.draft)
  if (drafts > 0) throw new RuleBroken('drafts-left', `${drafts} entries are drafts`, [], { drafts })
  if (await isTimed(ctx, sheet)) throw new RuleBroken('timer-running', 'a timer runs in this period: stop it first')
  return await submitSheet(ctx, sheet, comment)
}

/** Whether the timer of the user, which becomes entries when it is stopped, began on a day of the sheet. */
async function isTimed(ctx: Context, { userId, from, to }: Timesheet): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from timer r where r.tenant_id = ${ctx.caller.tenantId} and r.user_id = ${userId} and not r.deleted
    and (r.started_at at time zone ${timezoneOfUser(raw('r.user_id'))})::date between ${from}::date and ${to}::date`
  return row !== undefined
}

/** Submits a sheet whose rules were checked. One that nobody has to approve is approved at once. */
async function submitSheet(ctx: Context, sheet: Timesheet, comment?: string): Promise<Timesheet> {
  const calendar = sheet.calendarId ? await timeCalendars.find(ctx, sheet.calendarId, { deleted: true }) : undefined
  const approval = calendar?.approval ?? approvalMode.person
  const parts = submittedParts(approval, await containersOfSheet(ctx, sheet), sheet.parts)
  const submitted = { approval, parts, submittedAt: ctx.now.toISOString(), submittedBy: ctx.caller.userId }
  const after = await write(ctx, sheet, { ...submitted, state: sheetState.submitted }, 'submitted', { comment })
  return stateOfParts(parts) === sheetState.approved
    ? await write(ctx, after, { state: sheetState.approved }, 'approved', {})
    : after
}

async function recall(ctx: Context, sheet: Timesheet): Promise<Timesheet> {
  if (sheet.userId !== ctx.caller.userId) throw new Forbidden('only its owner recalls a timesheet')
  if (sheet.parts.some(each => each.state !== sheetState.submitted))
    throw new RuleBroken('part-decided', 'a part of the timesheet is already decided')
  refuseUnless(sheet, sheetState.submitted, 'not-submitted', 'the timesheet is not submitted')
  return await write(ctx, sheet, { state: sheetState.open, parts: [] }, 'recalled', {})
}

/** Approves or rejects the named parts, or all that wait and that the caller decides about. */
async function decide(
  ctx: Context,
  sheet: Timesheet,
  { containerIds, comment = '' }: VerbInput,
  state: number,
): Promise<Timesheet> {
  const isRejection = state === sheetState.rejected
  if (isRejection) demandText('comment', comment)
  if (sheet.state !== sheetState.submitted && sheet.state !== sheetState.rejected)
    throw new RuleBroken('not-submitted', 'the timesheet is not submitted', [], { state: sheet.state })
  const deciders = await decidersOf(ctx, sheet)
  const waiting = sheet.parts.filter(each => each.state === sheetState.submitted)
  const meant = containerIds ? namedParts(sheet, containerIds) : waiting.filter(each => deciders.has(each.containerId))
  if (meant.length === 0 || meant.some(each => !deciders.has(each.containerId))) throw notApprover()
  const at = ctx.now.toISOString()
  const decisions = new Map(
    meant.map(({ containerId }) => {
      const onBehalfOf = deciders.get(containerId)?.onBehalfOf ?? ''
      return [containerId, { state, by: ctx.caller.userId, onBehalfOf, at, comment }]
    }),
  )
  await refuseOwnSheet(
    ctx,
    sheet,
    meant.flatMap(each => deciders.get(each.containerId) ?? []),
  )
  const parts = decidedParts(sheet, decisions)
  const after = stateOfParts(parts)
  const verb = isRejection ? 'rejected' : after === sheetState.approved ? 'approved' : 'partApproved'
  return await write(ctx, sheet, { parts, state: after }, verb, { comment })
}

function namedParts(sheet: Timesheet, containerIds: readonly string[]): SheetPart[] {
  const wanted = [...new Set(containerIds.map(id => id.toLowerCase()))]
  const unknown = wanted.filter(id => !sheet.parts.some(each => each.containerId === id))
  if (unknown.length > 0)
    throw new RuleBroken(
      'unknown-part',
      'the timesheet has no such part',
      unknown.map(id => fault(['containerIds'], 'unknown-part', 'is not a part of the timesheet', id)),
    )
  const parts = sheet.parts.filter(each => wanted.includes(each.containerId))
  if (parts.some(each => each.state !== sheetState.submitted))
    throw new RuleBroken('part-decided', 'a part of the timesheet is already decided')
  return parts
}

async function reopen(ctx: Context, sheet: Timesheet, { reason }: VerbInput): Promise<Timesheet> {
  demandText('reason', reason)
  await demandApprover(ctx, sheet)
  if (sheet.state === sheetState.locked) throw new RuleBroken('sheet-locked', 'the timesheet is locked')
  refuseUnless(sheet, sheetState.approved, 'not-approved', 'the timesheet is not approved')
  await refuseInvoiced(ctx, sheet)
  return await write(ctx, sheet, { state: sheetState.open, parts: [] }, 'reopened', { reason })
}

async function lock(ctx: Context, sheet: Timesheet): Promise<Timesheet> {
  demand(ctx.caller, closeTime)
  refuseUnless(sheet, sheetState.approved, 'not-approved', 'the timesheet is not approved')
  return await write(ctx, sheet, { state: sheetState.locked }, 'locked', {})
}

async function unlock(ctx: Context, sheet: Timesheet, { reason }: VerbInput): Promise<Timesheet> {
  demandText('reason', reason)
  demand(ctx.caller, closeTime)
  refuseUnless(sheet, sheetState.locked, 'not-locked', 'the timesheet is not locked')
  await refuseInvoiced(ctx, sheet)
  return await write(ctx, sheet, { state: sheetState.approved }, 'unlocked', { reason })
}

/** What takes something back says why. */
function demandText(property: 'comment' | 'reason', text = ''): void {
  if (text.trim() === '') throw new Invalid([fault([property], 'required', 'is required', text)])
}

function refuseUnless({ state }: Timesheet, expected: number, code: string, message: string): void {
  if (state !== expected) throw new RuleBroken(code, message, [], { state })
}

/** What is invoiced stays approved. */
export async function refuseInvoiced(ctx: Context, sheet: Timesheet): Promise<void> {
  const invoiced = await countInState(ctx, sheet, timeState.invoiced)
  if (invoiced > 0) throw new RuleBroken('entries-invoiced', `${invoiced} entries are invoiced`, [], { invoiced })
}

/** The owner submits, or whoever manages them or books their time. */
export async function demandSubmitter(ctx: Context, { userId }: Pick<Timesheet, 'userId'>): Promise<void> {
  const { caller } = ctx
  if (userId === caller.userId || may(caller, othersTime)) return
  const [managed] = await ctx.sql`select 1 from "user"
    where tenant_id = ${caller.tenantId} and id = ${userId} and manager_id = ${caller.userId}`
  if (!managed) throw new Forbidden('a timesheet is submitted by its owner or their manager')
}

/** Writes a sheet with its event, and gives its entries the state that follows from it. */
export async function write(
  ctx: Context,
  sheet: Timesheet,
  values: Partial<Pick<Timesheet, 'state' | 'approval' | 'parts' | 'submittedAt' | 'submittedBy'>>,
  verb: string,
  said: Pick<VerbInput, 'comment' | 'reason'>,
): Promise<Timesheet> {
  const changes: Changes = {}
  for (const [property, to] of Object.entries(said)) if (to) changes[property] = { to }
  const after = asSheet(await timesheets.update(ctx, sheet.id, values, { verb, own: { columns: {}, changes } }))
  await restateTimes(ctx, after)
  return after
}
