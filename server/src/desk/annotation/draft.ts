import { type Static, Type } from 'typebox'
import { items } from '../../items/item/item.ts'
import { contributors, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { LongText } from '../../kernel/schema/values.ts'
import { sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { annotationKind, annotationKinds, annotations, bodyFormats } from './annotation.ts'

// A draft is what a user has begun to write about an item. It is stored, so that closing a browser loses nothing, and
// only its author sees it.

const body = Type.Object(
  {
    kind: Type.Optional(Code(annotationKinds)),
    body: Type.Optional(LongText(100_000)),
    bodyFormat: Type.Optional(Type.String({ enum: [...bodyFormats] })),
  },
  { additionalProperties: false },
)
type Draft = Static<typeof body>

const schema: Schema = {
  type: 'object',
  title: 'AnnotationDraft',
  properties: {
    itemId: { type: 'string' },
    kind: Code(annotationKinds),
    body: { type: 'string' },
    bodyFormat: { type: 'string' },
    updated: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the draft was last saved; null if there is none.',
    },
  },
  required: ['itemId', 'kind', 'body', 'bodyFormat', 'updated'],
}

/** Whoever may create annotations may have drafts. */
const draftPermission = narrowedTo(contributors, annotations.permissions.create)

async function draftOf(ctx: Context, itemId: Id) {
  const [row] =
    await ctx.sql`select d.item_id as "itemId", d.kind, d.body, d.body_format as "bodyFormat", ${instantText(sql`d.updated`)} as updated from annotation_draft d
    where d.tenant_id = ${ctx.caller.tenantId} and d.item_id = ${itemId} and d.user_id = ${ctx.caller.userId}`
  return row ?? { itemId, kind: annotationKind.note, body: '', bodyFormat: 'markdown', updated: null }
}

export const readDraft = operation({
  permission: draftPermission,
  placed: true,
  mode: 'read',
  summary: 'Get the caller’s draft',
  description: 'The caller’s draft about this item, or an empty one if there is none. Nobody else can read it.',
  reply: { status: 200, schema, description: 'The draft.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await items.get(ctx, params.id ?? '')
    return { body: await draftOf(ctx, id) }
  },
})

export const saveDraft = operation<Draft>({
  permission: draftPermission,
  placed: true,
  mode: 'write',
  summary: 'Save the caller’s draft',
  description: 'There is one draft per user and item. It is deleted when the user posts an annotation about the item.',
  body: {
    schema: body,
    read: reader<Draft>(body, { ignored: ['itemId'] }),
    example: { body: 'We have fo' },
  },
  reply: { status: 200, schema, description: 'The saved draft.' },
  refusals: [404],
  async run(ctx, { params, body: given }) {
    const { id } = await items.get(ctx, params.id ?? '')
    await ctx.sql`insert into annotation_draft (tenant_id, item_id, user_id, updated, kind, body, body_format)
      values (${ctx.caller.tenantId}, ${id}, ${ctx.caller.userId}, ${ctx.now}, ${given.kind ?? 0}, ${given.body ?? ''}, ${given.bodyFormat ?? 'markdown'})
      on conflict (tenant_id, item_id, user_id) do update set updated = excluded.updated, kind = excluded.kind, body = excluded.body, body_format = excluded.body_format`
    return { body: await draftOf(ctx, id) }
  },
})

export const deleteDraft = operation({
  permission: draftPermission,
  placed: true,
  mode: 'write',
  summary: 'Delete the caller’s draft',
  description: 'Deletes the caller’s draft about this item. Succeeds also if there is none.',
  reply: { status: 204, description: 'There is no draft.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await items.get(ctx, params.id ?? '')
    await ctx.sql`delete from annotation_draft where tenant_id = ${ctx.caller.tenantId} and item_id = ${id} and user_id = ${ctx.caller.userId}`
    return {}
  },
})
