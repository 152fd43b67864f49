import { Type } from 'typebox'
import { ownerVisible } from '../../documents/visibility.ts'
import { seesEverything, visibleWork } from '../../identity/visibility.ts'
import { placeColumns, visibleItems } from '../../items/item/item.ts'
import { type Caller, contributors, everyone, type Role, staff } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { instantText } from '../../kernel/record/columns.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Count, Instant, LongText, Part, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { isThere } from '../../records/references/is-there.ts'
import { ownerKind, owners } from '../../records/references/owner.ts'
import { channel, channels } from '../channel.ts'
import { type ReactionTable, reactionsProperty } from '../reaction.ts'

export { isAutomatic } from './automatic-message.ts'
export { htmlOf } from './render-html.ts'

export const annotationKind = {
  note: 0,
  reply: 1,
  message: 2,
  system: 3,
  decision: 4,
  resolution: 5,
  update: 6,
} as const
export const annotationKinds = codeTableOfCodes('annotation.kind', annotationKind)

/** The kinds that requesters may read. Every other kind, including unknown codes, is for staff only. */
const publicKinds: readonly number[] = [
  annotationKind.reply,
  annotationKind.message,
  annotationKind.resolution,
  annotationKind.update,
]

export const isPublic = (kind: number) => publicKinds.includes(kind)

export const bodyFormats = ['markdown', 'html', 'text'] as const

/** Whoever writes a recipient writes an address; a mail that arrived names them as its sender did, and can be sent back. */
const addresses = Type.Array(Text(254), {
  maxItems: 100,
  description: 'E-mail addresses, one in each text; those of a mail that arrived are as its sender wrote them.',
})

const shape = {
  itemId: Ref('Item'),
  owner: Code(owners),
  ownerId: Text(100),
  kind: Code(annotationKinds, {
    description:
      '0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. 1, 2, 5 and 6 are public.',
  }),
  body: LongText(100_000),
  bodyFormat: Type.String({ enum: [...bodyFormats], default: 'markdown' }),
  authorId: Ref('User'),
  via: Code(channels, {
    default: channel.api,
    description: '0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social.',
  }),
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
    to: addresses,
    cc: addresses,
    headers: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  }),
  timeId: Ref('Time'),
  anchor: Part({ from: Count(), to: Count(), quote: Text(2000), version: Count() }),
  mergedFrom: Ref('Item'),
  reachesNobody: Type.Boolean({
    description: 'A public reply on a ticket that no mail carries and no requester reads; it is no response.',
  }),
}

export type AnnotationValues = Values<typeof shape>
export type Annotation = Stored<typeof shape>

/** The table of reactions to annotations. */
export const reactionTable: ReactionTable = { table: 'annotation_reaction', column: 'annotation_id' }

/** An annotation: a note, reply or message about an item, a document or another record. */
export const annotations = resource('Annotation', {
  about:
    'A text about an item, a document or another record: an internal note, a reply, a requester’s message or a decision.',
  shape,
  required: ['body'],
  serverSet: ['pinned', 'resolvedAt', 'notifiedAt', 'mergedFrom', 'reachesNobody'],
  may: { read: everyone, create: contributors, update: contributors, delete: contributors },
  placed: true,
  visible: visibleAnnotations,
  // The history of a published note holds what it said as an internal note, which requesters must not read.
  historyVisible: visibleToStaff,
  check: refuseEmpty,
  example: {
    itemId: '01890000-0000-7000-8000-000000000000',
    kind: annotationKind.reply,
    body: 'We have found the cable.',
  },
  derived: {
    reactions: reactionsProperty(reactionTable),
    edited: {
      schema: {
        type: 'array',
        description: 'The earlier versions, without their texts.',
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
        from annotation_version v where v.tenant_id = ${ownTenant} and v.annotation_id = ${a}.id)`,
    },
  },
})

function refuseEmpty(_ctx: Context, { body, attachments }: AnnotationValues): void {
  if (body.trim() !== '' || attachments.length > 0) return
  throw new RuleBroken('annotation-empty', 'an annotation needs a text or an attachment', [
    fault(['body'], 'annotation-empty', 'must not be blank without attachments'),
  ])
}

/** The one condition of visibility for lists, single annotations, conversations, search and event streams. */
export function visibleAnnotations(caller: Caller, a: Sql, ownerSeen?: Sql): Sql {
  return visibleIfOpen(caller, a, sql`(${isPublicKind(a)} and not ${a}.deleted)`, ownerSeen)
}

/** The same condition for annotations of items only, which gives PostgreSQL a simpler plan. */
export function visibleOnItems(caller: Caller, a: Sql): Sql {
  return and([
    sql`exists (select 1 ${seenItem(caller, a, sql`(${isPublicKind(a)} and not ${a}.deleted)`)})`,
    allowedByRestriction(caller, a),
  ])
}

/** The same condition for a conversation, in which deleted annotations are listed as tombstones. */
export function visibleWithTombstones(caller: Caller, a: Sql): Sql {
  return and([sql`exists (select 1 ${seenItem(caller, a, isPublicKind(a))})`, allowedByRestriction(caller, a)])
}

/** What only staff see: the history of an annotation. */
export function visibleToStaff(caller: Caller, a: Sql): Sql {
  return visibleIfOpen(caller, a, raw('false'))
}

/** Whoever sees the record sees its annotations that are `open`; staff at the record’s place see all of them. */
function visibleIfOpen(caller: Caller, a: Sql, open: Sql, ownerSeen?: Sql): Sql {
  const at = { owner: sql`${a}.owner`, ownerId: sql`${a}.owner_id` }
  const ofOther = and([
    ownerSeen ?? ownerVisible(caller, at, { without: ['Item'] }),
    or([open, isStaffAtOwner(caller, a)]),
  ])
  return and([
    sql`(case when ${a}.item_id is not null then ${isThere(seenItem(caller, a, open))} else ${ofOther} end)`,
    allowedByRestriction(caller, a),
  ])
}

/** The item of an annotation, if the caller sees both. */
function seenItem(caller: Caller, a: Sql, open: Sql): Sql {
  const i = raw('about')
  return sql`from item ${i} where ${i}.tenant_id = ${caller.tenantId} and ${i}.id = ${a}.item_id and not ${i}.deleted
    and ${visibleItems(caller, i)} and (${open} or ${isStaffAtItem(caller, i)})`
}

/** An annotation that is restricted to groups is visible to their members, its author and admins. */
function allowedByRestriction({ authority, userId }: Caller, a: Sql): Sql {
  if (seesEverything(authority)) return raw('true')
  return sql`(${a}.restricted_to = '{}' or ${a}.created_by = ${userId} or ${a}.restricted_to && ${authority.groups}::uuid[])`
}

/** Whether the caller is staff where the item is, rather than just its requester. */
export function isStaffAtItem(caller: Caller, i: Sql): Sql {
  return visibleWork(caller, i, { ...placeColumns(i), own: raw('false') })
}

/** The same for other records: staff of the container or the area, or of the tenant if the record is in neither. */
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

/** The place where permissions for an annotation are checked: that of its item. */
export async function annotationPlace(
  ctx: Context,
  { itemId, owner, ownerId }: Pick<Annotation, 'itemId' | 'owner' | 'ownerId'>,
): Promise<Place> {
  if (itemId === '')
    return owner === ownerKind.container
      ? { containerId: ownerId }
      : owner === ownerKind.area
        ? { areaId: ownerId }
        : {}
  const [item] =
    await ctx.sql<Place>`select container_id as "containerId", area_id as "areaId" from item where tenant_id = ${ctx.caller.tenantId} and id = ${itemId}`
  return item ?? {}
}
