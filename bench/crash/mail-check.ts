import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asOwner } from './check.ts'
import type { Letter, Mail, Reply } from './mail.ts'

const outcome = { created: 1, quarantined: 3, dropped: 4 }
const sent = 1

interface Kept {
  messageId: string
  outcomes: number[]
}

const kept = `select message_id as "messageId", array_agg(outcome order by outcome) as outcomes from mail_message where message_id = any($1) group by message_id`

const titled = `select title, count(*)::int as count from item where title = any($1) group by title`

interface Said {
  name: string
  stored: number
  mails: number
  ids: string[]
  states: number[]
}

const unsaid: Omit<Said, 'name'> = { stored: 0, mails: 0, ids: [], states: [] }

const said = `select a.body as name, count(distinct a.id)::int as stored, count(o.id)::int as mails,
    array_remove(array_agg(o.message_id), null) as ids, array_remove(array_agg(o.state), null) as states
  from annotation a left join outbound_mail o on o.tenant_id = a.tenant_id and o.annotation_id = a.id
  where a.body = any($1) group by a.body`

/** What is asked for: some of the mail, and whether the service must have written down by now that it has left. */
export interface Asked {
  letters: readonly Letter[]
  replies: readonly Reply[]
  settled: boolean
}

/** Every letter is one ticket or one refusal, every reply one mail that has arrived; from the tables, behind the walls. */
export async function mailFaults(owner: pg.Client, mail: Mail, asked: Asked): Promise<string[]> {
  return [...(await letterFaults(owner, asked.letters)), ...(await replyFaults(owner, mail, asked))]
}

async function letterFaults(owner: pg.Client, letters: readonly Letter[]): Promise<string[]> {
  const { rows } = await owner.query<Kept>(kept, [letters.map(each => each.messageId)])
  const byId = new Map(rows.map(row => [row.messageId, row.outcomes]))
  const titles = await owner.query<{ title: string; count: number }>(titled, [
    letters.map(each => `Letter ${each.name}`),
  ])
  const tickets = new Map(titles.rows.map(row => [row.title, row.count]))
  return letters.flatMap(letter =>
    [...faultsOf(letter, byId.get(letter.messageId) ?? [], tickets.get(`Letter ${letter.name}`) ?? 0)].map(
      fault => `the letter ${letter.name} (${letter.state}) ${fault}`,
    ),
  )
}

function* faultsOf(letter: Letter, outcomes: readonly number[], tickets: number): Generator<string> {
  const count = (what: number) => outcomes.filter(each => each === what).length
  const due = letter.state === 'acknowledged'
  const [wanted, other] = letter.nameless
    ? [outcome.quarantined, outcome.created]
    : [outcome.created, outcome.quarantined]
  if (letter.refusal) yield `was refused: ${letter.refusal}`
  if (outcomes.length === 0 && due) return yield 'is lost, or nobody has looked at it'
  if (count(wanted) > 1 || (due && count(wanted) === 0)) yield `came to ${outcomes.join(', ')}, not once to ${wanted}`
  if (count(other) > 0 || outcomes.some(each => ![wanted, other, outcome.dropped].includes(each)))
    yield `came to ${outcomes.join(', ')}`
  if (letter.way === 'mailbox' && outcomes.length > 1) yield `was taken in ${outcomes.length} times`
  if (tickets !== count(outcome.created)) yield `is ${tickets} tickets, and is said to be ${count(outcome.created)}`
}

async function replyFaults(owner: pg.Client, { arrived }: Mail, { replies, settled }: Asked): Promise<string[]> {
  const { rows } = await owner.query<Said>(said, [replies.map(each => each.name)])
  const byName = new Map(rows.map(row => [row.name, row]))
  const faults: string[] = []
  for (const { name, state, refusal } of replies) {
    const tell = (what: string) => faults.push(`${name} (${state}) ${what}`)
    const { stored, mails, ids, states } = byName.get(name) ?? unsaid
    const copies = arrived.get(name) ?? []
    if (refusal) tell(`was refused: ${refusal}`)
    if (stored === 0 && state === 'acknowledged') tell('is lost')
    if (stored > 1) tell(`is stored ${stored} times`)
    if (mails !== stored) tell(`is ${mails} mails, not ${stored}`)
    if (stored > 0 && copies.length === 0) tell(`has not arrived; its states are ${states.join(', ')}`)
    for (const id of new Set(copies)) if (!ids.includes(id)) tell(`arrived as ${id}, and is known as ${ids.join(', ')}`)
    if (settled && states.some(each => each !== sent)) tell(`has the states ${states.join(', ')}`)
  }
  return faults
}

/** Waits until nothing is wrong any more, and tells what still is. */
export async function unmailed(url: string, mail: Mail, asked: Asked, patience = 120_000): Promise<string[]> {
  const late = performance.now() + patience
  for (;;) {
    const faults = await asOwner(url, owner => mailFaults(owner, mail, asked))
    const unread = mail.dovecot && mail.letters.some(each => each.way === 'mailbox') ? mail.dovecot.unseen('desk') : 0
    if (unread > 0) faults.push(`${unread} letters are not marked as read at the server`)
    if (faults.length === 0 || performance.now() > late) return faults
    await sleep(100)
  }
}

/** How often a mail was sent once more. */
export function copies({ arrived }: Mail): number {
  return [...arrived.values()].reduce((sum, ids) => sum + ids.length - 1, 0)
}
