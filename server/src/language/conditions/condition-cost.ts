import { type ConditionOperator, operatorNames } from './operators/operators.ts'

// An operator of this list reads the text of every record that it is asked about, for each of its words; no index helps.
const textOperators: ReadonlySet<ConditionOperator | undefined> = new Set<ConditionOperator>([
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'matches',
  'notMatches',
  'search',
])

export const maxTextConditions = 10
export const maxTextWords = 100

/**
 * Tells whether groups of conditions would read too much text; undefined if not. They may have any shape, because this is
 * asked together with all other validation. Stored ones from before the limit still run.
 */
export function excessiveCost(groups: readonly unknown[]): { code: string; message: string } | undefined {
  const texts = groups
    .flatMap(group => partsOf(group).condition ?? [])
    .map(partsOf)
    .filter(isAboutText)
  if (texts.length > maxTextConditions)
    return {
      code: 'too-many-text-conditions',
      message: `must have at most ${maxTextConditions} conditions that look into texts (contains, startsWith, endsWith, matches, search), not ${texts.length}`,
    }
  const words = texts.reduce((sum, { rightSide }) => sum + wordsIn(String(rightSide)), 0)
  if (words > maxTextWords)
    return { code: 'too-many-words', message: `must look for at most ${maxTextWords} words in texts, not ${words}` }
  return undefined
}

interface Parts {
  condition?: unknown
  operator?: unknown
  rightSide?: unknown
}

function partsOf(value: unknown): Parts {
  return value !== null && typeof value === 'object' ? value : {}
}

function isAboutText({ operator }: Parts): boolean {
  return textOperators.has(operatorNames[Number(operator)])
}

/** A comma separates the words of a list, so there are never more words than this. */
function wordsIn(rightSide: string): number {
  return rightSide.trimStart().startsWith('[') ? rightSide.split(',').length : 1
}
