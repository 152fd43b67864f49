import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { watchLevel, watchReason } from './watch-codes.ts'

/** The part of an event that decides who is notified. */
export interface WatchedEvent {
  /** The name of the event: `item.updated`, `annotation.replied`. */
  kind: string
  /** When it happened. Watches that started later are ignored. */
  at?: Date
  changes?: Changes
  /** Who caused it. Nobody is notified of their own actions. */
  actorId?: Id
  /** The users that the text mentions. They are notified even if they muted the item. */
  mentioned?: readonly Id[]
}

/** How a candidate came to watch. A lower rank overrides a higher one. */
export const candidateRank = { own: 0, group: 1, implicit: 2 } as const

/** One reason to notify somebody of an item, or not to. */
export interface RecipientCandidate {
  itemId: Id
  /** Null for authors and assignees, who watch without a stored watch. */
  watchId: Id | null
  userId: Id | null
  email: string
  /** The user whose visibility applies to an address. */
  createdBy: Id
  /** A code of `candidateRank`. */
  rank: number
  /** The distance between the watched record and the item; 0 is the item itself. */
  distance: number
  level: number
  reason: number
  until: Date | null
  /** When the watch started; null for authors and assignees. */
  since: Date | null
}

/** Somebody who is notified of an item, and why. */
export interface Recipient {
  itemId: Id
  watchId: Id | null
  userId: Id | null
  email: string
  createdBy: Id
  level: number
  reason: number
}

/**
 * Selects the recipients of one event. A watch of one's own overrides watches of one's groups, and those override being
 * author or assignee; among several, the one nearest to the item applies. Muting and a snooze (`until`) suppress
 * everything but mentions.
 */
export function selectRecipients(
  candidates: readonly RecipientCandidate[],
  event: WatchedEvent,
  now: Date,
  watchesImplicitly: (userId: Id, reason: number) => boolean,
): Recipient[] {
  const recipients: Recipient[] = []
  const mentioned = new Set(event.mentioned ?? [])
  const identityOf = ({ userId, email }: RecipientCandidate) => userId ?? email.toLowerCase()
  const watching = candidates.filter(each => !startedAfter(each, event))
  for (const group of Map.groupBy(watching, each => `${each.itemId} ${identityOf(each)}`).values()) {
    const [applies] = group
      .filter(
        each =>
          each.rank < candidateRank.implicit || (each.userId !== null && watchesImplicitly(each.userId, each.reason)),
      )
      .sort((a, b) => a.rank - b.rank || a.distance - b.distance || a.reason - b.reason)
    if (!applies || applies.userId === event.actorId) continue
    if (applies.userId !== null && mentioned.has(applies.userId)) continue // added below
    const silent = applies.level === watchLevel.muted || (applies.until !== null && applies.until > now)
    if (silent || !levelCovers(applies.level, event)) continue
    const { itemId, watchId, userId, email, createdBy, level, reason } = applies
    recipients.push({ itemId, watchId, userId, email, createdBy, level, reason })
  }
  for (const itemId of new Set(candidates.map(each => each.itemId)))
    for (const userId of mentioned) if (userId !== event.actorId) recipients.push(mentionedRecipient(itemId, userId))
  return recipients
}

/** Events are delivered late: a watch that started in between does not apply, but a mute does. */
function startedAfter({ since, level }: RecipientCandidate, { at }: WatchedEvent): boolean {
  return at !== undefined && since !== null && since > at && level !== watchLevel.muted
}

export function mentionedRecipient(itemId: Id, userId: Id): Recipient {
  return {
    itemId,
    watchId: null,
    userId,
    email: '',
    createdBy: userId,
    level: watchLevel.all,
    reason: watchReason.mentioned,
  }
}

const conversationEvents = /^(annotation|chat|mail)\.|^user\.mentioned$/
const statusEvents = /^item\.(transitioned|closed|reopened|merged|deleted|restored)$/

/** Whether a watch of this level includes the event. An unknown level includes nothing. */
export function levelCovers(level: number, { kind, changes = {} }: WatchedEvent): boolean {
  const isStatus = statusEvents.test(kind) || 'status' in changes || 'statusCategory' in changes
  if (level === watchLevel.all) return true
  if (level === watchLevel.comments) return isStatus || conversationEvents.test(kind)
  return level === watchLevel.status && isStatus
}
