import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'

/** What happened, as far as it decides who is told. */
export interface Occasion {
  /** The name of the event: `item.updated`, `annotation.replied`. */
  kind: string
  /** When; whoever begins to watch later is not told of it. */
  at?: Date
  changes?: Changes
  /** Nobody is told of what they did themselves. */
  actorId?: Id
  /** Whom the text names: they are told whatever they have muted. */
  mentioned?: readonly Id[]
}

/** A reason for telling somebody of an item, or for not doing so. */
export interface Candidate {
  itemId: Id
  /** None for who watches by being author or assignee. */
  watchId: Id | null
  userId: Id | null
  email: string
  /** Whose eyes an address sees with. */
  createdBy: Id
  /** 0 a word of their own · 1 through a group · 2 by being author or assignee. */
  rank: number
  /** How far from the item it stands: 0 on the item itself. */
  distance: number
  level: number
  reason: number
  until: Date | null
  /** Since when they watch; nothing of who does so by being author or assignee. */
  since: Date | null
}

/** Somebody who is to be told of an item, and why. */
export interface Told {
  itemId: Id
  watchId: Id | null
  userId: Id | null
  email: string
  createdBy: Id
  level: number
  reason: number
}

const mentionedReason = 3
const muted = 3

/**
 * Who is told. What somebody said themselves counts before what their groups say, and that before being author or
 * assignee; of several words the nearest to the item counts. Muting and a silence that lasts win over all but a mention.
 */
export function decide(
  candidates: readonly Candidate[],
  occasion: Occasion,
  now: Date,
  wants: (userId: Id, reason: number) => boolean,
): Told[] {
  const told: Told[] = []
  const named = new Set(occasion.mentioned ?? [])
  const ofWhom = ({ userId, email }: Candidate) => userId ?? email.toLowerCase()
  const watching = candidates.filter(each => !hasBegunSince(each, occasion))
  for (const group of Map.groupBy(watching, each => `${each.itemId} ${ofWhom(each)}`).values()) {
    const [counts] = group
      .filter(each => each.rank < 2 || (each.userId !== null && wants(each.userId, each.reason)))
      .sort((a, b) => a.rank - b.rank || a.distance - b.distance || a.reason - b.reason)
    if (!counts || counts.userId === occasion.actorId) continue
    if (counts.userId !== null && named.has(counts.userId)) continue // told below
    if (counts.level === muted || (counts.until && counts.until > now) || !reaches(counts.level, occasion)) continue
    const { itemId, watchId, userId, email, createdBy, level, reason } = counts
    told.push({ itemId, watchId, userId, email, createdBy, level, reason })
  }
  for (const itemId of new Set(candidates.map(each => each.itemId)))
    for (const userId of named) if (userId !== occasion.actorId) told.push(toldByName(itemId, userId))
  return told
}

/** Whoever mutes something meanwhile is not told of it any more; whoever begins to watch it hears of what comes. */
function hasBegunSince({ since, level }: Candidate, { at }: Occasion): boolean {
  return at !== undefined && since !== null && since > at && level !== muted
}

export function toldByName(itemId: Id, userId: Id): Told {
  return { itemId, watchId: null, userId, email: '', createdBy: userId, level: 0, reason: mentionedReason }
}

const conversation = /^(annotation|chat|mail)\.|^user\.mentioned$/
const turns = /^item\.(transitioned|closed|reopened|merged|deleted|restored)$/

/** Whether somebody who wants to be told so much is told of this; a level that means nothing tells of nothing. */
export function reaches(level: number, { kind, changes = {} }: Occasion): boolean {
  const status = turns.test(kind) || 'status' in changes || 'statusCategory' in changes
  if (level === 0) return true
  if (level === 1) return status || conversation.test(kind)
  return level === 2 && status
}
