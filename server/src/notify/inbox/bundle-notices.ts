import { watchReason } from '../../desk/watch/watch.ts'
import type { Id } from '../../kernel/id.ts'
import type { MessageSource } from '../noise/count-messages.ts'

/** Something that one user is notified of. */
export interface UserNotice {
  userId: Id
  subject: string
  subjectId: Id
  containerId: Id | ''
  /** What the notice counts for. */
  source: MessageSource
  reason: number
  names: readonly string[]
  changeSetId: Id
  actorId: Id
  text?: string
  /** The items that a notice about another kind of record mentions. */
  itemIds?: readonly Id[]
  /** A separate mail is sent, so the digest leaves the notice out. */
  mailedSeparately?: boolean
  /** It stands for a mail that is held, which the digest contains itself. */
  mailIsHeld?: boolean
}

/** A change of this many items is shown as one entry. */
const bulkSize = 5

/** A notice that its user wants, with the channels they want it by. */
type WantedNotice = UserNotice & { inApp: boolean; mail: boolean }

/** The notices of one user that one inbox entry shows. */
export interface NoticeBundle {
  userId: Id
  bundle: string
  subject: string
  subjectId: Id
  itemIds: Id[]
  notices: WantedNotice[]
}

/** Bundles notices by record. A change of many items is one bundle, except for the items in which the user is mentioned. */
export function bundleNotices(
  userId: Id,
  notices: readonly WantedNotice[],
  startedBulks: ReadonlySet<string> = new Set(),
): NoticeBundle[] {
  const bulks = new Map<Id, Set<Id>>()
  const bundles = new Map<string, NoticeBundle>()
  const mayBeBulk = ({ subject, reason }: UserNotice) => subject === 'Item' && reason !== watchReason.mentioned
  for (const notice of notices.filter(mayBeBulk)) {
    const ids = bulks.get(notice.changeSetId) ?? new Set()
    bulks.set(notice.changeSetId, ids.add(notice.subjectId))
  }
  for (const notice of notices) {
    const { changeSetId, subject, subjectId } = notice
    const size = mayBeBulk(notice) ? (bulks.get(changeSetId)?.size ?? 0) : 0
    const isBulk = size >= bulkSize || (size > 0 && startedBulks.has(`${userId} ${bulkBundle(changeSetId)}`))
    const bundle = isBulk ? bulkBundle(changeSetId) : `${subject} ${subjectId}`
    const current = bundles.get(bundle) ?? {
      userId,
      bundle,
      subject: isBulk ? 'ChangeSet' : subject,
      subjectId: isBulk ? changeSetId : subjectId,
      itemIds: isBulk
        ? [...(bulks.get(changeSetId) ?? [])]
        : subject === 'Item'
          ? [subjectId]
          : [...(notice.itemIds ?? [])],
      notices: [],
    }
    current.notices.push(notice)
    bundles.set(bundle, current)
  }
  return [...bundles.values()]
}

export const bulkBundle = (changeSetId: Id) => `ChangeSet ${changeSetId}`
