import { versionAt } from '../../documents/document/document.ts'
import type { Context } from '../../kernel/context.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type { AnnotationValues } from '../annotation/annotation.ts'

const maxQuote = 2000

type Anchor = AnnotationValues['anchor']

/**
 * The anchor of a comment on a document: a range of characters in one version of its text. The service quotes the text itself, so
 * that the passage can be found again in later versions.
 */
export async function documentAnchor(
  ctx: Context,
  { owner, ownerId }: Pick<AnnotationValues, 'owner' | 'ownerId'>,
  anchor: Anchor | null | undefined,
): Promise<Anchor | undefined> {
  if (owner !== ownerKind.document || !anchor || (anchor.from === undefined && anchor.to === undefined))
    return undefined
  const text = await versionAt(ctx, ownerId, anchor.version || undefined)
  if (!text)
    throw new RuleBroken('unknown-version', 'the document has no such version', [
      fault(['anchor', 'version'], 'unknown-version', 'is not a version of this document', anchor.version),
    ])
  const { from = 0, to = from } = anchor
  if (from > to || to > text.body.length)
    throw new Invalid([fault(['anchor', 'to'], 'range', `must be from ${from} to ${text.body.length}`, to)])
  return {
    from,
    to,
    version: Math.min(anchor.version || text.lastVersion, text.lastVersion),
    quote: quoted(text.body, from, to),
  }
}

/** At most as much as an anchor holds, and no half of a character. */
function quoted(text: string, from: number, to: number): string {
  return text.slice(from, Math.min(to, from + maxQuote)).toWellFormed()
}

/** Occurrences beyond these are not looked at: a passage that is so frequent means none of them. */
const maxOccurrences = 1000

/** Finds the passage of an anchor in the present text: the occurrence that is nearest to where it was; undefined if it is gone. */
export function placeOf(
  { from = 0, to = from, quote = '' }: Anchor,
  text: string,
): { from: number; to: number } | undefined {
  if (quote === '') return to <= text.length ? { from, to } : undefined
  let best: number | undefined
  for (
    let at = text.indexOf(quote), seen = 0;
    at !== -1 && seen < maxOccurrences;
    at = text.indexOf(quote, at + 1), seen++
  ) {
    if (best !== undefined && Math.abs(at - from) >= Math.abs(best - from)) break // from here on they are farther away
    best = at
  }
  return best === undefined ? undefined : { from: best, to: Math.min(text.length, best + (to - from)) }
}
