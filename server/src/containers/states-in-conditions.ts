import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { unselective } from '../kernel/list/listing.ts'
import { and, raw, type Sql } from '../kernel/sql.ts'
import {
  type ConditionGroups,
  compile,
  operator,
  readList,
  type Vocabulary,
} from '../language/conditions/conditions.ts'
import { fewItems, orderOf } from './found-items.ts'
import { namesOf } from './item-property/item-property.ts'
import { statusCategory } from './status-category.ts'

// What conditions on items say about their containers and states, by which an index finds the items.

/** The orders that indexes have of the open items of a container. */
const ordersOfOpen = ['id', 'priority', 'rank', 'dueDate']

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
