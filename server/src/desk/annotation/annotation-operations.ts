import { type Static, Type } from 'typebox'
import { members, staff } from '../../kernel/access.ts'
import { instantText } from '../../kernel/columns.ts'
import type { Context } from '../../kernel/context.ts'
import { get, history, idOf, list, remove, restore } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { reactionOperations } from '../reaction.ts'
import { type Annotation, type AnnotationValues, annotations, reactionTable, visibleToStaff } from './annotation.ts'
import { conversation } from './conversation.ts'
import { createAnnotation } from './create-annotation.ts'
import { deleteDraft, readDraft, saveDraft } from './draft.ts'
import { rendered, renderQuery } from './render-html.ts'
import { publishNote, removeAnnotation, restoreAnnotation, setMark, updateAnnotation } from './update-annotation.ts'

const annotationSchema = annotations.schema

const withWarnings: Schema = {
  ...annotationSchema,
  properties: {
    ...annotationSchema.properties,
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Who was mentioned and cannot read it; where it went instead.',
    },
  },
}

const ignored = [...annotations.serverSet, 'reactions', 'edited', 'warnings', 'bodyHtml']
type Body = Partial<AnnotationValues>

const create = operation<Body>({
  permission: annotations.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Say something about an item or another record',
  description:
    'A note among staff (kind 0), a public reply (1), a decision (4) …; what requesters say is always their message (2). A reply to an internal note stays internal. `@name`, `@[Full Name]` and `@[id]` in the text mention people. On a ticket, a message of the requester opens what was closed lately, or goes into a ticket that follows it.',
  body: {
    schema: annotations.createSchema,
    read: reader<Body>(annotations.createSchema, { ignored }),
    example: annotations.example,
  },
  reply: { status: 201, schema: withWarnings, description: 'The annotation.' },
  refusals: [422],
  async run(ctx, input) {
    const said = await createAnnotation(ctx, input.body)
    return { body: said, version: said.version, headers: { location: `${input.path}/${said.id}` } }
  },
})

const update = operation<Body>({
  permission: annotations.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Edit an annotation',
  description:
    'By who wrote it, or a manager. What it said before is kept. Its kind does not change here (422 `kind-fixed`): a note is made public by `publish`.',
  body: {
    schema: annotations.updateSchema,
    read: reader<Body>(annotations.updateSchema, { ignored }),
    example: { body: 'We have found the cable, and plugged it in.' },
  },
  reply: { status: 200, schema: withWarnings, description: 'The annotation as it is now.' },
  refusals: [404, 412, 422],
  async run(ctx, input) {
    const said = await updateAnnotation(ctx, idOf(input), input.body, { expect: input.expect })
    return { body: said, version: said.version }
  },
})

function withHtml(stock: Operation): Operation {
  return {
    ...stock,
    query: { ...stock.query, ...renderQuery },
    run: async (ctx, input) => rendered(await stock.run(ctx, input), input.query),
  }
}

/** For staff: what a note said before it was made public is not the requester’s. */
async function demandStaff(ctx: Context, id: Id): Promise<void> {
  const [row] = isId(id)
    ? await ctx.sql`select 1 from annotation a where a.tenant_id = ${ctx.caller.tenantId} and a.id = ${id} and ${visibleToStaff(ctx.caller, raw('a'))}`
    : []
  if (!row) throw new NotFound()
}

const readByStaff = { ...annotations.permissions.read, roles: staff }
const staffHistory: Operation = { ...history(annotations), permission: readByStaff }

const versions = operation({
  permission: readByStaff,
  placed: true,
  mode: 'read',
  summary: 'All texts of an annotation',
  description: 'What it said, version by version; the last is what it says now. For staff.',
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          version: { type: 'integer' },
          at: { type: 'string', format: 'date-time' },
          by: { type: 'string' },
          body: { type: 'string' },
          bodyFormat: { type: 'string' },
        },
        required: ['version', 'at', 'by', 'body', 'bodyFormat'],
      },
    },
    description: 'The texts, oldest first.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const id = params.id ?? ''
    await demandStaff(ctx, id)
    const body = await ctx.sql`
      select v.version, ${instantText(sql`v.at`)} as at, v.by, v.body, v.body_format as "bodyFormat" from annotation_version v
      where v.tenant_id = ${ctx.caller.tenantId} and v.annotation_id = ${id}
      union all
      select a.version, ${instantText(sql`a.updated`)}, a.updated_by, a.body, a.body_format from annotation a
      where a.tenant_id = ${ctx.caller.tenantId} and a.id = ${id} and not a.deleted
      order by 1`
    return { body }
  },
})

const confirmation = Type.Object({ confirm: Type.Boolean() }, { additionalProperties: false })

const publishOperation = operation<Static<typeof confirmation>>({
  permission: { ...annotations.permissions.update, roles: members },
  placed: true,
  mode: 'write',
  summary: 'Make an internal note public',
  description:
    'The note becomes a public reply. Only with `confirm: true`, by who wrote it or a manager, within a day, and not once people were told of it as a note.',
  body: {
    schema: confirmation,
    read: reader(confirmation),
    example: { confirm: true },
  },
  reply: { status: 200, schema: annotationSchema, description: 'The public reply.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    return answer(await publishNote(ctx, params.id ?? '', body.confirm))
  },
})

const answer = (annotation: Annotation): Reply => ({ body: annotation, version: annotation.version })

/** Marks that staff put on what others said, and take off again. */
function markOperation(
  summary: string,
  description: string,
  values: (ctx: Context) => Parameters<typeof setMark>[2],
): Operation {
  return operation({
    permission: { ...annotations.permissions.update, roles: members },
    placed: true,
    mode: 'write',
    summary,
    description,
    reply: { status: 200, schema: annotationSchema, description: 'The annotation as it is now.' },
    refusals: [404],
    async run(ctx, { params }) {
      return answer(await setMark(ctx, params.id ?? '', values(ctx)))
    },
  })
}

const { react, unreact } = reactionOperations({
  ...reactionTable,
  entity: 'Annotation',
  noun: 'annotation',
  permission: annotations.permissions.create,
  schema: annotationSchema,
  events: { added: 'annotation.reacted', removed: 'annotation.unreacted' },
  async lock(ctx, params) {
    const { id } = await annotations.get(ctx, params.id ?? '', { lock: true })
    return { id, context: {} }
  },
  read: annotations.get,
})

export const routes: Routes = {
  'GET /annotation': withHtml(list(annotations)),
  'POST /annotation': create,
  'PUT /annotation': update,
  'GET /annotation/:id': withHtml(get(annotations)),
  'PUT /annotation/:id': update,
  'PATCH /annotation/:id': update,
  'DELETE /annotation/:id': remove(annotations, removeAnnotation),
  'POST /annotation/:id/restore': restore(annotations, restoreAnnotation),
  'GET /annotation/:id/history': staffHistory,
  'GET /annotation/:id/versions': versions,
  'POST /annotation/:id/publish': publishOperation,
  'POST /annotation/:id/pin': markOperation(
    'Pin an annotation',
    'Puts it on top; doing it again changes nothing.',
    () => ({
      pinned: true,
    }),
  ),
  'POST /annotation/:id/unpin': markOperation('Unpin an annotation', 'Takes it from the top.', () => ({
    pinned: false,
  })),
  'POST /annotation/:id/resolve': markOperation(
    'Settle a thread',
    'What was asked here is answered; `resolvedAt` says since when.',
    ctx => ({ resolvedAt: ctx.now.toISOString() }),
  ),
  'POST /annotation/:id/unresolve': markOperation('Unsettle a thread', 'What was asked here is open again.', () => ({
    resolvedAt: null,
  })),
  'PUT /annotation/:id/reaction/:emoji': react,
  'DELETE /annotation/:id/reaction/:emoji': unreact,
  'GET /item/:id/annotations': conversation,
  'GET /item/:id/draft': readDraft,
  'PUT /item/:id/draft': saveDraft,
  'DELETE /item/:id/draft': deleteDraft,
}
