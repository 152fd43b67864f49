import { setTimeout as sleep } from 'node:timers/promises'
import { type Dovecot, missingDovecot, startDovecot } from '../../server/src/mail/test-support/test-dovecot.ts'
import type { Client } from './import.ts'
import { openSmtpServer, type SmtpServer } from './smtp-server.ts'

/** A message to the desk, as its sender recorded it. */
export interface InboundMessage {
  name: string
  messageId: string
  /** Delivered into the mailbox, or submitted over HTTP. A submission without a reply is repeated. */
  channel: 'mailbox' | 'http'
  state: 'unknown' | 'acknowledged'
  /** A message without `From` must not become a ticket, and the refusal must be recorded. */
  withoutSender: boolean
  /** A reply that violates the specification. */
  refusal?: string
}

/** A reply to a requester, which is sent as a mail. The client never repeats the request. */
export interface Reply {
  name: string
  state: 'unknown' | 'acknowledged'
  refusal?: string
}

/** A desk that receives and sends mail, with the mail servers around it, which outlive the service. */
export interface MailSetup {
  /** Settings with which the service can reach the servers. */
  env: Record<string, string>
  /** The server of the mailbox. Undefined where Dovecot is not installed; all messages are submitted over HTTP then. */
  dovecot: Dovecot | undefined
  smtpServer: SmtpServer
  /** What the requesters' server received: the Message-IDs of all copies, by the name of the reply. */
  arrived: Map<string, string[]>
  mailboxId: string
  deskId: string
  messages: InboundMessage[]
  replies: Reply[]
}

export async function openMailSetup(): Promise<MailSetup> {
  const dovecot = missingDovecot ? undefined : await startDovecot()
  const smtpServer = await openSmtpServer()
  const arrived: MailSetup['arrived'] = new Map()
  smtpServer.onMail = ({ messageId, text }) => {
    const name = /reply-\w+-\d+/.exec(text)?.[0] ?? text
    arrived.set(name, [...(arrived.get(name) ?? []), messageId])
  }
  const allow = [`127.0.0.1:${smtpServer.port}`, ...(dovecot ? [`localhost:${dovecot.port}`] : [])]
  const env = {
    OUTBOUND_ALLOW: allow.join(','),
    MAIL_DNS: 'off',
    ...(dovecot ? { MAIL_CA_FILE: dovecot.certificate } : {}),
  }
  return { env, dovecot, smtpServer, arrived, mailboxId: '', deskId: '', messages: [], replies: [] }
}

export async function closeMailSetup({ dovecot, smtpServer }: MailSetup): Promise<void> {
  smtpServer.close()
  await dovecot?.stop()
}

/** Creates a desk with a mailbox whose replies are sent without delay. */
export async function createDesk(client: Client, mail: MailSetup): Promise<void> {
  const { dovecot, smtpServer } = mail
  await create(client, '/admin/setting', { key: 'mail.undoSeconds', value: 0 })
  mail.deskId = await create(client, '/container', { name: 'Desk', key: 'DESK', kind: 1 })
  mail.mailboxId = await create(client, '/mail/mailbox', {
    name: 'Desk',
    address: 'desk@desk.test',
    ...(dovecot ? { imap: { host: 'localhost', port: dovecot.port, user: 'desk' }, password: dovecot.password } : {}),
    smtp: { host: '127.0.0.1', port: smtpServer.port, security: 2 },
    containerId: mail.deskId,
    active: dovecot !== undefined,
  })
}

async function create(client: Client, path: string, body: object): Promise<string> {
  const { status, text } = await post(client, path, body)
  if (status >= 300 || status === 0) throw new Error(`POST ${path} was answered ${status}: ${text}`)
  return JSON.parse(text).id
}

/** Returns the status, or 0 without a reply. The status line of a success is a commitment; the rest of the reply may get lost. */
async function post({ base, key }: Client, path: string, body: object): Promise<{ status: number; text: string }> {
  let status = 0
  try {
    const response = await fetch(`${base}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    status = response.status
    return { status, text: await response.text() }
  } catch {
    return { status, text: '' }
  }
}

/** The maximum of messages and of replies in one round. */
const maxPerRound = 60

/** Creates the ticket whose requester gets the replies of a round. */
export async function createTicket(client: Client, { deskId }: MailSetup, run: string): Promise<string> {
  const requester = { email: 'rita@people.test' }
  return await create(client, '/ticket', { title: `Conversation ${run}`, containerId: deskId, requester })
}

/**
 * Delivers messages into the mailbox, submits messages over HTTP and sends replies, until `halted`. Five more messages
 * are delivered after that, usually while the service is down.
 */
export async function exchangeMail(
  client: Client,
  mail: MailSetup,
  { run, ticketId }: { run: string; ticketId: string },
  halted: () => boolean,
): Promise<void> {
  let next = 0
  const delivering = async () => {
    for (let i = 0; i < maxPerRound && !halted(); i++) {
      await deliver(mail, run, i)
      await sleep(10)
    }
    for (let i = maxPerRound; i < maxPerRound + 5; i++) await deliver(mail, run, i)
  }
  const writing = async () => {
    for (let i = next++; i < maxPerRound && !halted(); i = next++)
      await (i % 2 === 0
        ? submit(client, mail, newMessage(mail, run, i, 'http'))
        : sendReply(client, mail, ticketId, run, i))
  }
  await Promise.all([delivering(), ...Array.from({ length: 4 }, writing)])
}

function newMessage(mail: MailSetup, run: string, n: number, channel: InboundMessage['channel']): InboundMessage {
  const name = `${channel} ${run}-${n}`
  const messageId = `<${channel}.${run}.${n}@people.test>`
  const withoutSender = channel === 'mailbox' && n % 10 === 9
  const message: InboundMessage = { name, messageId, channel, state: 'unknown', withoutSender }
  mail.messages.push(message)
  return message
}

const rawOf = ({ name, messageId, withoutSender: nameless }: InboundMessage) =>
  `${nameless ? '' : 'From: Rita <rita@people.test>\r\n'}To: desk@desk.test\r\nSubject: Message ${name}\r\nMessage-ID: ${messageId}\r\n\r\nIt is about ${name}.\r\n`

async function deliver(mail: MailSetup, run: string, n: number): Promise<void> {
  if (!mail.dovecot) return
  const message = newMessage(mail, run, n, 'mailbox')
  await mail.dovecot.drop('desk', rawOf(message))
  message.state = 'acknowledged'
}

async function submit(client: Client, { mailboxId }: MailSetup, message: InboundMessage): Promise<void> {
  recordStatus(message, await post(client, '/mail/message', { mailboxId, raw: rawOf(message) }))
}

async function sendReply(client: Client, mail: MailSetup, ticketId: string, run: string, n: number): Promise<void> {
  const reply: Reply = { name: `reply-${run.replace(/\W/g, '')}-${n}`, state: 'unknown' }
  mail.replies.push(reply)
  recordStatus(reply, await post(client, `/ticket/${ticketId}/reply`, { body: reply.name }))
}

function recordStatus(sent: InboundMessage | Reply, { status, text }: { status: number; text: string }): void {
  if (status >= 200 && status < 300) sent.state = 'acknowledged'
  else if (![0, 409, 429, 502, 503, 504].includes(status)) sent.refusal = `${status} ${text.slice(0, 500)}`
}

/** Submits every message that is not acknowledged until it is. Returns how many there were. */
export async function resubmit(client: Client, mail: MailSetup): Promise<number> {
  const open = () => mail.messages.filter(each => each.state !== 'acknowledged' && each.refusal === undefined)
  const count = open().length
  const deadline = performance.now() + 60_000
  while (open().length > 0) {
    for (const message of open()) await submit(client, mail, message)
    if (performance.now() > deadline) throw new Error(`${open().length} messages have no reply after a minute`)
  }
  return count
}
