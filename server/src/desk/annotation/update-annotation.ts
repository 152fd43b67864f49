import { isDeepStrictEqual } from 'node:util'
import { indexAnnotation } from '../../items/search-index.ts'
import { demand, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
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
  notifyMentioned,
  replyNotInternal,
  takeOverAttachments,
  withoutCaller,
} from './create-annotation.ts'
import { mentionedUsers, mentionWarnings } from './mentions.ts'

/** What stays as it was said, and the code that tells so. */
const immutable: Partial<Record<keyof AnnotationValues, [code: string, message: string]>> = {
  kind: ['kind-fixed', 'stays; a note is made public by publish'],
  itemId: ['owner-fixed', 'stays with what it was said about'],
  owner: ['owner-fixed', 'stays with what it was said about'],
  ownerId: ['owner-fixed', 'stays with what it was said about'],
  authorId: ['author-fixed', 'stays who wrote it'],
  replyToId: ['reply-fixed', 'stays a reply to the same'],
}

/** Says it better. What it said before is kept. */
export async function updateAnnotation(
  ctx: Context,
  id: Id,
  values: Partial<AnnotationValues>,
  more: { expect?: Expect } = {},
): Promise<AnnotationWithWarnings> {
  const before = await annotations.get(ctx, id, { lock: true })
  await demandAuthorOrManager(ctx, 'update', before)
  refuseImmutable(before, values)
  const mentions = await updatedMentions(ctx, before, values)
  const added = mentions.filter(userId => !before.mentions.includes(userId))
  const notifiedAt = withoutCaller(ctx, added).length > 0 ? ctx.now.toISOString() : before.notifiedAt
  const after = await annotations.update(ctx, id, { ...values, mentions, notifiedAt }, more)
  if (after.version === before.version) return { ...after, warnings: [] }
  if (after.body !== before.body || after.bodyFormat !== before.bodyFormat) await storeVersion(ctx, before)
  if (after.body !== before.body) await indexAnnotation(ctx, after)
  await takeOverAttachments(ctx, after)
  await notifyMentioned(ctx, after, added)
  const warnings = await mentionWarnings(ctx, after)
  return { ...(await annotations.get(ctx, id)), warnings }
}

function refuseImmutable(before: Annotation, values: Partial<AnnotationValues>): void {
  const after = annotations.completed({ ...before, ...values })
  const faults = Object.entries(immutable).flatMap(([property, [code, message]]) =>
    property in values && !isDeepStrictEqual(Reflect.get(after, property), Reflect.get(before, property))
      ? [fault([property], code, message, Reflect.get(values, property))]
      : [],
  )
  if (faults[0]) throw new RuleBroken(faults[0].Code, 'that of an annotation does not change', faults)
}

/** Whom the new text names, and whom the old one did not name but somebody else did. */
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

/** After so long a note has been read and relied upon as internal. */
const publishWindow = 24 * 60 * 60 * 1000

/** A note becomes a public reply: by somebody who says so twice, and not once others have heard of it as a note. */
export async function publishNote(ctx: Context, id: Id, confirm: boolean): Promise<Annotation> {
  const before = await annotations.get(ctx, id, { lock: true })
  demand(
    ctx.caller,
    { ...annotations.permissions.update, roles: members },
    await demandAuthorOrManager(ctx, 'update', before),
  )
  const refuse = (code: string, message: string) => {
    throw new RuleBroken(code, message)
  }
  if (isPublic(before.kind)) refuse('already-public', 'it is public already')
  if (!confirm) refuse('confirm-required', 'confirm that the requester may read it')
  if (before.notifiedAt !== null) refuse('already-notified', 'people were told of it as an internal note')
  if (ctx.now.getTime() - Date.parse(before.created) > publishWindow)
    refuse('too-late', 'it has stood there as an internal note for more than a day')
  if (before.restrictedTo.length > 0) refuse('restricted', 'it is for certain groups; take them out first')
  if (before.replyToId) {
    const parent = await annotations.find(ctx, before.replyToId, { deleted: true })
    if (!parent || !isPublic(parent.kind)) throw replyNotInternal()
  }
  const after = await annotations.update(ctx, id, { kind: annotationKind.reply })
  await append(ctx, [
    {
      kind: 'annotation.replied',
      entity: 'Annotation',
      recordId: id,
      changes: { kind: { from: before.kind, to: after.kind } },
    },
  ])
  if (after.itemId) await updateConversationState(ctx, after.itemId, directionOf(after.kind))
  return after
}

/** Whoever works at the place may do what changes nothing of what was said: put it on top, or call it settled. */
export async function setMark(
  ctx: Context,
  id: Id,
  values: Pick<Partial<AnnotationValues>, 'pinned' | 'resolvedAt'>,
): Promise<Annotation> {
  const before = await annotations.get(ctx, id, { lock: true })
  demand(ctx.caller, { ...annotations.permissions.update, roles: members }, await annotationPlace(ctx, before))
  if (values.resolvedAt && before.resolvedAt) return before
  return await annotations.update(ctx, id, values)
}
