import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { plainAddress } from '../../mail/address.ts'
import { mailState, type OutboundMail } from '../../mail/outbound-mail/outbound-mail.ts'

// Messages are counted by user, day, source and channel in the transaction that writes them, so that what is rolled back is not
// counted, and a reader needs no scan of inboxes and mails.

/** What messages come from. */
export const sourceKinds = ['rule', 'notification', 'watch', 'mention', 'approval', 'warning', 'digest'] as const

/** What sent a message: a rule or a notification; for the other kinds, the container that it is about. */
export interface MessageSource {
  kind: (typeof sourceKinds)[number]
  id: Id | ''
}

/** Where messages are: in inboxes, sent as mails, held for a digest, and sent with the digest for which they were held. */
export const channels = ['inbox', 'mail', 'held', 'digested'] as const
export type Channel = (typeof channels)[number]

/** A message to a user. */
export interface CountedMessage {
  userId: Id
  source: MessageSource
}

/** For how many days the numbers are kept. */
export const countedDays = 90

/** The day (UTC) on which a message counts. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** Counts messages to users by one statement. */
export async function countMessages(
  ctx: Context,
  channel: Channel,
  messages: readonly CountedMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const same = Map.groupBy(messages, ({ userId, source }) => `${userId} ${source.kind} ${source.id}`)
  const rows = [...same]
    // Concurrent writers lock the rows in the same order, which prevents deadlocks.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...more]]) =>
      first
        ? [{ user_id: first.userId, kind: first.source.kind, source_id: first.source.id, count: more.length + 1 }]
        : [],
    )
  await ctx.sql`insert into message_count as c (tenant_id, user_id, day, source_kind, source_id, channel, count)
    select ${ctx.caller.tenantId}::uuid, r.user_id, ${dayOf(ctx.now)}::date, r.kind, r.source_id, ${channel}, r.count
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(user_id uuid, kind text, source_id text, count int)
    on conflict (tenant_id, user_id, day, source_kind, source_id, channel) do update set count = c.count + excluded.count returning 1`
}

/** Counts a mail for each user among its recipients; one that is not sent counts for nobody. */
export async function countMail(
  ctx: Context,
  { to, cc, state }: Pick<OutboundMail, 'to' | 'cc' | 'state'>,
  source: MessageSource,
): Promise<void> {
  if (state === mailState.suppressed) return
  const rows = await ctx.sql<{ userId: Id }>`select id as "userId" from "user"
    where tenant_id = ${ctx.caller.tenantId} and email <> '' and not deleted and lower(email) = any(${[...to, ...cc].map(plainAddress)}::text[])`
  await countMessages(
    ctx,
    'mail',
    rows.map(({ userId }) => ({ userId, source })),
  )
}
