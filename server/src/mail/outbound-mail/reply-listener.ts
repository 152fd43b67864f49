import { Type } from 'typebox'
import { annotations, isPublic } from '../../desk/annotation/annotation.ts'
import { mailRecipients } from '../../desk/annotation/reply-recipients.ts'
import { deskKind } from '../../desk/ticket/ticket.ts'
import type { EventJob, Listener, Task } from '../../engine/dispatch/dispatch.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { isImported } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { breaksLine, oneLine } from '../address.ts'
import { queueMail } from '../queue-mail.ts'
import { mailPurpose } from './outbound-mail.ts'

// Public messages of staff in a ticket are sent as mails. A listener does this, so that tickets do not depend on mail.

const taskName = 'mail-reply'

export const undoSeconds = setting('mail.undoSeconds', {
  schema: Type.Number({ minimum: 0, maximum: 600 }),
  default: 10,
  scopes: ['tenant', 'container'],
  description:
    'The number of seconds that a reply waits before it is sent as a mail, during which it can be cancelled.',
})

const wanted: Readonly<Record<string, number>> = {
  'annotation.replied': mailPurpose.reply,
  'ticket.forwarded': mailPurpose.forward,
}

export const replyListener: Listener = {
  name: 'mail-reply',
  listens: hasDesks,
  // Messages that arrived by mail or from another system are not sent back.
  accepts: event => event.kind in wanted && event.actorKind !== 'mail' && !isImported(event),
  async jobs(_ctx, events) {
    return events.flatMap((event): EventJob[] => {
      const what = wanted[event.kind]
      if (what === undefined) return []
      return [
        {
          event,
          task: taskName,
          payload: { annotationId: event.recordId, purpose: what, changeSet: event.changeSetId },
        },
      ]
    })
  },
}

/** Whether the tenant has service desks. */
export async function hasDesks(ctx: Context): Promise<boolean> {
  return (await remembered(ctx, 'mail desks', () => hasDesk(ctx))) ?? false
}

async function hasDesk(ctx: Context): Promise<boolean> {
  const [desk] =
    await ctx.sql`select 1 from container where tenant_id = ${ctx.caller.tenantId} and kind = ${deskKind} limit 1`
  return desk !== undefined
}

export const replyTask: Task = {
  name: taskName,
  retryDelays: [5_000, 60_000, 600_000, 3_600_000],
  async run({ payload, service, transaction }) {
    const [annotationId, what] = [String(payload.annotationId), Number(payload.purpose)]
    await transaction(service, ctx => mailAnnotation(ctx, annotationId, what), String(payload.changeSet))
  },
}

/** Queues one mail per message, also if the job is repeated. */
async function mailAnnotation(ctx: Context, annotationId: Id, what: number): Promise<void> {
  const annotation = await annotations.find(ctx, annotationId, { lock: true })
  if (!annotation?.itemId) return
  const [known] = await ctx.sql`select 1 from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and annotation_id = ${annotationId} and purpose = ${what}`
  if (known) return
  const item = await items.find(ctx, annotation.itemId)
  if (!item || !(await isTicket(ctx, item))) return
  if (what === mailPurpose.reply && (!isPublic(annotation.kind) || annotation.restrictedTo.length > 0)) return
  const { to, cc } = await mailRecipients(ctx, item.id, annotation, what === mailPurpose.reply)
  const [sent, copied] = [to, cc].map(addresses => addresses.filter(each => !breaksLine(each))) as [string[], string[]]
  if (sent.length === 0) return
  const undo = (await settingOf(ctx, undoSeconds, { containerId: item.containerId })) * 1000
  await queueMail(ctx, {
    to: sent,
    cc: copied,
    subject: `${what === mailPurpose.forward ? 'Fwd' : 'Re'}: ${oneLine(item.title.replace(/^\s*((re|aw|fwd|wg)\s*:\s*)+/i, ''), 400)}`,
    auto: false,
    itemId: item.id,
    annotationId,
    purpose: what,
    // The waiting time counts from the creation of the message, not from this job.
    undo: Math.max(0, Date.parse(annotation.created) + undo - ctx.now.getTime()),
  })
}

async function isTicket(ctx: Context, { id, containerId }: Item): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from container c where c.tenant_id = ${ctx.caller.tenantId} and c.id = ${containerId} and c.kind = ${deskKind}
    union all select 1 from ticket t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  return row !== undefined
}
