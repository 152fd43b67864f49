import { userKind } from '../../identity/user-kind.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { plainAddress } from '../../mail/address.ts'
import type { OutboundMail } from '../../mail/outbound-mail/outbound-mail.ts'
import { type MailInput, queueMail } from '../../mail/queue-mail.ts'
import { countMail } from '../noise/count-messages.ts'
import { type NotifiedUser, notifiedUsers } from '../preference/preference.ts'
import { type HoldableMessage, holdMessage } from './hold-message.ts'
import { takeMail } from './mail-limit.ts'

export { isUrgent } from './urgent-events.ts'

/** A mail to users and others, and how it is held for those whose budget is used up. */
interface BudgetedMail {
  mail: Omit<MailInput, 'cc'>
  message: HoldableMessage
  /** The mail is sent whatever the budget. */
  mustNotWait?: boolean
  /** The users for whom it is not held. */
  neverHeldFor?: readonly Id[]
}

/** What became of a mail: none is queued if it is held for all of its recipients. */
export interface BudgetedResult {
  mail: OutboundMail | undefined
  heldFor: NotifiedUser[]
}

/** Queues a mail to those who may still get one today, and holds it for the others until their digest. */
export async function mailWithinBudget(
  ctx: Context,
  { mail, message, mustNotWait = false, neverHeldFor = [] }: BudgetedMail,
): Promise<BudgetedResult> {
  const heldFor: NotifiedUser[] = []
  for (const { reader, isRequester } of await readersAmong(ctx, mail.to)) {
    const isExempt = mustNotWait || isRequester || neverHeldFor.includes(reader.userId)
    if (!(await takeMail(ctx, reader, isExempt))) heldFor.push(reader)
  }
  const held = new Set(heldFor.map(({ email }) => email.toLowerCase()))
  const to = mail.to.filter(address => !held.has(plainAddress(address)))
  const queued = to.length > 0 ? await queueMail(ctx, { ...mail, to }) : undefined
  if (queued) await countMail(ctx, queued, message.source)
  for (const reader of heldFor) await holdMessage(ctx, reader, message)
  return { mail: queued, heldFor }
}

/** The active users with these addresses, in an order that is the same for all writers, which prevents deadlocks. */
async function readersAmong(
  ctx: Context,
  addresses: readonly string[],
): Promise<{ reader: NotifiedUser; isRequester: boolean }[]> {
  const rows = await ctx.sql<{ id: Id; kind: number }>`select id, kind from "user"
    where tenant_id = ${ctx.caller.tenantId} and email <> '' and not deleted and lower(email) = any(${addresses.map(plainAddress)}::text[]) order by id`
  const readers = await notifiedUsers(
    ctx,
    rows.map(row => row.id),
  )
  return rows.flatMap(({ id, kind }) => {
    const reader = readers.get(id)
    return reader ? [{ reader, isRequester: kind === userKind.requester }] : []
  })
}
