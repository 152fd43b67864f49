import type { BareEvent, LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import { type Changes, isImported } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { namesOf } from '../event-names.ts'

/** An event that users may be notified of: the record it is about, and its names. */
export interface News {
  event: LoggedEvent
  subject: Subject
  subjectId: Id
  /** The most specific names of the event. Users choose their channels by these names. */
  names: string[]
  /** The mentioned user, who is the only recipient then. */
  mentioned?: Id
  /** A record that a recipient must be able to see besides the subject, such as the comment on it. */
  source?: { entity: string; id: Id }
}

/** The kinds of records that users can be notified of, with their codes in watches. */
export const subjects = {
  Item: ownerKind.item,
  Document: ownerKind.document,
  Crm: ownerKind.crm,
  Container: ownerKind.container,
  Area: ownerKind.area,
} as const
export type Subject = keyof typeof subjects

/** The events of items that make news. All others accompany one of these or concern no user. */
const ofItems =
  /^item\.(created|updated|deleted|restored|merged|split|dueSoon|overdue|blocked|unblocked|childrenClosed)$|^clock\.(amber|red|breached)$/
const ofRecords = /^(document|crm|container|area)\.(updated|deleted|restored)$/
const said = /^annotation\.(created|replied|requesterReplied)$/
const named = /^user\.mentioned$/

/** Changes of these properties alone make no news: reordering a board changes the rank of many cards. */
const quiet = new Set(['rank', 'number', 'key', 'Meta'])

/** Tells by the kind of an event alone whether it can make news. */
export function mayBeNews(event: BareEvent): boolean {
  const { kind } = event
  return !isImported(event) && [ofItems, ofRecords, said, named].some(names => names.test(kind))
}

/** Returns the news that an event makes, or undefined if it makes none. */
export function newsOf(event: LoggedEvent): News | undefined {
  if (!mayBeNews(event)) return undefined
  const { kind, entity, recordId, changes } = event
  const names = specificNames(event)
  if (entity === 'Item' && ofItems.test(kind)) {
    if (kind === 'item.updated' && Object.keys(changes).every(property => quiet.has(property))) return undefined
    return { event, subject: 'Item', subjectId: recordId, names }
  }
  if (said.test(kind) || named.test(kind)) {
    const about = annotated(changes)
    if (!about) return undefined
    const source = { entity: 'Annotation', id: recordId }
    if (!named.test(kind)) return { event, ...about, names, source }
    const mentioned = textOf(changes, 'userId')
    return mentioned === '' ? undefined : { event, ...about, names, source, mentioned }
  }
  if (ofRecords.test(kind) && isSubject(entity)) return { event, subject: entity, subjectId: recordId, names }
  return undefined
}

/** Returns the record that an annotation belongs to. */
function annotated(changes: Changes): Pick<News, 'subject' | 'subjectId'> | undefined {
  const itemId = textOf(changes, 'itemId')
  if (itemId !== '') return { subject: 'Item', subjectId: itemId }
  const ownerId = textOf(changes, 'ownerId')
  const [subject] = Object.entries(subjects).find(([, code]) => code === changes.owner?.to) ?? []
  return subject && isSubject(subject) && isId(ownerId) ? { subject, subjectId: ownerId } : undefined
}

const isSubject = (entity: string): entity is Subject => Object.hasOwn(subjects, entity)

function textOf(changes: Changes, property: string): string {
  const value = changes[property]?.to
  return typeof value === 'string' ? value : ''
}

/** Leaves out the general `item.updated` where more specific names exist. */
function specificNames(event: LoggedEvent): string[] {
  const [own = '', ...more] = namesOf(event)
  return own === 'item.updated' && more.length > 0 ? more : [own, ...more]
}

/** Returns the actor, who is not notified of their own changes. A rule acts in its owner's name, so its owner is notified. */
export function actorToSkip({ actorId, actorKind }: Pick<LoggedEvent, 'actorId' | 'actorKind'>): Id | undefined {
  return actorKind === 'rule' ? undefined : actorId
}
