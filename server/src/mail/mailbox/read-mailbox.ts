import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow, SearchObject } from 'imapflow'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { messageLimits } from '../mail-message/parsing/size-limits.ts'
import { storeMessage } from '../mail-message/store-message.ts'
import { openImap } from '../transport/imap.ts'
import { fetchMessage, openedFolder, searchMessages } from '../transport/imap-answers.ts'
import type { Mailbox } from './mailbox.ts'
import type { MailboxReading } from './mailbox-reading.ts'
import { markProcessed } from './mark-processed.ts'

/** Reads a mailbox until the signal aborts or an error occurs. A message is marked on the server only after it is committed here. */
export async function readMailbox(reading: MailboxReading): Promise<void> {
  const { mailbox, server, rules, signal, poll = 60_000 } = reading
  const client = await openImap(server, rules)
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    while (!signal.aborted) {
      // The folder is opened again each time, because it may have been recreated with another UIDVALIDITY.
      await client.mailboxOpen(mailbox.imap.folder || 'INBOX')
      await readNew(client, reading)
      const news = new AbortController()
      const woken = once(client, 'exists', { signal: news.signal }).catch(() => {})
      const gone = once(client, 'close', { signal: news.signal }).catch(() => {})
      void client.idle().catch(() => {})
      await Promise.race([
        woken,
        gone,
        sleep(poll, undefined, { signal: AbortSignal.any([news.signal, signal]), ref: false }).catch(() => {}),
      ])
      news.abort()
      if (!signal.aborted && !client.usable) throw new Error('the server closed the connection')
    }
  } finally {
    signal.removeEventListener('abort', close)
    await Promise.race([client.logout().catch(() => {}), sleep(2000, undefined, { ref: false })])
    client.close()
  }
}

/** Reads the new messages once. */
export async function readOnce(reading: Omit<MailboxReading, 'signal' | 'poll'>): Promise<void> {
  const client = await openImap(reading.server, reading.rules)
  try {
    await client.mailboxOpen(reading.mailbox.imap.folder || 'INBOX')
    await readNew(client, reading)
    await client.logout()
  } finally {
    client.close()
  }
}

async function readNew(client: ImapFlow, reading: Omit<MailboxReading, 'signal' | 'poll'>): Promise<void> {
  const { mailbox, transaction } = reading
  const { uidValidity } = openedFolder(client)
  let markError = await markProcessed(client, reading, uidValidity)
  const { place, since } = await transaction(ctx => placeOf(ctx, mailbox, uidValidity))
  const uids = await newUids(client, mailbox, place, since)
  for (const [done, uid] of uids.entries()) {
    await transaction(ctx => noteBacklog(ctx, mailbox.id, uids.length - done))
    const found = await fetchMessage(client, uid, { size: true, uid: true, internalDate: true })
    const size = found?.size ?? 0
    // Of a message over the limit only the header is fetched, which is enough to report the refusal.
    const source = size > messageLimits.bytes ? { start: 0, maxLength: messageLimits.headerBytes } : true
    const message = found && (await fetchMessage(client, uid, { source }))
    if (!message) {
      await transaction(ctx => moveOn(ctx, mailbox.id, uid)) // the message was deleted on the server meanwhile
      continue
    }
    const bytes = message.source ?? Buffer.alloc(0)
    await transaction(async ctx => {
      const arrived = await ctx.services.blobs.arrive(Readable.from([bytes]))
      try {
        const sized = size > messageLimits.bytes ? { ...arrived, size: Math.min(size, 2_147_483_647) } : arrived
        const archived = isOld(mailbox, place, found.internalDate)
        await storeMessage(ctx, {
          mailboxId: mailbox.id,
          arrived: sized,
          at: { uidValidity, uid },
          archived,
          cut: size > messageLimits.bytes,
        })
      } finally {
        await ctx.services.blobs.discard(arrived)
      }
      await moveOn(ctx, mailbox.id, uid)
    })
    markError ??= await markProcessed(client, reading, uidValidity)
  }
  await transaction(ctx => noteSuccess(ctx, mailbox.id, markError))
}

interface Place {
  /** The last UID that was read; 0 if the mailbox is read for the first time or was recreated. */
  lastUid: number
  first: boolean
}

/** Returns how far the mailbox was read. A changed UIDVALIDITY means that it was recreated, so it is read from the beginning. */
async function placeOf(
  ctx: Context,
  { id }: Mailbox,
  uidValidity: bigint,
): Promise<{ place: Place; since: Date | null }> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ lastUid: number; known: string | null; lastFetch: Date | null }>`
    select last_uid as "lastUid", uid_validity::text as known, last_fetch as "lastFetch" from mailbox_state
    where tenant_id = ${tenantId} and mailbox_id = ${id} for update`
  const same = row?.known === String(uidValidity)
  if (!same)
    await ctx.sql`insert into mailbox_state (tenant_id, mailbox_id, uid_validity, last_uid) values (${tenantId}, ${id}, ${String(uidValidity)}::bigint, 0)
      on conflict (tenant_id, mailbox_id) do update set uid_validity = excluded.uid_validity, last_uid = 0`
  return {
    place: { lastUid: same ? (row?.lastUid ?? 0) : 0, first: !row?.known },
    since: same ? null : (row?.lastFetch ?? null),
  }
}

/** Returns the UIDs of the messages to read, in the order of arrival. */
async function newUids(
  client: ImapFlow,
  { archiveImport }: Mailbox,
  { lastUid, first }: Place,
  since: Date | null,
): Promise<number[]> {
  const found = (query: SearchObject) => searchMessages(client, query)
  const all = new Set<number>()
  if (lastUid > 0) for (const uid of await found({ uid: `${lastUid + 1}:*` })) all.add(uid)
  else {
    // Unseen messages, and those that arrived since the last fetch even if another client has read them.
    for (const uid of await found({ seen: false })) all.add(uid)
    if (since) for (const uid of await found({ since: new Date(since.getTime() - 2 * 86_400_000) })) all.add(uid)
    if (first && archiveImport.since) for (const uid of await found({ since: archiveImport.since })) all.add(uid)
  }
  // A server answers `n:*` with the last message, even if its number is smaller than n.
  return [...all].filter(uid => uid > lastUid).sort((a, b) => a - b)
}

/** Tells whether a message is older than the mailbox record, and so is imported as an archive. */
function isOld(
  { archiveImport, created }: Mailbox,
  { first }: Place,
  internalDate: Date | string | undefined,
): boolean {
  return (
    first && Boolean(archiveImport.since) && internalDate !== undefined && new Date(internalDate) < new Date(created)
  )
}

async function moveOn(ctx: Context, mailboxId: Id, uid: number): Promise<void> {
  await ctx.sql`update mailbox_state set last_uid = greatest(last_uid, ${uid}) where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${mailboxId}`
}

async function noteBacklog(ctx: Context, mailboxId: Id, backlog: number): Promise<void> {
  await ctx.sql`update mailbox_state set backlog = ${backlog} where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${mailboxId}`
}

async function noteSuccess(ctx: Context, mailboxId: Id, markError = ''): Promise<void> {
  await ctx.sql`update mailbox_state set last_fetch = ${ctx.now}, last_error = ${markError}, backlog = 0, failures = 0, next_try = null
    where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${mailboxId}`
}
