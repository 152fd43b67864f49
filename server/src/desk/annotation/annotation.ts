import { Type } from 'typebox'
import { ownerVisible } from '../../documents/visibility.ts'
import { seesEverything, visibleWork } from '../../identity/visibility.ts'
import { placeColumns, visibleItems } from '../../items/item/item.ts'
import { type Caller, contributors, everyone, type Role, staff } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import { instantText } from '../../kernel/columns.ts'
import type { Context } from '../../kernel/context.ts'
import type { Stored, Values } from '../../kernel/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/shape.ts'
import { and, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, Count, Instant, LongText, Part, Ref, Refs, Text, Texts } from '../../kernel/values.ts'
import { type ReactionTable, reactionsProperty } from '../reaction.ts'

export { isAutomatic } from './automatic-message.ts'
export { htmlOf } from './render-html.ts'

/** 0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. */
export const annotationKind = {
  note: 0,
  reply: 1,
  message: 2,
  system: 3,
  decision: 4,
  resolution: 5,
  update: 6,
} as const

/** What requesters may read. Whatever is not here, and any code that means nothing yet, is for staff alone. */
const publicKinds: readonly number[] = [
  annotationKind.reply,
  annotationKind.message,
  annotationKind.resolution,
  annotationKind.update,
]

export const isPublic = (kind: number) => publicKinds.includes(kind)

export const bodyFormats = ['markdown', 'html', 'text'] as const

const shape = {
  itemId: Ref('Item'),
  owner: Code(),
  ownerId: Text(100),
  kind: Code({
    description:
      '0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. 1, 2, 5 and 6 are public.',
  }),
  body: LongText(100_000),
  bodyFormat: Type.String({ enum: [...bodyFormats], default: 'markdown' }),
  authorId: Ref('User'),
  via: Code({ default: 4, description: '0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social.' }),
  replyToId: Ref('Annotation'),
  restrictedTo: Refs('UserGroup', 100),
  attachments: Refs('File', 50),
  mentions: Refs('User', 50),
  pinned: Type.Boolean(),
  resolvedAt: Instant,
  notifiedAt: Instant,
  mail: Part({
    messageId: Text(998),
    inReplyTo: Text(998),
    to: Texts(100, 254),
    cc: Texts(100, 254),
    headers: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  }),
  timeId: Ref('Time'),
  anchor: Part({ from: Count(), to: Count(), quote: Text(2000), version: Count() }),
  mergedFrom: Ref('Item'),
}

export type AnnotationValues = Values<typeof shape>
export type Annotation = Stored<typeof shape>

/** Where the reactions to annotations are stored. */
export const reactionTable: ReactionTable = { table: 'annotation_reaction', column: 'annotation_id' }

/** What somebody said about an item, a document or another record. */
export const annotations = resource('Annotation', {
  about:
    'What somebody said about an item, a document or another record: a note among staff, a reply, a message of the requester, a decision.',
  shape,
  required: ['body'],
  serverSet: ['pinned', 'resolvedAt', 'notifiedAt', 'mergedFrom'],
  may: { read: everyone, create: contributors, update: contributors, delete: contributors },
  placed: true,
  visible: visibleAnnotations,
  // What a note said before it was made public is not the requester’s.
  historyVisible: visibleToStaff,
  check: refuseEmpty,
  example: { itemId: '01890000-0000-7000-8000-000000000000', kind: 1, body: 'We have found the cable.' },
  derived: {
    reactions: reactionsProperty(reactionTable),
    edited: {
      schema: {
        type: 'array',
        description: 'The texts that it had before, without the texts.',
        items: {
          type: 'object',
          properties: {
            version: { type: 'integer' },
            at: { type: 'string', format: 'date-time' },
            by: { type: 'string' },
          },
          required: ['version', 'at', 'by'],
        },
      } satisfies Schema,
      value:
        a => sql`(select coalesce(json_agg(json_build_object('version', v.version, 'at', ${instantText(sql`v.at`)}, 'by', v.by) order by v.version), '[]')
        from annotation_version v where v.tenant_id = ${a}.tenant_id and v.annotation_id = ${a}.id)`,
    },
  },
})

function refuseEmpty(_ctx: Context, { body, attachments }: AnnotationValues): void {
  if (body.trim() !== '' || attachments.length > 0) return
  throw new RuleBroken('annotation-empty', 'an annotation says something, or brings a file', [
    fault(['body'], 'annotation-empty', 'must not be blank without attachments'),
  ])
}

/** One condition for lists, single annotations, conversations, search and whoever listens. */
export function visibleAnnotations(caller: Caller, a: Sql): Sql {
  return visibleIfOpen(caller, a, sql`(${isPublicKind(a)} and not ${a}.deleted)`)
}

/** The same for what was said about items alone: where that is all, the rest need not be planned. */
export function visibleOnItems(caller: Caller, a: Sql): Sql {
  return and([
    visibleOnItem(caller, a, sql`(${isPublicKind(a)} and not ${a}.deleted)`),
    allowedByRestriction(caller, a),
  ])
}

/** The same for what was said about items, in a stream in which what was taken back has left its place. */
export function visibleWithTombstones(caller: Caller, a: Sql): Sql {
  return and([visibleOnItem(caller, a, isPublicKind(a)), allowedByRestriction(caller, a)])
}

/** What staff alone see: how a text came about, and what it said before. */
export function visibleToStaff(caller: Caller, a: Sql): Sql {
  return visibleIfOpen(caller, a, raw('false'))
}

/** Whoever sees what it is about sees it if it is `open`; staff at that place see the rest, too. */
function visibleIfOpen(caller: Caller, a: Sql, open: Sql): Sql {
  const at = { owner: sql`${a}.owner`, ownerId: sql`${a}.owner_id` }
  const ofOther = and([
    ownerVisible(caller, at, { without: ['Item', 'Annotation', 'ChatRoom'] }),
    or([open, isStaffAtOwner(caller, a)]),
  ])
  return and([
    sql`(case when ${a}.item_id is not null then ${visibleOnItem(caller, a, open)} else ${ofOther} end)`,
    allowedByRestriction(caller, a),
  ])
}

function visibleOnItem(caller: Caller, a: Sql, open: Sql): Sql {
  const i = raw('about')
  return sql`exists (select 1 from item ${i} where ${i}.tenant_id = ${caller.tenantId} and ${i}.id = ${a}.item_id and not ${i}.deleted
    and ${visibleItems(caller, i)} and (${open} or ${isStaffAtItem(caller, i)}))`
}

/** Where it is for certain groups: those, who wrote it, and admins. */
function allowedByRestriction({ authority, userId }: Caller, a: Sql): Sql {
  if (seesEverything(authority)) return raw('true')
  return sql`(${a}.restricted_to = '{}' or ${a}.created_by = ${userId} or ${a}.restricted_to && ${authority.groups}::uuid[])`
}

/** Whether the caller is staff where the item lies, and not merely its requester. */
export function isStaffAtItem(caller: Caller, i: Sql): Sql {
  return visibleWork(caller, i, { ...placeColumns(i), own: raw('false') })
}

/** The same where it is about something else: staff of the container or the area, or of any, if it lies in none. */
function isStaffAtOwner({ authority }: Caller, a: Sql): Sql {
  const isStaff = (held: ReadonlySet<Role>) => staff.some(role => held.has(role))
  if (authority.superAdmin || isStaff(authority.tenant)) return raw('true')
  const reach = [authority.places.container, authority.places.area].map(places =>
    [...places].filter(([, held]) => isStaff(held)).map(([id]) => id),
  )
  return sql`(case ${a}.owner when 1 then ${a}.owner_id = any(${reach[0]}::text[]) when 2 then ${a}.owner_id = any(${reach[1]}::text[]) else ${reach.flat().length > 0}::boolean end)`
}

function isPublicKind(a: Sql): Sql {
  return or(publicKinds.map(kind => sql`${a}.kind = ${raw(String(kind))}`))
}

/** Where rights on an annotation are held: where its item lies. */
export async function annotationPlace(
  ctx: Context,
  { itemId, owner, ownerId }: Pick<Annotation, 'itemId' | 'owner' | 'ownerId'>,
): Promise<Place> {
  if (itemId === '') return owner === 1 ? { containerId: ownerId } : owner === 2 ? { areaId: ownerId } : {}
  const [item] =
    await ctx.sql<Place>`select container_id as "containerId", area_id as "areaId" from item where tenant_id = ${ctx.caller.tenantId} and id = ${itemId}`
  return item ?? {}
}
