import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { bodyOf, operation, type Routes } from '../../../kernel/operation.ts'
import { type Fault, fault, Invalid, NotFound, RuleBroken } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { readWhole } from '../../../kernel/schema/whole-number.ts'
import { documentPermissions, isReader } from '../../visibility.ts'
import { followContent } from '../content-changes.ts'
import { contents } from '../document-content.ts'
import { diffTexts } from './text-diff.ts'
import { type Version, versionAt, versionsOf } from './version-store.ts'

const maxVersion = 2_147_483_647
const number = (description: string): Schema => ({ type: 'integer', minimum: 1, maximum: maxVersion, description })

const described: Schema = {
  type: 'object',
  title: 'DocumentVersion',
  properties: {
    version: number('The first version of the content that belongs to it, and its name.'),
    lastVersion: number('The last version of the content that belongs to it, whose text it has.'),
    savedBy: { type: 'string', format: 'uuid' },
    begun: { type: 'string', format: 'date-time', description: 'The first save.' },
    saved: { type: 'string', format: 'date-time', description: 'The last save.' },
    restoredFrom: { type: ['integer', 'null'], description: 'The version that was restored.' },
    format: { type: 'string' },
    size: { type: 'integer', description: 'The bytes of the text.' },
  },
  required: ['version', 'lastVersion', 'savedBy', 'begun', 'saved', 'restoredFrom', 'format', 'size'],
}
const withText: Schema = {
  ...described,
  title: 'DocumentVersionText',
  properties: { ...described.properties, body: { type: 'string' } },
  required: [...(described.required ?? []), 'body'],
}

const listVersions = operation({
  permission: documentPermissions.read,
  mode: 'read',
  summary: 'List the versions of a document',
  description:
    'The versions of the text, newest first, without the texts. What one author saves within five minutes is one version.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum of versions; the default is 100.' },
    before: number('Only versions before this one.'),
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: described },
    description: 'The versions.',
    headers: ['Link', 'X-Limit'],
  },
  refusals: [404],
  async run(ctx, { params, query, path }) {
    const id = await readable(ctx, params.docId)
    const faults: Fault[] = []
    const limit = readWhole('limit', query.limit, 1, 1000, faults) ?? 100
    const before = readWhole('before', query.before, 1, maxVersion, faults)
    if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
    const found = await versionsOf(ctx, id, { limit: limit + 1, before })
    const page = found.slice(0, limit)
    const next =
      found.length > limit ? `<${path}?limit=${limit}&before=${page.at(-1)?.version}>; rel="next"` : undefined
    return { body: page, headers: { 'x-limit': String(limit), ...(next ? { link: next } : {}) } }
  },
})

const getVersion = operation({
  permission: documentPermissions.read,
  mode: 'read',
  summary: 'Get one version of a document',
  description: 'The version that the given version of the content belongs to, with its text.',
  reply: { status: 200, schema: withText, description: 'The version.' },
  refusals: [404],
  async run(ctx, { params }) {
    const id = await readable(ctx, params.docId)
    const at = params.version ?? ''
    const found = /^[1-9]\d{0,8}$/.test(at) ? await versionAt(ctx, id, Number(at)) : undefined
    if (!found) throw new NotFound('version')
    return { body: found }
  },
})

const diff = operation({
  permission: documentPermissions.read,
  mode: 'read',
  summary: 'Compare two versions of a document',
  description:
    'The differences line by line, with three lines around each. Without `to` the last version is compared, without `from` the one before it.',
  query: { from: number('The older version.'), to: number('The newer version.') },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'DocumentDiff',
      properties: {
        from: { type: 'integer' },
        to: { type: 'integer' },
        exact: {
          type: 'boolean',
          description:
            'False if the texts differ too much to compare in time: then everything between the equal beginning and end counts as changed.',
        },
        hunks: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              oldStart: { type: 'integer' },
              oldLines: { type: 'integer' },
              newStart: { type: 'integer' },
              newLines: { type: 'integer' },
              lines: { type: 'array', items: { type: 'string' }, description: 'Each begins with a space, `-` or `+`.' },
            },
            required: ['oldStart', 'oldLines', 'newStart', 'newLines', 'lines'],
          },
        },
      },
      required: ['from', 'to', 'exact', 'hunks'],
    },
    description: 'The differences.',
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    const id = await readable(ctx, params.docId)
    const faults: Fault[] = []
    const asked = {
      from: readWhole('from', query.from, 1, maxVersion, faults),
      to: readWhole('to', query.to, 1, maxVersion, faults),
    }
    if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
    const to = await versionAt(ctx, id, asked.to)
    if (!to) throw new NotFound('version')
    const from = asked.from === undefined ? await previous(ctx, id, to) : await versionAt(ctx, id, asked.from)
    if (!from) throw new NotFound('version')
    return { body: { from: from.version, to: to.version, ...diffTexts(from.body, to.body) } }
  },
})

/** The version before this one; the first has none, so it is compared with itself. */
async function previous(ctx: Context, id: Id, version: Version): Promise<Version> {
  return (version.version > 1 ? await versionAt(ctx, id, version.version - 1) : undefined) ?? version
}

const restoreVersion = operation({
  permission: documentPermissions.update,
  mode: 'write',
  summary: 'Restore a version of a document',
  description:
    'Writes the text of an older version as a new version; what was written since stays among the versions. `If-Match` is honoured.',
  body: bodyOf(
    Type.Object({ version: Type.Integer({ minimum: 1, maximum: maxVersion }) }, { additionalProperties: false }),
    { version: 1 },
  ),
  reply: { status: 200, schema: contents.schema, description: 'The content.' },
  refusals: [404, 412, 422],
  async run(ctx, { params, body: { version }, expect }) {
    const id = await readable(ctx, params.docId)
    const found = await versionAt(ctx, id, version)
    if (!found)
      throw new RuleBroken('unknown-version', 'the document has no such version', [
        fault(['version'], 'unknown-version', 'is not a version of this document', version),
      ])
    const content = await contents.update(ctx, id, { body: found.body, format: found.format }, { expect })
    await followContent(ctx, content, found.version)
    return { body: content, version: content.version }
  },
})

/** The id of a document whose versions the caller may read: everybody who sees it but requesters, who see the published text. */
async function readable(ctx: Context, docId: string | undefined): Promise<Id> {
  const { id } = await contents.get(ctx, docId ?? '')
  if (!isReader(ctx.caller)) throw new NotFound()
  return id
}

export const routes: Routes = {
  'GET /docs/content/:docId/versions': listVersions,
  'GET /docs/content/:docId/versions/:version': getVersion,
  'GET /docs/content/:docId/diff': diff,
  'POST /docs/content/:docId/restore': restoreVersion,
}
