import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { visibleInContainers } from '../../identity/visibility.ts'
import { conditionFindings } from '../../items/condition-findings/condition-findings.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { refuseUnknownReferences } from '../../kernel/record/references.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import {
  ActingScopes,
  LongText,
  Name,
  Ref,
  Refs,
  Text,
  TimeOfDay,
  Timezone,
  Weekday,
} from '../../kernel/schema/values.ts'
import { or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { rruleFault } from '../../language/recurrence/recurrence.ts'
import { strangerFindings } from '../../mail/strangers.ts'
import { groupingOf } from '../../planning/board/board.ts'
import { urlFault } from '../../platform/outbound/outbound.ts'
import { Code, type CodeTable, codeTableOfCodes, isKnownCode } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { goneReferences } from '../../records/references/gone-references.ts'
import { cadenceProperties } from './cadence.ts'
import { isCallableUrl } from './message/callable-url.ts'
import { messageFormat } from './message/message-format.ts'
import { reportFindings } from './message/report-findings.ts'
import { scheduleNextRun } from './next-run.ts'
import { intervals, limiters } from './notification-codes.ts'

const instant: Schema = { type: 'string', format: 'date-time', nullable: true }

const shape = {
  name: Name(200),
  description: LongText(),
  active: Type.Boolean(),
  container: Refs('Container'),
  interval: Code(intervals),
  limiter: Code(limiters),
  conditionGroup: ConditionGroups,
  recipientUserGroup: Refs('UserGroup', 100),
  // The limit is low so that the service cannot be misused as a mail relay.
  recipientEmail: Type.Array(Type.String({ format: 'email', minLength: 1, maxLength: 254 }), { maxItems: 20 }),
  recipientEndpoint: Text(2048),
  recipientSlackId: Text(2048),
  recipientMsTeamsId: Text(2048),
  at: TimeOfDay,
  weekday: Weekday,
  timezone: Timezone,
  schedule: Text(500, { description: 'A recurrence rule (RFC 5545), instead of `interval`.' }),
  templateId: Ref('ContentTemplate'),
  format: Code(codeTableOfCodes('notification.format', messageFormat), {
    description: '0 list · 1 count · 2 CSV attached · 3 XLSX attached, of a saved report.',
  }),
  digest: Type.Boolean({
    description: 'Writes to the inbox of users, and so to their digest, instead of sending a separate mail.',
  }),
  groupBy: Text(200),
  savedReportId: Ref('SavedReport', {
    description:
      'Sends this saved report instead of items. Each recipient gets what they get when they run it themselves; it must be shared with them.',
  }),
  scopes: ActingScopes,
}

export type Notification = Stored<typeof shape>
export type NotificationValues = Values<typeof shape>

/** A saved query or report that runs on a schedule, and the recipients of its result. */
export const notifications = resource('Notification', {
  about:
    'A saved query that runs on a schedule, and the recipients of its result. It runs with the permissions of its creator; each recipient gets the records that they may see too, and nobody gets an empty message.',
  shape,
  serverSet: ['scopes'],
  visible: visibleNotifications,
  check: checkNotification,
  findings: notificationFindings,
  remembered: true,
  derived: {
    nextRun: { schema: instant, value: n => state(n, raw('next_run')) },
    lastRun: { schema: instant, value: n => state(n, raw('last_run')) },
    lastCount: {
      schema: { type: 'integer', description: 'The number of records that the last run reported.' },
      value: n =>
        sql`coalesce((select s.last_count from notification_state s where s.tenant_id = ${ownTenant} and s.notification_id = ${n}.id), 0)`,
    },
  },
})

/** Names and conditions tell about the containers, so they are visible to whoever wrote them or sees one of the containers. */
function visibleNotifications(caller: Caller, n: Sql): Sql {
  return or([sql`${n}.created_by = ${caller.userId}`, visibleInContainers(caller, sql`${n}.container`)])
}

/** Selects a time from the state that the runs keep. */
function state(n: Sql, column: Sql): Sql {
  return sql`(select ${instantText(sql`s.${column}`)} from notification_state s where s.tenant_id = ${ownTenant} and s.notification_id = ${n}.id)`
}

function checkNotification({ services }: Context, values: NotificationValues, before: Notification | undefined): void {
  const faults: Fault[] = []
  for (const property of ['recipientEndpoint', 'recipientSlackId', 'recipientMsTeamsId'] as const) {
    const url = values[property]
    // Slack and Teams recipients may also be ids of channels, which are stored but not called.
    const isUrl = property === 'recipientEndpoint' || isCallableUrl(url)
    const wrong = url === '' || url === before?.[property] || !isUrl ? undefined : urlFault(url, services.outboundRules)
    if (wrong) faults.push(fault([property], 'url', wrong, url))
  }
  const broken = values.schedule === '' ? undefined : rruleFault(values.schedule)
  if (broken) faults.push(fault(['schedule'], 'rrule', broken, values.schedule))
  if (faults.length > 0) throw new Invalid(faults)
}

async function notificationFindings(record: Notification, ctx: Context): Promise<Finding[]> {
  const inert = (property: keyof NotificationValues, code: string, message: string) => ({
    path: `/${property}`,
    code,
    message,
  })
  const findings = [...codeFinding(intervals, record.interval), ...codeFinding(limiters, record.limiter)]
  const isReport = record.savedReportId !== ''
  if (record.format < messageFormat.list || record.format > (isReport ? messageFormat.xlsx : messageFormat.csv))
    findings.push(inert('format', 'unknown-code', `${record.format} is not a known format; the list is sent`))
  for (const property of ['recipientSlackId', 'recipientMsTeamsId'] as const)
    if (record[property] !== '' && !isCallableUrl(record[property]))
      findings.push(inert(property, 'no-address', 'is not the URL of a webhook, so nothing is sent there'))
  if (record.groupBy !== '' && !(await groupingOf(ctx, record.groupBy)))
    findings.push(inert('groupBy', 'unknown-path', `records cannot be grouped by ${record.groupBy}`))
  const named = record.recipientEmail.map((address, i) => ({ path: `/recipientEmail/${i}`, address }))
  findings.push(...(await strangerFindings(ctx, named)), ...(await goneReferences(ctx, record)))
  if (isReport) return [...findings, ...(await reportFindings(ctx, record))]
  return [...findings, ...(await conditionFindings(ctx, record.conditionGroup, { containerIds: record.container }))]
}

function codeFinding(table: CodeTable, code: number): Finding[] {
  if (isKnownCode(table, code)) return []
  return [{ path: `/${table.field}`, code: 'unknown-code', message: `${code} is not a known ${table.field}` }]
}

async function createNotification(ctx: Context, values: Partial<NotificationValues>): Promise<Notification> {
  return await scheduled(ctx, await notifications.create(ctx, { ...withIds(values), scopes: [...ctx.caller.scopes] }))
}

async function changeNotification(
  ctx: Context,
  id: Id,
  values: Partial<NotificationValues>,
  more: { expect?: Expect },
): Promise<Notification> {
  const before = await notifications.get(ctx, id)
  // It keeps running in the name of its creator, so a credential with scopes narrows it, and nothing widens it again.
  const scopes = ctx.caller.scopes.length > 0 ? [...ctx.caller.scopes] : before.scopes
  const after = await notifications.update(ctx, id, { ...withIds(values), scopes }, more)
  return cadenceProperties.every(each => isDeepStrictEqual(before[each], after[each]))
    ? after
    : await scheduled(ctx, after)
}

async function removeNotification(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Notification> {
  const gone = await notifications.remove(ctx, id, more)
  await scheduleNextRun(ctx, { ...gone, active: false })
  return gone
}

async function restoreNotification(ctx: Context, id: Id): Promise<Notification> {
  return await scheduled(ctx, await notifications.restore(ctx, id))
}

/** Schedules the next run and returns the notification with its new `nextRun`. */
async function scheduled(ctx: Context, notification: Notification): Promise<Notification> {
  await scheduleNextRun(ctx, notification)
  return await notifications.get(ctx, notification.id)
}

/** The notification as it would be stored, created by the caller. */
export async function draftNotification(ctx: Context, given: Partial<NotificationValues>): Promise<Notification> {
  const { tenantId, userId, scopes } = ctx.caller
  const values = notifications.completed({ ...withIds(given), scopes: [...scopes] })
  await refuseUnknownReferences(ctx, notifications.columns, values, undefined)
  checkNotification(ctx, values, undefined)
  const now = ctx.now.toISOString()
  const made = { created: now, createdBy: userId, updated: now, updatedBy: userId, deleted: false, version: 1 }
  return { ...values, entity: notifications.entity, tenantId, id: newId(), ...made }
}

function withIds(values: Partial<NotificationValues>): Partial<NotificationValues> {
  return values.conditionGroup ? { ...values, conditionGroup: withConditionIds(values.conditionGroup) } : values
}

export const routes: Routes = {
  'GET /notification': list(notifications),
  'POST /notification': create(notifications, createNotification),
  'PUT /notification': update(notifications, changeNotification),
  'GET /notification/:id': get(notifications),
  'PUT /notification/:id': update(notifications, changeNotification),
  'PATCH /notification/:id': update(notifications, changeNotification),
  'DELETE /notification/:id': remove(notifications, removeNotification),
  'POST /notification/:id/restore': restore(notifications, restoreNotification),
  'GET /notification/:id/history': history(notifications),
  'GET /notification/:id/check': check(notifications),
}
