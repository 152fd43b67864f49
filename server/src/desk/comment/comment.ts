import { documents, versionAt } from '../../documents/document/document.ts'
import { demand } from '../../kernel/access.ts'
import { isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { type Annotation, annotations } from '../annotation/annotation.ts'
import { placeOf } from './document-anchor.ts'

const most = 1000

const place = {
  type: ['object', 'null'],
  description: 'Where the passage is in the present text; null if it is gone, or if the comment has no anchor.',
  properties: { from: { type: 'integer' }, to: { type: 'integer' } },
  required: ['from', 'to'],
}

/** The comments on a document, each with the place of its passage in the text as it is now. */
const documentComments = operation({
  permission: documents.permissions.read,
  mode: 'read',
  summary: 'List the comments on a document',
  description:
    'The annotations on a document that the caller may read, oldest first, and where the passage that each is about is in the present text: at the occurrence of its `quote` that is nearest to where it was. Comments are written, answered and resolved as annotations with `owner` 10.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: most, description: 'The maximum of comments; the default is 1000.' },
    after: { type: 'string', format: 'uuid', description: 'Only comments after this one.' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        ...annotations.schema,
        title: 'DocumentComment',
        properties: { ...annotations.schema.properties, place },
        required: [...(annotations.schema.required ?? []), 'place'],
      },
    },
    description: 'The comments.',
    headers: ['Link', 'X-Limit'],
  },
  refusals: [404],
  async run(ctx, { params, query, path }) {
    demand(ctx.caller, annotations.permissions.read) // a key may be for documents alone
    const { limit, after } = readQuery(query)
    const { id } = await documents.get(ctx, params.id ?? '')
    const t = raw('t')
    const rows = await ctx.sql<{ json: string }>`select ${await annotations.jsonFor(ctx, t)} as json from annotation t
      where t.tenant_id = ${ctx.caller.tenantId} and t.item_id is null and t.owner = ${ownerKind.document} and t.owner_id = ${id} and not t.deleted
        and ${after ? sql`t.id > ${after}` : raw('true')} and ${annotations.visible(ctx.caller, t)} order by t.id limit ${limit + 1}`
    const found = rows.slice(0, limit).map(({ json }): Annotation => JSON.parse(json))
    const text = found.some(isAnchored) ? (await versionAt(ctx, id))?.body : undefined
    const next = rows.length > limit ? `<${path}?limit=${limit}&after=${found.at(-1)?.id}>; rel="next"` : undefined
    return {
      body: found.map(each => ({ ...each, place: (isAnchored(each) && placeOf(each.anchor, text ?? '')) || null })),
      headers: { 'x-limit': String(limit), ...(next ? { link: next } : {}) },
    }
  },
})

const isAnchored = ({ anchor }: Annotation) => anchor.from !== undefined

function readQuery(query: Record<string, unknown>): { limit: number; after: string | undefined } {
  const faults: Fault[] = []
  const limit = readWhole('limit', query.limit, 1, most, faults) ?? most
  const after = query.after === undefined ? undefined : String(query.after).toLowerCase()
  if (after !== undefined && !isId(after)) faults.push(fault(['after'], 'uuid', 'must be an id', query.after))
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  return { limit, after }
}

export const routes: Routes = { 'GET /docs/doc/:id/comments': documentComments }
