import { readFileSync } from 'node:fs'
import { type Field, fields } from '../../containers/field/field.ts'
import { everyone, maySomewhere, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { allKinds, kindNamed } from '../../kernel/kinds.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import type { CodeTable } from '../../records/code-table.ts'
import { configMe } from './config-me.ts'
import { eventKinds } from './event-kinds.ts'
import { sessionState } from './session-state.ts'

const read = permission('meta.read', everyone)

const text: Schema = { type: 'string' }
const nullableCode: Schema = { type: ['integer', 'null'] }

function listOf(properties: Record<string, Schema>): Schema {
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } }
}

/** The release in which the first codes were published. */
const first = '0.1.0'

/** Publishes the code tables of all rooms. They are collected when somebody asks for them first. */
function codesOperation(codeTables: () => readonly CodeTable[]) {
  let published: readonly CodeTable[] | undefined
  return operation({
    permission: read,
    mode: 'read',
    summary: 'List the code tables',
    description:
      'Every code table as data, from the tables that the service itself uses. A code never changes its meaning; from `from` on, codes are plain numbers without a name.',
    query: { field: { type: 'string', description: 'Only this table.' } },
    reply: {
      status: 200,
      schema: listOf({
        field: text,
        code: { type: 'integer' },
        name: text,
        label: text,
        since: text,
        from: { type: 'boolean' },
      }),
      description: 'The codes, table by table.',
    },
    async run(_ctx, { query }) {
      published ??= codeTables()
      const wanted = published.filter(({ field }) => query.field === undefined || field === query.field)
      const rows = wanted.flatMap(({ field, meanings, from }) => [
        ...meanings.map(each => ({ field, ...each, since: first, from: false })),
        ...(from ? [{ field, ...from, since: first, from: true }] : []),
      ])
      return { body: rows }
    },
  })
}

const events = operation({
  permission: read,
  mode: 'read',
  summary: 'List the kinds of events',
  description: 'Every kind of event by its name, which is the same in the log, in histories, in rules and in hooks.',
  reply: {
    status: 200,
    schema: listOf({ name: text, code: nullableCode, entity: text, description: text }),
    description: 'The kinds of events, by name.',
  },
  run: async () => ({ body: eventKinds() }),
})

const changelog = operation({
  permission: read,
  mode: 'read',
  summary: 'Get the changelog',
  description: 'The changelog, the newest release first.',
  reply: { status: 200, schema: listOf({ version: text, text }), description: 'The releases.' },
  run: async () => ({ body: releases }),
})

const releases = readReleases(readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8'))

function readReleases(markdown: string): { version: string; text: string }[] {
  const [, ...sections] = markdown.split(/^## /m)
  return sections.map(section => {
    const end = section.indexOf('\n')
    return { version: section.slice(0, end).trim(), text: section.slice(end).trim() }
  })
}

/** The kinds that may have custom fields of the tenant; the index is the code of `usage`. */
const usages = ['Item', 'Ticket', 'Time', 'Container', 'User', 'Crm', 'Document', 'Plan', 'Cycle', 'Sku', 'Annotation']

async function customFields(ctx: Context, entity: string): Promise<object[]> {
  const usage = usages.indexOf(entity)
  if (usage < 0) return []
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${fields.json(t)} as json from field t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${fields.visible(ctx.caller, t)}
      and (${usage} = any(t.usage) or (${usage} = 0 and t.usage = '{}')) order by t.key`
  const all: Field[] = rows.map(row => JSON.parse(row.json))
  const shown = all.filter(each => !ctx.caller.authority.hiddenFields.has(each.id))
  return shown.map(each => {
    const { id, key, name, fieldType, options, usage: used, multiple, unique, prompt, help } = each
    return { id, key, name, fieldType, options, usage: used, multiple, unique, prompt, help }
  })
}

const entity = operation({
  permission: read,
  mode: 'read',
  summary: 'Get the schemas of a kind of record',
  description:
    'The JSON Schemas of requests and replies, and the custom fields of the tenant. A kind that the caller may not read anywhere gives 404.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'EntityDescription',
      properties: {
        entity: text,
        description: text,
        create: { type: 'object' },
        update: { type: 'object' },
        answer: { type: 'object' },
        fields: listOf({
          id: text,
          key: text,
          name: text,
          fieldType: text,
          options: { type: 'array' },
          usage: { type: 'array' },
          multiple: { type: 'boolean' },
          unique: { type: 'boolean' },
          prompt: text,
          help: text,
        }),
      },
      required: ['entity', 'description', 'create', 'update', 'answer', 'fields'],
    },
    description: 'The schemas.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const wanted = params.name ?? ''
    const kind = kindNamed(wanted) ?? allKinds().find(each => each.entity.toLowerCase() === wanted.toLowerCase())
    if (!kind || !maySomewhere(ctx.caller, kind.permissions.read)) throw new NotFound('kind of record')
    return { body: { ...described(kind), fields: await customFields(ctx, kind.entity) } }
  },
})

function described({ entity: name, about, createSchema, updateSchema, schema }: Kind) {
  return { entity: name, description: about, create: createSchema, update: updateSchema, answer: schema }
}

/** The operations that describe the service and its caller. */
export function metaRoutes(routes: Routes, codeTables: () => readonly CodeTable[]): Routes {
  return {
    'GET /config/me': configMe(routes),
    'GET /session': sessionState(routes),
    'GET /meta/codes': codesOperation(codeTables),
    'GET /meta/events': events,
    'GET /meta/entity/:name': entity,
    'GET /meta/changelog': changelog,
  }
}
