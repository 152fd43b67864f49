import { items } from '../items/item/item.ts'
import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { kind as kindOf } from '../kernel/kinds.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { type Fault, fault, Invalid, NotFound } from '../kernel/refusal.ts'
import type { Schema } from '../kernel/schema/shape.ts'
import { readWhole } from '../kernel/schema/whole-number.ts'
import { join, nothing, raw, type Sql, sql } from '../kernel/sql.ts'
import { asOfQuery, readAsOf } from '../records/history/as-of.ts'
import { eventJson } from '../records/history/event-json.ts'
import { eventSchema } from '../records/history/history.ts'
import { embeddedTime, times, visibleTimes } from '../time/time.ts'
import { annotations, visibleWithTombstones } from './annotation/annotation.ts'
import { conversationJson } from './annotation/conversation.ts'

const kinds = ['activity', 'conversation', 'time'] as const
type Kind = (typeof kinds)[number]

const entrySchema: Schema = {
  type: 'object',
  title: 'TimelineEntry',
  properties: {
    kind: { type: 'string', enum: [...kinds] },
    id: { type: 'string' },
    at: { type: 'string', format: 'date-time', description: 'When it was recorded.' },
    by: { type: 'string', description: 'Who recorded it.' },
    activity: { ...eventSchema, description: 'The event.' },
    conversation: { ...annotations.schema, description: 'The annotation.' },
    time: { ...times.schema, description: 'The time entry.' },
  },
  required: ['kind', 'id', 'at', 'by'],
}

/**
 * The query for each kind of entry, limited to what the caller may see. Ids are ordered by time, so that one cursor
 * pages through all kinds.
 */
function sources(ctx: Context, itemId: Id, older: Sql, at: Date | undefined): Record<Kind, Sql> {
  const until = (moment: Sql) => (at ? sql`and ${moment} <= ${at}` : nothing)
  const { tenantId } = ctx.caller
  const [a, s] = [raw('a'), raw('s')]
  return {
    activity: sql`select 'activity' as kind, e.id, e.at, e.actor_id as by, ${eventJson()} as record from event e
      where e.tenant_id = ${tenantId} and e.record_id = any(array(select p.id from approval p where p.tenant_id = ${tenantId} and p.item_id = ${itemId} and ${kindOf('Approval').historyVisible(ctx.caller, raw('p'))}) || ${itemId}::uuid)
        and e.entity in ('Item', 'Approval') ${older} ${until(raw('e.at'))} order by e.id desc`,
    conversation: sql`select 'conversation' as kind, a.id, a.created as at, a.created_by as by, ${conversationJson(a)}::json as record from annotation a
      where a.tenant_id = ${tenantId} and a.item_id = ${itemId} and ${visibleWithTombstones(ctx.caller, a)} ${older} ${until(raw('a.created'))} order by a.id desc`,
    time: sql`select 'time' as kind, s.id, s.created as at, s.created_by as by, ${embeddedTime}::json as record from time s
      where s.tenant_id = ${tenantId} and s.item_id = ${itemId} and not s.deleted and ${visibleTimes(ctx.caller, s)} ${older} ${until(raw('s.created'))} order by s.id desc`,
  }
}

const timeline = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'The timeline of an item',
  description:
    'Events, annotations and time entries of the item in one list, newest first. Each entry is subject to the caller’s visibility. Pass `X-Next-Cursor` as `cursor` to get older entries.',
  query: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 500,
      description: 'The maximum number of entries; the default is 50.',
    },
    cursor: { type: 'string', description: 'The `X-Next-Cursor` of the previous page.' },
    kinds: { type: 'string', description: 'Only these kinds: `activity,conversation,time`.' },
    asOf: {
      ...asOfQuery,
      description: `Only the entries until this moment; annotations and time entries are shown as they are now. ${asOfQuery.description}`,
    },
  },
  reply: { status: 200, schema: { type: 'array', items: entrySchema }, description: 'The entries.' },
  refusals: [404, 422],
  async run(ctx, { params, query, path }) {
    const at = await readAsOf(ctx, query.asOf)
    const { id, created } = await items.get(ctx, params.id ?? '', { deleted: at !== undefined })
    if (at && Date.parse(created) > at.getTime()) throw new NotFound()
    const { limit, cursor, wanted } = readQuery(query)
    const older = cursor ? sql`and id < ${cursor}::uuid` : nothing
    const all = sources(ctx, id, older, at)
    const parts = wanted.map(kind => sql`(select * from (${all[kind]}) each limit ${limit + 1})`)
    const rows = await ctx.sql<{ id: Id; text: string }>`select id, json_build_object('kind', kind, 'id', id,
        'at', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'by', by, kind, record)::text as text
      from (${join(parts, ' union all ')}) entry order by id desc limit ${limit + 1}`
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const next = rows.length > limit && last ? last.id : undefined
    return {
      text: `[${page.map(row => row.text).join(',')}]`,
      headers: {
        'x-limit': String(limit),
        ...(next
          ? {
              'x-next-cursor': next,
              link: `<${path}?limit=${limit}&cursor=${next}&kinds=${wanted}${at ? `&asOf=${at.toISOString()}` : ''}>; rel="next"`,
            }
          : {}),
      },
    }
  },
})

function readQuery({ limit: size, cursor, kinds: named }: Record<string, unknown>) {
  const faults: Fault[] = []
  const limit = readWhole('limit', size, 1, 500, faults) ?? 50
  if (cursor !== undefined && !isId(String(cursor)))
    faults.push(fault(['cursor'], 'cursor', 'is not a cursor of this list', cursor))
  const names = typeof named === 'string' && named !== '' ? named.split(',') : [...kinds]
  const wanted = kinds.filter(kind => names.includes(kind))
  if (wanted.length === 0 || names.some(each => !kinds.some(kind => kind === each)))
    faults.push(fault(['kinds'], 'enum', `must be some of ${kinds.join(', ')}`, named))
  if (faults.length > 0) throw new Invalid(faults)
  return { limit, cursor: cursor === undefined ? undefined : String(cursor), wanted }
}

export const routes: Routes = { 'GET /item/:id/timeline': timeline }
