import { watchReason } from '../../desk/watch/watch.ts'
import type { Task } from '../../engine/dispatch/dispatch.ts'
import { appendAudit } from '../../identity/audit/audit.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { escapedHtml } from '../../language/markup.ts'
import { mailPurpose } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { type Unsubscription, unsubscribeLink } from '../../mail/unsubscribe.ts'
import { deliver } from '../delivery/delivery.ts'
import { webhookFormat as calls, envelope } from '../envelope.ts'
import { writeEntries } from '../inbox/write-entries.ts'
import { countMail } from '../noise/count-messages.ts'
import { notifiedUsers } from '../preference/preference.ts'
import { type Message, messageFor } from './message/message.ts'
import { reportMessage } from './message/report-message.ts'
import { type Notification, notifications } from './notification.ts'
import { type NotificationRecipient, readRecipients } from './recipients.ts'
import { callerOf, notificationSendTaskName, ownerOf } from './run.ts'

export const notificationTopic = 'notification'

interface Run {
  notificationId: Id
  planned: Date
  itemIds: Id[]
}

/** Sends the result of a run to some recipients. Each has a transaction of its own that also marks them as done, so a retry skips them. */
export const notificationSendTask: Task = {
  name: notificationSendTaskName,
  retryDelays: [10, 60, 600, 3600].map(seconds => seconds * 1000),
  async run({ payload, service, transaction, signal }) {
    const [runId, recipients] = [String(payload.runId), readRecipients(payload.recipients)]
    const failures: unknown[] = []
    for (const recipient of recipients) {
      signal.throwIfAborted()
      // A failing recipient must not delay the others. The retry of the job sends to those that failed only.
      await transaction(service, ctx => notifyRecipient(ctx, runId, recipient)).catch(error => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  },
  async onGiveUp({ payload, service, single }, error) {
    await single(
      service,
      ctx => ctx.sql`update notification_state s set last_error = ${String(error).slice(0, 1000)} from notification_run r
        where r.tenant_id = ${ctx.caller.tenantId} and r.id = ${String(payload.runId)} and s.tenant_id = ${ownTenant} and s.notification_id = r.notification_id`,
    )
  },
}

async function notifyRecipient(ctx: Context, runId: Id, recipient: NotificationRecipient): Promise<void> {
  const { tenantId } = ctx.caller
  const [run] =
    await ctx.sql<Run>`select notification_id as "notificationId", planned, item_ids as "itemIds" from notification_run where tenant_id = ${tenantId} and id = ${runId}`
  const notification = run && (await notifications.find(ctx, run.notificationId))
  if (!run || !notification) return
  const fresh =
    await ctx.sql`insert into notification_sent (tenant_id, run_id, kind, recipient, at) values (${tenantId}, ${runId}, ${recipient.kind}, ${recipient.to}, ${ctx.now})
    on conflict do nothing returning true`
  if (fresh.length === 0) return
  const reader = recipient.kind === 'user' ? await callerOf(ctx, recipient.to) : await ownerOf(ctx, notification)
  const message = reader && (await messageTo(ctx.derive({ caller: reader }), notification, run.itemIds))
  if (!message) return
  const mailId = await sendMessage(ctx, notification, { ...run, id: runId }, recipient, message)
  await ctx.sql`update notification_sent set count = ${message.count}, mail_id = ${mailId ?? null} where tenant_id = ${tenantId} and run_id = ${runId}
    and kind = ${recipient.kind} and recipient = ${recipient.to}`
}

/** The message as the caller of the context gets it; undefined if there is nothing for them. */
export async function messageTo(
  ctx: Context,
  notification: Notification,
  itemIds: readonly Id[],
): Promise<Message | undefined> {
  return notification.savedReportId === ''
    ? await messageFor(ctx, notification, itemIds)
    : await reportMessage(ctx, notification)
}

async function sendMessage(
  ctx: Context,
  notification: Notification,
  run: Run & { id: Id },
  { kind, to }: NotificationRecipient,
  message: Message,
): Promise<Id | undefined> {
  if (kind === 'email') return await mail(ctx, notification, to, message, 'your address is in its list', true)
  if (kind !== 'user') return void (await call(ctx, notification, run, kind, message))
  const reader = (await notifiedUsers(ctx, [to])).get(to)
  if (reader?.email && !notification.digest)
    return await mail(ctx, notification, reader.email, message, 'you are in a group that gets it')
  const { changeSet: changeSetId } = ctx
  const news = {
    subject: 'Notification',
    subjectId: notification.id,
    containerId: '',
    source: { kind: 'notification' as const, id: notification.id },
    reason: watchReason.group,
    changeSetId,
  }
  await writeEntries(ctx, [
    {
      ...news,
      userId: to,
      names: ['notification.ran'],
      actorId: notification.createdBy,
      text: message.subject,
      itemIds: [...message.itemIds],
    },
  ])
}

async function mail(
  ctx: Context,
  notification: Notification,
  to: string,
  message: Message,
  why: string,
  anyAddress = false,
): Promise<Id> {
  const claim = { tenantId: ctx.caller.tenantId, topic: notificationTopic, address: to, key: notification.id }
  const link = unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)
  const foot = `You get “${notification.name}” because ${why}.`
  const queued = await queueMail(ctx, {
    to: [to],
    subject: message.subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300),
    text: `${message.text}\n\n${foot} Unsubscribe: ${link}`,
    ...(message.html
      ? {
          html: `${message.html}<p><small>${escapedHtml(foot)} <a href="${escapedHtml(link)}">Unsubscribe</a></small></p>`,
        }
      : {}),
    auto: true,
    anyAddress,
    purpose: mailPurpose.notification,
    list: { id: `notification.${notification.id}`, topic: notificationTopic, key: notification.id },
    attachments: message.attachments,
  })
  for (const { name } of message.attachments) {
    const reason = `${name} with ${message.count} records, by mail`
    await appendAudit(ctx, { action: 'export', reason, recordKind: 'Notification', recordId: notification.id })
  }
  await countMail(ctx, queued, { kind: 'notification', id: notification.id })
  return queued.id
}

async function call(
  ctx: Context,
  notification: Notification,
  run: Run & { id: Id },
  kind: 'endpoint' | 'slack' | 'teams',
  message: Message,
): Promise<void> {
  const { id, name, recipientEndpoint, recipientSlackId, recipientMsTeamsId } = notification
  const url = { endpoint: recipientEndpoint, slack: recipientSlackId, teams: recipientMsTeamsId }[kind]
  const webhookId = `msg_${run.id}_${kind}`
  const title = kind === 'endpoint' ? name : message.title
  const { body } = envelope(kind === 'slack' ? calls.slack : kind === 'teams' ? calls.teams : calls.standard, {
    webhookId,
    type: 'notification.ran',
    at: ctx.now,
    seq: '',
    tenantId: ctx.caller.tenantId,
    changeSetId: ctx.changeSet,
    actor: { id: notification.createdBy, kind: 'notification', name },
    entity: notifications.entity,
    id,
    href: `${ctx.services.baseUrl}/api/notification/${id}`,
    record: { id, name, title, planned: run.planned.toISOString(), count: message.count, ...message.listed },
    changes: {},
  })
  await deliver(ctx, { ownerEntity: notifications.entity, ownerId: id, url, body, webhookId, type: 'notification.ran' })
}

export async function unsubscribeFromNotification(ctx: Context, { address, key }: Unsubscription): Promise<void> {
  if (!(await notifications.find(ctx, key))) return
  await ctx.sql`insert into notification_refusal (tenant_id, notification_id, address, at) values (${ctx.caller.tenantId}, ${key}, ${address.toLowerCase()}, ${ctx.now}) on conflict do nothing`
}
