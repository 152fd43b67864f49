import type { ConditionGroups, Viewer } from './conditions.ts'
import { operator as operatorCode } from './operators/operators.ts'
import type { Thing } from './test-records.ts'

/**
 * The core operators in plain JavaScript, written independently of the SQL: the property tests compare SQL with this.
 * The viewer is in Auckland in July, twelve hours ahead of UTC.
 */
export function evaluate(groups: ConditionGroups, thing: Partial<Thing>, viewer: Viewer): boolean {
  if (groups.length === 0) return true
  return groups.some(group =>
    group.condition.every(({ leftSide, operator, rightSide = '' }) => {
      const kind = kinds.get(leftSide)
      const left = new Map<string, unknown>(Object.entries(thing)).get(leftSide) ?? null
      return kind !== undefined && holds(kind, left, operator, rightSide, viewer)
    }),
  )
}

export type Kind = 'text' | 'number' | 'boolean' | 'day' | 'instant' | 'person'

const kinds = new Map<string, Kind>([
  ['title', 'text'],
  ['points', 'number'],
  ['rate', 'number'],
  ['spent', 'number'],
  ['open', 'boolean'],
  ['due', 'day'],
  ['opened', 'instant'],
  ['area', 'person'],
  ['owner', 'person'],
  ['tags', 'text'],
  ['scores', 'number'],
  ['watchers', 'person'],
  ['asideTitle', 'text'],
  ['asidePoints', 'number'],
  ['asideOpen', 'boolean'],
  ['asideDue', 'day'],
  ['asideOpened', 'instant'],
  ['asideOwner', 'person'],
  ['asideScores', 'number'],
])

const { equals, notEquals, contains, notContains, isEmpty, isNotEmpty, containsAll, between } = operatorCode

const negated = new Map([
  [notEquals, equals],
  [notContains, contains],
  [isNotEmpty, isEmpty],
  [operatorCode.notIn, operatorCode.in],
])

/** Tells whether an operator holds for a value, or for a list of values. */
export function holds(kind: Kind, left: unknown, operator: number, right: string, viewer: Viewer): boolean {
  const positive = negated.get(operator)
  if (positive !== undefined) return !holds(kind, left, positive, right, viewer)
  if (operator === isEmpty) return left === null || left === '' || (Array.isArray(left) && left.length === 0)
  const words = list(right).map(word => value(kind, word, viewer))
  if (Array.isArray(left)) {
    const has = left.map(element => value(kind, String(element), viewer))
    return operator === containsAll ? words.every(word => has.includes(word)) : words.some(word => has.includes(word))
  }
  if (left === null) return operator === containsAll && words.length === 0
  const mine = value(kind, String(left), viewer)
  if (operator === equals || operator === operatorCode.in) return words.includes(mine)
  if (operator === contains) return words.some(word => String(mine).includes(String(word)))
  if (operator === operatorCode.startsWith) return words.some(word => String(mine).startsWith(String(word)))
  if (operator === operatorCode.endsWith) return words.some(word => String(mine).endsWith(String(word)))
  if (operator === between) {
    const [from = '', to = ''] = right.split('..')
    return (!from || mine >= value(kind, from, viewer)) && (!to || mine <= value(kind, to, viewer))
  }
  const [other = ''] = words
  if (operator === operatorCode.greaterThan) return mine > other
  if (operator === operatorCode.greaterOrEqual) return mine >= other
  return operator === operatorCode.lessThan ? mine < other : mine <= other
}

function list(right: string): string[] {
  try {
    const parsed: unknown = JSON.parse(right)
    return Array.isArray(parsed) ? parsed.map(String) : [right]
  } catch {
    return [right]
  }
}

function value(kind: Kind, word: string, viewer: Viewer): string | number {
  if (kind === 'text')
    return word
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
  if (kind === 'number') return Number(word)
  if (kind === 'boolean') return ['true', '1'].includes(word) ? 1 : 0
  if (kind === 'person') return word === '@me' ? viewer.userId : word
  if (word === '@today') return '2026-07-02'
  if (word === '@yesterday') return '2026-07-01'
  if (word === '@today+1d') return '2026-07-03'
  if (kind === 'day' || !word.includes('T')) return word
  return new Date(Date.parse(word) + 12 * 3_600_000).toISOString().slice(0, 10)
}
