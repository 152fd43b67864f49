import { Type } from 'typebox'
import { linkForRating } from '../../desk/guest/guest.ts'
import type { EventJob, Listener, Task } from '../../engine/dispatch/dispatch.ts'
import { items } from '../../items/item/item.ts'
import { statusCategory } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import { isImported } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
import { escapedHtml } from '../../language/markup.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { oneLine } from '../address.ts'
import { queueMail } from '../queue-mail.ts'
import { mailPurpose } from './outbound-mail.ts'
import { hasDesks, undoSeconds } from './reply-listener.ts'

// When a ticket is closed, its requester is asked once what they think of the help. Each score is a link to a page with a form, so
// that a program that follows the links of mails rates nothing.

const asks = setting('ticket.askSatisfaction', {
  schema: Type.Boolean(),
  default: false,
  scopes: ['tenant', 'container'],
  description:
    'Whether requesters are asked by mail, once a ticket, how they liked the help when it was closed as done.',
})

const taskName = 'satisfaction-mail'

export const satisfactionListener: Listener = {
  name: taskName,
  listens: hasDesks,
  accepts: event => event.entity === 'Item' && event.kind === 'item.updated' && !isImported(event),
  async jobs(_ctx, events) {
    return events
      .filter(({ changes }) => changes.closedAt?.to && changes.statusCategory?.to === statusCategory.done)
      .map((event): EventJob => {
        const { recordId: itemId, changeSetId: changeSet } = event
        return { event, task: taskName, payload: { itemId, changeSet } }
      })
  },
}

export const satisfactionTask: Task = {
  name: taskName,
  retryDelays: [5_000, 60_000, 600_000, 3_600_000],
  async run({ payload, service, transaction }) {
    await transaction(service, ctx => askFor(ctx, String(payload.itemId)), String(payload.changeSet))
  },
}

async function askFor(ctx: Context, itemId: Id): Promise<void> {
  // The lock makes two jobs for one ticket run one after the other.
  if (!(await items.find(ctx, itemId, { lock: true }))) return
  const [known] = await ctx.sql`select 1 from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId} and purpose = ${mailPurpose.satisfaction} limit 1`
  const found = known ? undefined : await linkForRating(ctx, itemId)
  if (!found) return
  const { ticket, url } = found
  const { containerId, title, language } = ticket
  if (!(await settingOf(ctx, asks, { containerId }))) return
  const address = ticket.requester?.email ?? ''
  if (!isEmail(address) || address.length > 254) return
  await queueMail(ctx, {
    to: [address],
    subject: `Re: ${oneLine(title, 400)}`,
    ...question(language, url),
    auto: true,
    itemId,
    purpose: mailPurpose.satisfaction,
    undo: (await settingOf(ctx, undoSeconds, { containerId })) * 1000,
  })
}

const scores = [5, 4, 3, 2, 1]

/** The question with a link for each score. */
function question(language: string, url: string): { text: string; html: string } {
  const { asked, labels, follow } = language.toLowerCase().startsWith('de') ? german : english
  const links = scores.map((score, i) => ({ label: `${score} – ${labels[i]}`, url: `${url}/rate/${score}` }))
  const all = [...links, { label: follow, url }]
  return {
    text: `${asked}\n\n${all.map(each => `${each.label}: ${each.url}`).join('\n')}`,
    html: `<p>${asked}</p><ul>${all.map(each => `<li><a href="${escapedHtml(each.url)}">${each.label}</a></li>`).join('')}</ul>`,
  }
}

const english = {
  asked: 'Your request was closed. How was our help?',
  labels: ['very good', 'good', 'fair', 'poor', 'bad'],
  follow: 'See your request, or reopen it',
}
const german = {
  asked: 'Ihre Anfrage wurde geschlossen. Wie war unsere Hilfe?',
  labels: ['sehr gut', 'gut', 'mittel', 'mäßig', 'schlecht'],
  follow: 'Ihre Anfrage ansehen oder wieder öffnen',
}
