import { userKind } from '../../identity/user-kind.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
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

/** What the author of a lost reply is told. */
export const lostReply =
  'nobody gets this reply, so that it does not count as a response: the ticket has no requester, and no address was given'

/**
 * Whether nobody gets a public reply on a ticket: no mail carries it, and neither its requester reads it nor, where it has
 * none, the user who created it. A restricted reply is not sent, and its requester does not see it.
 */
export async function isLostReply(
  ctx: Context,
  { itemId, kind, restrictedTo, ...reply }: Sent & Pick<AnnotationValues, 'itemId' | 'kind' | 'restrictedTo'>,
): Promise<boolean> {
  if (itemId === '' || !isPublic(kind) || kind === annotationKind.message || !(await isOnDesk(ctx, itemId)))
    return false
  if (restrictedTo.length > 0) return true
  const people = await readPeople(ctx, itemId, reply.authorId)
  return !people?.reader && (await mailRecipients(ctx, itemId, reply, true)).to.length === 0
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
    left join ticket t on t.tenant_id = i.tenant_id and t.id = i.id
    left join "user" u on u.tenant_id = i.tenant_id and u.id = i.requester_id and not u.deleted
    left join "user" a on a.tenant_id = i.tenant_id and a.id = ${authorId || null}::uuid
    left join "user" r on r.tenant_id = i.tenant_id and r.id = coalesce(i.requester_id, i.created_by) and r.active and not r.deleted
      and r.kind <> ${userKind.placeholder} and r.id is distinct from a.id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${itemId}`
  return row
}

const plain = (address: string) => address.trim().toLowerCase()
