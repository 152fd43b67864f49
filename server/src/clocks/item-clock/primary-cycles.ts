interface Ranked {
  lane: string
  cycle: number
  clockId: string
  dueAt: number | null
  endedAt: number | null
}

/** The primary cycle of each clock: of the latest cycles of its lanes the one that is due first. Lists and conditions show it. */
export function primaryCycles<T extends Ranked>(all: readonly T[]): Set<T> {
  const found = new Set<T>()
  for (const group of Map.groupBy(all, each => each.clockId).values()) {
    const latest = group.filter(each => !group.some(other => other.lane === each.lane && other.cycle > each.cycle))
    const rank = (each: T) =>
      each.endedAt === null ? (each.dueAt ?? Number.MAX_SAFE_INTEGER) : Number.POSITIVE_INFINITY
    const [first] = latest.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)))
    if (first) found.add(first)
  }
  return found
}
