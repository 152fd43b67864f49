import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asOwner } from './check.ts'
import type { InboundMessage, MailSetup, Reply } from './mail.ts'

const outcome = { created: 1, quarantined: 3, dropped: 4 }
const sent = 1

interface StoredMessage {
  messageId: string
  outcomes: number[]
}

const storedMessages = `select message_id as "messageId", array_agg(outcome order by outcome) as outcomes from mail_message where message_id = any($1) group by message_id`

const ticketsByTitle = `select title, count(*)::int as count from item where title = any($1) group by title`

interface StoredReply {
  name: string
  stored: number
  mails: number
  ids: string[]
  states: number[]
}

const noReply: Omit<StoredReply, 'name'> = { stored: 0, mails: 0, ids: [], states: [] }

const storedReplies = `select a.body as name, count(distinct a.id)::int as stored, count(o.id)::int as mails,
    array_remove(array_agg(o.message_id), null) as ids, array_remove(array_agg(o.state), null) as states
  from annotation a left join outbound_mail o on o.tenant_id = a.tenant_id and o.annotation_id = a.id
  where a.body = any($1) group by a.body`

/** The mail to check, and whether all of it must be recorded as sent by now (`settled`). */
export interface MailCheck {
  messages: readonly InboundMessage[]
  replies: readonly Reply[]
  settled: boolean
}

/** Checks in the tables that every message is one ticket or one refusal, and every reply one mail that has arrived. */
export async function mailFaults(owner: pg.Client, mail: MailSetup, check: MailCheck): Promise<string[]> {
  return [...(await messageFaults(owner, check.messages)), ...(await replyFaults(owner, mail, check))]
}

async function messageFaults(owner: pg.Client, messages: readonly InboundMessage[]): Promise<string[]> {
  const { rows } = await owner.query<StoredMessage>(storedMessages, [messages.map(each => each.messageId)])
  const byId = new Map(rows.map(row => [row.messageId, row.outcomes]))
  const titles = await owner.query<{ title: string; count: number }>(ticketsByTitle, [
    messages.map(each => `Message ${each.name}`),
  ])
  const tickets = new Map(titles.rows.map(row => [row.title, row.count]))
  return messages.flatMap(message =>
    [...faultsOf(message, byId.get(message.messageId) ?? [], tickets.get(`Message ${message.name}`) ?? 0)].map(
      fault => `the message ${message.name} (${message.state}) ${fault}`,
    ),
  )
}

function* faultsOf(message: InboundMessage, outcomes: readonly number[], tickets: number): Generator<string> {
  const count = (code: number) => outcomes.filter(each => each === code).length
  const due = message.state === 'acknowledged'
  const [wanted, other] = message.withoutSender
    ? [outcome.quarantined, outcome.created]
    : [outcome.created, outcome.quarantined]
  if (message.refusal) yield `was refused: ${message.refusal}`
  if (outcomes.length === 0 && due) return yield 'is lost'
  if (count(wanted) > 1 || (due && count(wanted) === 0))
    yield `has the outcomes ${outcomes.join(', ')}, not ${wanted} once`
  if (count(other) > 0 || outcomes.some(each => ![wanted, other, outcome.dropped].includes(each)))
    yield `has the outcomes ${outcomes.join(', ')}`
  if (message.channel === 'mailbox' && outcomes.length > 1) yield `was stored ${outcomes.length} times`
  if (tickets !== count(outcome.created)) yield `is ${tickets} tickets, but ${count(outcome.created)} outcomes say so`
}

async function replyFaults(
  owner: pg.Client,
  { arrived }: MailSetup,
  { replies, settled }: MailCheck,
): Promise<string[]> {
  const { rows } = await owner.query<StoredReply>(storedReplies, [replies.map(each => each.name)])
  const byName = new Map(rows.map(row => [row.name, row]))
  const faults: string[] = []
  for (const { name, state, refusal } of replies) {
    const report = (what: string) => faults.push(`${name} (${state}) ${what}`)
    const { stored, mails, ids, states } = byName.get(name) ?? noReply
    const repeatedMails = arrived.get(name) ?? []
    if (refusal) report(`was refused: ${refusal}`)
    if (stored === 0 && state === 'acknowledged') report('is lost')
    if (stored > 1) report(`is stored ${stored} times`)
    if (mails !== stored) report(`has ${mails} mails instead of ${stored}`)
    if (stored > 0 && repeatedMails.length === 0) report(`has not arrived; its states are ${states.join(', ')}`)
    for (const id of new Set(repeatedMails))
      if (!ids.includes(id)) report(`arrived as ${id}, but is stored as ${ids.join(', ')}`)
    if (settled && states.some(each => each !== sent)) report(`has the states ${states.join(', ')}`)
  }
  return faults
}

/** Waits until the check finds nothing wrong, or the time is over. Returns what is still wrong. */
export async function remainingMailFaults(
  url: string,
  mail: MailSetup,
  check: MailCheck,
  timeout = 120_000,
): Promise<string[]> {
  const deadline = performance.now() + timeout
  for (;;) {
    const faults = await asOwner(url, owner => mailFaults(owner, mail, check))
    const unread =
      mail.dovecot && mail.messages.some(each => each.channel === 'mailbox') ? mail.dovecot.unseen('desk') : 0
    if (unread > 0) faults.push(`${unread} messages are not marked as read at the server`)
    if (faults.length === 0 || performance.now() > deadline) return faults
    await sleep(100)
  }
}

/** How many mails were repetitions. */
export function copies({ arrived }: MailSetup): number {
  return [...arrived.values()].reduce((sum, ids) => sum + ids.length - 1, 0)
}
