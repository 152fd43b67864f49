import type { ImapFlow } from 'imapflow'
import type { Id } from '../../kernel/id.ts'
import type { Mailbox } from './mailbox.ts'
import type { MailboxReading } from './mailbox-reading.ts'

/**
 * Now that it is committed, the server may know: it is marked as read, moved or deleted there. What it does not do is told,
 * and tried again the next time; it is no reason not to read on.
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
  const isLeft = async () => ((await client.search({ uid: range }, { uid: true })) || []).length > 0
  if (deleteAfterFetch)
    return (await client.messageDelete(range, { uid: true })) || !(await isLeft())
      ? undefined
      : 'the server does not delete what was read'
  const move = async () => (await client.messageMove(range, moveTo, { uid: true })) !== false
  if (moveTo === '' || (await move())) return undefined
  // Most often the folder is not there yet.
  const made = await client.mailboxCreate(moveTo).catch(() => undefined)
  return (made && (await move())) || !(await isLeft())
    ? undefined
    : `the server does not move what was read to the folder ${moveTo}`
}
