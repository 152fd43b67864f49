import { isSortable } from '../../containers/item-property/item-property.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Listing, type ListingOptions, readListing } from '../../kernel/list/listing.ts'
import { own } from '../../kernel/own.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import {
  type ConditionGroups,
  check,
  compile,
  operatorNames,
  type Vocabulary,
} from '../../language/conditions/conditions.ts'
import { items } from '../item/item.ts'
import { closedCategories } from '../status.ts'
import { type Matching, matches, matching } from '../text-match.ts'
import { itemVocabulary, sortableBy } from '../vocabulary/vocabulary.ts'

/** What somebody asks of items: by filters, by a search, by a list. */
export interface ItemQuery {
  conditionGroup?: ConditionGroups | undefined
  /** Words, as people type them into a search box. */
  q?: string | undefined
  container?: readonly Id[] | undefined
  includeClosed?: boolean | undefined
}

/** The question as a condition on items (`t`), and the words it may be refined and sorted by. */
export async function compileItemQuery(
  ctx: Context,
  asked: ItemQuery,
): Promise<{ where: Sql; vocabulary: Vocabulary }> {
  const { conditionGroup = [], q = '', container = [], includeClosed = true } = asked
  const { userId, timezone } = ctx.caller
  const vocabulary = await itemVocabulary(ctx, await understood(ctx, conditionGroup))
  const where: Sql[] = []
  // One value is compared by `=`, so that the index gives the order as well.
  const places = [...new Set(container.filter(isId))]
  if (places.length === 1) where.push(sql`t.container_id = ${places[0]}`)
  else if (container.length > 0) where.push(sql`t.container_id = any(${places}::uuid[])`)
  if (!includeClosed) where.push(open)
  if (conditionGroup.length > 0) where.push(compile(conditionGroup, vocabulary, { userId, now: ctx.now, timezone }))
  if (q.trim() !== '') where.push(matches(ctx.caller, await matching(ctx, q)))
  return { where: and(where), vocabulary }
}

const open: Sql = sql`t.status_category not in ${closedCategories}`

/** Looks into what the conditions search for, so that each takes the shorter way. */
async function understood(ctx: Context, groups: ConditionGroups): Promise<Map<string, Matching>> {
  const texts = groups.flatMap(({ condition }) =>
    condition.flatMap(each => (operatorNames[each.operator] === 'search' ? [each.rightSide] : [])),
  )
  const known = new Map<string, Matching>()
  for (const text of new Set(texts.slice(0, 20))) known.set(text, await matching(ctx, text))
  return known
}

/** The items that somebody asks for, as a list. `query` pages, sorts and refines it. */
export async function listItemQuery(
  ctx: Context,
  asked: ItemQuery,
  query: Record<string, unknown>,
  { order = '', ...more }: Pick<ListingOptions, 'order' | 'known' | 'about'> = {},
): Promise<Listing> {
  const { where, vocabulary } = await compileItemQuery(ctx, asked)
  const sortable = sortableBy(vocabulary)
  // A field that is no more must not make a filter unusable: it falls back to the order of creation.
  const wanted = order.replace(/^-/, '')
  const known = isSortable(wanted) || sortable(wanted)
  return readListing(ctx, items, query, {
    ...more,
    where,
    order: wanted !== '' && known ? order : '',
    sortable,
    filter: filterBy(ctx, vocabulary),
    varied: true,
  })
}

const codes: Record<string, number> = {
  eq: operatorNames.indexOf('in'),
  ne: operatorNames.indexOf('notIn'),
  gt: operatorNames.indexOf('greaterThan'),
  gte: operatorNames.indexOf('greaterOrEqual'),
  lt: operatorNames.indexOf('lessThan'),
  lte: operatorNames.indexOf('lessOrEqual'),
  contains: operatorNames.indexOf('contains'),
}

/** `field.severity=high,low`, `assignee=@me`, `dueDate[lte]=@today`: parameters by the same names as conditions. */
function filterBy(ctx: Context, vocabulary: Vocabulary): NonNullable<ListingOptions['filter']> {
  const { userId, timezone } = ctx.caller
  return (property, operator, text, faults: Fault[]) => {
    // What a column answers by itself, it answers by its index.
    if (isColumn(property) && !/(^|,)@(?!me\b)/.test(text) && operator !== 'contains') return undefined
    if (!vocabulary.resolve(property)) return undefined
    const code = own(codes, operator)
    if (code === undefined) {
      faults.push(fault([property], 'operator', `the operator must be one of ${Object.keys(codes).join(', ')}`))
      return raw('false')
    }
    const list = code === codes.eq || code === codes.ne || code === codes.contains
    const words = text.split(',').map(each => each.trim())
    const rightSide = list ? JSON.stringify(words) : text.trim()
    const groups = [
      {
        condition: [
          text === '' && list ? { ...isEmpty, leftSide: property } : { leftSide: property, operator: code, rightSide },
        ],
      },
    ]
    for (const { code: why, message } of check(groups, vocabulary)) faults.push(fault([property], why, message, text))
    return compile(groups, vocabulary, { userId, now: ctx.now, timezone })
  }
}

const common = ['id', 'created', 'createdBy', 'updated', 'updatedBy', 'version']

/** A property with one value, kept in a column. */
export function isColumn(property: string): boolean {
  const column = items.byProperty.get(property)
  return column ? !column.type.endsWith('[]') : common.includes(property)
}

const isEmpty = { operator: operatorNames.indexOf('isEmpty'), rightSide: '' }
