import { contentTemplates } from '../../containers/content-template/content-template.ts'
import { kindCode } from '../../items/annotation/annotation.ts'
import { say } from '../../items/annotation/operations.ts'
import { renderFor } from '../../items/template-run.ts'
import { createTicket, readTicketBody } from '../../items/ticket/operations.ts'
import type { Context } from '../../kernel/database.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { oneLine, plainAddress, storable } from '../address.ts'
import { mailSettings } from '../mail-general.ts'
import { judged } from '../mail-rules.ts'
import { type Mailbox, mailboxes, ownAddresses } from '../mailbox/mailbox.ts'
import { outboundMails, purpose } from '../outbound-mail/outbound-mail.ts'
import { cameBack } from '../outbound-mail/send.ts'
import { queueMail } from '../queue-mail.ts'
import { stoppedBy } from '../stop-list-match.ts'
import type { Arrival } from './arrive.ts'
import { attach } from './attach.ts'
import { isPermanent, type Report, reportIn } from './bounce.ts'
import { automatic } from './classify.ts'
import { mailMessages, outcome } from './mail-message.ts'
import type { Parsed } from './parsed.ts'
import { type Match, partOf, threadOf } from './thread-match.ts'
import { wordsIn } from './words.ts'

interface Step {
  step: string
  note: string
}

interface Settlement {
  outcome: number
  reason?: string
  itemId?: Id
  annotationId?: Id
}

/** A message that is being looked at, and what has been found so far. */
interface Case {
  ctx: Context
  id: Id
  mail: Parsed
  mailbox: Mailbox
  own: ReadonlySet<string>
  settings: Awaited<ReturnType<typeof mailSettings>>
  steps: Step[]
  released: boolean
  archived: boolean
}

interface How {
  /** With what the mailbox says about new tickets. */
  defaults: boolean
  /** Why that was not possible. */
  refused?: string
}

/** Decides what becomes of a message, and does it: all of it, or nothing. Each step is told. */
export async function settle(ctx: Context, arrival: Arrival, how: How): Promise<void> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ mailboxId: Id; released: boolean; archived: boolean; sha256: string }>`
    select mailbox_id as "mailboxId", released, archived, sha256 from mail_message
    where tenant_id = ${tenantId} and id = ${arrival.id} and outcome = ${outcome.pending} for update`
  if (!row) return
  const mailbox = await mailboxes.get(ctx, row.mailboxId, { deleted: true })
  const { parsed, unreadable } = arrival
  const steps: Step[] = [{ step: 'parse', note: unreadable ?? 'read' }]
  if (!parsed) return await write(ctx, arrival.id, { outcome: outcome.quarantined, reason: unreadable ?? '' }, steps)
  if (how.refused) steps.push({ step: 'defaults', note: `left out: ${how.refused}` })
  const known = parsed.messageId || `sha256:${row.sha256}`
  // Two copies of one message, looked at in two places at the same moment, come one after the other.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${tenantId} ${mailbox.id} ${known}`}, 0))`
  const [own, settings] = [await ownAddresses(ctx), await mailSettings(ctx)]
  const given = {
    ctx,
    id: arrival.id,
    mail: parsed,
    mailbox,
    own,
    settings,
    steps,
    released: row.released,
    archived: row.archived,
  }
  const settlement = await decide(given, arrival, how, known)
  await write(ctx, arrival.id, settlement, steps, parsed, known)
}

async function decide(given: Case, arrival: Arrival, how: How, known: string): Promise<Settlement> {
  const { ctx, mail, steps, settings, released } = given
  const note = (step: string, text: string) => void steps.push({ step, note: text.slice(0, 500) })

  const ours = await ourOwn(given)
  note('own', ours ?? 'not one of ours')
  if (ours) return { outcome: outcome.dropped, reason: ours }
  const twin = await twinOf(given, known)
  note('duplicate', twin ? `the same as ${twin}` : 'the first of its kind')
  if (twin) return { outcome: outcome.dropped, reason: `the same message came before (${twin})` }

  const machine = automatic(mail)
  note('automatic', machine ?? 'a person may have written it')
  const report = reportIn(mail)
  if (report) return await reported(given, report)
  note('bounce', 'no report of delivery')

  const sender = mail.from?.address ?? ''
  if (sender === '') {
    note('sender', 'none')
    return { outcome: outcome.quarantined, reason: 'it does not say who sent it' }
  }
  const stopped = released ? undefined : stoppedBy(settings, { sender, subject: mail.subject })
  note('stop list', stopped ?? (released ? 'released by hand' : 'passes'))
  if (stopped) return { outcome: outcome.quarantined, reason: stopped }
  note('spam', 'no scanner is set up')

  const thread = await threadOf(ctx, mail, given.own)
  const part = thread && (await partOf(ctx, thread.itemId, sender))
  const match = thread && part ? { ...thread, internal: thread.internal || part === 'internal' } : undefined
  note(
    'thread',
    thread
      ? `${thread.itemId} by ${thread.by}${part ? '' : `; ${sender} takes no part in it, so it becomes a new ticket`}`
      : 'a new ticket',
  )

  const verdict = await judged(ctx, {
    mailboxId: given.mailbox.id,
    containerId: given.mailbox.containerId,
    itemId: match?.itemId ?? '',
    mail,
    auto: machine !== undefined,
  })
  note('rules', verdict.drop ?? verdict.note)
  if (verdict.drop) return { outcome: outcome.dropped, reason: verdict.drop }

  const { attachments, html, notes } = await attach(ctx, arrival, match?.itemId ?? '', settings)
  for (const each of notes) note('attachments', each)
  const words = wordsIn({ ...mail, html }, settings)
  const itemId = match?.itemId ?? (await newTicket(given, words.plain, how, verdict.ticket))
  const said = await say(ctx, {
    itemId,
    kind: kindOf(match, machine),
    body: words.body,
    bodyFormat: words.format,
    authorId: await authorOf(ctx, sender),
    via: 0,
    attachments,
    mail: {
      messageId: mail.messageId.slice(0, 998),
      inReplyTo: (mail.answers[0] ?? '').slice(0, 998),
      to: addresses(mail.to),
      cc: addresses(mail.cc),
      headers: { from: mail.from ?? {}, subject: mail.subject, date: mail.date },
    },
  })
  note(match ? 'append' : 'create', said.itemId)
  for (const each of said.warnings) note('warning', each)
  note('auto-reply', await answer(given, said.itemId, { isNew: match === undefined, machine }))
  return { outcome: match ? outcome.appended : outcome.created, itemId: said.itemId, annotationId: said.id }
}

const addresses = (mailers: Parsed['to']) => mailers.map(({ address }) => address).slice(0, 100)

/** What a machine says neither opens a ticket again nor makes it anybody's turn; what was passed on stays among us. */
function kindOf(match: Match | undefined, machine: string | undefined): number {
  if (match?.internal) return kindCode.note
  return match && machine !== undefined ? kindCode.system : kindCode.message
}

/** A mail that we sent ourselves, and that found its way back. */
async function ourOwn({ ctx, mail }: Case): Promise<string | undefined> {
  if (mail.messageId === '') return undefined
  const [row] =
    await ctx.sql`select 1 from outbound_mail where tenant_id = ${ctx.caller.tenantId} and message_id = ${mail.messageId}`
  return row && 'it is our own'
}

async function twinOf({ ctx, id, mailbox }: Case, known: string): Promise<Id | undefined> {
  const [row] = await ctx.sql<{
    id: Id
  }>`select id from mail_message where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${mailbox.id}
    and message_id = ${known.slice(0, 998)} and id <> ${id} and outcome not in (${outcome.pending}, ${outcome.failed}) limit 1`
  return row?.id
}

/** Believed as far as it names a mail that we sent, and those to whom we sent it. */
async function reported({ ctx, steps }: Case, { messageIds, recipients }: Report): Promise<Settlement> {
  const [row] = await ctx.sql<{ id: Id }>`select id from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and message_id = any(${messageIds}::text[]) limit 1`
  const mail = row && (await outboundMails.find(ctx, row.id, { lock: true }))
  if (!mail) {
    steps.push({ step: 'bounce', note: 'a report about nothing that we sent' })
    return { outcome: outcome.report, reason: 'a report about nothing that we sent' }
  }
  const meant = new Set([...mail.to, ...mail.cc].map(plainAddress))
  const failed = recipients.filter(each => isPermanent(each) && meant.has(each.address))
  const why = failed.map(({ address, status, diagnostic }) => `${address}: ${status} ${diagnostic}`).join('; ')
  steps.push({ step: 'bounce', note: (why || 'nothing that failed for good').slice(0, 500) })
  if (failed.length === 0) return { outcome: outcome.report, itemId: mail.itemId, reason: 'nothing failed for good' }
  await cameBack(
    ctx,
    mail,
    failed.map(({ address }) => address),
    why,
  )
  if (mail.itemId)
    await say(ctx, {
      itemId: mail.itemId,
      kind: kindCode.system,
      body: `The mail could not be delivered. ${storable(why).slice(0, 2000)}`,
      bodyFormat: 'text',
      via: 0,
    })
  return { outcome: outcome.report, itemId: mail.itemId, reason: why }
}

/** The ticket belongs to whoever wrote, and to nobody else: no mail names readers, assignees or states. */
async function newTicket(
  { ctx, mail, mailbox, archived }: Case,
  description: string,
  { defaults }: How,
  ruled: Record<string, unknown>,
): Promise<Id> {
  const body = {
    ...(defaults ? mailbox.defaults : {}),
    ...(mailbox.containerId ? { containerId: mailbox.containerId } : {}),
    ...(mailbox.processId ? { processId: mailbox.processId } : {}),
    ...ruled,
    title: oneLine(mail.subject, 500) || '(no subject)',
    description: description.slice(0, 100_000),
    requester: { email: mail.from?.address ?? '', name: mail.from?.name ?? '' },
    requesterId: undefined,
    channel: 0,
    source: 2,
    mailboxId: mailbox.id,
    ...(mailbox.groupId ? { queueGroupId: mailbox.groupId } : {}),
    ...(archived && mail.date ? { Meta: { created: mail.date } } : {}),
  }
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const { ticket } = await createTicket(ctx, readTicketBody(given, true))
  return ticket.id
}

async function authorOf(ctx: Context, sender: string): Promise<Id> {
  const [user] = await ctx.sql<{ id: Id }>`select id from "user"
    where tenant_id = ${ctx.caller.tenantId} and lower(email) = ${plainAddress(sender)} and not deleted`
  return user?.id ?? ''
}

/** Tells the sender that it has come in: once in a while, and never a machine. Says what it did, and why. */
async function answer(
  { ctx, mail, mailbox, settings, archived }: Case,
  itemId: Id,
  { isNew, machine }: { isNew: boolean; machine: string | undefined },
): Promise<string> {
  const { autoReplyPolicy, autoReplyMinutes } = settings
  if (!mailbox.templateId) return 'the mailbox has no template for it'
  if (machine !== undefined) return 'a machine is not answered'
  if (archived) return 'what comes from an archive is not answered'
  if (autoReplyPolicy !== 1 && (autoReplyPolicy !== 0 || !isNew)) return 'the policy says so'
  const sender = plainAddress(mail.from?.address ?? '')
  const since = new Date(ctx.now.getTime() - autoReplyMinutes * 60_000)
  const [turn] =
    await ctx.sql`insert into mail_auto_reply (tenant_id, address, at) values (${ctx.caller.tenantId}, ${sender}, ${ctx.now})
    on conflict (tenant_id, address) do update set at = excluded.at where mail_auto_reply.at <= ${since} returning 1`
  if (!turn) return `${sender} was answered within the last ${autoReplyMinutes} minutes`
  const template = await contentTemplates.find(ctx, mailbox.templateId)
  if (!template?.active) return 'the template is out of use'
  try {
    const { subject, text, html } = await renderFor(ctx, template, { itemId })
    const wish = {
      to: [sender],
      subject: oneLine(subject, 400) || `Re: ${oneLine(mail.subject, 400)}`,
      text,
      html,
      inReplyTo: mail.messageId,
    }
    const queued = await queueMail(ctx, {
      ...wish,
      auto: true,
      itemId,
      mailboxId: mailbox.id,
      templateId: template.id,
      purpose: purpose.autoReply,
    })
    return queued.lastError || `queued as ${queued.id}`
  } catch (error) {
    if (error instanceof Refusal) return `not possible: ${error.message}`
    throw error
  }
}

/** Settles it without more ado. */
export async function settleAs(ctx: Context, id: Id, what: number, reason: string): Promise<void> {
  await write(ctx, id, { outcome: what, reason }, [{ step: 'given up', note: reason.slice(0, 500) }])
}

async function write(
  ctx: Context,
  id: Id,
  { outcome: what, reason = '', itemId, annotationId }: Settlement,
  steps: Step[],
  mail?: Parsed,
  known = '',
): Promise<void> {
  const sender = mail?.from?.address ?? ''
  const [made] =
    await ctx.sql`update mail_message set outcome = ${what}, reason = ${storable(reason).slice(0, 1000)}, steps = ${JSON.stringify(steps)}::jsonb,
      item_id = ${itemId || null}, annotation_id = ${annotationId || null}, attempts = attempts + 1, updated = ${ctx.now}, version = version + 1,
      sender = case when ${sender} = '' then sender else ${sender} end, subject = case when ${mail !== undefined} then ${mail?.subject ?? ''} else subject end,
      message_id = case when ${known} = '' then message_id else ${known.slice(0, 998)} end
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and outcome = ${outcome.pending} returning 1`
  if (!made) return
  await append(ctx, [
    {
      kind: 'mail.received',
      entity: mailMessages.entity,
      recordId: id,
      changes: {
        outcome: { to: what },
        ...(itemId ? { itemId: { to: itemId } } : {}),
        ...(reason ? { reason: { to: reason.slice(0, 1000) } } : {}),
      },
    },
  ])
}
