import { type Static, Type } from 'typebox'
import { members, narrowedTo, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, idOf, list, remove, restore } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { withOwnId } from '../../records/input/own-id.ts'
import { reactionOperations } from '../reaction.ts'
import { type Annotation, type AnnotationValues, annotations, reactionTable, visibleToStaff } from './annotation.ts'
import { conversation } from './conversation.ts'
import { createAnnotation, type NewAnnotation } from './create-annotation.ts'
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
      description:
        'Mentioned users who cannot read the annotation, the follow-up ticket if the annotation was stored there, that nobody gets a public reply, and documents that it links to and that its readers cannot open.',
    },
  },
}

const ignored = [...annotations.serverSet, 'reactions', 'edited', 'warnings', 'bodyHtml']
type Body = Partial<AnnotationValues>
const createSchema = withOwnId(annotations.createSchema)

const create = operation<NewAnnotation>({
  permission: annotations.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Create an annotation',
  description:
    'Adds an annotation to an item or another record: an internal note (kind 0), a public reply (1), a decision (4) and so on. An annotation by a requester is a requester’s message (2): other kinds, readers and recipients are refused with 403 `requester-message`. A reply to an internal note must be internal. `@name`, `@[Full Name]` and `@[id]` in the text mention users. On a closed ticket, a requester’s message reopens the ticket if it was closed recently; otherwise the message is stored in a follow-up ticket.',
  body: {
    schema: createSchema,
    read: reader<NewAnnotation>(createSchema, { ignored }),
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
    'Only the author or a manager may edit an annotation. Earlier versions are kept. The kind cannot be changed here (422 `kind-fixed`): `publish` makes a note public.',
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

/** The earlier versions are for staff only: a published note may have said something internal before. */
async function demandStaff(ctx: Context, id: Id): Promise<void> {
  const [row] = isId(id)
    ? await ctx.sql`select 1 from annotation a where a.tenant_id = ${ctx.caller.tenantId} and a.id = ${id} and ${visibleToStaff(ctx.caller, raw('a'))}`
    : []
  if (!row) throw new NotFound()
}

const readByStaff = narrowedTo(staff, annotations.permissions.read)
const staffHistory: Operation = { ...history(annotations), permission: readByStaff }

const versions = operation({
  permission: readByStaff,
  placed: true,
  mode: 'read',
  summary: 'List the versions of an annotation',
  description: 'All versions of the text; the last one is current. For staff only.',
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
    description: 'The versions, oldest first.',
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
  permission: narrowedTo(members, annotations.permissions.update),
  placed: true,
  mode: 'write',
  summary: 'Make an internal note public',
  description:
    'The note becomes a public reply. This needs `confirm: true`, is limited to the author or a manager, and is possible for one day, unless somebody was notified of the note before.',
  body: {
    schema: confirmation,
    read: reader(confirmation),
    example: { confirm: true },
  },
  reply: { status: 200, schema: withWarnings, description: 'The public reply.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    return answer(await publishNote(ctx, params.id ?? '', body.confirm))
  },
})

const answer = (annotation: Annotation): Reply => ({ body: annotation, version: annotation.version })

/** An operation that sets or clears a mark of an annotation. */
function markOperation(
  summary: string,
  description: string,
  values: (ctx: Context) => Parameters<typeof setMark>[2],
): Operation {
  return operation({
    permission: narrowedTo(members, annotations.permissions.update),
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
  'GET /annotation': withHtml(list(annotations, { known: ['render'] })),
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
    'Shows the annotation at the top. Repeating the request changes nothing.',
    () => ({
      pinned: true,
    }),
  ),
  'POST /annotation/:id/unpin': markOperation('Unpin an annotation', 'Removes the pin of the annotation.', () => ({
    pinned: false,
  })),
  'POST /annotation/:id/resolve': markOperation(
    'Resolve a thread',
    'Marks the thread as resolved and sets `resolvedAt`.',
    ctx => ({ resolvedAt: ctx.now.toISOString() }),
  ),
  'POST /annotation/:id/unresolve': markOperation('Reopen a thread', 'Marks the thread as not resolved.', () => ({
    resolvedAt: null,
  })),
  'PUT /annotation/:id/reaction/:emoji': react,
  'DELETE /annotation/:id/reaction/:emoji': unreact,
  'GET /item/:id/annotations': conversation,
  'GET /item/:id/draft': readDraft,
  'PUT /item/:id/draft': saveDraft,
  'DELETE /item/:id/draft': deleteDraft,
}
