import { isDeepStrictEqual } from 'node:util'
import { indexAnnotation } from '../../items/search-index.ts'
import { demand, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { conversed } from '../ticket/conversation-state.ts'
import { type Annotation, type AnnotationValues, annotations, isPublic, kindCode, placeOf } from './annotation.ts'
import { demandSay, type Spoken, saidBy, staysInternal, takeAlong, tellMentioned, toldTo } from './create-annotation.ts'
import { blindMentions, mentioned } from './mentions.ts'

/** What stays as it was said, and the code that tells so. */
const fixed: Partial<Record<keyof AnnotationValues, [code: string, message: string]>> = {
  kind: ['kind-fixed', 'stays; a note is made public by publish'],
  itemId: ['owner-fixed', 'stays with what it was said about'],
  owner: ['owner-fixed', 'stays with what it was said about'],
  ownerId: ['owner-fixed', 'stays with what it was said about'],
  authorId: ['author-fixed', 'stays who wrote it'],
  replyToId: ['reply-fixed', 'stays a reply to the same'],
}

/** Says it better. What it said before is kept. */
export async function revise(
  ctx: Context,
  id: Id,
  values: Partial<AnnotationValues>,
  more: { expect?: Expect } = {},
): Promise<Spoken> {
  const before = await annotations.get(ctx, id, { lock: true })
  await demandSay(ctx, 'update', before)
  refuseFixed(before, values)
  const mentions = await mentionsNow(ctx, before, values)
  const added = mentions.filter(userId => !before.mentions.includes(userId))
  const notifiedAt = toldTo(ctx, added).length > 0 ? ctx.now.toISOString() : before.notifiedAt
  const after = await annotations.update(ctx, id, { ...values, mentions, notifiedAt }, more)
  if (after.version === before.version) return { ...after, warnings: [] }
  if (after.body !== before.body || after.bodyFormat !== before.bodyFormat) await keepVersion(ctx, before)
  if (after.body !== before.body) await indexAnnotation(ctx, after)
  await takeAlong(ctx, after)
  await tellMentioned(ctx, after, added)
  const warnings = await blindMentions(ctx, after)
  return { ...(await annotations.get(ctx, id)), warnings }
}

function refuseFixed(before: Annotation, values: Partial<AnnotationValues>): void {
  const after = annotations.completed({ ...before, ...values })
  const faults = Object.entries(fixed).flatMap(([property, [code, message]]) =>
    property in values && !isDeepStrictEqual(Reflect.get(after, property), Reflect.get(before, property))
      ? [fault([property], code, message, Reflect.get(values, property))]
      : [],
  )
  if (faults[0]) throw new RuleBroken(faults[0].Code, 'that of an annotation does not change', faults)
}

/** Whom the new text names, and whom the old one did not name but somebody else did. */
async function mentionsNow(ctx: Context, before: Annotation, values: Partial<AnnotationValues>): Promise<Id[]> {
  if (values.body === undefined && values.mentions === undefined) return before.mentions
  const named = await mentioned(ctx, before.body)
  const given = values.mentions ?? (values.mentions === null ? [] : before.mentions.filter(id => !named.includes(id)))
  return [...new Set([...given.map(each => each.toLowerCase()), ...(await mentioned(ctx, values.body ?? before.body))])]
}

async function keepVersion(
  ctx: Context,
  { id, version, updated, updatedBy, body, bodyFormat }: Annotation,
): Promise<void> {
  await ctx.sql`insert into annotation_version (tenant_id, annotation_id, version, at, by, body, body_format)
    values (${ctx.caller.tenantId}, ${id}, ${version}, ${updated}::timestamptz, ${updatedBy}, ${body}, ${bodyFormat})`
}

export async function takeBack(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Annotation> {
  await demandSay(ctx, 'delete', await annotations.get(ctx, id, { lock: true }))
  return await annotations.remove(ctx, id, more)
}

export async function sayAgain(ctx: Context, id: Id): Promise<Annotation> {
  await demandSay(ctx, 'delete', await annotations.get(ctx, id, { lock: true, deleted: true }))
  return await annotations.restore(ctx, id)
}

/** After so long a note has been read and relied upon as internal. */
const publishable = 24 * 60 * 60 * 1000

/** A note becomes a public reply: by somebody who says so twice, and not once others have heard of it as a note. */
export async function publish(ctx: Context, id: Id, confirm: boolean): Promise<Annotation> {
  const before = await annotations.get(ctx, id, { lock: true })
  demand(ctx.caller, { ...annotations.permissions.update, roles: members }, await demandSay(ctx, 'update', before))
  const refuse = (code: string, message: string) => {
    throw new RuleBroken(code, message)
  }
  if (isPublic(before.kind)) refuse('already-public', 'it is public already')
  if (!confirm) refuse('confirm-required', 'confirm that the requester may read it')
  if (before.notifiedAt !== null) refuse('already-notified', 'people were told of it as an internal note')
  if (ctx.now.getTime() - Date.parse(before.created) > publishable)
    refuse('too-late', 'it has stood there as an internal note for more than a day')
  if (before.restrictedTo.length > 0) refuse('restricted', 'it is for certain groups; take them out first')
  if (before.replyToId) {
    const parent = await annotations.find(ctx, before.replyToId, { deleted: true })
    if (!parent || !isPublic(parent.kind)) throw staysInternal()
  }
  const after = await annotations.update(ctx, id, { kind: kindCode.reply })
  await append(ctx, [
    {
      kind: 'annotation.replied',
      entity: 'Annotation',
      recordId: id,
      changes: { kind: { from: before.kind, to: after.kind } },
    },
  ])
  if (after.itemId) await conversed(ctx, after.itemId, saidBy(after.kind))
  return after
}

/** Whoever works at the place may do what changes nothing of what was said: put it on top, or call it settled. */
export async function mark(
  ctx: Context,
  id: Id,
  values: Pick<Partial<AnnotationValues>, 'pinned' | 'resolvedAt'>,
): Promise<Annotation> {
  const before = await annotations.get(ctx, id, { lock: true })
  demand(ctx.caller, { ...annotations.permissions.update, roles: members }, await placeOf(ctx, before))
  if (values.resolvedAt && before.resolvedAt) return before
  return await annotations.update(ctx, id, values)
}
