import { Type } from 'typebox'
import { type Caller, everyone, may, mayAt, members, roleCode, superAdmins } from '../../kernel/access.ts'
import type { Stored } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Instant, LocalDate, Parts, Ref, Text } from '../../kernel/schema/values.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { approvalModeTable } from '../calendar/calendar.ts'
import { approveTime } from '../permissions.ts'
import type { SheetPart } from './sheet-state.ts'
import { sheetStateTable } from './sheet-state.ts'

const part = {
  containerId: Text(36, { description: 'The container whose time this is; empty for the time of the person.' }),
  state: Code(sheetStateTable, { description: '1 submitted · 2 approved · 3 rejected.' }),
  by: Text(36, { description: 'Who decided.' }),
  onBehalfOf: Text(36, { description: 'The approver for whom a delegate decided.' }),
  at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  comment: Text(2000),
}

const shape = {
  userId: Ref('User'),
  calendarId: Ref('TimeCalendar'),
  from: LocalDate,
  to: LocalDate,
  state: Code(sheetStateTable, { description: '0 open · 1 submitted · 2 approved · 3 rejected · 4 locked.' }),
  approval: Code(approvalModeTable, {
    description: 'How the sheet is approved, as its calendar said when it was submitted.',
  }),
  parts: Parts(part),
  submittedAt: Instant,
  submittedBy: Ref('User'),
  reminded: Count(2147483647, 0, { description: 'How many times the user was reminded.' }),
}

export type Timesheet = Omit<Stored<typeof shape>, 'parts' | 'from' | 'to'> & {
  parts: SheetPart[]
  from: string
  to: string
}

/** The time of a user in one period. */
export const timesheets = resource('Timesheet', {
  about:
    'The time of a user in one period of their calendar, which is submitted, approved and locked as a whole. The service makes it when it is needed; the sheets of a user never overlap.',
  shape,
  required: ['userId', 'from', 'to'],
  serverSet: keysOf(shape),
  may: { read: everyone, create: members, update: members, delete: superAdmins },
  placed: true,
  visible: visibleSheets,
  order: 'from,userId',
})

/** Users see their own sheets, and approvers those that they may decide about, themselves or as a delegate. */
function visibleSheets(caller: Caller, s: Sql): Sql {
  if (caller.authority.unrestricted || may(caller, approveTime)) return raw('true')
  return or([sql`${s}.user_id = ${caller.userId}`, isApprover(caller, s), delegated(caller, s)])
}

function isApprover(caller: Caller, s: Sql): Sql {
  return or([isPersonApprover(caller, s), sql`exists (select 1 from ${partsOf(s)} where ${isProjectApprover(caller)})`])
}

/** The parts of a sheet as rows `p`. */
export function partsOf(s: Sql): Sql {
  return sql`jsonb_to_recordset(${s}.parts) as p("containerId" text, state int)`
}

/** Whether the caller approves sheets of this user as a person: as their manager, in the group of the calendar, or everywhere. */
export function isPersonApprover(caller: Caller, s: Sql): Sql {
  if (may(caller, approveTime)) return raw('true')
  return or([
    sql`exists (select 1 from "user" u where u.tenant_id = ${ownTenant} and u.id = ${s}.user_id and u.manager_id = ${caller.userId})`,
    sql`exists (select 1 from time_calendar c where c.tenant_id = ${ownTenant} and c.id = ${s}.calendar_id and c.approver_group_id = any(${caller.authority.groups}::uuid[]))`,
  ])
}

const none = raw('null::uuid')

/** Whether the caller approves the time on the container of the part `p`. */
export function isProjectApprover(caller: Caller): Sql {
  const container = raw(`nullif(p."containerId", '')::uuid`)
  return and([sql`p."containerId" <> ''`, mayAt(caller, approveTime, none, { container, area: none, item: none })])
}

const approvingRoles = raw(`${roleCode.manager}, ${roleCode.admin}`)

/**
 * The sheets that a delegate sees. What the absent approver holds by groups and by single permissions is not compared here, but
 * by the decision itself, which reads their authority.
 */
function delegated(caller: Caller, s: Sql): Sql {
  const today = sql`(now() at time zone ${caller.timezone || 'UTC'})::date`
  return sql`exists (select 1 from time_delegation d join "user" a on a.tenant_id = ${ownTenant} and a.id = d.from_user_id
    where d.tenant_id = ${ownTenant} and not d.deleted and d.to_user_id = ${caller.userId} and ${today} between d."from" and d."to" and (
      a.super_admin or a.role in (${approvingRoles})
      or exists (select 1 from "user" u where u.tenant_id = ${ownTenant} and u.id = ${s}.user_id and u.manager_id = a.id)
      or exists (select 1 from time_calendar c join user_group_member m on m.tenant_id = ${ownTenant} and m.group_id = c.approver_group_id
        where c.tenant_id = ${ownTenant} and c.id = ${s}.calendar_id and m.user_id = a.id)
      or exists (select 1 from access_control g join ${partsOf(s)} on p."containerId" = g.owner_id
        where g.tenant_id = ${ownTenant} and not g.deleted and g.user_id = a.id and g.owner = ${raw(String(ownerKind.container))} and g.role in (${approvingRoles}))))`
}
