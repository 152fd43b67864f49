import type { ImapFlow } from 'imapflow'
import type { Id } from '../../kernel/id.ts'
import { searchMessages } from '../transport/imap-answers.ts'
import type { Mailbox } from './mailbox.ts'
import type { MailboxReading } from './mailbox-reading.ts'

/**
 * Marks committed messages as read on the server, or moves or deletes them there. A failure is returned as a text and tried
 * again the next time, because it must not stop the reading.
 */
export async function markProcessed(
  client: ImapFlow,
  { mailbox, transaction }: Pick<MailboxReading, 'mailbox' | 'transaction'>,
  uidValidity: bigint,
): Promise<string | undefined> {
  const rows = await transaction(
    ctx => ctx.sql<{ id: Id; uid: number }>`select id, uid from mail_message
      where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${mailbox.id} and not filed and uid_validity = ${String(uidValidity)}::bigint order by uid limit 500`,
  )
  if (rows.length === 0) return undefined
  const range = rows.map(row => row.uid).join(',')
  await client.messageFlagsAdd(range, ['\\Seen'], { uid: true })
  const complaint = await tidied(client, mailbox, range)
  if (complaint) return complaint
  await transaction(
    ctx =>
      ctx.sql`update mail_message set filed = true where tenant_id = ${ctx.caller.tenantId} and id = any(${rows.map(row => row.id)}::uuid[])`,
  )
  return undefined
}

async function tidied(
  client: ImapFlow,
  { deleteAfterFetch, moveTo }: Mailbox,
  range: string,
): Promise<string | undefined> {
  const isLeft = async () => (await searchMessages(client, { uid: range })).length > 0
  if (deleteAfterFetch)
    return (await client.messageDelete(range, { uid: true })) || !(await isLeft())
      ? undefined
      : 'the server does not delete processed messages'
  const move = async () => Boolean(await client.messageMove(range, moveTo, { uid: true }))
  if (moveTo === '' || (await move())) return undefined
  // The most frequent cause is that the folder does not exist yet.
  const made = await client.mailboxCreate(moveTo).catch(() => undefined)
  return (made && (await move())) || !(await isLeft())
    ? undefined
    : `the server does not move processed messages to the folder ${moveTo}`
}
