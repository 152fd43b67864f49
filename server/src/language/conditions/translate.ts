import { nearest } from '../../kernel/schema/shape.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { codeNamed } from '../../records/code-table.ts'
import { type ConditionFault, InertCondition } from './condition-fault.ts'
import { type Dated, type Ends, ends, type Ordered } from './operands/operands.ts'
import { readList, readText, readUuid } from './operands/right-side.ts'
import { isAnyOf, isAtLeast, isAtMost, isLess, isMore, isWithin } from './operators/comparison.ts'
import {
  type ConditionOperator,
  type EventOperator,
  isEventOperator,
  isNegated,
  operatorNames,
  opposites,
  type Positive,
} from './operators/operators.ts'
import { isLater, isOlder, isWithinLast, isWithinNext } from './operators/relative-time.ts'
import { hasAllOf, isEmptySet, some } from './operators/set-membership.ts'
import { hasAny, hasPattern, type SearchedText, textPlaces } from './operators/text-match.ts'
import type { ConditionValueKind, Path, Viewer, Vocabulary } from './vocabulary.ts'

/** The SQL of a condition, and the reason if it is inert. */
export interface TranslatedCondition {
  sql: Sql
  faults: ConditionFault[]
  pattern?: boolean
}

interface Condition {
  leftSide: string
  rightSide?: string
  operator: number
}

/** Translates one condition to SQL; a condition that cannot run becomes false, whatever its strings are. */
export function translate(condition: Condition, vocabulary: Vocabulary, viewer: Viewer): TranslatedCondition {
  const operator = operatorNames[condition.operator]
  const path = vocabulary.resolve(condition.leftSide)
  if (!operator || !path)
    return { sql: ofMissing(operator), faults: missing(condition.leftSide, operator, path, vocabulary) }
  try {
    const pattern = operator === 'matches' || operator === 'notMatches'
    const sides = { path, text: withCodes(path, condition.rightSide ?? ''), vocabulary, viewer }
    const meant = isEventOperator(operator) ? ofEvent(operator, condition.leftSide, sides) : apply(operator, sides)
    return { sql: meant, faults: [], pattern }
  } catch (error) {
    if (error instanceof InertCondition) return { sql: raw('false'), faults: [error.fault] }
    throw error
  }
}

/** The right side with the codes that it names. */
function withCodes(path: Path, text: string): string {
  const codes = path.kind === 'number' ? path.codes : undefined
  if (!codes) return text
  if (!text.trimStart().startsWith('[')) return String(codeNamed(codes, text.trim()) ?? text)
  return JSON.stringify(readList(text).map(word => codeNamed(codes, word) ?? word))
}

function missing(
  leftSide: string,
  operator: ConditionOperator | undefined,
  path: Path | undefined,
  vocabulary: Vocabulary,
): ConditionFault[] {
  const faults: ConditionFault[] = []
  const unavailable = path ? undefined : vocabulary.unavailable?.(leftSide)
  if (unavailable) faults.push({ part: 'leftSide', ...unavailable })
  else if (!path) {
    const near = nearest(leftSide, vocabulary.names?.() ?? [])
    const message = near ? `no such field here; did you mean ${near}?` : 'no such field here'
    faults.push({ part: 'leftSide', code: 'unknown-path', message })
  }
  if (!operator) faults.push({ part: 'operator', code: 'unknown-operator', message: 'no such operator' })
  return faults
}

// A field that does not exist is empty, and no other operator applies to it.
function ofMissing(operator: ConditionOperator | undefined): Sql {
  return raw(operator === 'isEmpty' ? 'true' : 'false')
}

/** The two sides of a condition, and the vocabulary and viewer they are evaluated with. */
interface Sides {
  path: Path
  text: string
  vocabulary: Vocabulary
  viewer: Viewer
}

/** For a set, the elements that were added count as "changed to" and those that were removed as "changed from". */
function ofEvent(operator: EventOperator, leftSide: string, { text, vocabulary, viewer }: Sides): Sql {
  if (!vocabulary.change) throw new InertCondition('operator', 'event-only', 'applies to events only, not to a filter')
  const change = vocabulary.change(leftSide)
  if (!change) throw new InertCondition('leftSide', 'unknown-path', 'events do not record changes of this path')
  const { changed, from, to } = change
  if (operator === 'changed') return changed
  if (operator === 'notChanged') return sql`(not ${changed})`
  const [now, other] = operator === 'changedTo' ? [to, from] : [from, to]
  const words = readList(text)
  const left = to.kind === 'set' ? [sql`(${isAnyOf(other, words, viewer)}) is not true`] : []
  return and([changed, isAnyOf(now, words, viewer), ...left])
}

function apply(operator: Exclude<ConditionOperator, EventOperator>, sides: Sides): Sql {
  if (!isNegated(operator)) return askPrecomputed(operator, sides) ?? meaningOf[operator](sides)
  const aside = askPrecomputed(opposites[operator], sides)
  return aside ? sql`(not ${aside})` : sql`((${meaningOf[opposites[operator]](sides)}) is not true)`
}

/**
 * Uses the precomputed values where they suffice, so that the result is never null; undefined if the value itself is
 * needed.
 */
function askPrecomputed(operator: Positive, sides: Sides): Sql | undefined {
  const { path, text, viewer } = sides
  if (!path.among || needsValue.has(operator)) return undefined
  if (operator === 'isEmpty') return sql`(not ${path.among(() => raw('true'))})`
  const kind = path.kind === 'set' ? path.of : path.kind
  const plain = operator === 'equals' || operator === 'in' || (operator === 'contains' && path.kind === 'set')
  if (plain && path.anyOf) return isAnyOf(path, readList(text), viewer)
  if (path.kind === 'set' && !plain && operator !== 'memberOf') return undefined
  const holds = path.among(value =>
    meaningOf[plain ? 'equals' : operator]({ ...sides, path: { kind, value, precomputed: true } }),
  )
  const place = path.kind === 'text' ? textPlaces[operator] : undefined
  const candidates = place && path.candidates?.(readList(text), place)
  return candidates ? sql`(${candidates} and ${holds})` : holds
}

const needsValue: ReadonlySet<Positive> = new Set(['matches', 'containsAll', 'under', 'search'])

const meaningOf: Record<Positive, (sides: Sides) => Sql> = {
  equals: ({ path, text, viewer }) => isAnyOf(path, readList(text), viewer),
  in: ({ path, text, viewer }) => isAnyOf(path, readList(text), viewer),

  // For a set, `contains`, `equals` and `in` mean the same: it has one of these elements.
  contains: ({ path, text, viewer }) =>
    path.kind === 'set' ? isAnyOf(path, readList(text), viewer) : hasAny(textOf(path), readList(text), 'anywhere'),
  containsAll({ path, text, viewer }) {
    if (path.kind !== 'set') throw doesNotApply(path)
    return hasAllOf(path, readList(text), viewer)
  },

  greaterThan: sides => isMore(ordered(sides.path), againstOf(sides)),
  greaterOrEqual: sides => isAtLeast(ordered(sides.path), againstOf(sides)),
  lessThan: sides => isLess(ordered(sides.path), againstOf(sides)),
  lessOrEqual: sides => isAtMost(ordered(sides.path), againstOf(sides)),
  between: ({ path, text, viewer }) => isWithin(ordered(path), text, viewer),

  isEmpty({ path }) {
    if (path.kind === 'set') return path.isEmpty ?? isEmptySet(path)
    if (path.kind === 'text') return sql`(coalesce((${path.value})::text, '') = '')`
    return sql`((${path.value}) is null)`
  },

  startsWith: ({ path, text }) => hasAny(textOf(path), readList(text), 'start'),
  endsWith: ({ path, text }) => hasAny(textOf(path), readList(text), 'end'),
  matches: ({ path, text }) => hasPattern(textOf(path), text),

  withinLast: ({ path, text, viewer }) => isWithinLast(dated(path), text, viewer),
  withinNext: ({ path, text, viewer }) => isWithinNext(dated(path), text, viewer),
  olderThan: ({ path, text, viewer }) => isOlder(dated(path), text, viewer),
  laterThan: ({ path, text, viewer }) => isLater(dated(path), text, viewer),
  inWorkingTime: ({ path, text, vocabulary }) =>
    sql`(${vocabulary.inWorkingTime(valueAs(path, 'instant'), sql`${readUuid(text)}::uuid`)})`,

  memberOf({ path, text, vocabulary }) {
    const isMember = (user: Sql) => sql`(${vocabulary.memberOf(user, uuids(text))})`
    if (path.kind !== 'set') return isMember(valueAs(path, 'user'))
    if (path.of !== 'user') throw doesNotApply(path)
    return some(path, isMember)
  },
  under({ path, text }) {
    if (!path.under) throw doesNotApply(path)
    return sql`(${path.under(uuids(text))})`
  },
  search({ path, text }) {
    if (!path.search) throw doesNotApply(path)
    return sql`(${path.search(readText(text))})`
  },
}

function uuids(text: string): Sql {
  return sql`${readList(text).map(id => readUuid(id))}::uuid[]`
}

function textOf(path: Path): SearchedText {
  if (path.kind !== 'text') throw doesNotApply(path)
  return path
}

function valueAs(path: Path, kind: ConditionValueKind): Sql {
  if (path.kind !== kind) throw doesNotApply(path)
  return path.value
}

function againstOf({ path, text, viewer }: Sides): Ends {
  return ends(ordered(path), text, viewer)
}

function ordered(path: Path): Ordered {
  if (path.kind === 'number' || path.kind === 'duration') return { ...path, kind: path.kind }
  return dated(path)
}

function dated(path: Path): Dated {
  if (path.kind === 'date' || path.kind === 'instant') return { kind: path.kind, value: path.value }
  throw doesNotApply(path)
}

function doesNotApply(path: Path): InertCondition {
  const what = path.kind === 'set' ? `a set of ${path.of}` : `a ${path.kind}`
  return new InertCondition('operator', 'operator-does-not-apply', `does not apply to ${what}`)
}
