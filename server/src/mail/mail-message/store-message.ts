import { enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Arrived } from '../../platform/bytes/blobs.ts'
import { lockBytes } from '../../platform/bytes/stored-bytes.ts'

/** The task that processes incoming messages. */
export const processMailTaskName = 'mail-in'

interface StoredMessageInput {
  mailboxId: Id
  arrived: Arrived
  /** Its position on the IMAP server; undefined if it was pushed to us. */
  at?: { uidValidity: bigint; uid: number }
  archived?: boolean
  /** Only its beginning was fetched; then it stays on the server. */
  cut?: boolean
}

/**
 * Stores a message with its bytes and enqueues its processing. Returns undefined for a message that the server delivers a second
 * time, which is not stored again.
 */
export async function storeMessage(
  ctx: Context,
  { mailboxId, arrived, at, archived = false, cut = false }: StoredMessageInput,
): Promise<Id | undefined> {
  const { tenantId, userId } = ctx.caller
  await lockBytes(ctx, arrived.sha256)
  await ctx.services.storedBytes.keep(ctx, arrived)
  const [made] = await ctx.sql<{ id: Id }>`
    insert into mail_message (tenant_id, id, created, created_by, updated, updated_by, mailbox_id, size, sha256, uid_validity, uid, filed, archived)
    values (${tenantId}, ${newId()}, ${ctx.now}, ${userId}, ${ctx.now}, ${userId}, ${mailboxId}, ${arrived.size}, ${arrived.sha256},
      ${at ? String(at.uidValidity) : null}::bigint, ${at?.uid ?? null}::bigint, ${at === undefined || cut}, ${archived})
    on conflict (tenant_id, mailbox_id, uid_validity, uid) where uid is not null do nothing returning id`
  if (!made) return undefined
  const changes = { mailboxId: { to: mailboxId }, size: { to: arrived.size } }
  await appendEvents(ctx, [{ kind: 'mailMessage.created', entity: 'MailMessage', recordId: made.id, changes }])
  await enqueueProcessing(ctx, made.id)
  return made.id
}

export async function enqueueProcessing(ctx: Context, id: Id): Promise<void> {
  await enqueue(ctx, { task: processMailTaskName, payload: { id }, key: id })
}
