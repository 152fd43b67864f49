import { hidesAnyField } from '../../identity/field-limit/hidden-fields.ts'
import { items } from '../../items/item/item.ts'
import { admins, type Caller, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Invalid, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { recordInBody } from '../../records/input/record-in-body.ts'
import { estimateMessages, notificationEstimateSchema } from './estimate.ts'
import type { Message } from './message/message.ts'
import { draftNotification, type Notification, type NotificationValues, notifications } from './notification.ts'
import { interval } from './notification-codes.ts'
import { runQuery } from './query-run.ts'
import { type NotificationRecipient, recipientsOf } from './recipients.ts'
import { callerOf, ownerOf } from './run.ts'
import { messageTo } from './send-task.ts'

/** The preview shows the messages to at most this many recipients. */
const maxShown = 20

const recipientSchema: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['user', 'email', 'endpoint', 'slack', 'teams'] },
    to: { type: 'string', description: 'The id of the user, the mail address, or the host of the URL.' },
    count: { type: 'integer', description: 'The number of records in the message that the caller may see too.' },
    subject: { type: 'string' },
    text: { type: 'string' },
  },
  required: ['kind', 'to', 'count', 'subject', 'text'],
}

const schema: Schema = {
  type: 'object',
  title: 'NotificationPreview',
  properties: {
    count: { type: 'integer', description: 'The number of records that would be reported.' },
    recipients: { type: 'integer', description: 'The number of recipients.' },
    messages: { type: 'array', items: recipientSchema },
    estimate: notificationEstimateSchema,
  },
  required: ['count', 'recipients', 'messages', 'estimate'],
}
const about = `Returns what a run would report now, and to whom, and how many messages it would have sent in the last weeks. Nothing is sent or stored. The messages to the first ${maxShown} recipients are shown, without records that the caller may not see; a saved report is shown as the caller gets it.`

const preview = operation({
  permission: permission('notification.run', admins),
  mode: 'read',
  summary: 'Preview the messages of a notification',
  description: about,
  reply: { status: 200, schema, description: 'The messages.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const notification = await notifications.get(ctx, params.id ?? '')
    const owner = await ownerOf(ctx, notification)
    if (!owner) throw new RuleBroken('owner-gone', 'the creator of the notification no longer has access')
    return { body: await previewOf(ctx, notification, owner) }
  },
})

interface DraftInput {
  notification: Partial<NotificationValues>
}

const draftSchema: Schema = {
  type: 'object',
  properties: { notification: { ...notifications.updateSchema, required: [] } },
  required: ['notification'],
  additionalProperties: false,
}

const previewDraft = operation<DraftInput>({
  permission: notifications.permissions.create,
  mode: 'read',
  summary: 'Preview a notification before it is saved',
  description: `${about} The notification is taken as a new one of the caller.`,
  body: {
    schema: draftSchema,
    read: recordInBody<DraftInput>(draftSchema, 'notification', ['scopes', 'nextRun', 'lastRun', 'lastCount']),
    example: { notification: { name: 'Urgent', interval: interval.daily } },
  },
  reply: { status: 200, schema, description: 'The messages.' },
  refusals: [422],
  async run(ctx, { body }) {
    const notification = await draftNotification(ctx, body.notification).catch(inNotification)
    return { body: await previewOf(ctx, notification, ctx.caller) }
  },
})

/** The place of a fault is in the property of the body. */
function inNotification(error: unknown): never {
  if (!(error instanceof Invalid || error instanceof RuleBroken)) throw error
  const faults = error.faults.map(each => ({
    ...each,
    Field: `notification.${each.Field}`,
    Pointer: `/notification${each.Pointer}`,
  }))
  throw error instanceof Invalid ? new Invalid(faults) : new RuleBroken(error.code, error.message, faults)
}

async function previewOf(ctx: Context, notification: Notification, owner: Caller): Promise<object> {
  const isReport = notification.savedReportId !== ''
  const { ids } = isReport ? { ids: [] } : await runQuery(ctx.derive({ caller: owner }), notification)
  const seen = await seenBy(ctx, ids)
  // Rows are sums, of which nothing can be left out: everybody is shown what the caller gets.
  const own = isReport ? await messageTo(ctx, notification, []) : undefined
  const recipients = await recipientsOf(ctx, notification)
  const messages: object[] = []
  for (const recipient of recipients.slice(0, maxShown)) {
    const message = isReport ? own : await messageFor(ctx, notification, recipient, seen)
    const { count = 0, subject = '', text = '' }: Partial<Message> = message ?? {}
    messages.push({ ...recipient, count, subject, text })
  }
  return {
    count: own?.count ?? seen.length,
    recipients: recipients.length,
    messages,
    estimate: await estimateMessages(ctx, owner, notification, recipients),
  }
}

/** Returns the ids of the items that the caller may see: a preview must not show what only others may see. */
async function seenBy(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const t = raw('t')
  const rows = await ctx.sql<{
    id: Id
  }>`select t.id from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${items.visible(ctx.caller, t)} order by t.id`
  return rows.map(row => row.id)
}

async function messageFor(
  ctx: Context,
  notification: Notification,
  { kind, to }: NotificationRecipient,
  ids: readonly Id[],
) {
  // A caller from whom fields are hidden sees each message as they would get it themselves.
  if (hidesAnyField(ctx.caller)) return await messageTo(ctx, notification, ids)
  const reader = kind === 'user' ? await callerOf(ctx, to) : await ownerOf(ctx, notification)
  return reader && (await messageTo(ctx.derive({ caller: reader }), notification, ids))
}

export const routes: Routes = {
  'POST /notification/preview': previewDraft,
  'POST /notification/:id/preview': preview,
}
