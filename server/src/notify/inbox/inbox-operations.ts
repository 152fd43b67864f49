import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { type Input, operation, type Routes } from '../../kernel/operation.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { and, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { countUnread, inboxEntries, maxUnread, snoozed } from './inbox.ts'
import { pushInboxChanged } from './write-entries.ts'

const t = raw('t')
const including: Schema = { type: 'string', enum: ['include', 'only'] }

const list = operation({
  permission: inboxEntries.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'List the caller’s inbox',
  description:
    'Lists the caller’s notices, newest first, bundled by item: `reason` says why the caller was notified, `events` what happened, `changeSetIds` which changes caused it. Archived and snoozed entries are left out unless a parameter includes them. `unread=true` returns unread entries only.',
  filters: true,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    cursor: { type: 'string' },
    sort: { type: 'string' },
    fields: { type: 'string' },
    count: { type: 'string', enum: ['exact', 'estimate'] },
    archived: { ...including, description: 'Include archived entries, or return only them.' },
    snoozed: { ...including, description: 'Include snoozed entries, or return only them.' },
  },
  reply: { status: 200, schema: { type: 'array', items: inboxEntries.schema }, description: 'The entries.' },
  async run(ctx, input) {
    const where = and([
      ...visibilityFilter(input, 'archived', raw('t.archived')),
      ...visibilityFilter(input, 'snoozed', snoozed(ctx)),
    ])
    const listing = await readListing(ctx, inboxEntries, input.query, {
      where,
      known: ['archived', 'snoozed'],
    })
    return await answerList(ctx, listing, input)
  },
})

/** Leaves out archived or snoozed entries unless the parameter includes them. */
function visibilityFilter({ query }: Input, parameter: string, hidden: Sql): Sql[] {
  const value = query[parameter]
  if (value === 'include') return []
  if (value === 'only') return [hidden]
  if (value === undefined || value === '') return [sql`not ${hidden}`]
  throw new Invalid([fault([parameter], 'enum', 'must be include or only', value)])
}

const count = operation({
  permission: inboxEntries.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Count unread inbox entries',
  description: `Returns the number of unread entries, without snoozed ones. ${maxUnread} means ${maxUnread} or more.`,
  reply: {
    status: 200,
    schema: { type: 'object', properties: { unread: { type: 'integer' } }, required: ['unread'] },
    description: 'The count.',
  },
  async run(ctx) {
    return { body: { unread: await countUnread(ctx) } }
  },
})

interface Chosen {
  ids?: string[]
  all?: boolean
}

const chosen: Record<string, Schema> = {
  ids: {
    type: 'array',
    items: { type: 'string', maxLength: 36 },
    maxItems: 1000,
    description: 'The ids of the entries.',
  },
  all: { type: 'boolean', description: 'All entries that the inbox shows.' },
}

const counted: Schema = {
  type: 'object',
  properties: { count: { type: 'integer', description: 'How many entries were changed.' } },
  required: ['count'],
}

interface Verb<T extends Chosen> {
  summary: string
  description: string
  properties: Record<string, Schema>
  example: T
  sets: (ctx: Context, input: T) => { sets: Sql; where: Sql }
}

function changing<T extends Chosen>({ summary, description, properties, example, sets }: Verb<T>) {
  const schema: Schema = { type: 'object', properties: { ...chosen, ...properties }, additionalProperties: false }
  return operation<T>({
    permission: inboxEntries.permissions.update,
    placed: true,
    mode: 'write',
    summary,
    description,
    body: { schema, read: reader<T>(schema), example },
    reply: { status: 200, schema: counted, description: 'The number of changed entries.' },
    refusals: [422],
    async run(ctx, { body }) {
      const change = sets(ctx, body)
      const which = await chosenOf(ctx, body)
      const rows = await ctx.sql`update inbox_entry t set ${change.sets}, version = t.version + 1
        where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${ctx.caller.userId} and t.in_app and ${which} and ${change.where} returning true`
      if (rows.length > 0) pushInboxChanged(ctx, [ctx.caller.userId])
      return { body: { count: rows.length } }
    },
  })
}

/** Returns the condition for the chosen entries: the given ids, each of which must exist, or all that the inbox shows. */
async function chosenOf(ctx: Context, { ids = [], all = false }: Chosen): Promise<Sql> {
  if (all === ids.length > 0)
    throw new Invalid([fault([all ? 'all' : 'ids'], 'required', 'either ids or all is required')])
  if (all) return sql`not t.archived and not ${snoozed(ctx)}`
  const wanted = ids.map(id => id.toLowerCase())
  const rows = await ctx.sql<{ id: Id }>`select t.id from inbox_entry t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${wanted.filter(isId)}::uuid[]) and ${inboxEntries.visible(ctx.caller, t)}`
  const known = new Set(rows.map(row => row.id))
  const unknown = wanted.flatMap((id, i) =>
    known.has(id) ? [] : [{ entity: inboxEntries.entity, id, path: ['ids', i] }],
  )
  if (unknown.length > 0) throw unknownReferences(unknown)
  return sql`t.id = any(${wanted}::uuid[])`
}

const read = changing<Chosen & { unread?: boolean }>({
  summary: 'Mark entries as read',
  description: 'Read entries are not mailed. `unread: true` marks the entries as unread.',
  properties: { unread: { type: 'boolean' } },
  example: { all: true },
  sets: (_ctx, { unread = false }) => ({
    sets: unread ? sql`unread = true` : sql`unread = false, mail_due = null`,
    where: sql`t.unread <> ${unread}`,
  }),
})

const archive = changing<Chosen & { archived?: boolean }>({
  summary: 'Archive entries',
  description:
    'A later event of the same item creates a new entry and does not bring back an archived one. `archived: false` brings entries back, unless a newer entry exists for the same item.',
  properties: { archived: { type: 'boolean' } },
  example: { all: true },
  sets: (_ctx, { archived = true }) => ({
    sets: archived
      ? sql`archived = true, unread = false, mail_due = null, snoozed_until = null`
      : sql`archived = false`,
    where: archived
      ? sql`not t.archived`
      : sql`t.archived and not exists (select 1 from inbox_entry o where o.tenant_id = ${ownTenant} and o.user_id = t.user_id and o.bundle = t.bundle and (not o.archived or o.id > t.id))`,
  }),
})

const snooze = changing<Chosen & { until: string | null }>({
  summary: 'Snooze entries',
  description:
    'The entries leave the inbox until the given time and are unread when they come back. `null` brings them back now.',
  properties: { until: { type: 'string', format: 'date-time', nullable: true, maxLength: 40 } },
  example: { all: true, until: '2026-12-01T08:00:00Z' },
  sets: (_ctx, { until }) => {
    if (until === undefined)
      throw new Invalid([fault(['until'], 'required', 'is required; null brings the entries back now')])
    return {
      sets: sql`snoozed_until = ${until}::timestamptz, mail_due = null, unread = true`,
      where: sql`not t.archived and t.snoozed_until is distinct from ${until}::timestamptz`,
    }
  },
})

export const routes: Routes = {
  'GET /notification/inbox': list,
  'GET /notification/inbox/count': count,
  'POST /notification/inbox/read': read,
  'POST /notification/inbox/archive': archive,
  'POST /notification/inbox/snooze': snooze,
}
