import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { ParsedMail } from './mail-message/parsing/parsed-mail.ts'

/** A message that is about to be added to a ticket. */
export interface IncomingMail {
  mailboxId: Id
  containerId: Id
  /** The ticket that it belongs to; empty for a new ticket. */
  itemId: Id
  mail: ParsedMail
  /** It was sent by a machine. */
  auto: boolean
}

/** The effect of a rule on an incoming message. */
export interface MailRuleResult {
  /** The reason for which the message is dropped. */
  drop?: string
  /** Properties of the new ticket, as in the body of a ticket. */
  ticket?: Record<string, unknown>
  /** A note for the processing steps of the message. */
  note?: string
}

/** Acts on an incoming message before it becomes a ticket: rules with the trigger `inboundMail`. */
type MailRule = (ctx: Context, arriving: IncomingMail) => Promise<MailRuleResult>

declare module '../kernel/context.ts' {
  interface Services {
    mailRules: readonly MailRule[]
  }
}

/** Applies the rules in order; the first that drops the message ends it. */
export async function applyMailRules(
  ctx: Context,
  arriving: IncomingMail,
): Promise<Required<Omit<MailRuleResult, 'drop'>> & Pick<MailRuleResult, 'drop'>> {
  const notes: string[] = []
  let ticket: Record<string, unknown> = {}
  const judges = ctx.services.mailRules
  for (const judge of judges) {
    const verdict = await judge(ctx, arriving)
    if (verdict.note) notes.push(verdict.note)
    if (verdict.drop) return { drop: verdict.drop, ticket, note: notes.join('; ') }
    ticket = { ...ticket, ...verdict.ticket }
  }
  return { ticket, note: notes.join('; ') || (judges.length === 0 ? 'no rules' : 'no rule matched') }
}
