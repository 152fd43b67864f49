import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { ParsedMail } from './mail-message/parsing/parsed-mail.ts'

/** A mail that is about to become a ticket or a part of one. */
export interface IncomingMail {
  mailboxId: Id
  containerId: Id
  /** The ticket that it belongs to; empty if it becomes a new one. */
  itemId: Id
  mail: ParsedMail
  /** A machine wrote it. */
  auto: boolean
}

/** What a rule makes of it. What is left out stays as it is. */
export interface MailRuleResult {
  /** Drops it, for this reason. */
  drop?: string
  /** What the new ticket has besides, as in the body of a ticket: where it goes, its labels, its priority. */
  ticket?: Record<string, unknown>
  /** What is to be told in the steps of the message. */
  note?: string
}

/** Has a say in what comes in, before it becomes anything: rules of trigger 4. */
type MailRule = (ctx: Context, arriving: IncomingMail) => Promise<MailRuleResult>

declare module '../kernel/context.ts' {
  interface Services {
    mailRules: readonly MailRule[]
  }
}

/** What all of them make of it; the first that drops it ends it. */
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
  return { ticket, note: notes.join('; ') || (judges.length === 0 ? 'no rules' : 'nothing to do') }
}
