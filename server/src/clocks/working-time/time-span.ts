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

/** A part of a span, and the span of each layer that covers it. */
interface Cell<S extends TimeSpan> extends TimeSpan {
  covers: (S | undefined)[]
}

/** Cuts a span wherever a span of a layer begins or ends. The spans of a layer are in order and do not overlap. */
export function cutByLayers<S extends TimeSpan>(span: TimeSpan, layers: readonly (readonly S[])[]): Cell<S>[] {
  const inner = layers.flat().flatMap(({ from, to }) => [from, to])
  const cuts = [...new Set([span.from, ...inner.filter(at => at > span.from && at < span.to), span.to])]
  cuts.sort((a, b) => a - b)
  const next = layers.map(() => 0)
  return cuts.slice(1).map((to, i) => {
    const from = cuts[i] ?? span.from
    const covers = layers.map((layer, n) => {
      while ((layer[next[n] ?? 0]?.to ?? to) <= from) next[n] = (next[n] ?? 0) + 1
      const each = layer[next[n] ?? 0]
      return each && each.from <= from ? each : undefined
    })
    return { from, to, covers }
  })
}

/** The part of a span within bounds, as a list: empty if they do not overlap. */
export function clip({ from, to }: TimeSpan, bounds: TimeSpan): TimeSpan[] {
  const clipped = { from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }
  return clipped.from < clipped.to ? [clipped] : []
}
