import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

// Some changes concern one person only and are not in the log, such as a change of their inbox. Clients that follow the
// events receive a notice of them: without content, without a position, and not repeated after a disconnect. Notices
// are sent with the notifications that wake other processes, so a write that nobody follows costs nothing extra.

/** Tells some people of a tenant that a record of this kind, which only they can see, has changed. */
export interface PrivateNotice {
  readonly tenantId: Id
  /** The kind of record, which the recipient must be permitted to read: `InboxEntry`. */
  readonly entity: string
  /** The name of the notice: `inbox.changed`. */
  readonly name: string
  readonly userIds: readonly Id[]
}

const subscribers = new Set<(aside: PrivateNotice) => void>()

/** Sends a notice to people once the transaction has committed. */
export function notifyPrivately(ctx: Context, aside: Omit<PrivateNotice, 'tenantId'>): void {
  const { tenantId } = ctx.caller
  if (aside.userIds.length > 0)
    ctx.afterCommit(() => {
      for (const hear of subscribers) hear({ tenantId, ...aside })
    })
}

/** Subscribes to the notices of this process; returns a function that unsubscribes. */
export function onPrivateNotice(hear: (aside: PrivateNotice) => void): () => void {
  subscribers.add(hear)
  return () => void subscribers.delete(hear)
}

/** The maximum of people in one message, because NOTIFY is limited to 8000 bytes. */
const maxNamed = 150

/** Encodes a notice as the words of a message to other processes. */
export function encodeNotice({ tenantId, entity, name, userIds }: PrivateNotice): string[] {
  const lots = Array.from({ length: Math.ceil(userIds.length / maxNamed) }, (_, i) =>
    userIds.slice(i * maxNamed, (i + 1) * maxNamed),
  )
  return lots.map(lot => [tenantId, entity, name, lot.join()].join('/'))
}

export function decodeNotice(word: string): PrivateNotice | undefined {
  const [tenantId = '', entity = '', name = '', userIds = ''] = word.split('/')
  return name === '' ? undefined : { tenantId, entity, name, userIds: userIds.split(',') }
}
