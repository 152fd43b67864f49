import { waitingParty } from '../../desk/ticket/ticket.ts'
import { Html, html, type PageLanguage, type Said, say } from '../../identity/oauth/pages/html.ts'
import { alert, Page } from '../../identity/oauth/pages/page.ts'
import type { Brand } from '../../identity/oauth/pages/page-style.ts'
import { messagePage } from '../../identity/oauth/pages/pages.ts'
import type { GuestMessage, GuestTicket } from './guest-ticket.ts'

// The pages for guests: plain documents with forms, without a script.

interface TicketPage {
  ticket: GuestTicket
  /** The address of the page, which the forms are below. */
  address: string
  /** The address that the files of messages are below. */
  filesAt: string
  timezone: string
  brand: Brand
  complaint?: Said | undefined
  /** The link to the follow-up ticket that has the guest's message. */
  followUp?: string | undefined
  /** A message that was refused. */
  draft?: string
}

export function ticketPage({
  ticket,
  address,
  filesAt,
  timezone,
  brand,
  complaint,
  followUp,
  draft = '',
}: TicketPage): Page {
  const { key, title = key, status = '', desk, waitingOn, can, messages, description = '' } = ticket
  const at = (instant: string) => say(formatted(instant, timezone, 'en'), formatted(instant, timezone, 'de'))
  const due = ticket.clock.find(each => each.dueAt && !each.metAt)?.dueAt
  return new Page(
    say(title, title),
    [
      html`<p>${key} &middot; ${desk}${status === '' ? undefined : html` &middot; <strong>${status}</strong>`}</p>`,
      ...(complaint ? [alert(complaint)] : []),
      ...(followUp ? [html`<p>${stored} <a href="${followUp}">${say('Open it', 'Öffnen')}</a></p>`] : []),
      ...(can.close && waitingOn === waitingParty.requester ? [html`<p>${waiting}</p>`] : []),
      ...(can.close && due ? [html`<p><small>${say('Promised by', 'Zugesagt bis')} ${at(due)}</small></p>`] : []),
      ...(messages.length === 0 && description !== ''
        ? [html`<article class="own"><p>${description}</p></article>`]
        : []),
      ...messages.map(each => messageHtml(each, at(each.at), filesAt)),
      ...(can.rate ? [ratingForm(address)] : []),
      replyForm(address, draft),
      ...(can.close ? [oneButton(`${address}/close`, say('Close the request', 'Anfrage schließen'))] : []),
      ...(can.reopen ? [oneButton(`${address}/reopen`, say('Reopen the request', 'Anfrage wieder öffnen'))] : []),
      html`<p><small>${say('This address is for you alone: whoever has it can read and answer. It is valid until', 'Diese Adresse ist nur für Sie: Wer sie hat, kann mitlesen und antworten. Sie gilt bis')} ${at(ticket.expiresAt)}.</small></p>`,
    ],
    brand,
  )
}

/** What the link in a mail opens: the score is chosen, and nothing is stored before the form is sent. */
export function ratingPage({ ticket, address, brand }: TicketPage, score: number): Page {
  const { key, title = key, can } = ticket
  const back = html`<a class="other" href="${address}">${say('To the request', 'Zur Anfrage')}</a>`
  return new Page(
    question,
    can.rate
      ? [html`<p>${key} &middot; ${title}</p>`, ratingForm(address, score)]
      : [html`<p>${say('There is nothing to rate at the moment.', 'Zurzeit gibt es nichts zu bewerten.')}</p>`, back],
    brand,
  )
}

/** The same for every link that is not valid, whatever the reason is. */
export const unknownLinkPage = messagePage(
  say('This link is not valid', 'Dieser Link ist nicht gültig'),
  say(
    'It is wrong, or has expired. Reply to the last mail that you got about your request to go on.',
    'Er ist falsch oder abgelaufen. Antworten Sie auf die letzte Mail zu Ihrer Anfrage, um fortzufahren.',
  ),
)

const question = say('How was our help?', 'Wie war unsere Hilfe?')
const waiting = say('We are waiting for your answer.', 'Wir warten auf Ihre Antwort.')
const stored = say(
  'The request was closed too long ago. Your message is in a new one.',
  'Die Anfrage ist schon zu lange geschlossen. Ihre Nachricht steht in einer neuen.',
)

function messageHtml(
  { own, author, html: body, attachments, articles }: GuestMessage,
  at: Said,
  filesAt: string,
): Html {
  // The text was made safe when it was rendered, and the policy of the page allows no script and no image.
  return html`<article class="${own ? 'own' : 'reply'}"><p><small>${author === '' ? undefined : html`${author} &middot; `}${at}</small></p>
${new Html([body])}${attachments.map(({ id, name }) => html`<p><small><a href="${`${filesAt}/${id}`}">${name}</a></small></p>`)}${articles.map(({ url, title }) => html`<p><small><a href="${url}">${title}</a></small></p>`)}</article>`
}

function replyForm(address: string, draft: string): Html {
  return html`<form method="post" action="${address}/message">
<label>${say('Your message', 'Ihre Nachricht')} <textarea name="body" required maxlength="20000">${draft}</textarea></label>
<button>${say('Send', 'Senden')}</button>
</form>`
}

function ratingForm(address: string, chosen?: number): Html {
  const scores = [1, 2, 3, 4, 5].map(
    each =>
      html`<label><input type="radio" name="score" value="${String(each)}" required${each === chosen ? html` checked` : undefined}> ${String(each)}</label>`,
  )
  return html`<form method="post" action="${address}/csat">
<p>${question} ${say('1 is bad, 5 is very good.', '1 ist schlecht, 5 sehr gut.')}</p>
<fieldset>${scores}</fieldset>
<label>${say('Comment', 'Anmerkung')} <textarea name="comment" maxlength="5000"></textarea></label>
<button>${say('Send the rating', 'Bewertung senden')}</button>
</form>`
}

const oneButton = (action: string, label: Said) =>
  html`<form method="post" action="${action}"><button class="other">${label}</button></form>`

function formatted(instant: string, timeZone: string, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(instant))
}
