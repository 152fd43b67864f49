import { operator } from '../../server/src/language/conditions/conditions.ts'
import { containerCount, containerId, itemId } from '../growth/seed.ts'
import type { Caller } from './traffic.ts'

/** What a member does all day: items, pages of lists, filters and searches. */
export function usualRequests({ mark }: { mark: string }, items: number): Caller['request'] {
  const container = (i: number) => containerId(mark, 1 + (i % (containerCount - 1)))
  const kinds: Caller['request'][] = [
    i => ({ method: 'GET', path: `/item/${itemId(mark, (i * 389) % items)}` }),
    i => ({ method: 'GET', path: `/item?containerId=${container(i)}&limit=50&sort=-id` }),
    i => ({
      method: 'POST',
      path: '/item/search',
      body: {
        conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.lessOrEqual, rightSide: '3' }] }],
        container: [container(i)],
        includeClosed: false,
        limit: 10,
      },
    }),
    i => ({ method: 'GET', path: `/search?q=${encodeURIComponent(`zx${(i * 97) % items} `)}` }),
  ]
  return i => (kinds[i % kinds.length] ?? kinds[0])?.(i) ?? { method: 'GET', path: '/user/me' }
}

/** A search that reads the text of every item once for each group, and finds none. */
export function expensiveSearch(groups: number): Caller['request'] {
  return i => ({
    method: 'POST',
    path: '/item/search',
    body: {
      conditionGroup: Array.from({ length: groups }, (_, g) => ({
        condition: [{ leftSide: 'description', operator: operator.contains, rightSide: `absent ${i} ${g}` }],
      })),
      count: 'exact',
      limit: 10,
    },
  })
}
