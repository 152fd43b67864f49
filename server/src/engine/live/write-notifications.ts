import type { Database } from '../../kernel/database.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { listen, type Subscription } from '../listen.ts'
import { type AnyNotice, decodeNotice, encodeNotice, onNotice } from './private-notices.ts'

// A NOTIFY inside every write would halve the write throughput. So a process remembers for which tenants it has
// committed something and notifies the other processes of all nodes a moment later, with one statement for all of them.
// A lost notification does no harm, because followers also read the log at intervals.

const channel = 'gantry_written'

/** How long writes are collected before they are announced; ms. */
const gathering = 25

/**
 * NOTIFY is limited to 8000 bytes. When there are more tenants than fit, none is named, and every follower reads its
 * log.
 */
const maxNamed = 200

interface WriteNotifications {
  /** Starts to listen for writes of other processes; nothing listens before the first stream needs it. */
  listen(): void
  close(): Promise<void>
}

/**
 * Notifies the other processes of writes, and listens to theirs. `wake` without a tenant means any tenant. Notices
 * that are not in the log are sent along.
 */
export function openWriteNotifications(
  database: Database,
  wake: (tenantId?: Id) => void,
  deliver: (notice: AnyNotice) => void = () => {},
): WriteNotifications {
  const myself = newId()
  const written = new Set<Id>()
  const notices: AnyNotice[] = []
  let timer: NodeJS.Timeout | undefined
  let subscription: Subscription | undefined

  const gather = () => {
    timer ??= setTimeout(send, gathering).unref()
  }
  const stop = database.onWritten(tenantId => {
    written.add(tenantId)
    gather()
  })
  const stopNotices = onNotice(notice => {
    notices.push(notice)
    gather()
  })

  function send(): void {
    timer = undefined
    const tenants = [...written]
    written.clear()
    for (const tenantId of tenants) wake(tenantId)
    const sent = notices.splice(0)
    for (const notice of sent) deliver(notice)
    const named = tenants.length <= maxNamed ? tenants.join(' ') : '*'
    const messages = [...(tenants.length > 0 ? [named] : []), ...sent.flatMap(encodeNotice)]
    // Followers that miss the notification read the log within a second; only notices are lost.
    database.crossTenantSql`select pg_notify(${channel}, m) from unnest(${messages.map(each => `${myself} ${each}`)}::text[]) m`.catch(
      () => {},
    )
  }

  function receive(message: string): void {
    const [sender, ...tenants] = message.split(' ')
    const notice = decodeNotice(tenants[0] ?? '')
    if (sender === myself) return
    if (notice) deliver(notice)
    else if (tenants[0] === '*') wake()
    else for (const tenantId of tenants) wake(tenantId)
  }

  return {
    listen() {
      subscription ??= listen(database, channel, receive)
    },
    async close() {
      stop()
      stopNotices()
      clearTimeout(timer)
      await subscription?.close()
    },
  }
}
