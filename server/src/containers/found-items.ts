import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import type { FoundRows } from '../kernel/kinds.ts'
import { unselective } from '../kernel/list/listing.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { rememberedEach } from '../records/page/remembered-each.ts'
import { itemNumbers } from './item-numbers.ts'

// How pages of items are found. To plan a page for its values takes longer than to read it, and the planner does not know how many
// items of a container are in a state: it would look through a large container for the few that are open.

/** The orders that indexes have, of the items of the tenant and of those of a container. */
const ordersOfTenant = ['id', 'created', 'updated', 'title', 'status', 'priority', 'dueDate', 'startDate', 'key']
const ordersOfContainer = ['id', 'updated', 'title', 'priority']

/** Finds the items of a tenant or a container, all or in some states, by the order of the list or by the states. */
export async function foundItems(
  ctx: Context,
  where: Sql,
  query: Record<string, unknown>,
): Promise<FoundRows | undefined> {
  const filters = Object.entries(query).filter(([name]) => !unselective.has(name))
  const containers = filters.flatMap(([name, value]) => (name === 'containerId' && isId(value) ? [String(value)] : []))
  const names = filters.map(([name]) => name).filter(name => containers.length === 0 || name !== 'containerId')
  const keyed = withKeysOf(containers, orderOf(query))
  if (names.some(name => name !== 'status' && name !== 'statusCategory'))
    return keyed && { where: keyed, planned: undefined }
  const onStatusAlone = filters.every(([name]) => name === 'status')
  const asked = { where, key: JSON.stringify(filters), containers, onStatusAlone }
  const few = names.length > 0 ? await fewItems(ctx, asked) : undefined
  if (few) return { where: few, planned: 'once' }
  if (keyed) return { where: keyed, planned: 'once' }
  const orders = containers.length > 0 ? ordersOfContainer : ordersOfTenant
  return orders.includes(orderOf(query)) ? { planned: 'once' } : undefined
}

/** The order of a list, without its direction. */
export const orderOf = ({ sort }: Record<string, unknown>) => String(sort || 'id').replace(/^-/, '')

/**
 * The condition that the items (`t`) of containers meet by their keys: in the order of keys, which is that of the bytes, they lie together,
 * and a list passes no others. Each container is known with all keys that it has had.
 */
export function withKeysOf(containers: readonly Id[], order: string): Sql | undefined {
  if (containers.length === 0 || order.split(',')[0] !== 'key') return undefined
  // A full stop follows the hyphen that is in each key.
  const keys = (bound: Sql) =>
    sql`(select ${bound} from container_key k where k.tenant_id = ${ownTenant} and k.container_id = any(${containers}::uuid[]))`
  return sql`t.key >= ${keys(raw(`min(k.key || '-')`))} and t.key < ${keys(raw(`max(k.key || '.')`))}`
}

/** What a query asks of containers and states. */
interface StatesQuery {
  /** A condition on the states (`t`) of items that are not archived. */
  where: Sql
  /** Names the condition. */
  key: string
  /** The containers of all items; none if they can be in any. */
  containers: readonly Id[]
  /** Whether the condition is on the state itself, and neither on its category nor on containers. */
  onStatusAlone: boolean
  /** Whether the items must meet other conditions as well. */
  isPart?: boolean
}

/** So many items are read and sorted for a page, or compared with other conditions, which may have an index of their own. */
const maxSorted = 5000
const maxCompared = 2000
/** Where they are a larger part of all items, the order of an index comes to enough of them sooner. */
const smallPart = 0.1
const maxContainers = 20
/** To look for the states of a container takes as long as to pass some items. */
const itemsForLook = 100

interface Numbers {
  items: number
  containers: number
}
const none: Numbers = { items: 0, containers: 0 }

/** The condition that finds items (`t`) by their states; undefined if there are many of them. */
export async function fewItems(ctx: Context, asked: StatesQuery): Promise<Sql | undefined> {
  const { where, key, containers, onStatusAlone, isPart } = asked
  if (containers.length > maxContainers) return undefined
  const { items } = await numbersOf(ctx, where, key)
  if (items > (isPart ? maxCompared : maxSorted)) return undefined
  const all = containers.length > 0 ? sql`t.container_id = any(${containers}::uuid[])` : raw('true')
  const whole = await numbersOf(ctx, all, containers.join())
  if (items > smallPart * whole.items) return undefined
  if (containers.length > 0) return isAmong(inStatesOf(sql`unnest(${containers}::uuid[]) c(id)`, where))
  if (onStatusAlone) return isAmong(inStatesOfTenant(where))
  if (whole.containers * itemsForLook > whole.items) return undefined
  return isAmong(inStatesOf(sql`(select o.id from container o where o.tenant_id = ${ownTenant}) c`, where))
}

const isAmong = (ids: Sql) => sql`t.id = any(array(${ids}))`

/** About how many items there are, and in how many containers. Seconds later it may be others, which changes the way to the items alone. */
async function numbersOf(ctx: Context, where: Sql, key: string): Promise<Numbers> {
  const load = async () => {
    const [row = none] =
      await ctx.sql<Numbers>`select coalesce(sum(t.items), 0)::int as items, count(distinct t.container_id)::int as containers
      from ${itemNumbers} t where ${where}`
    return [[key, row] as const]
  }
  const numbers = await rememberedEach(ctx, { subject: 'numbers of items', max: 500, load }, new Set([key]))
  return numbers.get(key) ?? none
}

const present = sql`i.tenant_id = ${ownTenant} and not i.deleted and not i.archived`
const ofPresent = sql`${ownTenant}::uuid as tenant_id, false as deleted, false as archived`

/** The ids of the items in those states of these containers (`c`) that the condition selects. Each state is one look into `item_counted`. */
function inStatesOf(containers: Sql, where: Sql): Sql {
  const next = (after: Sql) =>
    sql`(select i.status_category, i.status from item i where ${present} and i.container_id = c.id and ${after} order by 1, 2 limit 1)`
  return sql`select i.id from ${containers} cross join lateral (
      with recursive s as (${next(raw('true'))} union all select n.status_category, n.status
        from s cross join lateral ${next(sql`(i.status_category, i.status) > (s.status_category, s.status)`)} n)
      select ${ofPresent}, c.id as container_id, s.status_category, s.status from s) t
    cross join lateral (select i.id from item i where ${present} and i.container_id = t.container_id
      and i.status_category = t.status_category and i.status = t.status offset 0) i where ${where}`
}

/** The same for all containers, by `item_by_status`. */
function inStatesOfTenant(where: Sql): Sql {
  const next = (after: Sql) => sql`(select i.status from item i where ${present} and ${after} order by 1 limit 1)`
  return sql`select i.id from (
      with recursive s as (${next(raw('true'))} union all select n.status from s cross join lateral ${next(sql`i.status > s.status`)} n)
      select ${ofPresent}, s.status from s) t
    cross join lateral (select i.id from item i where ${present} and i.status = t.status offset 0) i where ${where}`
}
