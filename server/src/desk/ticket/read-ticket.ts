import { numberedBy } from '../../containers/item-numbers.ts'
import { items } from '../../items/item/item.ts'
import { itemColumns } from '../../items/item-row.ts'
import { compileItemQuery, isPlainQuery, queryPaths } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { afterCursor } from '../../kernel/list/cursor.ts'
import { type Listing, readListing } from '../../kernel/list/listing.ts'
import type { Column } from '../../kernel/record/columns.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { and, flat, join, name, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { shown } from '../../records/page/shown-value.ts'
import { deskKind, type Ticket, tickets } from './ticket.ts'

const t = raw('t')

/** The columns that combine both rows: the requester follows the item, and the version counts the changes of both. */
const combinedColumns: Record<string, Sql> = {
  requester: sql`case when coalesce(i.requester_id::text, '') = coalesce(f.requester ->> 'userId', '') then coalesce(f.requester, '{}')
    when i.requester_id is null then '{}' else (
      select jsonb_build_object('userId', u.id, 'email', u.email, 'name', u.name, 'phone', u.phone) from "user" u where u.tenant_id = ${ownTenant} and u.id = i.requester_id) end`,
  version: sql`i.version + coalesce(f.version, 1) - 1`,
  updated: sql`greatest(i.updated, f.updated)`,
  updated_by: sql`case when f.updated > i.updated then f.updated_by else i.updated_by end`,
}

/**
 * Items of service desks joined with their facets, usable like one table. An item without a facet shows the defaults.
 */
function ticketRows(ctx: Context, desk: Sql): Sql {
  const plain = ['tenant_id', 'id', 'created', 'created_by', 'deleted', ...itemColumns.map(({ column }) => column)]
  const facet = tickets.columns.filter(({ column }) => !(column in combinedColumns))
  const columns = [
    ...plain.map(column => sql`i.${name(column)}`),
    ...facet.map(each => sql`${withDefault(each)} as ${name(each.column)}`),
    ...Object.entries(combinedColumns).map(([column, value]) => sql`${value} as ${name(column)}`),
    sql`i.updated as item_updated`,
    sql`f.updated as facet_updated`,
  ]
  return sql`(select ${join(columns)} from item i left join ticket f on f.tenant_id = ${ownTenant} and f.id = i.id
    where i.tenant_id = ${ctx.caller.tenantId} and ${desk})`
}

/** Selects the ids of all desks. */
const desks = (ctx: Context) =>
  sql`select c.id from container c where c.tenant_id = ${ctx.caller.tenantId} and c.kind = ${raw(String(deskKind))}`

function withDefault({ column, type, property }: Column): Sql {
  const value = sql`f.${name(column)}`
  if (type === 'uuid' || type === 'timestamptz') return value
  if (type === 'text') return sql`coalesce(${value}, '')`
  if (type === 'text[]' || type === 'jsonb') return sql`coalesce(${value}, '{}')`
  if (type === 'boolean') return sql`coalesce(${value}, false)`
  return sql`coalesce(${value}, ${raw(property === 'channel' ? '4' : '0')})`
}

const entity = raw(`'Ticket'::text`)

function json(alias: Sql, only?: ReadonlySet<string>): Sql {
  if (!only && completeJson && alias === t) return completeJson
  return items.json(alias, only, facet(alias, only))
}

/** The same with the custom fields of the caller’s tenant. */
async function jsonFor(ctx: Context, alias: Sql, only?: ReadonlySet<string>): Promise<Sql> {
  const own = await items.ofTenant(ctx)
  return own ? await items.jsonFor(ctx, alias, only, facet(alias, only)) : json(alias, only)
}

function facet(alias: Sql, only?: ReadonlySet<string>): Record<string, Sql> {
  const wanted = tickets.columns.filter(({ property }) => !only || only.has(property))
  return { entity, ...Object.fromEntries(wanted.map(each => [each.property, shown(each, alias)])) }
}

let completeJson: Sql | undefined
completeJson = flat(json(t))

/** The schema of a ticket: the properties of the item and of the facet. */
export const ticketSchema: Schema = {
  ...tickets.schema,
  properties: { ...items.schema.properties, ...tickets.schema.properties },
  required: [...new Set([...(items.schema.required ?? []), ...(tickets.schema.required ?? [])])],
}

/** Queries read items and facets as one resource. */
const ticketResource = {
  ...items,
  entity: 'Ticket',
  schema: ticketSchema,
  columns: [...items.columns, ...tickets.columns],
  json,
  jsonFor,
  inParts: (ctx: Context, only?: ReadonlySet<string>) => items.inParts(ctx, only, facet(t, only)),
}

/** Tickets are sorted and filtered by their columns, and by the paths of conditions: `clock.dueAt`, `assignee=@me`. */
export async function readTickets(ctx: Context, query: Record<string, unknown>): Promise<Listing> {
  // The list is planned with the desks: whether nearly all items are tickets or hardly any decides how a page is found.
  const ids = (await ctx.sql<{ id: Id }>`${desks(ctx)}`).map(({ id }) => id)
  const from = ticketRows(ctx, sql`i.container_id = any(${ids}::uuid[])`)
  const isFacet = (property: string) => tickets.byProperty.has(property)
  if (isPlainQuery(query, isFacet)) {
    const counted = await countedTickets(ctx, query, ids)
    return latestFirst(ctx, await readListing(ctx, ticketResource, query, { from, counted, varied: true }), query, ids)
  }
  const { vocabulary } = await compileItemQuery(ctx, {}, query)
  const { sortable, filter } = queryPaths(ctx, vocabulary)
  return await readListing(ctx, ticketResource, query, {
    from,
    sortable,
    filter: (property, ...more) => (isFacet(property) ? undefined : filter(property, ...more)),
    varied: true,
  })
}

/** The number of tickets is that of the items of the desks, if the query names nothing else than what their numbers are kept by. */
async function countedTickets(ctx: Context, query: Record<string, unknown>, ids: readonly Id[]) {
  const filters = Object.entries(query).filter(([key]) => !['limit', 'cursor', 'sort', 'fields', 'count'].includes(key))
  const isKept = (key: string) => key !== 'containerid' && numberedBy.includes(key)
  const isNumbered = filters.every(([key]) => isKept(key.replace(/\[.*/, '').toLowerCase()))
  if (query.count !== 'exact' || !isNumbered || ids.length === 0) return undefined
  return (await readListing(ctx, items, { ...Object.fromEntries(filters), containerId: ids.join(',') })).counted
}

/**
 * Tickets by last change, the latest first. It is that of the item or of the facet, so no index has this order; but each ticket of a
 * page is among the latest of a desk by the change of its item, or among the latest by that of its facet, and these orders have one.
 */
function latestFirst(ctx: Context, listing: Listing, { sort }: Record<string, unknown>, ids: readonly Id[]): Listing {
  const { limit, after, where, from = raw('item'), count } = listing
  if (limit === undefined || count === 'estimate' || !/^-updated(,-id)?$/.test(String(sort))) return listing
  const latest = (desk: Sql, column: string) => {
    const changed = raw(`t.${column}`)
    const cursor = after
      ? sql`and ${changed} <= ${after[0]}::timestamptz and ${afterCursor(listing.sort, after)}`
      : raw('')
    return sql`(select t.id from ${ticketRows(ctx, desk)} t where ${where} and ${changed} is not null ${cursor} order by ${changed} desc, t.id desc limit ${limit + 1})`
  }
  const byItem = sql`select l.id from unnest(${ids}::uuid[]) d(id) cross join lateral ${latest(raw('i.container_id = d.id'), 'item_updated')} l`
  const byFacet = sql`select l.id from ${latest(sql`i.container_id = any(${ids}::uuid[])`, 'facet_updated')} l`
  return {
    ...listing,
    where: and([where, sql`t.id = any(array(${byItem} union all ${byFacet}))`]),
    counted: listing.counted ?? sql`(select count(*) from ${from} t where ${where})`,
  }
}

interface TicketOptions {
  deleted?: boolean
  /** Also finds a ticket whose item has left the desk. */
  anywhere?: boolean
}

/** One ticket that the caller sees, as JSON text with its version. */
export async function findTicket(ctx: Context, id: Id, { deleted = false, anywhere = false }: TicketOptions = {}) {
  if (!isId(id)) return undefined
  const desk = anywhere ? raw('true') : sql`i.container_id in (${desks(ctx)})`
  const [row] = await ctx.sql<{
    json: string
    version: number
  }>`select ${await jsonFor(ctx, t)} as json, t.version from ${ticketRows(ctx, desk)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} ${deleted ? raw('') : raw('and not t.deleted')} and ${items.visible(ctx.caller, t)}`
  return row
}

export async function getTicket(ctx: Context, id: Id, which: TicketOptions = {}): Promise<Ticket> {
  const found = await findTicket(ctx, id, which)
  if (!found) throw new NotFound()
  return JSON.parse(found.json)
}

/** The same, locked until the end of the transaction. */
export async function lockTicket(ctx: Context, id: Id): Promise<Ticket> {
  await items.get(ctx, id, { lock: true })
  return await getTicket(ctx, id)
}
