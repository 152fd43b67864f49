import { userAccessOf } from '../../identity/authority.ts'
import { userKind } from '../../identity/user-kind.ts'
import { items } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { isOnDesk } from '../ticket/conversation-state.ts'
import { type AnnotationValues, annotationKind, isPublic } from './annotation.ts'

type Sent = Pick<AnnotationValues, 'mail' | 'authorId'>

/** Returns the addresses that the author named, else, for a reply, the requester and those in copy. The author is left out. */
export async function mailRecipients(ctx: Context, itemId: Id, { mail, authorId }: Sent, isReply: boolean) {
  const row = await readPeople(ctx, itemId, authorId)
  const given = mail.to ?? []
  const to = given.length > 0 ? given : isReply ? [row?.user || row?.requester || ''] : []
  const cc = mail.cc ?? (given.length > 0 || !isReply ? [] : (row?.cc ?? []))
  const sendable = (address: string) =>
    address !== '' && isEmail(address) && address.length <= 254 && plain(address) !== plain(row?.author ?? '')
  return { to: to.filter(sendable), cc: cc.filter(sendable) }
}

type Reply = Sent & Pick<AnnotationValues, 'itemId' | 'kind' | 'restrictedTo'>

/**
 * Returns why nobody gets a public reply on a ticket, or undefined if somebody does. It reaches the requester (without
 * one: the user who created the ticket) if they have an account and see the ticket, else only by mail. A restricted
 * reply is not sent, and its requester does not see it.
 */
export async function whyReplyIsLost(
  ctx: Context,
  { itemId, kind, restrictedTo, ...reply }: Reply,
): Promise<string | undefined> {
  if (itemId === '' || !isPublic(kind) || kind === annotationKind.message || !(await isOnDesk(ctx, itemId)))
    return undefined
  if (restrictedTo.length > 0) return lost('it is restricted to groups, so that the requester does not see it')
  const people = await readPeople(ctx, itemId, reply.authorId)
  if (people?.reader && (await seesItem(ctx, itemId, people.reader))) return undefined
  const { to } = await mailRecipients(ctx, itemId, reply, true)
  if (to.length === 0) return lost('the ticket has no requester, and no address was given')
  if ((await ctx.services.mailableAmong(ctx, itemId, to)).length > 0) return undefined
  return lost('no mail can be sent for this ticket, and the requester has no account to read it with')
}

const lost = (why: string) => `nobody gets this reply, so that it does not count as a response: ${why}`

declare module '../../kernel/context.ts' {
  interface Services {
    /** Returns those of the addresses that get a mail about the item; none of them if no mail server sends for it. */
    mailableAmong: (ctx: Context, itemId: Id, addresses: readonly string[]) => Promise<string[]>
  }
}

/** Whether the user may sign in and sees the item. */
async function seesItem(ctx: Context, itemId: Id, userId: Id): Promise<boolean> {
  const access = await userAccessOf(ctx, userId)
  if (!access) return false
  const reader: Caller = { ...ctx.caller, userId, scopes: [], authority: access.authority }
  const [row] = await ctx.sql`select 1 from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${itemId} and ${items.visible(reader, raw('t'))}`
  return row !== undefined
}

interface People {
  requester: string
  user: string | null
  cc: string[] | null
  author: string | null
  reader: Id | null
}

async function readPeople(ctx: Context, itemId: Id, authorId: string): Promise<People | undefined> {
  const [row] = await ctx.sql<People>`
    select coalesce(t.requester ->> 'email', '') as requester, u.email as "user", t.cc, a.email as author, r.id as reader from item i
    left join ticket t on t.tenant_id = ${ownTenant} and t.id = i.id
    left join "user" u on u.tenant_id = ${ownTenant} and u.id = i.requester_id and not u.deleted
    left join "user" a on a.tenant_id = ${ownTenant} and a.id = ${authorId || null}::uuid
    left join "user" r on r.tenant_id = ${ownTenant} and r.kind <> ${userKind.placeholder} and r.id is distinct from a.id
      and r.id = coalesce(i.requester_id, case when coalesce(t.requester ->> 'email', '') = '' then i.created_by end)
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${itemId}`
  return row
}

const plain = (address: string) => address.trim().toLowerCase()
