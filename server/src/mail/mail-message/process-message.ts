import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { storable } from '../address.ts'
import { mailSettings } from '../mail-general.ts'
import { mailboxes, ownAddresses } from '../mailbox/mailbox.ts'
import { automaticReason } from './filter/automatic-mail.ts'
import { filterMessage } from './filter/filter-message.ts'
import { mailMessages, outcome } from './mail-message.ts'
import type { MessageContext, MessageResult, ProcessingStep } from './message-context.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { addToTicket, type TicketOptions } from './ticket/add-to-ticket.ts'

/** Processes a message in one transaction, and records each step. */
export async function processMessage(ctx: Context, arrival: PreparedMessage, how: TicketOptions): Promise<void> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ mailboxId: Id; released: boolean; archived: boolean; sha256: string }>`
    select mailbox_id as "mailboxId", released, archived, sha256 from mail_message
    where tenant_id = ${tenantId} and id = ${arrival.id} and outcome = ${outcome.pending} for update`
  if (!row) return
  const mailbox = await mailboxes.get(ctx, row.mailboxId, { deleted: true })
  const { parsed, unreadable, authenticity } = arrival
  const steps: ProcessingStep[] = [{ step: 'parse', note: unreadable ?? 'read' }]
  if (!parsed || !authenticity)
    return await write(ctx, arrival.id, { outcome: outcome.quarantined, reason: unreadable ?? '' }, steps)
  if (how.refused) steps.push({ step: 'defaults', note: `left out: ${how.refused}` })
  const known = parsed.messageId || `sha256:${row.sha256}`
  // Two copies of one message that are processed at the same time wait for each other.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${tenantId} ${mailbox.id} ${known}`}, 0))`
  const [own, settings] = [await ownAddresses(ctx), await mailSettings(ctx)]
  const given = {
    // An archived message is old: no rule, hook or inbox reacts to it.
    ctx: row.archived ? ctx.derive({ caller: { ...ctx.caller, kind: 'import' } }) : ctx,
    id: arrival.id,
    mail: parsed,
    known,
    authenticity,
    virus: arrival.virus,
    mailbox,
    own,
    settings,
    steps,
    released: row.released,
    archived: row.archived,
  }
  const machine = automaticReason(parsed)
  const settlement = (await filterMessage(given, machine)) ?? (await addToTicket(given, arrival, how, machine))
  await write(given.ctx, arrival.id, settlement, steps, given)
}

/** Ends the processing with a fixed result. */
export async function endProcessing(ctx: Context, id: Id, what: number, reason: string): Promise<void> {
  await write(ctx, id, { outcome: what, reason }, [{ step: 'given up', note: reason.slice(0, 500) }])
}

async function write(
  ctx: Context,
  id: Id,
  { outcome: what, reason = '', itemId, annotationId }: MessageResult,
  steps: ProcessingStep[],
  { mail, known = '', authenticity }: Partial<Pick<MessageContext, 'mail' | 'known' | 'authenticity'>> = {},
): Promise<void> {
  const sender = mail?.from?.address ?? ''
  const [made] =
    await ctx.sql`update mail_message set outcome = ${what}, reason = ${storable(reason).slice(0, 1000)}, steps = ${JSON.stringify(steps)}::jsonb,
      item_id = ${itemId || null}, annotation_id = ${annotationId || null}, attempts = attempts + 1, updated = ${ctx.now}, version = version + 1,
      sender = case when ${sender} = '' then sender else ${sender} end, subject = case when ${mail !== undefined} then ${mail?.subject ?? ''} else subject end,
      authenticity = ${JSON.stringify(authenticity ?? {})}::jsonb,
      message_id = case when ${known} = '' then message_id else ${known.slice(0, 998)} end
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and outcome = ${outcome.pending} returning 1`
  if (!made) return
  await appendEvents(ctx, [
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
