import { isDeepStrictEqual } from 'node:util'
import { demand, may, members, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { documentAnchor } from '../comment/document-anchor.ts'
import { updateConversationState } from '../ticket/conversation-state.ts'
import {
  type Annotation,
  type AnnotationValues,
  annotationKind,
  annotationPlace,
  annotations,
  isPublic,
} from './annotation.ts'
import {
  type AnnotationWithWarnings,
  demandAuthorOrManager,
  directionOf,
  followText,
  notifyMentioned,
  replyNotInternal,
  takeOverAttachments,
  textWarnings,
  withoutCaller,
} from './create-annotation.ts'
import { mentionedUsers } from './mentions.ts'
import { refuseBadRecipients } from './recipient-addresses.ts'
import { whyReplyIsLost } from './reply-recipients.ts'
import { refuseBeyondMessage } from './requester-message.ts'

/** The properties that cannot be changed, with the code and the message of the refusal. */
const immutable: Partial<Record<keyof AnnotationValues, [code: string, message: string]>> = {
  kind: ['kind-fixed', 'cannot be changed; publish makes a note public'],
  itemId: ['owner-fixed', 'cannot be changed: an annotation stays with its record'],
  owner: ['owner-fixed', 'cannot be changed: an annotation stays with its record'],
  ownerId: ['owner-fixed', 'cannot be changed: an annotation stays with its record'],
  authorId: ['author-fixed', 'cannot be changed'],
  replyToId: ['reply-fixed', 'cannot be changed'],
}

/** Edits an annotation and keeps the earlier version. */
export async function updateAnnotation(
  ctx: Context,
  id: Id,
  values: Partial<AnnotationValues>,
  more: { expect?: Expect } = {},
): Promise<AnnotationWithWarnings> {
  const before = await annotations.get(ctx, id, { lock: true })
  const place = await demandAuthorOrManager(ctx, 'update', before)
  if (!may(ctx.caller, narrowedTo(members, annotations.permissions.update), place)) refuseBeyondMessage(values, before)
  refuseImmutable(before, values)
  if (values.mail && !isDeepStrictEqual(values.mail, before.mail)) refuseBadRecipients(values.mail, ['mail'])
  const mentions = await updatedMentions(ctx, before, values)
  const added = mentions.filter(userId => !before.mentions.includes(userId))
  const notifiedAt = withoutCaller(ctx, added).length > 0 ? ctx.now.toISOString() : before.notifiedAt
  const anchor = isDeepStrictEqual(values.anchor, before.anchor)
    ? undefined
    : await documentAnchor(ctx, before, values.anchor)
  const after = await annotations.update(
    ctx,
    id,
    { ...values, mentions, notifiedAt, ...(anchor ? { anchor } : {}) },
    more,
  )
  if (after.version === before.version) return { ...after, warnings: [] }
  if (after.body !== before.body || after.bodyFormat !== before.bodyFormat) await storeVersion(ctx, before)
  if (after.body !== before.body) await followText(ctx, after)
  await takeOverAttachments(ctx, after)
  await notifyMentioned(ctx, after, added)
  const warnings = await textWarnings(ctx, after)
  return { ...(await annotations.get(ctx, id)), warnings }
}

function refuseImmutable(before: Annotation, values: Partial<AnnotationValues>): void {
  const after = annotations.completed({ ...before, ...values })
  const faults = Object.entries(immutable).flatMap(([property, [code, message]]) =>
    property in values && !isDeepStrictEqual(Reflect.get(after, property), Reflect.get(before, property))
      ? [fault([property], code, message, Reflect.get(values, property))]
      : [],
  )
  if (faults[0]) throw new RuleBroken(faults[0].Code, 'this property of an annotation cannot be changed', faults)
}

/** The users that the new text mentions, and those that were given explicitly rather than by the old text. */
async function updatedMentions(ctx: Context, before: Annotation, values: Partial<AnnotationValues>): Promise<Id[]> {
  if (values.body === undefined && values.mentions === undefined) return before.mentions
  const named = await mentionedUsers(ctx, before.body)
  const given = values.mentions ?? (values.mentions === null ? [] : before.mentions.filter(id => !named.includes(id)))
  return [
    ...new Set([...given.map(each => each.toLowerCase()), ...(await mentionedUsers(ctx, values.body ?? before.body))]),
  ]
}

async function storeVersion(
  ctx: Context,
  { id, version, updated, updatedBy, body, bodyFormat }: Annotation,
): Promise<void> {
  await ctx.sql`insert into annotation_version (tenant_id, annotation_id, version, at, by, body, body_format)
    values (${ctx.caller.tenantId}, ${id}, ${version}, ${updated}::timestamptz, ${updatedBy}, ${body}, ${bodyFormat})`
}

export async function removeAnnotation(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Annotation> {
  await demandAuthorOrManager(ctx, 'delete', await annotations.get(ctx, id, { lock: true }))
  return await annotations.remove(ctx, id, more)
}

export async function restoreAnnotation(ctx: Context, id: Id): Promise<Annotation> {
  await demandAuthorOrManager(ctx, 'delete', await annotations.get(ctx, id, { lock: true, deleted: true }))
  return await annotations.restore(ctx, id)
}

/** A note older than this may have been read and relied upon as internal. */
const publishWindow = 24 * 60 * 60 * 1000

/**
 * Makes an internal note a public reply. The caller has to confirm it, and nobody may have been notified of it as a
 * note.
 */
export async function publishNote(ctx: Context, id: Id, confirm: boolean): Promise<AnnotationWithWarnings> {
  const before = await annotations.get(ctx, id, { lock: true })
  demand(
    ctx.caller,
    narrowedTo(members, annotations.permissions.update),
    await demandAuthorOrManager(ctx, 'update', before),
  )
  const refuse = (code: string, message: string) => {
    throw new RuleBroken(code, message)
  }
  if (isPublic(before.kind)) refuse('already-public', 'the annotation is already public')
  if (!confirm) refuse('confirm-required', 'confirm that the requester may read it')
  if (before.notifiedAt !== null) refuse('already-notified', 'users were notified of it as an internal note')
  if (ctx.now.getTime() - Date.parse(before.created) > publishWindow)
    refuse('too-late', 'it has been an internal note for more than a day')
  if (before.restrictedTo.length > 0) refuse('restricted', 'it is restricted to groups; remove the restriction first')
  if (before.replyToId) {
    const parent = await annotations.find(ctx, before.replyToId, { deleted: true })
    if (!parent || !isPublic(parent.kind)) throw replyNotInternal()
  }
  const reachesNobody = (await whyReplyIsLost(ctx, { ...before, kind: annotationKind.reply })) !== undefined
  const after = await annotations.update(ctx, id, { kind: annotationKind.reply, reachesNobody })
  await appendEvents(ctx, [
    {
      kind: 'annotation.replied',
      entity: 'Annotation',
      recordId: id,
      changes: { kind: { from: before.kind, to: after.kind } },
    },
  ])
  if (after.itemId) await updateConversationState(ctx, after.itemId, directionOf(after))
  return { ...after, warnings: await textWarnings(ctx, after) }
}

/** Pins or resolves an annotation. Every member may do this, because it does not change the text. */
export async function setMark(
  ctx: Context,
  id: Id,
  values: Pick<Partial<AnnotationValues>, 'pinned' | 'resolvedAt'>,
): Promise<Annotation> {
  const before = await annotations.get(ctx, id, { lock: true })
  demand(ctx.caller, narrowedTo(members, annotations.permissions.update), await annotationPlace(ctx, before))
  if (values.resolvedAt && before.resolvedAt) return before
  return await annotations.update(ctx, id, values)
}
