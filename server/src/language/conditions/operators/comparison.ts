import { and, or, type Sql, sql } from '../../../kernel/sql.ts'
import { readMoment, spanOf } from '../operands/moments.ts'
import { comparable, type Ends, ends, many, type Ordered, one } from '../operands/operands.ts'
import { readRange } from '../operands/right-side.ts'
import type { Path, Viewer } from '../vocabulary.ts'
import { some } from './set-membership.ts'
import { longestFolded } from './text-match.ts'

/** The value is one of these words, or the set has one of them. */
export function isAnyOf(path: Path, words: string[], viewer: Viewer): Sql {
  const named = words.flatMap(word => path.named?.(word.trim().toLowerCase()) ?? [])
  if (named.length > 0) {
    const rest = words.filter(word => !path.named?.(word.trim().toLowerCase()))
    return or([...named, ...(rest.length > 0 ? [isAnyOf({ ...path, named: undefined }, rest, viewer)] : [])])
  }
  if (path.kind === 'instant') return isInAnySpan(path.value, words, viewer)
  if (path.anyOf) {
    const kind = path.kind === 'set' ? path.of : path.kind
    return sql`(${path.anyOf(many(kind, words, viewer, path.among !== undefined), longestFolded(words))})`
  }
  if (path.kind === 'set') return some(path, value => isAnyOf({ kind: path.of, value }, words, viewer))
  const value = comparable(path.kind, path.value, path.precomputed)
  const [word, ...more] = words
  if (word === undefined || more.length > 0)
    return sql`(${value} = any(${many(path.kind, words, viewer, path.precomputed)}))`
  return sql`(${value} = ${one(path.kind, word, viewer, path.precomputed)})`
}

// A day contains many instants, so an instant equals a day when it lies in that day.
function isInAnySpan(value: Sql, words: string[], viewer: Viewer): Sql {
  const spans = words.map(word => spanOf('instant', readMoment(word, viewer), viewer))
  const [span, ...more] = spans
  if (span && more.length === 0) {
    return sql`((${value}) between ${span.first}::timestamptz and ${span.last}::timestamptz)`
  }
  const firsts = spans.map(span => span.first)
  const lasts = spans.map(span => span.last)
  return sql`exists (select from unnest(${firsts}::timestamptz[], ${lasts}::timestamptz[])
    as condition_span(first, last) where (${value}) between condition_span.first and condition_span.last)`
}

export function isMore(left: Ordered, than: Ends): Sql {
  return sql`(${scale(left)} > ${than.last})`
}

export function isAtLeast(left: Ordered, than: Ends): Sql {
  return sql`(${scale(left)} >= ${than.first})`
}

export function isLess(left: Ordered, than: Ends): Sql {
  return sql`(${scale(left)} < ${than.first})`
}

export function isAtMost(left: Ordered, than: Ends): Sql {
  return sql`(${scale(left)} <= ${than.last})`
}

/** Both ends of `a..b` are inclusive; a missing end is open. */
export function isWithin(left: Ordered, text: string, viewer: Viewer): Sql {
  const { from, to } = readRange(text)
  const bounds: Sql[] = []
  if (from) bounds.push(isAtLeast(left, ends(left, from, viewer)))
  if (to) bounds.push(isAtMost(left, ends(left, to, viewer)))
  return and(bounds)
}

function scale(left: Ordered): Sql {
  return left.kind === 'instant' ? sql`(${left.value})` : comparable(left.kind, left.value, left.precomputed)
}
