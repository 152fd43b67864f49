import { userAccessOfAll } from '../../identity/authority.ts'
import { type Caller, may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden, RuleBroken } from '../../kernel/refusal.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { timeCalendars } from '../calendar/calendar.ts'
import { representedBy } from '../delegation/delegation.ts'
import { approveTime } from '../permissions.ts'
import { isPersonApprover, isProjectApprover, partsOf, type Timesheet } from './sheet.ts'
import { personPart, type SheetPart, sheetState } from './sheet-state.ts'

/** The caller, or somebody whom the caller represents today. */
interface Approver {
  caller: Caller
  onBehalfOf: Id | ''
}

/** Returns everybody as whom the caller may approve. The scopes of the caller's credential limit all of them. */
async function approversFor(ctx: Context): Promise<Approver[]> {
  const represented = await userAccessOfAll(ctx, await representedBy(ctx))
  const delegates = [...represented].map(([userId, access]) => ({
    caller: { ...ctx.caller, userId, timezone: access.timezone, authority: access.authority },
    onBehalfOf: userId,
  }))
  return [{ caller: ctx.caller, onBehalfOf: '' as const }, ...delegates]
}

/** Who of these may decide about each part of a sheet; parts without such a person are left out. */
export async function decidersOf(ctx: Context, sheet: Timesheet): Promise<Map<string, Approver>> {
  const approvers = (await approversFor(ctx)).filter(each => each.onBehalfOf !== sheet.userId)
  const persons = await personApprovers(ctx, sheet, approvers)
  const found = new Map<string, Approver>()
  for (const { containerId } of sheet.parts) {
    const first = approvers.find(each =>
      containerId === personPart ? persons.has(each) : may(each.caller, approveTime, { containerId }),
    )
    if (first) found.set(containerId, first)
  }
  return found
}

async function personApprovers(ctx: Context, sheet: Timesheet, approvers: readonly Approver[]): Promise<Set<Approver>> {
  const found = new Set<Approver>()
  for (const each of approvers) {
    const [row] = await ctx.sql`select 1 from timesheet s
      where s.tenant_id = ${ctx.caller.tenantId} and s.id = ${sheet.id} and ${isPersonApprover(each.caller, raw('s'))}`
    if (row) found.add(each)
  }
  return found
}

/** Nobody decides about their own time, unless the calendar allows it; and never as somebody's delegate. */
export async function refuseOwnSheet(ctx: Context, sheet: Timesheet, deciders: Iterable<Approver>): Promise<void> {
  if (sheet.userId !== ctx.caller.userId) return
  const calendar = sheet.calendarId ? await timeCalendars.find(ctx, sheet.calendarId, { deleted: true }) : undefined
  if (calendar?.selfApproval && [...deciders].every(each => each.onBehalfOf === '')) return
  throw new RuleBroken('own-sheet', 'nobody decides about their own timesheet')
}

/** Refuses somebody who decides about no part of the sheet. */
export async function demandApprover(ctx: Context, sheet: Timesheet): Promise<void> {
  // An approved sheet without parts needed no approval; whoever approves the time of this person may reopen it.
  const whole: SheetPart = { containerId: personPart, state: 0, by: '', onBehalfOf: '', at: null, comment: '' }
  const deciders = await decidersOf(ctx, sheet.parts.length > 0 ? sheet : { ...sheet, parts: [whole] })
  if (deciders.size === 0) throw notApprover()
  await refuseOwnSheet(ctx, sheet, deciders.values())
}

export function notApprover(): Forbidden {
  return new Forbidden(`this needs the permission ${approveTime.name}, or to be an approver of this person`)
}

/** The sheets with a part that waits for the caller. */
export async function waitsForCaller(ctx: Context): Promise<Sql> {
  const t = raw('t')
  const conditions = (await approversFor(ctx)).map(({ caller, onBehalfOf }) => {
    const mine = or([and([raw(`p."containerId" = ''`), isPersonApprover(caller, t)]), isProjectApprover(caller)])
    const ofOthers = sql`t.user_id <> ${ctx.caller.userId}`
    return and([
      onBehalfOf === '' ? or([ofOthers, mayApproveOwn]) : and([ofOthers, sql`t.user_id <> ${onBehalfOf}`]),
      sql`exists (select 1 from ${partsOf(t)} where p.state = ${sheetState.submitted} and ${mine})`,
    ])
  })
  return and([raw(`t.state in (${sheetState.submitted}, ${sheetState.rejected})`), or(conditions)])
}

const mayApproveOwn = sql`exists (select 1 from time_calendar own
  where own.tenant_id = ${ownTenant} and own.id = t.calendar_id and own.self_approval)`
