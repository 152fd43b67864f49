import { setTimeout as sleep } from 'node:timers/promises'
import { type Dovecot, missingDovecot, startDovecot } from '../../server/src/mail/test-dovecot.ts'
import { openPostbox, type Postbox } from '../smtp-server.ts'
import type { Client } from './import.ts'

/** A message to the desk, as its writer remembers it. */
export interface Letter {
  name: string
  messageId: string
  /** Whether it lies in the mailbox, or was handed in over HTTP; what has no answer is handed in again. */
  way: 'mailbox' | 'handed'
  state: 'unknown' | 'acknowledged'
  /** It does not say who wrote it: then it becomes no ticket, and that is written down. */
  nameless: boolean
  /** An answer that should never have come. */
  refusal?: string
}

/** Something said to a requester, which leaves as a mail. It is never said twice. */
export interface Reply {
  name: string
  state: 'unknown' | 'acknowledged'
  refusal?: string
}

/** A desk that gets mail and answers it, through all deaths. */
export interface Mail {
  /** What the service must be told to reach the servers. */
  env: Record<string, string>
  /** Where the mailbox is; nothing where none can be started: then all is handed in. */
  dovecot: Dovecot | undefined
  postbox: Postbox
  /** What has come at the server of the requesters: by reply, the Message-IDs of all copies. */
  arrived: Map<string, string[]>
  mailboxId: string
  deskId: string
  letters: Letter[]
  replies: Reply[]
}

export async function openMail(): Promise<Mail> {
  const dovecot = missingDovecot ? undefined : await startDovecot()
  const postbox = await openPostbox()
  const arrived: Mail['arrived'] = new Map()
  postbox.hear = ({ messageId, text }) => {
    const name = /reply-\w+-\d+/.exec(text)?.[0] ?? text
    arrived.set(name, [...(arrived.get(name) ?? []), messageId])
  }
  const allow = [`127.0.0.1:${postbox.port}`, ...(dovecot ? [`localhost:${dovecot.port}`] : [])]
  const env = {
    OUTBOUND_ALLOW: allow.join(','),
    MAIL_DNS: 'off',
    ...(dovecot ? { MAIL_CA_FILE: dovecot.certificate } : {}),
  }
  return { env, dovecot, postbox, arrived, mailboxId: '', deskId: '', letters: [], replies: [] }
}

export async function closeMail({ dovecot, postbox }: Mail): Promise<void> {
  postbox.close()
  await dovecot?.stop()
}

/** Makes a desk with a mailbox; what it says leaves at once. */
export async function openDesk(client: Client, mail: Mail): Promise<void> {
  const { dovecot, postbox } = mail
  await made(client, '/admin/setting', { key: 'mail.undoSeconds', value: 0 })
  mail.deskId = await made(client, '/container', { name: 'Desk', key: 'DESK', kind: 1 })
  mail.mailboxId = await made(client, '/mail/mailbox', {
    name: 'Desk',
    address: 'desk@desk.test',
    ...(dovecot ? { imap: { host: 'localhost', port: dovecot.port, user: 'desk' }, password: dovecot.password } : {}),
    smtp: { host: '127.0.0.1', port: postbox.port, security: 2 },
    containerId: mail.deskId,
    active: dovecot !== undefined,
  })
}

async function made(client: Client, path: string, body: object): Promise<string> {
  const { status, text } = await post(client, path, body)
  if (status >= 300 || status === 0) throw new Error(`POST ${path} was answered ${status}: ${text}`)
  return JSON.parse(text).id
}

/** The answer's status, or 0 if there was none. The first line of a success is a promise; what follows it may get lost. */
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

/** Letters and replies of one round. */
const most = 60

/** A ticket whose requester is answered. */
export async function openConversation(client: Client, { deskId }: Mail, run: string): Promise<string> {
  const requester = { email: 'rita@people.test' }
  return await made(client, '/ticket', { title: `Conversation ${run}`, containerId: deskId, requester })
}

/** Has people write to the desk on both ways, and the desk answer one of them, until `halted`; then a few more letters come. */
export async function correspond(
  client: Client,
  mail: Mail,
  { run, ticketId }: { run: string; ticketId: string },
  halted: () => boolean,
): Promise<void> {
  let n = 0
  const dropping = async () => {
    for (let i = 0; i < most && !halted(); i++) {
      await drop(mail, run, i)
      await sleep(10)
    }
    for (let i = most; i < most + 5; i++) await drop(mail, run, i)
  }
  const writing = async () => {
    for (let i = n++; i < most && !halted(); i = n++)
      await (i % 2 === 0
        ? handIn(client, mail, newLetter(mail, run, i, 'handed'))
        : say(client, mail, ticketId, run, i))
  }
  await Promise.all([dropping(), ...Array.from({ length: 4 }, writing)])
}

function newLetter(mail: Mail, run: string, n: number, way: Letter['way']): Letter {
  const name = `${way} ${run}-${n}`
  const messageId = `<${way}.${run}.${n}@people.test>`
  const letter: Letter = { name, messageId, way, state: 'unknown', nameless: way === 'mailbox' && n % 10 === 9 }
  mail.letters.push(letter)
  return letter
}

const rawOf = ({ name, messageId, nameless }: Letter) =>
  `${nameless ? '' : 'From: Rita <rita@people.test>\r\n'}To: desk@desk.test\r\nSubject: Letter ${name}\r\nMessage-ID: ${messageId}\r\n\r\nIt is about ${name}.\r\n`

async function drop(mail: Mail, run: string, n: number): Promise<void> {
  if (!mail.dovecot) return
  const letter = newLetter(mail, run, n, 'mailbox')
  await mail.dovecot.drop('desk', rawOf(letter))
  letter.state = 'acknowledged'
}

async function handIn(client: Client, { mailboxId }: Mail, letter: Letter): Promise<void> {
  note(letter, await post(client, '/mail/message', { mailboxId, raw: rawOf(letter) }))
}

async function say(client: Client, mail: Mail, ticketId: string, run: string, n: number): Promise<void> {
  const reply: Reply = { name: `reply-${run.replace(/\W/g, '')}-${n}`, state: 'unknown' }
  mail.replies.push(reply)
  note(reply, await post(client, `/ticket/${ticketId}/reply`, { body: reply.name }))
}

function note(what: Letter | Reply, { status, text }: { status: number; text: string }): void {
  if (status >= 200 && status < 300) what.state = 'acknowledged'
  else if (![0, 409, 429, 502, 503, 504].includes(status)) what.refusal = `${status} ${text.slice(0, 500)}`
}

/** Hands in again what has no answer, until it has one; how many there were. */
export async function handInAgain(client: Client, mail: Mail): Promise<number> {
  const open = () => mail.letters.filter(each => each.state !== 'acknowledged' && each.refusal === undefined)
  const count = open().length
  const late = performance.now() + 60_000
  while (open().length > 0) {
    for (const letter of open()) await handIn(client, mail, letter)
    if (performance.now() > late) throw new Error(`${open().length} letters have no answer after a minute`)
  }
  return count
}
