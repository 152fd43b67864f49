import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { readCursor, writeCursor } from '../../kernel/list/cursor.ts'
import { type Input, operation, type Reply } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { instantOf, isInstant } from '../../kernel/schema/formats.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { othersChanges, readChange } from './change-set.ts'
import { type ListedChange, listedChangeSchema, listedChanges } from './listed-change.ts'

const maxLimit = 100
const usualLimit = 25

/** How many change sets are looked at for one page; those that the caller does not see are passed over. */
const maxExamined = 500

/** The time in the id of a change set is that of its request, and its events may be a little older or younger; ms. */
const tolerance = 60_000

/** The list of change sets, for users who look for what to undo. */
export const listChangeSets = operation({
  permission: readChange,
  mode: 'read',
  summary: 'List change sets',
  description:
    'What was changed, newest first, as far as the caller may see the records: own changes, and for managers those of others. Each change set is described without its events, which `GET /change/{id}` shows.',
  query: {
    by: { type: 'string', description: 'Only the changes of this user; `@me` is the caller.' },
    entity: { type: 'string', description: 'Only change sets with records of this kind: `Item`.' },
    from: { type: 'string', format: 'date-time', description: 'Only changes at or after this time.' },
    to: { type: 'string', format: 'date-time', description: 'Only changes before this time.' },
    limit: { type: 'integer', minimum: 1, maximum: maxLimit, description: `The maximum; ${usualLimit} by default.` },
    cursor: {
      type: 'string',
      description: 'The cursor of the previous page. A page may be short and have a next one.',
    },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: listedChangeSchema },
    description: 'The change sets.',
    headers: ['X-Limit', 'X-Next-Cursor', 'Link'],
  },
  async run(ctx, input) {
    const wanted = readWanted(ctx, input)
    const { found, next } = await readPage(ctx, wanted)
    return pageReply(input, wanted, found, next)
  },
})

interface Wanted {
  /** Undefined for everybody; null for nobody whose changes the caller may see. */
  by: Id | null | undefined
  entity: string | undefined
  from: string | undefined
  to: string | undefined
  limit: number
  after: Id | undefined
  fingerprint: string
}

function readWanted(ctx: Context, { query }: Input): Wanted {
  const faults: Fault[] = []
  const given = (name: string) => (query[name] === undefined || query[name] === '' ? undefined : String(query[name]))
  const moment = (name: string) => {
    const value = given(name)
    if (value === undefined || isInstant(value)) return value && instantOf(value)
    faults.push(fault([name], 'date-time', 'must be a date and time', value))
    return undefined
  }
  const [by, entity, from, to] = [given('by'), given('entity'), moment('from'), moment('to')]
  const fingerprint = JSON.stringify([by, entity, from, to])
  const sort = [
    { property: 'id', type: 'uuid' as const, value: raw('e.change_set_id'), descending: true, nullable: false },
  ]
  const after = readCursor(given('cursor'), fingerprint, sort, faults)
  const limit = readWhole('limit', given('limit'), 1, maxLimit, faults) ?? usualLimit
  if (faults.length > 0) throw new Invalid(faults)
  return { by: authorIn(ctx, by), entity, from, to, limit, after: after && String(after[0]), fingerprint }
}

/** Those who read the changes of others read all of them; the rest their own. */
function authorIn({ caller }: Context, by: string | undefined): Id | null | undefined {
  const userId = by === '@me' ? caller.userId : by?.toLowerCase()
  if (may(caller, othersChanges)) return userId === undefined || isId(userId) ? userId : null
  return userId === undefined || userId === caller.userId ? caller.userId : null
}

async function readPage(ctx: Context, wanted: Wanted): Promise<{ found: ListedChange[]; next: Id | undefined }> {
  const found: ListedChange[] = []
  let last = wanted.after
  if (wanted.by === null) return { found, next: undefined }
  for (let examined = 0; examined < maxExamined; ) {
    const ids = await nextChangeSets(ctx, wanted, last)
    for (const each of await listedChanges(ctx, ids)) {
      if (!matches(each, wanted)) continue
      found.push(each)
      if (found.length === wanted.limit) return { found, next: each.id }
    }
    examined += ids.length
    last = ids.at(-1)
    if (ids.length < wanted.limit) return { found, next: undefined }
  }
  return { found, next: last }
}

function matches({ at, entities, actor }: ListedChange, { by, entity, from, to }: Wanted): boolean {
  const isOfKind = !entity || Object.keys(entities).some(each => each.toLowerCase() === entity.toLowerCase())
  const isBy = by === undefined || actor.id === by
  return isOfKind && isBy && (!from || at >= from) && (!to || at < to)
}

/** The next change sets, newest first: one step in an index for each, however many events it has. */
async function nextChangeSets(ctx: Context, { by, from, to, limit }: Wanted, after: Id | undefined): Promise<Id[]> {
  const author = by ? sql`and e.actor_id = ${by}::uuid and ${raw("e.actor_kind in ('user', 'apiKey')")}` : nothing
  const oldest = from ? sql`and e.change_set_id >= ${idAt(from, -tolerance)}::uuid` : nothing
  const before = (id: Sql) => sql`(select e.change_set_id from event e
    where e.tenant_id = ${ctx.caller.tenantId} and e.change_set_id < ${id} ${author} ${oldest} order by e.change_set_id desc limit 1)`
  const start = after ?? (to ? idAt(to, tolerance) : 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  const rows = await ctx.sql<{ id: Id }>`with recursive step as (
      select ${before(sql`${start}::uuid`)} as id
      union all
      select ${before(raw('s.id'))} from step s where s.id is not null
    ) select id from step where id is not null limit ${limit}`
  return rows.map(row => row.id)
}

/** The first id of a moment: ids begin with the time in milliseconds. */
function idAt(moment: string, offset: number): Id {
  const time = Math.max(0, Math.min(Date.parse(moment) + offset, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

function pageReply(input: Input, { limit, fingerprint }: Wanted, found: ListedChange[], next: Id | undefined): Reply {
  const headers: Record<string, string> = { 'x-limit': String(limit) }
  if (next) {
    const cursor = writeCursor(fingerprint, [next])
    const query = new URLSearchParams(
      Object.entries(input.query).map(([key, value]): [string, string] => [key, String(value)]),
    )
    query.set('cursor', cursor)
    headers['x-next-cursor'] = cursor
    headers.link = `<${input.path}?${query}>; rel="next"`
  }
  return { headers, body: found }
}
