import { hash } from 'node:crypto'
import { type Column, type ColumnType, columnOf } from './columns.ts'
import type { Context } from './context.ts'
import { formats } from './formats.ts'
import { isId } from './id.ts'
import type { Kind } from './kinds.ts'
import { own } from './own.ts'
import { type Fault, fault, Invalid } from './refusal.ts'
import { nearest } from './shape.ts'
import { and, name, or, raw, type Sql, sql } from './sql.ts'

/** What a list was asked for, read and checked. */
export interface Listing {
  resource: Kind
  /** Where the rows come from, if they are put together from several tables. */
  from?: Sql
  where: Sql
  sort: Key[]
  limit: number | undefined
  after: unknown[] | undefined
  only: ReadonlySet<string> | undefined
  count: 'exact' | 'estimate' | undefined
  varied: boolean
  /** Ties a cursor to the list it was made for. */
  fingerprint: string
}

/** Something that a list is sorted by. */
export interface Key extends Sortable {
  nullable: boolean
  descending: boolean
}

/** Something to sort by that is not a column of its own. */
export interface Sortable {
  type: ColumnType
  value: Sql
  /** The value is also in the rows of another table, whose index gives the order; a record without one comes behind. */
  kept?: { table: Sql; on: Sql; value: Sql; id: Sql }
}

const commonColumns: Column[] = [
  columnOf('id', { type: 'string', 'x-ref': 'any' }),
  columnOf('created', { type: 'string', format: 'date-time' }),
  columnOf('updated', { type: 'string', format: 'date-time' }),
  columnOf('createdBy', { type: 'string', 'x-ref': 'any' }),
  columnOf('updatedBy', { type: 'string', 'x-ref': 'any' }),
  columnOf('version', { type: 'integer' }),
]

const reserved = new Set(['limit', 'cursor', 'sort', 'fields', 'deleted', 'count', 'updatedafter', 'include', 'render'])
const t = raw('t')

export interface ListingOptions {
  where?: Sql
  /** Where the rows come from, if it is not the table of the kind alone. */
  from?: Sql
  /** Parameters that the operation itself reads. */
  known?: readonly string[]
  /** The order when the caller names none. */
  order?: string
  sortable?: (name: string) => Sortable | undefined
  /** A filter of the room's own, by the name of its parameter; none is the column's. */
  filter?: (name: string, operator: string, text: string, faults: Fault[]) => Sql | undefined
  /** What the list is about beside its query: a cursor is tied to that as well. */
  about?: unknown
  /** What is asked differs so much from one time to the next that each statement is planned for itself. */
  varied?: boolean
}

/** Reads the query of a list: paging, sorting, sparse fields, filters by property name. */
export function readListing(
  ctx: Context,
  resource: Kind,
  query: Record<string, unknown>,
  more: ListingOptions = {},
): Listing {
  const faults: Fault[] = []
  const given = new Map(
    Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value ?? '')]),
  )
  const columns = new Map(
    // What is hidden can neither be filtered nor sorted by: the order alone would tell it.
    [...commonColumns, ...resource.columns]
      .filter(({ property }) => !ctx.services.redaction.hides(ctx.caller, resource.entity, property))
      .map(column => [column.property.toLowerCase(), column]),
  )
  const one = (key: string) => [...given].find(([each]) => each.toLowerCase() === key)?.[1]

  const where: Sql[] = [
    sql`t.tenant_id = ${ctx.caller.tenantId}`,
    resource.visible(ctx.caller, t),
    more.where ?? raw('true'),
  ]
  const deleted = one('deleted') ?? ''
  if (!['', 'include', 'only'].includes(deleted))
    faults.push(fault(['deleted'], 'enum', 'must be include or only', deleted))
  if (deleted !== 'include') where.push(deleted === 'only' ? raw('t.deleted') : raw('not t.deleted'))
  if (resource.archives) where.push(shelf(one('archived') ?? '', faults))
  const updatedAfter = one('updatedafter')
  if (updatedAfter !== undefined) {
    if (formats['date-time']?.check(updatedAfter)) where.push(sql`t.updated > ${updatedAfter}::timestamptz`)
    else faults.push(fault(['updatedAfter'], 'date-time', formats['date-time']?.says ?? '', updatedAfter))
  }
  for (const [key, text] of given) {
    const [, property = '', operator = 'eq'] = /^([^[\]]+)(?:\[(\w+)\])?$/.exec(key) ?? []
    if (reserved.has(key.toLowerCase()) || more.known?.includes(key)) continue
    if (resource.archives && key.toLowerCase() === 'archived') continue
    const column = columns.get(property.toLowerCase())
    const own = more.filter?.(property, operator, text, faults)
    if (own) where.push(own)
    else if (column) where.push(filter(column, operator, text, ctx, faults, key))
    else if (ctx.strict) {
      const near = nearest(
        property,
        [...columns.values()].map(each => each.property),
      )
      faults.push(
        fault(
          [key],
          'unknown',
          near ? `is not a parameter of this list; did you mean ${near}?` : 'is not a parameter of this list',
        ),
      )
    }
  }

  const sort = readSort(
    one('sort') ?? more.order ?? resource.order,
    name => sortableColumn(columns, name) ?? more.sortable?.(name),
    faults,
  )
  const limit = readLimit(one('limit'), faults)
  const count = one('count')
  if (count !== undefined && count !== 'exact' && count !== 'estimate')
    faults.push(fault(['count'], 'enum', 'must be exact or estimate', count))
  const only = readOnly(one('fields'), columns, faults)
  const asked = [...given].filter(([key]) => !['cursor', 'limit'].includes(key.toLowerCase())).sort()
  const fingerprint = hash(
    'sha1',
    JSON.stringify([resource.entity, more.order ?? '', asked, more.about]),
    'base64url',
  ).slice(0, 12)
  const after = readCursor(one('cursor'), fingerprint, sort, faults)
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  return {
    resource,
    ...(more.from ? { from: more.from } : {}),
    where: and(where),
    sort,
    limit: limit ?? (after ? 100 : undefined),
    after,
    only,
    count: count as Listing['count'],
    varied: more.varied ?? false,
    fingerprint,
  }
}

/** What is put away is found by who asks for it. */
function shelf(asked: string, faults: Fault[]): Sql {
  const known = new Map([
    ['', raw('not t.archived')],
    ['false', raw('not t.archived')],
    ['include', raw('true')],
    ['only', raw('t.archived')],
    ['true', raw('t.archived')],
  ])
  const found = known.get(asked.toLowerCase())
  if (!found) faults.push(fault(['archived'], 'enum', 'must be include or only', asked))
  return found ?? raw('false')
}

function readLimit(text: string | undefined, faults: Fault[]): number | undefined {
  if (text === undefined) return undefined
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 1000) faults.push(fault(['limit'], 'range', 'must be a whole number from 1 to 1000', text))
  return limit
}

function readOnly(
  text: string | undefined,
  columns: Map<string, Column>,
  faults: Fault[],
): ReadonlySet<string> | undefined {
  if (!text) return undefined
  const wanted = text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
  const always = new Set(['entity', 'tenantid', 'deleted'])
  for (const each of wanted)
    if (!columns.has(each.toLowerCase()) && !always.has(each.toLowerCase()))
      faults.push(fault(['fields'], 'unknown', `${each.slice(0, 60)} is not a property of this record`, text))
  return new Set(wanted.map(each => columns.get(each.toLowerCase())?.property ?? each))
}

function sortableColumn(columns: Map<string, Column>, name: string): (Sortable & { nullable: boolean }) | undefined {
  const column = columns.get(name.toLowerCase())
  if (!column || column.type === 'jsonb' || column.type.endsWith('[]')) return undefined
  return { type: column.type, value: columnValue(column), nullable: nullable(column) }
}

function columnValue({ column }: Column): Sql {
  return sql`t.${name(column)}`
}

function readSort(
  text: string,
  find: (name: string) => (Sortable & { nullable?: boolean }) | undefined,
  faults: Fault[],
): Key[] {
  const keys: Key[] = []
  const parts = text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
  for (const each of parts) {
    const found = find(each.replace(/^[-+]/, ''))
    if (found) keys.push({ nullable: true, ...found, descending: each.startsWith('-') })
    else faults.push(fault(['sort'], 'unknown', `cannot sort by ${each.slice(0, 60)}`, text))
  }
  if (keys.length > 5) faults.push(fault(['sort'], 'maxItems', 'must name at most 5 properties', text))
  // The id comes last, so that no two records stand at the same place.
  if (!parts.some(each => /^[-+]?id$/i.test(each)))
    keys.push({ type: 'uuid', value: raw('t.id'), nullable: false, descending: keys.at(-1)?.descending ?? false })
  return keys
}

/** A cursor is the place after the last row of a page: the values it was sorted by. It survives inserts and deletes. */
function readCursor(
  text: string | undefined,
  fingerprint: string,
  sort: Key[],
  faults: Fault[],
): unknown[] | undefined {
  if (text === undefined) return undefined
  try {
    const [print, ...values]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (
      print === fingerprint &&
      values.length === sort.length &&
      values.every((value, i) => fits(sort[i]?.type, value))
    )
      return values
    faults.push(
      fault(['cursor'], 'cursor-mismatch', 'belongs to another list: use it with the same filters and the same order'),
    )
  } catch {
    faults.push(fault(['cursor'], 'cursor', 'is not a cursor of ours'))
  }
  return undefined
}

function fits(type: ColumnType | undefined, value: unknown): boolean {
  if (value === null) return true
  switch (type) {
    case 'uuid':
      return isId(value)
    case 'integer':
    case 'bigint':
      return Number.isSafeInteger(value)
    case 'numeric':
    case 'float8':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'timestamptz':
      return (
        typeof value === 'string' &&
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/.test(value) &&
        !Number.isNaN(Date.parse(value))
      )
    case 'date':
      return typeof value === 'string' && formats.date?.check(value) === true
    default:
      return typeof value === 'string'
  }
}

const comparisons: Record<string, Sql> = { gt: raw('>'), gte: raw('>='), lt: raw('<'), lte: raw('<=') }

/** `status=open,waiting` is any of; `dueDate[lte]=…` compares; on a list property, has any of. */
function filter(column: Column, operator: string, text: string, ctx: Context, faults: Fault[], key: string): Sql {
  const place = columnValue(column)
  const texts = text.split(',').map(each => (each === '@me' ? ctx.caller.userId : each.trim()))
  const values = texts.map(each => parsed(column, each))
  if (values.includes(undefined)) {
    faults.push(
      fault(
        [key],
        column.schema.format ?? column.type,
        `is not a ${column.schema.format ?? column.type.replace('[]', '')}`,
        text,
      ),
    )
    return raw('false')
  }
  if (column.type === 'jsonb') {
    faults.push(fault([key], 'filter', 'cannot be filtered by'))
    return raw('false')
  }
  if (column.type.endsWith('[]')) return sql`${place} && ${values}::${raw(column.type)}`
  const compare = own(comparisons, operator)
  if (compare) return sql`${place} ${compare} ${values[0]}::${raw(column.type)}`
  if (operator !== 'eq' && operator !== 'ne') {
    faults.push(fault([key], 'operator', 'the operator must be eq, ne, gt, gte, lt or lte'))
    return raw('false')
  }
  const some = isAnyOf(place, values, raw(column.type))
  return operator === 'eq' ? some : sql`(${some}) is not true`
}

/** One value is compared by `=`: for a list of one, PostgreSQL would not take the index that also gives the order. */
function isAnyOf(place: Sql, values: readonly unknown[], type: Sql): Sql {
  const given = values.filter(each => each !== null)
  const none = given.length < values.length ? [sql`${place} is null`] : []
  if (given.length === 0) return or(none)
  return or([
    ...none,
    given.length === 1 ? sql`${place} = ${given[0]}::${type}` : sql`${place} = any(${given}::${type}[])`,
  ])
}

/** The value of a filter; undefined if the text is none, null for none at all. An id that cannot exist matches nothing. */
function parsed({ type, schema }: Column, text: string): unknown {
  switch (type) {
    case 'uuid':
    case 'uuid[]':
      return text === '' ? null : isId(text) ? text : '00000000-0000-0000-0000-000000000000'
    case 'integer':
    case 'integer[]':
      return /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= 2147483647 ? Number(text) : undefined
    case 'bigint':
    case 'numeric':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : undefined
    case 'boolean':
      return { true: true, false: false, 1: true, 0: false }[text.toLowerCase()]
    case 'timestamptz':
    case 'date':
      return text === '' ? null : formats[schema.format ?? '']?.check(text) ? text : undefined
    default:
      return text
  }
}

function nullable({ type, property }: Column): boolean {
  return ['timestamptz', 'date', 'uuid', 'numeric'].includes(type) && !['id', 'created', 'updated'].includes(property)
}
