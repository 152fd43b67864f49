import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list-operation.ts'
import { readListing } from '../../kernel/listing.ts'
import { type Input, operation, type Routes } from '../../kernel/operation.ts'
import { pointsAtNothing } from '../../kernel/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { inboxEntries } from './inbox.ts'
import { pushInboxChanged } from './write-entries.ts'

const t = raw('t')
const including: Schema = { type: 'string', enum: ['include', 'only'] }

const list = operation({
  permission: inboxEntries.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Read one’s inbox',
  description:
    'What the caller was told, the newest first, bundled by item: `reason` says why, `events` what happened, `changeSetIds` by which changes. Archived and snoozed entries are left out unless asked for. `unread=true` filters.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    cursor: { type: 'string' },
    sort: { type: 'string' },
    fields: { type: 'string' },
    count: { type: 'string', enum: ['exact', 'estimate'] },
    archived: { ...including, description: 'Show archived entries too, or only them.' },
    snoozed: { ...including, description: 'Show entries that wait for their time too, or only them.' },
  },
  reply: { status: 200, schema: { type: 'array', items: inboxEntries.schema }, description: 'The entries.' },
  async run(ctx, input) {
    const where = and([...shelf(input, 'archived', raw('t.archived')), ...shelf(input, 'snoozed', sleeping(ctx))])
    const listing = readListing(ctx, inboxEntries, input.query, {
      where,
      known: ['archived', 'snoozed'],
    })
    return await answerList(ctx, listing, input)
  },
})

/** What is put away is shown only if it is asked for. */
function shelf({ query }: Input, parameter: string, away: Sql): Sql[] {
  const wish = query[parameter]
  if (wish === 'include') return []
  if (wish === 'only') return [away]
  if (wish === undefined || wish === '') return [sql`not ${away}`]
  throw new Invalid([fault([parameter], 'enum', 'must be include or only', wish)])
}

const sleeping = ({ now }: Context): Sql => sql`(t.snoozed_until is not null and t.snoozed_until > ${now})`

/** Nobody counts further. */
const most = 1000

const count = operation({
  permission: inboxEntries.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Count what is unread',
  description: `How many bundles the caller has not read, those that wait for their time left out; ${most} stands for as many or more.`,
  reply: {
    status: 200,
    schema: { type: 'object', properties: { unread: { type: 'integer' } }, required: ['unread'] },
    description: 'The count.',
  },
  async run(ctx) {
    const [row] = await ctx.sql<{ unread: number }>`select count(*)::int as unread from (
      select 1 from inbox_entry t where t.tenant_id = ${ctx.caller.tenantId} and t.unread and not t.archived and not ${sleeping(ctx)}
        and ${inboxEntries.visible(ctx.caller, t)} limit ${most}) c`
    return { body: { unread: row?.unread ?? 0 } }
  },
})

interface Chosen {
  ids?: string[]
  all?: boolean
}

const chosen: Record<string, Schema> = {
  ids: { type: 'array', items: { type: 'string', maxLength: 36 }, maxItems: 1000, description: 'These entries.' },
  all: { type: 'boolean', description: 'All that the inbox shows.' },
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
  sets: (ctx: Context, wish: T) => { sets: Sql; where: Sql }
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
    reply: { status: 200, schema: counted, description: 'How many.' },
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

/** By their ids, each of which must be there, or all that the inbox shows. */
async function chosenOf(ctx: Context, { ids = [], all = false }: Chosen): Promise<Sql> {
  if (all === ids.length > 0)
    throw new Invalid([fault([all ? 'all' : 'ids'], 'required', 'say which entries: either ids, or all')])
  if (all) return sql`not t.archived and not ${sleeping(ctx)}`
  const wanted = ids.map(id => id.toLowerCase())
  const rows = await ctx.sql<{ id: Id }>`select t.id from inbox_entry t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${wanted.filter(isId)}::uuid[]) and ${inboxEntries.visible(ctx.caller, t)}`
  const known = new Set(rows.map(row => row.id))
  const unknown = wanted.flatMap((id, i) =>
    known.has(id) ? [] : [{ entity: inboxEntries.entity, id, path: ['ids', i] }],
  )
  if (unknown.length > 0) throw pointsAtNothing(unknown)
  return sql`t.id = any(${wanted}::uuid[])`
}

const read = changing<Chosen & { unread?: boolean }>({
  summary: 'Mark entries as read',
  description: 'What is read is not mailed. With `unread` they are marked as not read.',
  properties: { unread: { type: 'boolean' } },
  example: { all: true },
  sets: (_ctx, { unread = false }) => ({
    sets: unread ? sql`unread = true` : sql`unread = false, mail_due = null`,
    where: sql`t.unread <> ${unread}`,
  }),
})

const archive = changing<Chosen & { archived?: boolean }>({
  summary: 'Put entries away',
  description:
    'An archived bundle is done with: what happens to its item later begins another one. With `archived: false` they come back, unless there is another by now.',
  properties: { archived: { type: 'boolean' } },
  example: { all: true },
  sets: (_ctx, { archived = true }) => ({
    sets: archived
      ? sql`archived = true, unread = false, mail_due = null, snoozed_until = null`
      : sql`archived = false`,
    where: archived
      ? sql`not t.archived`
      : sql`t.archived and not exists (select 1 from inbox_entry o where o.tenant_id = t.tenant_id and o.user_id = t.user_id and o.bundle = t.bundle and (not o.archived or o.id > t.id))`,
  }),
})

const snooze = changing<Chosen & { until: string | null }>({
  summary: 'Have entries come back later',
  description: 'They leave the inbox until then, and are unread when they come back. `null` brings them back now.',
  properties: { until: { type: 'string', format: 'date-time', nullable: true, maxLength: 40 } },
  example: { all: true, until: '2026-12-01T08:00:00Z' },
  sets: (_ctx, { until }) => {
    if (until === undefined) throw new Invalid([fault(['until'], 'required', 'is required; null is now')])
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
