import type { Context } from '../../kernel/context.ts'
import { escapedHtml } from '../../language/markup.ts'
import { unsubscribeLink } from '../../mail/unsubscribe.ts'
import type { CollectedMessages } from '../budget/collect-held.ts'
import { limitHint } from '../budget/hold-message.ts'
import { eventLabel, eventTopic, reasonText } from '../event-labels.ts'
import type { NotifiedUser } from '../preference/preference.ts'
import type { DueEntry } from './digest-entries.ts'

/** The text of a digest: the entries of the inbox, and the messages that were held. */
export function digestMail(
  ctx: Context,
  reader: NotifiedUser,
  due: readonly DueEntry[],
  held: CollectedMessages | undefined,
): { subject: string; text: string; html: string } {
  const count = due.length + (held ? held.messages.length + held.more : 0)
  const [only = ''] = [...due.map(nameOf), ...(held?.messages.map(each => each.subject) ?? [])]
  const subject = count === 1 ? only : `${count} things happened`
  const settings = (topic: string, key: string) =>
    unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, {
      tenantId: ctx.caller.tenantId,
      topic,
      address: reader.email,
      key,
    })
  const parts = due.map(each => {
    const what = each.events.map(eventLabel).join(', ')
    const stop = settings(eventTopic, [reader.userId, each.events.join(), each.containerId].join(' '))
    return { each, what, why: `${reasonText(each.reason)}.`, stop, stops: `No more mail about this (${what})` }
  })
  const text = parts.map(({ each, what, why, stop, stops }) =>
    [
      nameOf(each),
      what,
      each.subject === 'Notification' ? '' : each.text,
      linkOf(ctx, each),
      `${why} ${stops}: ${stop}`,
    ]
      .filter(Boolean)
      .join('\n'),
  )
  const html = parts.map(
    ({ each, what, why, stop, stops }) =>
      `<p><a href="${escapedHtml(linkOf(ctx, each))}">${escapedHtml(nameOf(each))}</a><br>${escapedHtml(what)}${each.text && each.subject !== 'Notification' ? `<br>${escapedHtml(each.text)}` : ''}<br><small>${escapedHtml(why)} <a href="${escapedHtml(stop)}">${escapedHtml(stops)}</a></small></p>`,
  )
  const collected = held && heldParts(ctx, held)
  return {
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300),
    text: [...(collected?.text ?? []), ...text].join('\n\n'),
    html: [...(collected?.html ?? []), ...html].join('\n'),
  }
}

/** What was held: the reason, and each message with its text. */
function heldParts({ services: { baseUrl } }: Context, { messages, more }: CollectedMessages) {
  const why = `You had reached your limit of mails for a day, so this mail has the rest together. ${limitHint(baseUrl)}`
  const rest = more === 0 ? [] : [`And ${more} more: ${baseUrl}/inbox`]
  return {
    text: [why, ...messages.map(({ subject, text }) => [subject, text].filter(Boolean).join('\n')), ...rest],
    html: [
      `<p>${escapedHtml(why)}</p>`,
      ...messages.map(
        ({ subject, text }) =>
          `<p><b>${escapedHtml(subject)}</b><br>${escapedHtml(text).replaceAll('\n', '<br>')}</p><hr>`,
      ),
      ...rest.map(each => `<p>${escapedHtml(each)}</p>`),
    ],
  }
}

function nameOf({ subject, key, title, count, text }: DueEntry): string {
  if (subject === 'Item') return `${key} ${title}`.trim()
  if (subject === 'Notification') return text
  return subject === 'ChangeSet' ? `${count} items were changed at once` : `A ${subject.toLowerCase()} that you watch`
}

const linkOf = ({ services: { baseUrl } }: Context, { subject, subjectId }: DueEntry) =>
  subject === 'ChangeSet'
    ? `${baseUrl}/api/change/${subjectId}`
    : `${baseUrl}/api/${subject === 'Document' ? 'docs/doc' : subject === 'Crm' ? 'finance/crm' : subject.toLowerCase()}/${subjectId}`
