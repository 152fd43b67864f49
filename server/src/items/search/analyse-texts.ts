import type { Context } from '../../kernel/context.ts'
import { type ConditionGroups, operatorNames } from '../../language/conditions/conditions.ts'
import { readList } from '../../language/conditions/operands/right-side.ts'
import { rareParts } from '../../language/search/search.ts'
import { type Matching, matching } from '../text-match.ts'
import type { TextAnalysis } from '../vocabulary/text-analysis.ts'

const maxTexts = 20

/** A condition of a query, or a parameter of a list that means one. */
interface TextCondition {
  path: string
  operator: string
  text: string
}

/** Analyses the texts that a query looks for, in its conditions and in the parameters of its list. */
export async function analyseTexts(
  ctx: Context,
  groups: ConditionGroups,
  parameters: Record<string, unknown> = {},
): Promise<TextAnalysis> {
  const conditions = [...inGroups(groups), ...inParameters(parameters)]
  const searches = new Map<string, Matching>()
  const searched = conditions.filter(each => each.operator === 'search').map(each => each.text)
  for (const text of new Set(searched.slice(0, maxTexts))) searches.set(text, await matching(ctx, text))
  const inTitles = conditions.filter(({ path, operator }) => isTitle(path) && textOperators.includes(operator))
  const words = new Set(inTitles.flatMap(({ text }) => wordsOf(text)))
  const parts = [...words].slice(0, maxTexts)
  return { searches, rareInTitles: await rareParts(ctx, { table: 'item_search', column: 'title' }, parts) }
}

const textOperators = ['contains', 'startsWith', 'endsWith']
const isTitle = (path: string) => path === 'title' || path === 'name'

function inGroups(groups: ConditionGroups): TextCondition[] {
  return groups.flatMap(({ condition }) =>
    condition.map(({ leftSide, operator, rightSide = '' }) => ({
      path: leftSide.trim().toLowerCase(),
      operator: operatorNames[operator] ?? '',
      text: rightSide,
    })),
  )
}

/** Parameters of the form `title[contains]=printer,scanner`. */
function inParameters(parameters: Record<string, unknown>): TextCondition[] {
  return Object.entries(parameters).flatMap(([key, value]) => {
    const [, path = '', operator = ''] = /^([^[\]]+)\[(\w+)\]$/.exec(key) ?? []
    const words = String(value).split(',')
    return [{ path: path.toLowerCase(), operator, text: JSON.stringify(words.map(each => each.trim())) }]
  })
}

/** The words of a right side; none if it is not valid, which is reported where the condition is compiled. */
function wordsOf(text: string): string[] {
  try {
    return readList(text)
  } catch {
    return []
  }
}
