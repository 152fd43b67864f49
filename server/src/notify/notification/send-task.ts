import { watchReason } from '../../desk/watch/watch.ts'
import type { Task } from '../../engine/dispatch/dispatch.ts'
import { appendAudit } from '../../identity/audit/audit.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { escapedHtml } from '../../language/markup.ts'
import { mailPurpose } from '../../mail/outbound-mail/outbound-mail.ts'
import { type Unsubscription, unsubscribeLink } from '../../mail/unsubscribe.ts'
import { type BudgetedResult, mailWithinBudget } from '../budget/budget.ts'
import { deliver } from '../delivery/delivery.ts'
import { webhookFormat as calls, envelope } from '../envelope.ts'
import { writeEntries } from '../inbox/write-entries.ts'
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
  if (kind === 'email') {
    const listed = { to, why: 'your address is in its list', anyAddress: true }
    return (await mail(ctx, notification, run, message, listed)).mail?.id
  }
  if (kind !== 'user') return void (await call(ctx, notification, run, kind, message))
  const reader = (await notifiedUsers(ctx, [to])).get(to)
  if (!reader?.email || notification.digest) return void (await writeToInbox(ctx, notification, to, message))
  const member = { to: reader.email, why: 'you are in a group that gets it', anyAddress: false }
  const sent = await mail(ctx, notification, run, message, member)
  if (sent.heldFor.length > 0) await writeToInbox(ctx, notification, to, message, true)
  return sent.mail?.id
}

async function writeToInbox(
  ctx: Context,
  { id, createdBy }: Notification,
  userId: Id,
  { subject: text, itemIds }: Message,
  mailIsHeld = false,
): Promise<void> {
  await writeEntries(ctx, [
    {
      ...{
        userId,
        subject: 'Notification',
        subjectId: id,
        containerId: '',
        reason: watchReason.group,
        text,
        mailIsHeld,
      },
      source: { kind: 'notification', id },
      names: ['notification.ran'],
      changeSetId: ctx.changeSet,
      actorId: createdBy,
      itemIds: [...itemIds],
    },
  ])
}

/** A mail address that gets a notification, and the reason. */
interface Addressee {
  to: string
  why: string
  /** The address is in the list of the notification, and so gets what its creator gets. */
  anyAddress: boolean
}

async function mail(
  ctx: Context,
  notification: Notification,
  { itemIds }: Run,
  message: Message,
  { to, why, anyAddress }: Addressee,
): Promise<BudgetedResult> {
  const claim = { tenantId: ctx.caller.tenantId, topic: notificationTopic, address: to, key: notification.id }
  const link = unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)
  const foot = `You get “${notification.name}” because ${why}.`
  const result = await mailWithinBudget(ctx, {
    mail: {
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
    },
    message: { source: { kind: 'notification', id: notification.id }, itemIds, asCreator: anyAddress },
  })
  if (result.mail) await auditAttachments(ctx, notification.id, message)
  return result
}

/** A file that leaves by mail is an export. */
export async function auditAttachments(
  ctx: Context,
  notificationId: Id,
  { attachments, count }: Pick<Message, 'attachments' | 'count'>,
): Promise<void> {
  for (const { name } of attachments) {
    const reason = `${name} with ${count} records, by mail`
    await appendAudit(ctx, { action: 'export', reason, recordKind: 'Notification', recordId: notificationId })
  }
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
