import type { BareEvent, LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import { type Changes, isImported } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/owner.ts'
import { namesOf } from '../event-names.ts'

/** What an event tells people: news of which record, by which names. */
export interface News {
  event: LoggedEvent
  subject: Subject
  subjectId: Id
  /** The most telling names of what happened: choices are made by them. */
  names: string[]
  /** Who is named by it, and alone told of it. */
  mentioned?: Id
  /** What one must be able to see besides the subject: the note, say, that was written about it. */
  source?: { entity: string; id: Id }
}

/** What people can be told of, and what watches call it. */
export const subjects = {
  Item: ownerKind.item,
  Document: ownerKind.document,
  Crm: ownerKind.crm,
  Container: ownerKind.container,
  Area: ownerKind.area,
} as const
export type Subject = keyof typeof subjects

/** Of items; whatever else is said of them is told by these or is nobody's business. */
const ofItems =
  /^item\.(created|updated|deleted|restored|merged|split|dueSoon|overdue|blocked|unblocked|childrenClosed)$|^clock\.(amber|red|breached)$/
const ofRecords = /^(document|crm|container|area)\.(updated|deleted|restored)$/
const said = /^annotation\.(created|replied|requesterReplied)$/
const named = /^user\.mentioned$/

/** Changes that nobody wants to hear of by themselves: an order of cards is no news of each of them. */
const quiet = new Set(['rank', 'number', 'key', 'Meta'])

/** Whether people may be told of an event, by its name alone. */
export function mayBeNews(event: BareEvent): boolean {
  const { kind } = event
  return !isImported(event) && [ofItems, ofRecords, said, named].some(names => names.test(kind))
}

/** What people are told of an event; undefined if nothing. */
export function newsOf(event: LoggedEvent): News | undefined {
  if (!mayBeNews(event)) return undefined
  const { kind, entity, recordId, changes } = event
  const names = tellingNames(event)
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

/** What something was said about. */
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

/** That something was changed says little where it is known what: then that alone counts. */
function tellingNames(event: LoggedEvent): string[] {
  const [own = '', ...more] = namesOf(event)
  return own === 'item.updated' && more.length > 0 ? more : [own, ...more]
}

/** Nobody is told of what they did themselves; what a rule does in somebody's name is not what they did. */
export function actorToSkip({ actorId, actorKind }: Pick<LoggedEvent, 'actorId' | 'actorKind'>): Id | undefined {
  return actorKind === 'rule' ? undefined : actorId
}
