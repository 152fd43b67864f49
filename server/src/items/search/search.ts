import { orderOf, withKeysOf } from '../../containers/found-items.ts'
import { isSortable, namesOf } from '../../containers/item-property/item-property.ts'
import { areOpen, fewOfQuery } from '../../containers/states-in-conditions.ts'
import { type SeenTitles, titleQuery } from '../../containers/title-parts.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Listing, type ListingOptions, readListing } from '../../kernel/list/listing.ts'
import { own } from '../../kernel/own.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { excessiveCost } from '../../language/conditions/condition-cost.ts'
import {
  type ConditionFinding,
  type ConditionGroups,
  check,
  compile,
  operatorNames,
  type Vocabulary,
} from '../../language/conditions/conditions.ts'
import { countedTitles, items, seenTitles } from '../item/item.ts'
import { itemsAsOf, itemsOfContainersAt, pastVocabulary } from '../past/past.ts'
import { closedCategories } from '../status.ts'
import { matches, matching } from '../text-match.ts'
import { itemVocabulary, sortableBy } from '../vocabulary/vocabulary.ts'
import { analyseTexts } from './analyse-texts.ts'

/** A query for items, of a filter, a search or a list. */
export interface ItemQuery {
  conditionGroup?: ConditionGroups | undefined
  /** Words, as users type them into a search box. */
  q?: string | undefined
  container?: readonly Id[] | undefined
  includeClosed?: boolean | undefined
  /** The moment whose items are asked for, instead of those of now. */
  asOf?: Date | undefined
  /** Refuses conditions that can never hold; a stored filter runs with them. */
  refuseInert?: boolean
}

interface CompiledQuery {
  /** A condition on items (`t`). */
  where: Sql
  /** For further filters, which are parameters of a list, and the sort order. */
  vocabulary: Vocabulary
  counted: Sql | undefined
  /** Whether the best plan depends on the values of the query. */
  varied: boolean
}

/** Compiles a query; `parameters` are those of its list. */
export async function compileItemQuery(
  ctx: Context,
  asked: ItemQuery,
  parameters: Record<string, unknown> = {},
  seen?: SeenTitles,
): Promise<CompiledQuery> {
  const { conditionGroup = [], q = '', refuseInert = false, asOf } = asked
  const { userId, timezone } = ctx.caller
  const where = scopeOf(asked)
  const isAlone = conditionGroup.length === 0 && q.trim() === '' && where.length === 0
  const titles = isAlone && !asOf ? titleQuery(parameters, seen) : undefined
  const analysis = asOf ? undefined : await analyseTexts(ctx, conditionGroup, parameters, titles)
  const vocabulary = asOf ? await pastVocabulary(ctx, asOf) : await itemVocabulary(ctx, analysis)
  if (refuseInert) refuseFaults(check(conditionGroup, vocabulary))
  if (areOpen(ctx.caller, conditionGroup)) where.push(open)
  if (conditionGroup.length > 0)
    where.push(compile(conditionGroup, vocabulary, { userId, now: asOf ?? ctx.now, timezone }))
  if (q.trim() !== '') where.push(matches(ctx.caller, await matching(ctx, q)))
  const counted =
    titles?.counted && analysis
      ? countedTitles(ctx.caller, titles, analysis.rareIn.get('title') ?? new Map())
      : undefined
  return { where: and(where), vocabulary, counted, varied: !isAlone || !isOneText(parameters) }
}

function refuseFaults(found: readonly ConditionFinding[]): void {
  if (found.length === 0) return
  throw new Invalid(
    found.map(({ path, code, message }) => fault(['conditionGroup', ...path.split('/').slice(1)], code, message)),
  )
}

const open: Sql = sql`t.status_category not in ${closedCategories}`

/** The conditions on containers and on closed items. */
function scopeOf({ container = [], includeClosed = true }: ItemQuery): Sql[] {
  const where = includeClosed ? [] : [open]
  const places = [...new Set(container.filter(isId))]
  // A single container is compared by `=`, so that the index also yields the order.
  if (places.length === 1) return [sql`t.container_id = ${places[0]}`, ...where]
  return container.length > 0 ? [sql`t.container_id = any(${places}::uuid[])`, ...where] : where
}

/** The items of a query as a list; `query` contains the parameters for paging, sorting and filtering. */
export async function listItemQuery(
  ctx: Context,
  asked: ItemQuery,
  query: Record<string, unknown>,
  { order = '', ...more }: Pick<ListingOptions, 'order' | 'known' | 'about'> = {},
): Promise<Listing> {
  const { asOf } = asked
  const {
    where: asking,
    vocabulary,
    counted,
    varied,
  } = await compileItemQuery(ctx, asked, query, seenTitles(ctx.caller))
  const few =
    asOf || asked.q?.trim() ? undefined : await fewOfQuery(ctx, { ...asked, scope: scopeOf(asked), query }, vocabulary)
  const { sortable, filter } = queryPaths(asOf ? ctx.derive({ now: asOf }) : ctx, vocabulary)
  const keyed = asOf ? undefined : withKeysOf(containersIn(asked, query) ?? [], orderOf({ sort: query.sort || order }))
  // A deleted field must not make a filter unusable, so it falls back to the order of creation.
  const wanted = order.replace(/^-/, '')
  const known = isSortable(wanted) || sortable(wanted)
  return await readListing(ctx, asOf ? itemsAsOf(asOf) : items, query, {
    ...more,
    ...(asOf ? { from: await itemsOfContainersAt(ctx, asOf, containersIn(asked, query)) } : {}),
    where: and([asking, ...(few ? [few] : []), ...(keyed ? [keyed] : [])]),
    counted,
    order: wanted !== '' && known ? order : '',
    sortable,
    filter,
    varied,
  })
}

/** The containers that a query is limited to; undefined if it is not limited to any. */
function containersIn({ container = [] }: ItemQuery, query: Record<string, unknown>): readonly Id[] | undefined {
  const named = Object.entries(query).find(([name]) => namesOf('containerId').includes(name.toLowerCase()))?.[1]
  const ids = container.length > 0 ? container : typeof named === 'string' ? named.split(',').map(id => id.trim()) : []
  return ids.length > 0 && ids.every(isId) ? ids : undefined
}

/** What lists of items can be sorted and filtered by besides columns: the paths of conditions. */
export function queryPaths(
  ctx: Context,
  vocabulary: Vocabulary,
): Required<Pick<ListingOptions, 'sortable' | 'filter'>> {
  return { sortable: sortableBy(vocabulary), filter: filterBy(ctx, vocabulary) }
}

const codes: Record<string, number> = {
  eq: operatorNames.indexOf('in'),
  ne: operatorNames.indexOf('notIn'),
  gt: operatorNames.indexOf('greaterThan'),
  gte: operatorNames.indexOf('greaterOrEqual'),
  lt: operatorNames.indexOf('lessThan'),
  lte: operatorNames.indexOf('lessOrEqual'),
  contains: operatorNames.indexOf('contains'),
  startsWith: operatorNames.indexOf('startsWith'),
  endsWith: operatorNames.indexOf('endsWith'),
  matches: operatorNames.indexOf('matches'),
}
/** The operators that look into texts, which lists of other records do not have. */
const ofTexts = ['contains', 'startsWith', 'endsWith', 'matches']
/** The operators whose right side is a list of words. */
const ofLists = ['eq', 'ne', 'contains', 'startsWith', 'endsWith']

/** `field.severity=high,low`, `assignee=@me`, `dueDate[lte]=@today`: parameters by the same names as conditions. */
function filterBy(ctx: Context, vocabulary: Vocabulary): Required<ListingOptions>['filter'] {
  const { userId, timezone } = ctx.caller
  return (property, operator, text, faults: Fault[]) => {
    if (!vocabulary.resolve(property)) {
      const unavailable = vocabulary.unavailable?.(property)
      if (!unavailable) return undefined
      faults.push(fault([property], unavailable.code, unavailable.message))
      return raw('false')
    }
    const code = own(codes, operator)
    if (code === undefined) {
      const message = `the operator must be one of ${Object.keys(codes).join(', ')}`
      faults.push(fault([`${property}[${operator}]`], 'operator', message))
      return raw('false')
    }
    // Plain comparisons of a column are left to the list, which uses its index.
    if (isColumn(property) && !/(^|,)@(?!me\b)/.test(text) && !ofTexts.includes(operator)) return undefined
    const list = ofLists.includes(operator)
    const words = text.split(',').map(each => each.trim())
    const rightSide = list ? JSON.stringify(words) : text.trim()
    const groups = [
      {
        condition: [
          text === '' && list ? { ...isEmpty, leftSide: property } : { leftSide: property, operator: code, rightSide },
        ],
      },
    ]
    const excess = excessiveCost(groups)
    if (excess) faults.push(fault([property], excess.code, excess.message))
    for (const { code: why, message } of check(groups, vocabulary)) faults.push(fault([property], why, message, text))
    return compile(groups, vocabulary, { userId, now: ctx.now, timezone })
  }
}

const common = ['id', 'created', 'createdBy', 'updated', 'updatedBy', 'version']

/** A property with one value, kept in a column. */
function isColumn(property: string): boolean {
  const column = items.byProperty.get(property)
  return column ? !column.type.endsWith('[]') : common.includes(property)
}

const paging = ['limit', 'cursor', 'sort', 'fields', 'deleted', 'count', 'updatedafter']

/** Whether a list needs no vocabulary, which is the common case: it is filtered and sorted by columns alone. */
export function isPlainQuery(query: Record<string, unknown>, isOtherColumn = (_name: string) => false): boolean {
  const plain = (name: string) => isColumn(name) || isOtherColumn(name)
  return Object.entries(query).every(([name, value]) => {
    const text = String(value)
    if (text.includes('@')) return false
    if (name.toLowerCase() === 'sort')
      return text.split(',').every(each => each.trim() === '' || plain(each.trim().replace(/^[-+]/, '')))
    return paging.includes(name.toLowerCase()) || plain(name.replace(/\[(eq|ne|[gl]te?)\]$/, ''))
  })
}

/** Whether a list is filtered by one text alone: its index, or the order of the list, finds the items whatever the text is. */
function isOneText(parameters: Record<string, unknown>): boolean {
  const [filter, ...more] = Object.keys(parameters).filter(name => !paging.includes(name.toLowerCase()))
  return more.length === 0 && ofTexts.some(operator => filter?.endsWith(`[${operator}]`))
}

const isEmpty = { operator: operatorNames.indexOf('isEmpty'), rightSide: '' }
