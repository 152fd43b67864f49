import { articleWarnings, storeArticleLinks } from '../../documents/article/article-links.ts'
import { changeOwner } from '../../documents/file/file.ts'
import { backdating, items } from '../../items/item/item.ts'
import { indexAnnotation } from '../../items/search-index.ts'
import { demand, managers, may, members, narrowedTo } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId, operatorId } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { idForNew } from '../../records/input/own-id.ts'
import { ownerKind, refuseUnknownOwner } from '../../records/references/owner.ts'
import { documentAnchor } from '../comment/document-anchor.ts'
import { refuseMerged } from '../merge/merge-chain.ts'
import { isOnDesk, type MessageDirection, updateConversationState } from '../ticket/conversation-state.ts'
import { ticketForMessage } from '../ticket/follow-up.ts'
import { startWatching, watchReason } from '../watch/watch.ts'
import {
  type Annotation,
  type AnnotationValues,
  annotationKind,
  annotationPlace,
  annotations,
  isPublic,
} from './annotation.ts'
import { isAutomatic } from './automatic-message.ts'
import { mentionedUsers, mentionWarnings } from './mentions.ts'
import { refuseBadRecipients } from './recipient-addresses.ts'
import { whyReplyIsLost } from './reply-recipients.ts'
import { ownMessage, refuseBeyondMessage, refuseOtherRecord } from './requester-message.ts'

/** An annotation and the warnings for its author. */
export type AnnotationWithWarnings = Annotation & { warnings: string[] }

/** The values of a new annotation, and its id if the client has made one. */
export type NewAnnotation = Partial<AnnotationValues> & { id?: Id | null }

/**
 * Creates an annotation. Every way to create one (API, mail, rules, macros, chat) ends here, so that checks, mentions,
 * attachments and the state of the ticket are handled once.
 */
export async function createAnnotation(
  ctx: Context,
  { id: own, ...values }: NewAnnotation,
): Promise<AnnotationWithWarnings> {
  const warnings: string[] = []
  const about = await lockSubject(ctx, values)
  const place = await annotationPlace(ctx, about)
  demand(ctx.caller, annotations.permissions.create, place)
  const asStaff = may(ctx.caller, narrowedTo(members, annotations.permissions.create), place)
  const wanted = asStaff ? values : readMessage(ctx, about, values)
  const parent = await findParent(ctx, values.replyToId, about)
  const kind = wanted.kind ?? annotationKind.note
  if (parent && !isPublic(parent.kind) && isPublic(kind)) throw replyNotInternal()
  if (values.authorId && values.authorId.toLowerCase() !== ctx.caller.userId) demand(ctx.caller, backdating, place)
  if (about.itemId !== '' && kind === annotationKind.message && (await isOnDesk(ctx, about.itemId)))
    about.itemId = about.ownerId = await ticketForMessage(ctx, about.itemId, warnings)
  // A mail that arrived names its recipients as its sender wrote them.
  if (ctx.caller.kind !== 'mail') refuseBadRecipients(wanted.mail ?? {}, ['mail'])
  const given = (values.mentions ?? []).map(each => each.toLowerCase())
  const mentions = [...new Set([...given, ...(await mentionedUsers(ctx, values.body ?? ''))])]
  const reply = {
    itemId: about.itemId,
    kind,
    mail: wanted.mail ?? {},
    authorId: values.authorId || authorOf(ctx),
    restrictedTo: wanted.restrictedTo ?? parent?.restrictedTo ?? [],
  }
  const anchor = await documentAnchor(ctx, about, wanted.anchor)
  // What is told afterwards has reached its reader before.
  const lost = ctx.caller.kind === 'import' ? undefined : await whyReplyIsLost(ctx, reply)
  if (lost) warnings.push(lost)
  const id = await idForNew(ctx, own)
  const made = await annotations.create(
    ctx,
    {
      ...wanted,
      ...about,
      ...reply,
      ...(anchor ? { anchor } : {}),
      reachesNobody: lost !== undefined,
      mentions,
      notifiedAt: withoutCaller(ctx, mentions).length > 0 ? ctx.now.toISOString() : null,
    },
    { id, verb: eventVerb(kind) },
  )
  await followText(ctx, made)
  await takeOverAttachments(ctx, made)
  await notifyMentioned(ctx, made, made.mentions)
  if (about.itemId !== '') {
    if (made.authorId) await startWatching(ctx, [about.itemId], [made.authorId], watchReason.commented)
    await updateConversationState(
      ctx,
      about.itemId,
      isAutomatic(ctx.caller.kind, made.mail.headers) ? 'other' : directionOf(made),
    )
    await ctx.sql`delete from annotation_draft where tenant_id = ${ctx.caller.tenantId} and item_id = ${about.itemId} and user_id = ${ctx.caller.userId}`
  }
  return { ...made, warnings: [...warnings, ...(await textWarnings(ctx, made))] }
}

/** Brings in line what follows from a text: its words, and the documents that it links to. */
export async function followText(ctx: Context, annotation: Annotation): Promise<void> {
  await indexAnnotation(ctx, annotation)
  if (annotation.kind !== annotationKind.message) await storeArticleLinks(ctx, annotation)
}

/** Warns the author of what their readers cannot see. */
export async function textWarnings(ctx: Context, annotation: Annotation): Promise<string[]> {
  const { kind, body } = annotation
  const links = isPublic(kind) && kind !== annotationKind.message ? await articleWarnings(ctx, body) : []
  return [...(await mentionWarnings(ctx, annotation)), ...links]
}

/** What the service itself writes, such as the mail of an unknown sender, has no user as its author. */
const authorOf = ({ caller }: Context) => (caller.userId === operatorId ? '' : caller.userId)

type Subject = Pick<AnnotationValues, 'itemId' | 'owner' | 'ownerId'>

/**
 * The record that the annotation is about: an item, by `itemId` or as owner, or another record. Locks an item, so that
 * it is not merged at the same time.
 */
async function lockSubject(ctx: Context, values: Partial<AnnotationValues>): Promise<Subject> {
  const owner = values.owner ?? ownerKind.tenant
  const given = (values.itemId ?? '').toLowerCase()
  const ownerId = (values.ownerId ?? '').toLowerCase()
  if (given === '' && owner === ownerKind.tenant)
    throw new Invalid([fault(['itemId'], 'required', 'is required, or owner and ownerId')])
  if (given !== '' && owner !== ownerKind.tenant && (owner !== ownerKind.item || (ownerId !== '' && ownerId !== given)))
    throw new Invalid([fault(['owner'], 'mismatch', 'is not the item of itemId', owner)])
  const itemId = given || (owner === ownerKind.item ? ownerId : '')
  if (itemId === '') {
    await refuseUnknownOwner(ctx, { owner, ownerId: values.ownerId ?? '' })
    return { itemId: '', owner, ownerId: isId(ownerId) ? ownerId : (values.ownerId ?? '') }
  }
  const [held] = isId(itemId)
    ? await ctx.sql<{ mergedInto: Id | null }>`select t.merged_into as "mergedInto" from item t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${itemId} and not t.deleted and ${items.visible(ctx.caller, raw('t'))} for no key update of t`
    : []
  const path = given === '' ? ['ownerId'] : ['itemId']
  if (!held) throw unknownReferences([{ entity: 'Item', id: itemId, path }])
  await refuseMerged(ctx, held.mergedInto)
  return { itemId, owner: ownerKind.item, ownerId: itemId }
}

/** A requester’s message, or the refusal of what is none. */
function readMessage(
  { caller }: Context,
  about: Subject,
  values: Partial<AnnotationValues>,
): Partial<AnnotationValues> {
  refuseOtherRecord(about)
  refuseBeyondMessage(values, ownMessage(caller))
  return { ...values, ...ownMessage(caller) }
}

async function findParent(
  ctx: Context,
  replyToId: string | null | undefined,
  about: Subject,
): Promise<Annotation | undefined> {
  if (!replyToId) return undefined
  const parent = await annotations.find(ctx, replyToId.toLowerCase())
  if (!parent) throw unknownReferences([{ entity: 'Annotation', id: replyToId, path: ['replyToId'] }])
  if (parent.owner !== about.owner || parent.ownerId !== about.ownerId)
    throw new RuleBroken('reply-elsewhere', 'a reply belongs to the same record as the annotation it replies to', [
      fault(['replyToId'], 'reply-elsewhere', 'belongs to another record', replyToId),
    ])
  return parent
}

export function replyNotInternal(): RuleBroken {
  return new RuleBroken('reply-internal', 'a reply to an internal note stays internal', [
    fault(['kind'], 'reply-internal', 'must be internal, like the annotation it replies to'),
  ])
}

function eventVerb(kind: number): string {
  if (kind === annotationKind.message) return 'requesterReplied'
  return isPublic(kind) ? 'replied' : 'created'
}

export function directionOf({ kind, reachesNobody }: Pick<Annotation, 'kind' | 'reachesNobody'>): MessageDirection {
  if (reachesNobody) return 'other'
  if (kind === annotationKind.message) return 'message'
  return kind === annotationKind.reply || kind === annotationKind.resolution ? 'reply' : 'other'
}

/**
 * Attachments take their visibility from their owner: without this change the file of an internal note would be visible
 * to the requester.
 */
export async function takeOverAttachments(ctx: Context, { id, attachments, itemId }: Annotation): Promise<void> {
  if (attachments.length === 0) return
  const loose = sql`(t.owner = ${ownerKind.tenant} and t.created_by = ${ctx.caller.userId})`
  const ofItem = sql`(t.owner = ${ownerKind.item} and t.owner_id = ${itemId})`
  const where = sql`t.id = any(${attachments}::uuid[]) and (${loose} or ${ofItem})`
  await changeOwner(ctx, { where, owner: ownerKind.annotation, ownerId: id })
}

/** Nobody is notified of mentioning themselves. */
export const withoutCaller = ({ caller }: Context, userIds: readonly Id[]) => userIds.filter(id => id !== caller.userId)

/** Notifies the mentioned users, who watch the item from now on. */
export async function notifyMentioned(ctx: Context, { id, itemId }: Annotation, userIds: readonly Id[]): Promise<void> {
  const notified = withoutCaller(ctx, userIds)
  if (itemId) await startWatching(ctx, [itemId], notified, watchReason.mentioned)
  await appendEvents(
    ctx,
    notified.map(userId => ({
      kind: 'user.mentioned',
      entity: 'Annotation',
      recordId: id,
      changes: { userId: { to: userId }, ...(itemId ? { itemId: { to: itemId } } : {}) },
    })),
  )
}

/** Only the author or a manager of the place may change or delete an annotation. */
export async function demandAuthorOrManager(
  ctx: Context,
  verb: 'update' | 'delete',
  annotation: Annotation,
): Promise<Place> {
  const place = await annotationPlace(ctx, annotation)
  const own = [annotation.authorId, annotation.createdBy].includes(ctx.caller.userId)
  const wanted = annotations.permissions[verb]
  if (!may(ctx.caller, own ? wanted : narrowedTo(managers, wanted), place))
    throw new Forbidden('only the author or a manager may do this')
  return place
}
