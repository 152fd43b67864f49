import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

// Some things concern one person alone and belong into no log, such as that their inbox has changed. Whoever follows the
// events hears of them beside the log: without content, without a place, and not again after an interruption. They travel
// with the waking of other processes, so a write that nobody follows pays for none of it.

/** Something said to some people of a tenant: that something of this kind, which is theirs alone, has changed. */
export interface PrivateNotice {
  readonly tenantId: Id
  /** The kind of record, which one must be able to read: `InboxEntry`. */
  readonly entity: string
  /** What it is called: `inbox.changed`. */
  readonly name: string
  readonly userIds: readonly Id[]
}

const subscribers = new Set<(aside: PrivateNotice) => void>()

/** Says something to people beside the log, once the transaction has committed. */
export function notifyPrivately(ctx: Context, aside: Omit<PrivateNotice, 'tenantId'>): void {
  const { tenantId } = ctx.caller
  if (aside.userIds.length > 0)
    ctx.afterCommit(() => {
      for (const hear of subscribers) hear({ tenantId, ...aside })
    })
}

/** Hears what is said in this process; returns how to stop it. */
export function onPrivateNotice(hear: (aside: PrivateNotice) => void): () => void {
  subscribers.add(hear)
  return () => void subscribers.delete(hear)
}

/** So many people are named by one message: it has at most 8000 bytes. */
const maxNamed = 150

/** As words of a message to other processes. */
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
