import { ownTenant } from '../../../kernel/sql.ts'
import { plainAddress } from '../../address.ts'
import { senderProof } from '../authenticity/authenticity.ts'
import type { MessageContext } from '../message-context.ts'
import { header, type ParsedMail } from '../parsing/parsed-mail.ts'

interface SpamScan {
  /** Why it is spam; undefined if the scanner lets it pass. */
  flagged?: string
  score?: number
}

/** Reads the headers of the spam scanner of the mailbox's server: SpamAssassin or rspamd. */
export function readSpamHeaders(mail: Pick<ParsedMail, 'headers'>): SpamScan {
  const says = (name: string) => header(mail, name)
  const yes = [
    ...['x-spam-flag', 'x-spam', 'x-spam-status'].flatMap(name =>
      says(name).flatMap(value => (/^\s*(yes|true)\b/i.test(value) ? [`${name}: ${value}`] : [])),
    ),
    ...says('x-rspamd-action').flatMap(value =>
      /^\s*(reject|add header|rewrite subject)\b/i.test(value) ? [`x-rspamd-action: ${value}`] : [],
    ),
    ...says('x-spamd-result').flatMap(value => (/^\s*\S+:\s*true\b/i.test(value) ? [`x-spamd-result: ${value}`] : [])),
  ]
  // The highest score counts, so a sender who adds such headers can only raise it.
  const scores = [
    ...['x-spam-score', 'x-rspamd-score'].flatMap(says).map(value => Number.parseFloat(value)),
    ...says('x-spam-status').map(value => Number.parseFloat(/\bscore=(-?[\d.]+)/i.exec(value)?.[1] ?? '')),
    ...says('x-spamd-result').map(value => Number.parseFloat(/\[\s*(-?[\d.]+)\s*\//.exec(value)?.[1] ?? '')),
  ].filter(each => Number.isFinite(each) && Math.abs(each) <= 1_000_000)
  return {
    ...(yes[0] ? { flagged: `the scanner says that it is spam (${yes[0].slice(0, 200)})` } : {}),
    ...(scores.length > 0 ? { score: Math.max(...scores) } : {}),
  }
}

/**
 * A sender whose last ticket was marked as spam is stopped until the mark is removed. Users are not stopped, nor a sender who is
 * proven now where the spam was not: somebody else may have sent it in their name.
 */
export async function spamByEarlierTicket({ ctx, mail, authenticity }: MessageContext): Promise<string | undefined> {
  const sender = mail.from?.address ?? ''
  const { tenantId } = ctx.caller
  const [last] = await ctx.sql<{ spam: boolean; proven: boolean }>`
    select coalesce(t.spam, false) as spam, coalesce((m.authenticity ->> 'verdict')::int, 0) = ${senderProof.proven} as proven from mail_message m
    left join ticket t on t.tenant_id = ${ownTenant} and t.id = m.item_id
    where m.tenant_id = ${tenantId} and m.sender = ${sender} and m.item_id is not null order by m.created desc, m.id desc limit 1`
  if (!last?.spam || (authenticity.verdict === senderProof.proven && !last.proven)) return undefined
  const [user] = await ctx.sql`select 1 from "user"
    where tenant_id = ${tenantId} and lower(email) = ${plainAddress(sender)} and not deleted`
  return user ? undefined : `the last ticket of ${sender} was marked as spam`
}
