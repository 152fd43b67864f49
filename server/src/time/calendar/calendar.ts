import { Type } from 'typebox'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Finding, Stored } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, LocalDate, Name, Ref, Refs } from '../../kernel/schema/values.ts'
import { Code, type CodeTable, codesOf, codeTable, isKnownCode } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { periodKind, periodKinds } from './period.ts'

const approvals = {
  none: [0, 'None'],
  person: [1, 'By person'],
  project: [2, 'By project'],
  both: [3, 'By person and project'],
} as const

/** Who approves the sheets of a calendar. */
export const approvalMode = codesOf(approvals)

export const periodKindTable: CodeTable = codeTable('timeCalendar.kind', periodKinds)
export const approvalModeTable: CodeTable = codeTable('timeCalendar.approval', approvals)

const Day = Type.Unsafe<string>({ type: 'string', format: 'date', maxLength: 10 })

const shape = {
  name: Name(120),
  userGroups: Refs('UserGroup', 100),
  order: Count(),
  kind: Code(periodKindTable, { description: '0 week · 1 month · 2 half month · 3 custom.' }),
  weekStart: Type.Integer({ minimum: 1, maximum: 7, default: 1, description: '1 Monday … 7 Sunday.' }),
  dates: Type.Array(Day, {
    maxItems: 1000,
    description: 'The first days of custom periods; the last one ends the period before it and begins none.',
  }),
  from: LocalDate,
  graceDays: Type.Unsafe<number | null>({
    type: 'integer',
    minimum: 0,
    maximum: 366,
    default: null,
    description: 'How many days after the end of a period users may still change their own time; null is no limit.',
  }),
  approval: Code(approvalModeTable, { description: '0 none · 1 by person · 2 by project · 3 both.' }),
  approverGroupId: Ref('UserGroup', { description: 'The group whose members approve by person, beside the manager.' }),
  selfApproval: Type.Boolean({ description: 'Whether approvers may approve their own sheets.' }),
  remindAfterDays: Type.Array(Count(366), {
    maxItems: 10,
    description: 'How many days after the end of a period users are reminded of a sheet that is not submitted.',
  }),
  autoSubmit: Type.Boolean({ description: 'Whether sheets are submitted when the grace days are over.' }),
}

export type TimeCalendar = Stored<typeof shape>

/** Divides the time of users into periods, and says who approves them. */
export const timeCalendars = resource('TimeCalendar', {
  about:
    'Divides the time of the members of `userGroups` into periods, each with a timesheet, and says who approves them. If several calendars name groups of a user, the one with the lowest `order` counts.',
  shape,
  order: 'order,name',
  findings: calendarFindings,
  remembered: true,
  example: { name: 'Weeks', kind: 0, weekStart: 1, graceDays: 3, approval: 1 },
})

function calendarFindings({ kind, dates, approval, userGroups, autoSubmit, graceDays }: TimeCalendar): Finding[] {
  const findings: Finding[] = []
  const report = (property: string, code: string, message: string) =>
    findings.push({ path: `/${property}`, code, message })
  if (!isKnownCode(periodKindTable, kind))
    report('kind', 'unknown-code', `${kind} is not a known kind, so there are no periods`)
  if (kind === periodKind.custom && new Set(dates).size < 2)
    report('dates', 'no-period', 'a period needs its first day and that of the next one')
  if (!isKnownCode(approvalModeTable, approval))
    report('approval', 'unknown-code', `${approval} is not a known way of approval, so sheets are approved by person`)
  if (userGroups.length === 0) report('userGroups', 'no-users', 'the calendar has no groups and applies to nobody')
  if (autoSubmit && graceDays === null)
    report('autoSubmit', 'no-grace', 'sheets are submitted when the grace days are over, and these have no limit')
  return findings
}

export const routes: Routes = {
  'GET /time/calendar': list(timeCalendars),
  'POST /time/calendar': create(timeCalendars),
  'PUT /time/calendar': update(timeCalendars),
  'GET /time/calendar/:id': get(timeCalendars),
  'PUT /time/calendar/:id': update(timeCalendars),
  'PATCH /time/calendar/:id': update(timeCalendars),
  'DELETE /time/calendar/:id': remove(timeCalendars),
  'POST /time/calendar/:id/restore': restore(timeCalendars),
  'GET /time/calendar/:id/history': history(timeCalendars),
  'GET /time/calendar/:id/check': check(timeCalendars),
}
