import type { ContainerFilter } from '@gantry/sdk'
import type { Criteria } from '../../items/list/list-query.ts'
import { printConditions } from '../../kernel/conditions/condition-text.ts'
import { fromGroups, toGroups } from '../../kernel/conditions/conditions.ts'
import type { ListSearch } from '../container-list/list-search.ts'

/** What a saved filter stores of a list. */
export function toFilter({
  conditions,
  text,
  includeClosed,
  sort,
  group,
}: Criteria): Pick<ContainerFilter, 'criteria' | 'groupBy'> {
  const words = text === '' ? [] : [{ path: 'text', operator: 'search', values: [text] } as const]
  const groups =
    words.length === 0 ? conditions : (conditions.length > 0 ? conditions : [[]]).map(each => [...each, ...words])
  return {
    criteria: {
      conditionGroup: toGroups(groups),
      includeClosed,
      sortField: sort.replace('-', ''),
      sortDescending: sort.startsWith('-'),
    },
    groupBy: group || 'none',
  }
}

/** What the address of a list would say, to show what a filter stores. */
export function fromFilter({ criteria, groupBy }: ContainerFilter): ListSearch {
  const { conditionGroup = [], includeClosed, sortField, sortDescending } = criteria
  const conditions = fromGroups(conditionGroup)
  const words = conditions.flat().find(({ path, operator }) => path === 'text' && operator === 'search')
  const others = conditions.map(group => group.filter(({ path, operator }) => path !== 'text' || operator !== 'search'))
  const where = printConditions(others)
  return {
    ...(where === '' ? {} : { where }),
    ...(words?.values[0] ? { q: words.values[0] } : {}),
    ...(sortField && sortField !== 'rank' ? { sort: `${sortDescending ? '-' : ''}${sortField}` } : {}),
    ...(groupBy ? { group: groupBy } : {}),
    closed: includeClosed ?? false,
  }
}
