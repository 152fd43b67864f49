import { randomBytes } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { mailPurpose, mailState } from './outbound-mail.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Returns a random token of 60 bits, which is short enough for the local part of an address. */
function newToken(): string {
  return [...randomBytes(12)].map(byte => letters[byte % letters.length]).join('')
}

/** Returns the token that identifies replies about an item. It never changes. */
export async function tokenOf(ctx: Context, itemId: Id): Promise<string> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into mail_thread (tenant_id, item_id, token) values (${tenantId}, ${itemId}, ${newToken()}) on conflict do nothing`
  const [row] = await ctx.sql<{
    token: string
  }>`select token from mail_thread where tenant_id = ${tenantId} and item_id = ${itemId}`
  return row?.token ?? ''
}

/** Appends `[ABC-12:token]` to a subject and removes an earlier one. */
export function withSubjectToken(subject: string, key: string, token: string): string {
  const plain = subject.replace(subjectToken, '').replace(/\s+/g, ' ').trim()
  return `${plain.slice(0, 400)} [${key}:${token}]`
}

export function tokenInSubject(subject: string): string {
  return subject.match(subjectToken)?.[0].replace(/^.*:|\]\s*$/g, '') ?? ''
}

const subjectToken = /\[[A-Z0-9_-]{1,30}-\d+:[a-z2-9]{12}\]\s*$|\[[A-Z0-9_-]{1,30}-\d+:[a-z2-9]{12}\]/

/** Returns the Message-IDs of the conversation about an item, oldest first, for `In-Reply-To` and `References`. */
export async function conversationIds(
  ctx: Context,
  itemId: Id,
  without: string,
): Promise<{ last: string; all: string[] }> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ messageId: string; inbound: boolean }>`select "messageId", inbound from (
      (select message_id as "messageId", created, true as inbound from mail_message
        where tenant_id = ${tenantId} and item_id = ${itemId} and message_id <> '' order by created desc, id desc limit 20)
      union all
      (select message_id, created, false from outbound_mail
        where tenant_id = ${tenantId} and item_id = ${itemId} and state = ${mailState.sent} and purpose in (${mailPurpose.plain}, ${mailPurpose.reply}, ${mailPurpose.autoReply}) order by created desc, id desc limit 20)) m
    order by created desc, inbound, "messageId" limit 20`
  const known = rows.filter(row => row.messageId !== without)
  const last = known.find(row => row.inbound) ?? known[0]
  return { last: last?.messageId ?? '', all: known.map(row => row.messageId).reverse() }
}
