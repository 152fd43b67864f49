import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import type { FoundRows } from '../kernel/kinds.ts'
import { unselective } from '../kernel/list/listing.ts'
import { and, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import {
  type ConditionGroups,
  compile,
  operator,
  readList,
  type Vocabulary,
} from '../language/conditions/conditions.ts'
import { rememberedEach } from '../records/page/remembered-each.ts'
import { itemNumbers } from './item-numbers.ts'
import { namesOf } from './item-property/item-property.ts'
import { statusCategory } from './status-category.ts'

// How pages of items are found. To plan a page for its values takes longer than to read it, and the planner does not know how many
// items of a container are in a state: it would look through a large container for the few that are open.

/** The orders that indexes have, of the items of the tenant and of those of a container. */
const ordersOfTenant = ['id', 'created', 'updated', 'title', 'status', 'priority', 'dueDate', 'startDate']
const ordersOfContainer = ['id', 'updated', 'title', 'priority']
/** Those of the open items of a container. */
const ordersOfOpen = ['id', 'priority', 'rank', 'dueDate']

/** Finds the items of a tenant or a container, all or in some states, by the order of the list or by the states. */
export async function foundItems(
  ctx: Context,
  where: Sql,
  query: Record<string, unknown>,
): Promise<FoundRows | undefined> {
  const filters = Object.entries(query).filter(([name]) => !unselective.has(name))
  const containers = filters.flatMap(([name, value]) => (name === 'containerId' && isId(value) ? [String(value)] : []))
  const names = filters.map(([name]) => name).filter(name => containers.length === 0 || name !== 'containerId')
  if (names.some(name => name !== 'status' && name !== 'statusCategory')) return undefined
  const onStatusAlone = filters.every(([name]) => name === 'status')
  const asked = { where, key: JSON.stringify(filters), containers, onStatusAlone }
  const few = names.length > 0 ? await fewItems(ctx, asked) : undefined
  if (few) return { where: few, planned: 'once' }
  const orders = containers.length > 0 ? ordersOfContainer : ordersOfTenant
  return orders.includes(orderOf(query)) ? { planned: 'once' } : undefined
}

const orderOf = ({ sort }: Record<string, unknown>) => String(sort || 'id').replace(/^-/, '')

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
async function fewItems(ctx: Context, asked: StatesQuery): Promise<Sql | undefined> {
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

/** A query for items by conditions. */
interface ConditionQuery {
  conditionGroup?: ConditionGroups | undefined
  container?: readonly Id[] | undefined
  includeClosed?: boolean | undefined
  /** The conditions on containers and closed items that the two are. */
  scope: readonly Sql[]
  /** The parameters of its list. */
  query: Record<string, unknown>
}

/** The condition that finds the items of a query by their states; undefined if they are many, or an index of texts may find them. */
export async function fewOfQuery(
  ctx: Context,
  { conditionGroup = [], container = [], includeClosed = true, scope, query }: ConditionQuery,
  vocabulary: Vocabulary,
): Promise<Sql | undefined> {
  const { userId, timezone, authority } = ctx.caller
  // Whether a state is hidden depends on more than the state.
  if (authority.fieldLimits.some(({ hides }) => hides)) return undefined
  const filters = Object.keys(query).filter(name => !unselective.has(name.toLowerCase()))
  const conditions = conditionGroup.flatMap(({ condition }) => condition)
  if (filters.some(name => otherFilters.test(name)) || conditions.some(isOnText)) return undefined
  if (!includeClosed && ordersOfOpen.includes(orderOf(query)) && !conditions.some(on(states))) return undefined
  const groups = conditionGroup.map(({ condition }) => ({ condition: condition.filter(isOnStates) }))
  return await fewItems(ctx, {
    where: and([raw('not t.archived'), ...scope, compile(groups, vocabulary, { userId, timezone, now: ctx.now })]),
    key: JSON.stringify([container, includeClosed, groups]),
    containers: container.length > 0 ? container.filter(isId) : containersOf(groups),
    onStatusAlone: scope.length === 0 && !conditions.some(on([...places, ...categories])),
    isPart: filters.length > 0 || groups.flatMap(({ condition }) => condition).length < conditions.length,
  })
}

type Condition = ConditionGroups[number]['condition'][number]

/** Filters that look into texts, and those that show other items than the numbers are of. */
const otherFilters = /^(archived|deleted)$|\[(?!eq|ne|[gl]te?)/i
const { equals, notEquals, notIn, contains, startsWith, endsWith, matches, search, lessThan, lessOrEqual } = operator
const textOperators: readonly number[] = [contains, startsWith, endsWith, matches, search]
const comparisons: readonly number[] = [equals, notEquals, operator.in, notIn, lessThan, lessOrEqual]

const places = namesOf('containerId')
const categories = namesOf('statusCategory')
const states = [...namesOf('status'), ...categories]
const on =
  (paths: readonly string[]) =>
  ({ leftSide }: Condition) =>
    paths.includes(leftSide.trim().toLowerCase())

function isOnText({ operator: code }: Condition): boolean {
  return textOperators.includes(code)
}

/** Whether all items of the groups are open, so that the indexes of open items find them. */
export function areOpen({ authority }: Caller, groups: ConditionGroups): boolean {
  const isHidden = authority.fieldLimits.some(({ hides }) => hides)
  return groups.length > 0 && !isHidden && groups.every(({ condition }) => condition.some(excludesClosed))
}

const closed: readonly number[] = [statusCategory.done, statusCategory.cancelled]

function excludesClosed(condition: Condition): boolean {
  const codes = readList(condition.rightSide ?? '').map(word => (word.trim() === '' ? Number.NaN : Number(word)))
  if (!on(categories)(condition) || codes.length === 0 || !codes.every(Number.isInteger)) return false
  const [code = 0] = codes
  if (condition.operator === lessThan) return closed.every(each => each >= code)
  if (condition.operator === lessOrEqual) return closed.every(each => each > code)
  if (condition.operator === notIn) return closed.every(each => codes.includes(each))
  const isOneOf = condition.operator === equals || condition.operator === operator.in
  return isOneOf && !codes.some(each => closed.includes(each))
}

/** Whether a condition is on containers and states alone. */
function isOnStates(condition: Condition): boolean {
  return comparisons.includes(condition.operator) && on([...places, ...states])(condition)
}

/** The containers of all items that meet one of the groups; none if they can be in any. */
function containersOf(groups: ConditionGroups): Id[] {
  const named = groups.map(({ condition }) => {
    const place = condition.find(
      each => on(places)(each) && (each.operator === equals || each.operator === operator.in),
    )
    const ids = place ? readList(place.rightSide ?? '') : []
    return ids.every(isId) ? ids : []
  })
  return named.every(ids => ids.length > 0) ? [...new Set(named.flat())] : []
}
