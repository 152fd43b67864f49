import { Type } from 'typebox'
import { ConditionGroups } from '../kernel/conditions/conditions.ts'
import { numbered } from '../kernel/conditions/numbered.ts'
import type { Context } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import { urlFault } from '../kernel/outbound.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { type Expect, type Finding, resource, type Stored, type Values } from '../kernel/resource.ts'
import { check, create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { Code, LongText, Name, Refs, Text } from '../kernel/values.ts'
import { type CodeTable, interval, knows, limiter } from './codes.ts'
import { conditionFindings } from './condition-findings.ts'

const shape = {
  name: Name(200),
  description: LongText(),
  active: Type.Boolean(),
  container: Refs('Container'),
  interval: Code(),
  limiter: Code(),
  conditionGroup: ConditionGroups,
  recipientUserGroup: Refs('UserGroup', 100),
  // Few, so that nobody mistakes us for a relay.
  recipientEmail: Type.Array(Type.String({ format: 'email', minLength: 1, maxLength: 254 }), { maxItems: 20 }),
  recipientEndpoint: Text(2048),
  recipientSlackId: Text(200),
  recipientMsTeamsId: Text(200),
}

export type Notification = Stored<typeof shape>
type NotificationValues = Values<typeof shape>

/** A question that is asked again and again, and those who get the answer. */
export const notifications = resource('Notification', {
  about: 'A question that is asked again and again, and those who get the answer.',
  shape,
  check: checkNotification,
  findings: notificationFindings,
})

function checkNotification(
  { outbound }: Context,
  { recipientEndpoint: url }: NotificationValues,
  before: Notification | undefined,
): void {
  const wrong = url === '' || url === before?.recipientEndpoint ? undefined : urlFault(url, outbound)
  if (wrong) throw new Invalid([fault(['recipientEndpoint'], 'url', wrong, url)])
}

async function notificationFindings(record: Notification, ctx: Context): Promise<Finding[]> {
  return [
    ...codeFinding(interval, record.interval),
    ...codeFinding(limiter, record.limiter),
    ...(await conditionFindings(ctx, record.conditionGroup, record.container)),
  ]
}

function codeFinding(table: CodeTable, code: number): Finding[] {
  if (knows(table, code)) return []
  return [{ path: `/${table.field}`, code: 'unknown-code', message: `${code} is no ${table.field} known here` }]
}

async function createNotification(ctx: Context, values: Partial<NotificationValues>): Promise<Notification> {
  return await notifications.create(ctx, withNumbers(values))
}

async function changeNotification(
  ctx: Context,
  id: Id,
  values: Partial<NotificationValues>,
  more: { expect?: Expect },
): Promise<Notification> {
  return await notifications.update(ctx, id, withNumbers(values), more)
}

function withNumbers(values: Partial<NotificationValues>): Partial<NotificationValues> {
  return values.conditionGroup ? { ...values, conditionGroup: numbered(values.conditionGroup) } : values
}

export const routes: Routes = {
  'GET /notification': list(notifications),
  'POST /notification': create(notifications, createNotification),
  'PUT /notification': update(notifications, changeNotification),
  'GET /notification/:id': get(notifications),
  'PUT /notification/:id': update(notifications, changeNotification),
  'PATCH /notification/:id': update(notifications, changeNotification),
  'DELETE /notification/:id': remove(notifications),
  'POST /notification/:id/restore': restore(notifications),
  'GET /notification/:id/history': history(notifications),
  'GET /notification/:id/check': check(notifications),
}
