import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { unknownParameter } from '../http/query.ts'
import type { Kind } from '../kinds.ts'
import type { Column } from '../record/columns.ts'
import { commonColumns } from '../record/record.ts'
import { type Fault, Invalid } from '../refusal.ts'
import { readWhole } from '../schema/whole-number.ts'
import { and, raw, type Sql, sql } from '../sql.ts'
import { readCursor } from './cursor.ts'
import { columnFilter } from './filter.ts'
import { readArchived, readCount, readDeleted, readFields, readUpdatedAfter } from './list-parameters.ts'
import { readSort, type Sortable, type SortKey, sortableColumn } from './sort.ts'

/** The query of a list, read and validated. */
export interface Listing {
  resource: Kind
  /** The source of the rows, where it is not the table of the kind alone. */
  from?: Sql
  where: Sql
  /** The number of the rows, where it is found without a look at each. */
  counted?: Sql | undefined
  sort: SortKey[]
  limit: number | undefined
  after: unknown[] | undefined
  only: ReadonlySet<string> | undefined
  count: 'exact' | 'estimate' | undefined
  planned: Sql['planned']
  /** Ties a cursor to the list it was made for. */
  fingerprint: string
}

const comparable = commonColumns.filter(({ property }) => property !== 'tenantId' && property !== 'deleted')

const paging = ['limit', 'cursor', 'sort', 'fields', 'deleted', 'count', 'updatedAfter']
const reserved = new Set(paging.map(each => each.toLowerCase()))
const t = raw('t')

export interface ListingOptions extends Partial<Pick<Listing, 'from' | 'counted'>> {
  where?: Sql | undefined
  /** Parameters that the operation reads itself. */
  known?: readonly string[]
  /** The order when the caller names none. */
  order?: string
  sortable?: (name: string) => Sortable | undefined
  /** A filter of the room, which comes before that of a column with the same name. */
  filter?: (name: string, operator: string, text: string, faults: Fault[], column?: Column) => Sql | undefined
  /** What selects the rows beside the query; a cursor is valid for the same value only. */
  about?: unknown
  /** The conditions differ so much between requests that each statement is planned by itself. */
  varied?: boolean
}

/** Reads the query of a list: paging, sorting, sparse fields, filters by property name. Reports all faults at once. */
export async function readListing(
  ctx: Context,
  resource: Kind,
  query: Record<string, unknown>,
  more: ListingOptions = {},
): Promise<Listing> {
  const faults: Fault[] = []
  const parameters = new Map(
    Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value ?? '')]),
  )
  const parameter = (key: string) => [...parameters].find(([each]) => each.toLowerCase() === key)?.[1]
  const compared = await comparedColumns(ctx, resource, visibleColumns(ctx, resource))
  const conditions = [
    more.where ?? raw('true'),
    readDeleted(parameter('deleted') ?? '', faults),
    ...(resource.archives ? [readArchived(parameter('archived') ?? '', faults)] : []),
    readUpdatedAfter(parameter('updatedafter'), faults),
    ...readFilters(ctx, resource, parameters, compared, more, faults),
  ]
  const sort = readSort(
    parameter('sort') ?? more.order ?? resource.order,
    name => sortableColumn(compared, name, resource.sparse) ?? more.sortable?.(name),
    faults,
  )
  const limit = readWhole('limit', parameter('limit'), 1, 1000, faults)
  const count = readCount(parameter('count'), faults)
  const only = readFields(parameter('fields'), visibleProperties(ctx, resource), faults)
  const fingerprint = fingerprintOf(resource, parameters, more)
  const after = readCursor(parameter('cursor'), fingerprint, sort, faults)
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  const own = sql`t.tenant_id = ${ctx.caller.tenantId}`
  const selected = and([own, ...conditions])
  const found = more.where || more.from || more.varied ? undefined : await resource.found?.(ctx, selected, query)
  return {
    resource,
    ...(more.from ? { from: more.from } : {}),
    where: and([selected, ...(found?.where ? [found.where] : []), resource.visible(ctx.caller, t)]),
    counted:
      more.counted ??
      (more.varied || more.from ? undefined : resource.counted?.(ctx.caller, selected, filteredBy(parameters, more))),
    sort,
    limit: limit ?? (after ? 100 : undefined),
    after,
    only,
    count,
    planned: more.varied ? 'each time' : found?.planned,
    fingerprint,
  }
}

/** The properties of a reply; `check` needs the whole record, so it is not one of its parts. */
function visibleProperties({ caller, services }: Context, { entity, schema }: Kind): string[] {
  return Object.keys(schema.properties ?? {}).filter(
    property => property !== 'check' && !services.redaction.hides(caller, entity, property),
  )
}

/** A property that is hidden somewhere can be neither filtered nor sorted by, because the order alone would reveal its values. */
async function comparedColumns(ctx: Context, { ofTenant }: Kind, columns: ReadonlyMap<string, Column>) {
  const overridden = (await ofTenant(ctx)) ?? {}
  return new Map([...columns].filter(([, { property }]) => !Object.hasOwn(overridden, property)))
}

function visibleColumns({ caller, services }: Context, resource: Kind): Map<string, Column> {
  const visible = [...comparable, ...resource.columns].filter(
    ({ property }) => !services.redaction.hidesSomewhere(caller, resource.entity, property),
  )
  return new Map(visible.map(column => [column.property.toLowerCase(), column]))
}

function readFilters(
  ctx: Context,
  resource: Kind,
  parameters: ReadonlyMap<string, string>,
  columns: ReadonlyMap<string, Column>,
  more: ListingOptions,
  faults: Fault[],
): Sql[] {
  const filters: Sql[] = []
  for (const [key, text] of parameters) {
    const [, property = '', operator = 'eq'] = /^([^[\]]+)(?:\[(\w+)\])?$/.exec(key) ?? []
    const isArchived = resource.archives && key.toLowerCase() === 'archived'
    if (isArchived || reserved.has(key.toLowerCase()) || more.known?.includes(key)) continue
    const column = columns.get(property.toLowerCase())
    const own = more.filter?.(property, operator, text, faults, column)
    if (own) filters.push(own)
    else if (column) filters.push(columnFilter(column, operator, text, ctx, faults, key))
    else {
      const properties = [...columns.values()].map(each => each.property)
      faults.push(unknownParameter(key, [...paging, ...properties, ...(more.known ?? [])]))
    }
  }
  return filters
}

/** The parameters that select no rows. */
export const unselective: ReadonlySet<string> = new Set(['limit', 'cursor', 'sort', 'fields', 'count'])

/** What selects the rows: the names of parameters in lower case, without their operators. */
function filteredBy(parameters: ReadonlyMap<string, string>, { where }: ListingOptions): string[] {
  const names = [...parameters.keys()].map(key => key.replace(/\[.*/, '').toLowerCase())
  return [...(where ? ['where'] : []), ...names.filter(each => !unselective.has(each))]
}

/** The page and its size do not make another list; everything else does. */
function fingerprintOf(resource: Kind, parameters: ReadonlyMap<string, string>, more: ListingOptions): string {
  const asked = [...parameters].filter(([key]) => !['cursor', 'limit'].includes(key.toLowerCase())).sort()
  const identity = JSON.stringify([resource.entity, more.order ?? '', asked, more.about])
  return hash('sha1', identity, 'base64url').slice(0, 12)
}
