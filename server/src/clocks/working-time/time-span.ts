/** A span from one instant to another, the end excluded; ms since 1970. */
export interface TimeSpan {
  from: number
  to: number
}

/** Merges spans that touch or overlap, so that no instant counts twice. */
export function mergeSpans(spans: readonly TimeSpan[]): TimeSpan[] {
  const made: TimeSpan[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = made.at(-1)
    if (to <= from) continue
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else made.push({ from, to })
  }
  return made
}

/** The part of a span within bounds, as a list: empty if they do not overlap. */
export function clip({ from, to }: TimeSpan, bounds: TimeSpan): TimeSpan[] {
  const clipped = { from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }
  return clipped.from < clipped.to ? [clipped] : []
}
