import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

// Some changes are not in the log: those that concern one person only, such as a change of their inbox, and those that last for
// seconds, such as who views an item. Clients that follow the events receive a notice of them: without a position, and not
// repeated after a disconnect. Notices are sent with the notifications that wake other processes, so a write that nobody follows
// costs nothing extra.

interface Notice {
  readonly tenantId: Id
  /** The kind of record, which the recipient must be permitted to read: `InboxEntry`. A name that is no kind needs no permission. */
  readonly entity: string
  /** The name of the notice: `inbox.changed`. */
  readonly name: string
  /** What the notice says, as JSON; `{}` by default. */
  readonly data?: string
}

/** Tells some people of a tenant that a record of this kind, which only they can see, has changed. */
interface PrivateNotice extends Notice {
  readonly userIds: readonly Id[]
}

/** Tells the staff who see a record something about it, except for the user who did it. */
export interface RecordNotice extends Notice {
  readonly recordId: Id
  readonly exceptId: Id
}

export type AnyNotice = PrivateNotice | RecordNotice

/** The name that notices about the caller's own session have instead of a kind of record. */
const sessionEntity = 'Session'

/** The notice that something of the session (`GET /api/session`) has changed. */
export function sessionChanged(changed: 'rights' | 'preferences' | 'unread' | 'ended') {
  return { entity: sessionEntity, name: 'session.changed', data: JSON.stringify({ changed }) }
}

const subscribers = new Set<(aside: AnyNotice) => void>()

/** Sends a notice to people once the transaction has committed. */
export function notifyPrivately(ctx: Context, aside: Omit<PrivateNotice, 'tenantId'>): void {
  const { tenantId } = ctx.caller
  if (aside.userIds.length > 0) ctx.afterCommit(() => sendNotice({ tenantId, ...aside }))
}

/** Sends a notice at once, for changes that are committed. */
export function sendNotice(aside: AnyNotice): void {
  for (const hear of subscribers) hear(aside)
}

/** Subscribes to the notices of this process; returns a function that unsubscribes. */
export function onNotice(hear: (aside: AnyNotice) => void): () => void {
  subscribers.add(hear)
  return () => void subscribers.delete(hear)
}

/** The maximum of people in one message, because NOTIFY is limited to 8000 bytes. */
const maxNamed = 150

/** Encodes a notice as the words of a message to other processes. */
export function encodeNotice(notice: AnyNotice): string[] {
  const { tenantId, entity, name, data = '{}' } = notice
  const words = (to: string) => [tenantId, entity, name, to, encodeURIComponent(data)].join('/')
  if ('recordId' in notice) return [words(`${notice.recordId}-not-${notice.exceptId}`)]
  const { userIds } = notice
  const lots = Array.from({ length: Math.ceil(userIds.length / maxNamed) }, (_, i) =>
    userIds.slice(i * maxNamed, (i + 1) * maxNamed),
  )
  return lots.map(lot => words(lot.join()))
}

export function decodeNotice(word: string): AnyNotice | undefined {
  const [tenantId = '', entity = '', name = '', to = '', encoded = ''] = word.split('/')
  if (name === '') return undefined
  const notice = { tenantId, entity, name, ...(encoded ? { data: decodeURIComponent(encoded) } : {}) }
  const [recordId = '', exceptId] = to.split('-not-')
  return exceptId === undefined ? { ...notice, userIds: to.split(',') } : { ...notice, recordId, exceptId }
}
