import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../kernel/access.ts'
import { fault, Refusal } from '../../kernel/refusal.ts'
import { channel } from '../channel.ts'
import { type AnnotationValues, annotationKind, annotations } from './annotation.ts'

/** What a requester writes; kind, author, readers and recipients of a message are not theirs to choose. */
const written: readonly (keyof AnnotationValues)[] = [
  'itemId',
  'owner',
  'ownerId',
  'body',
  'bodyFormat',
  'replyToId',
  'attachments',
  'mentions',
]

/** What every message of a requester has: everybody who sees the item reads it, and it has no recipients of its own. */
export function ownMessage({ userId }: Caller): Partial<AnnotationValues> {
  return { kind: annotationKind.message, authorId: userId, via: channel.portal, restrictedTo: [] }
}

/** Refuses the properties that a requester does not set, unless they have the value that the message has anyway. */
export function refuseBeyondMessage(values: Partial<AnnotationValues>, message: Partial<AnnotationValues>): void {
  const has = annotations.completed(message)
  const beyond = Object.entries(values).filter(
    ([property, value]) =>
      !written.some(each => each === property) && !isDeepStrictEqual(value, Reflect.get(has, property)),
  )
  if (beyond.length > 0) throw notTheirs(beyond.map(([property]) => property))
}

/** Requesters write about their items, and not about other records. */
export function refuseOtherRecord({ itemId }: Pick<AnnotationValues, 'itemId'>): void {
  if (itemId === '') throw notTheirs(['owner'])
}

function notTheirs(properties: readonly string[]): Refusal {
  const faults = properties.map(each => fault([each], 'requester-message', 'is not set by requesters'))
  return new Refusal(403, 'requester-message', 'requesters write messages about their items, and set no more', {
    faults,
  })
}
