import { annotationKind } from '../../../desk/annotation/annotation.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { ownTenant } from '../../../kernel/sql.ts'
import { plainAddress, withoutToken } from '../../address.ts'
import { mailPurpose, mailState } from '../../outbound-mail/outbound-mail.ts'
import { tokenInSubject } from '../../outbound-mail/thread-token.ts'
import type { ParsedMail } from '../parsing/parsed-mail.ts'

/** The ticket that a mail refers to, and how. */
export interface ThreadMatch {
  itemId: Id
  by: string
  /** It has the token of the ticket, which only mails to its participants contain. */
  byToken: boolean
  /** It answers a forwarded message, which the requester must not see. */
  internal: boolean
}

/**
 * Finds the ticket by the token in the recipient address, then by the answered message, then by the token in the subject. Subjects
 * are forwarded and quoted more often, so theirs counts only with `bySubject`: for a sender who is proven.
 */
export async function findThread(
  ctx: Context,
  mail: ParsedMail,
  { own, bySubject }: { own: ReadonlySet<string>; bySubject: boolean },
): Promise<ThreadMatch | undefined> {
  const answered = await answeredItem(ctx, mail.answers)
  const tokens = [...mail.to, ...mail.cc]
    .map(({ address }) => address)
    .concat(mail.deliveredTo)
    .map(withoutToken)
    .filter(({ address, token }) => token !== '' && own.has(address))
    .map(({ token }) => token)
  const byAddress = await itemOfToken(ctx, tokens)
  const internal = answered?.internal ?? false
  if (byAddress) return { itemId: byAddress, by: 'the token in the address', byToken: true, internal }
  if (answered) return { itemId: answered.itemId, by: 'the answered message', byToken: false, internal }
  const named = bySubject ? await itemOfToken(ctx, [tokenInSubject(mail.subject)]) : undefined
  return named === undefined ? undefined : { itemId: named, by: 'the token in the subject', byToken: true, internal }
}

async function itemOfToken(ctx: Context, tokens: readonly string[]): Promise<Id | undefined> {
  const wanted = tokens.filter(each => each !== '')
  if (wanted.length === 0) return undefined
  const [row] = await ctx.sql<{ id: Id }>`select item_id as id from mail_thread
    where tenant_id = ${ctx.caller.tenantId} and token = any(${wanted}::text[]) limit 1`
  return row && (await standing(ctx, row.id))
}

/** The nearest answered mail counts. */
async function answeredItem(
  ctx: Context,
  messageIds: readonly string[],
): Promise<{ itemId: Id; internal: boolean } | undefined> {
  if (messageIds.length === 0) return undefined
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ itemId: Id; internal: boolean }>`select m.item_id as "itemId", m.internal from (
      select message_id, item_id, purpose = ${mailPurpose.forward} as internal from outbound_mail
      where tenant_id = ${tenantId} and message_id = any(${[...messageIds]}::text[]) and item_id is not null
      union all
      select message_id, item_id, false from mail_message
      where tenant_id = ${tenantId} and message_id = any(${[...messageIds]}::text[]) and item_id is not null) m
    order by array_position(${[...messageIds]}::text[], m.message_id), m.internal desc, m.item_id limit 1`
  const [found] = rows
  const itemId = found && (await standing(ctx, found.itemId))
  return found && itemId ? { itemId, internal: found.internal } : undefined
}

/** Follows merges to the item that still exists; undefined if it is deleted. */
async function standing(ctx: Context, itemId: Id): Promise<Id | undefined> {
  const [row] = await ctx.sql<{ id: Id; deleted: boolean }>`with recursive way as (
      select i.id, i.merged_into, i.deleted, 1 as n from item i where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${itemId}
      union all
      select i.id, i.merged_into, i.deleted, w.n + 1 from way w join item i on i.tenant_id = ${ctx.caller.tenantId} and i.id = w.merged_into where w.n < 20)
    select id, deleted from way order by n desc limit 1`
  return row && !row.deleted ? row.id : undefined
}

type Participation = 'public' | 'internal' | undefined

/** How a sender takes part in a ticket: publicly, or internally because it was forwarded to them. */
export async function participationOf(ctx: Context, itemId: Id, sender: string): Promise<Participation> {
  const { tenantId } = ctx.caller
  const address = plainAddress(sender)
  const [row] = await ctx.sql<{ open: boolean; passed: boolean }>`select
      exists (select 1 from ticket t where t.tenant_id = ${tenantId} and t.id = ${itemId}
        and (lower(t.requester ->> 'email') = ${address} or ${address} = any(select lower(c) from unnest(t.cc) c)))
      or exists (select 1 from item i join "user" u on u.tenant_id = ${ownTenant} and u.id in (i.requester_id, i.created_by)
        where i.tenant_id = ${tenantId} and i.id = ${itemId} and lower(u.email) = ${address} and not u.deleted)
      or exists (select 1 from mail_message m join annotation a on a.tenant_id = ${ownTenant} and a.id = m.annotation_id and a.kind = ${annotationKind.message}
        where m.tenant_id = ${tenantId} and m.item_id = ${itemId} and lower(m.sender) = ${address})
      or exists (select 1 from outbound_mail o where o.tenant_id = ${tenantId} and o.item_id = ${itemId} and o.state in (${mailState.sent}, ${mailState.bounced}) and o.purpose = ${mailPurpose.reply}
        and ${address} = any(select lower(a) from unnest(o."to" || o.cc) a)) as open,
      exists (select 1 from outbound_mail o where o.tenant_id = ${tenantId} and o.item_id = ${itemId} and o.purpose = ${mailPurpose.forward} and o.state in (${mailState.sent}, ${mailState.bounced})
        and ${address} = any(select lower(a) from unnest(o."to" || o.cc) a)) as passed`
  return row?.open ? 'public' : row?.passed ? 'internal' : undefined
}
