import { type Field, fieldsOf } from '../../containers/field/field.ts'
import { recordsNamed } from '../../containers/records-named.ts'
import { isRelatedName, type RelatedRecords, relatedKey } from '../../containers/related-names.ts'
import type { TitleQuery } from '../../containers/title-parts.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { own } from '../../kernel/own.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { type ConditionGroups, literalIn, operatorNames, textPlaces } from '../../language/conditions/conditions.ts'
import { readList } from '../../language/conditions/operands/right-side.ts'
import { partQueries, type RareParts, rareParts } from '../../language/search/search.ts'
import { type Matching, matching } from '../text-match.ts'
import { describedKey, type IndexedText, isIndexedText, type TextAnalysis } from '../vocabulary/text-analysis.ts'

const maxTexts = 20
const ofField = 'field.'

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
  titles?: TitleQuery,
): Promise<TextAnalysis> {
  const conditions = [...inGroups(groups), ...inParameters(parameters)]
  const searches = new Map<string, Matching>()
  const searched = conditions.filter(each => each.operator === 'search').map(each => each.text)
  for (const text of new Set(searched.slice(0, maxTexts))) searches.set(text, await matching(ctx, text))
  const rareIn = new Map<IndexedText, RareParts>()
  const counted = parameters.count !== undefined && !titles?.counted
  const ofTexts = conditions.filter(({ operator }) => own(textPlaces, operator) || operator === 'matches')
  const fields = ofTexts.some(({ path }) => path.startsWith(ofField)) ? await fieldsOf(ctx) : []
  for (const [indexed, same] of Map.groupBy(ofTexts, ({ path }) => indexedText(path, fields))) {
    if (indexed === undefined) continue
    const words = new Set(same.flatMap(partsOf))
    const parts = [...words].slice(0, maxTexts)
    const looked = { ...sampledText(ctx, indexed), counted }
    rareIn.set(indexed, await rareParts(ctx, looked, parts))
  }
  const described = await describedParts(ctx, ofTexts, counted)
  return { searches, rareIn, described, related: await relatedRecords(ctx, ofTexts), titles }
}

/** Of a long description the beginning suffices for the sample. */
const sampledDescription = raw(
  'case when octet_length(s.description) <= 2000 then s.description else left(s.description, 2000) end',
)

async function describedParts(
  ctx: Context,
  conditions: readonly TextCondition[],
  counted: boolean,
): Promise<TextAnalysis['described']> {
  const described = new Map<string, readonly string[]>()
  const asked = conditions.filter(({ path }) => path === 'description').slice(0, maxTexts)
  const parts = [...new Set(asked.flatMap(partsOf))].slice(0, maxTexts)
  const looked = { table: 'item', text: sampledDescription, index: 'other', elsewhere: true, counted } as const
  const rare = await rareParts(ctx, looked, parts)
  for (const condition of asked) {
    const place = own(textPlaces, condition.operator) ?? 'anywhere'
    for (const part of partsOf(condition).filter(each => rare.has(each))) {
      const queries = await partQueries(ctx, part, { start: place === 'start', end: place === 'end' })
      if (queries) described.set(describedKey(part, place), queries)
    }
  }
  return described
}

async function relatedRecords(ctx: Context, conditions: readonly TextCondition[]): Promise<RelatedRecords> {
  const related = new Map<string, readonly Id[]>()
  for (const { path, operator, text } of conditions.slice(0, maxTexts)) {
    const [words, place] = [wordsOf(text), own(textPlaces, operator)]
    if (!isRelatedName(path) || !place || words.length === 0) continue
    const ids = await recordsNamed(ctx, path, words, place)
    if (ids) related.set(relatedKey(path, words, place), ids)
  }
  return related
}

/** What the sample of a text consists of, and how its index finds parts. */
function sampledText(ctx: Context, indexed: IndexedText) {
  if (indexed === 'title') return { table: 'item_title', text: raw('s.title'), folded: true, index: 'triples' } as const
  if (indexed === 'key') return { table: 'item', text: raw('s.key'), index: 'other', elsewhere: true } as const
  const value = sql`(select v.text_value from item_value v where v.tenant_id = ${ctx.caller.tenantId} and v.item_id = s.id and v.field_id = ${indexed} and v.n = 0)`
  return { table: 'item_title', text: value, folded: true, index: 'trigrams', elsewhere: true } as const
}

function indexedText(path: string, fields: readonly Field[]): IndexedText | undefined {
  if (path === 'title' || path === 'name') return 'title'
  if (path === 'key') return 'key'
  if (!path.startsWith(ofField)) return undefined
  const name = path.slice(ofField.length)
  return fields.find(field => isIndexedText(field) && (field.id === name || field.key.toLowerCase() === name))?.id
}

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
    const text = operator === 'matches' ? String(value).trim() : JSON.stringify(words.map(each => each.trim()))
    return [{ path: path.toLowerCase(), operator, text }]
  })
}

/** What a text must contain to fulfil the condition: one of the words, or what is literal in a pattern. */
function partsOf({ operator, text }: TextCondition): string[] {
  if (operator !== 'matches') return wordsOf(text)
  const literal = literalIn(text)
  return literal === undefined ? [] : [literal]
}

/** The words of a right side; none if it is not valid, which is reported where the condition is compiled. */
function wordsOf(text: string): string[] {
  try {
    return readList(text)
  } catch {
    return []
  }
}
