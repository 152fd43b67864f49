import type { NewQueryResult, SearchItem } from '@gantry/sdk'
import { andAlso, type Condition, type Conditions, toGroups } from '../../kernel/conditions/conditions.ts'

/** Which items a list has, and in which order. */
export interface Criteria {
  containerId: string
  conditions: Conditions
  /** Words that the items contain. */
  text: string
  includeClosed: boolean
  /** As the service sorts: `-dueDate`. */
  sort: string
  /** The path by which items are grouped; empty if they are not. */
  group: string
}

export const pageSize = 200

/** The properties of items that rows need at once, whatever columns are shown. */
const always = 'key,title,status,statusCategory,priority,assignees,dueDate,estimateMinutes,spentMinutes,Tags,labels'
const further = 'containerId,processId,version,rank,startDate,remainingMinutes,points,progress,cycleId,requesterId'
const rare = 'crmId,parentId,resolution,created,createdBy,updated,closedAt,archived,Field'
export const cardFields = `${always},${further},${rare}`

/** The conditions of a list, with those of one of its groups. */
export function conditionsOf({ conditions, text, containerId }: Criteria, more: readonly Condition[] = []): Conditions {
  const here: Condition = { path: 'containerId', operator: 'equals', values: [containerId] }
  const words: Condition[] = text === '' ? [] : [{ path: 'text', operator: 'search', values: [text] }]
  return andAlso(conditions, here, ...words, ...more)
}

/** Which items belong to the group with a value. */
export function inGroup(path: string, value: string | null): Condition {
  return value === null ? { path, operator: 'isEmpty', values: [] } : { path, operator: 'in', values: [value] }
}

export function searchBody(criteria: Criteria, more: readonly Condition[], cursor: string): SearchItem {
  return {
    conditionGroup: toGroups(conditionsOf(criteria, more)),
    includeClosed: criteria.includeClosed,
    sort: criteria.sort,
    limit: pageSize,
    fields: cardFields,
    include: 'clock,subItems',
    ...(cursor === '' ? {} : { cursor }),
  }
}

/** How many items there are, with the sums of their times, by group. */
export function sumsBody(criteria: Criteria, open: Condition, timezone: string): NewQueryResult {
  const closed = criteria.includeClosed ? [] : [open]
  return {
    entity: 'Item',
    conditionGroup: toGroups(conditionsOf(criteria, closed)),
    groupBy: criteria.group === '' ? [] : [{ field: criteria.group, as: 'value' }],
    measures: [
      { op: 'count', as: 'count' },
      { op: 'sum', field: 'estimateMinutes', as: 'estimate' },
      { op: 'sum', field: 'spentMinutes', as: 'spent' },
    ],
    timezone,
    limit: 1000,
  }
}

/** The properties whose changes can move items in the list, add or remove them. */
export function propertiesOf({ conditions, sort, group, includeClosed }: Criteria): string[] {
  const paths = conditions.flat().map(({ path }) => path)
  const sorted = sort.split(',').map(each => each.replace('-', ''))
  const all = [...paths, ...sorted, group, ...(includeClosed ? [] : ['statusCategory']), 'estimateMinutes']
  return [...new Set(all.filter(each => each !== '').map(each => (each === 'tags' ? 'labels' : each)))]
}
