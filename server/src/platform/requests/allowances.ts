/** A part of what a tenant may ask in a minute. */
export interface Allowance {
  granted: number
  /** What is left for others to take. */
  left: number
  /** Seconds until there is more. */
  wait: number
}

/** Gives out what each key may use in a minute, to one process or to all of a node. */
export interface Allowances {
  take(key: string, perMinute: number, wanted: number): Allowance | Promise<Allowance>
}

const maxKeys = 100_000

/** A token bucket for each key, which holds a minute's worth. */
export function openAllowances(now: () => number = Date.now): Allowances {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    take(key, perMinute, wanted) {
      const at = now()
      const bucket = buckets.get(key) ?? { left: perMinute, at }
      const filled = Math.min(perMinute, bucket.left + ((at - bucket.at) * perMinute) / 60_000)
      const granted = Math.min(wanted, Math.floor(filled))
      const left = filled - granted
      // Inserted again at the end, so that the first entries of the map are the least recently used.
      buckets.delete(key)
      buckets.set(key, { left, at })
      if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value ?? '')
      return { granted, left: Math.floor(left), wait: Math.max(0, Math.ceil(((1 - left) * 60) / perMinute)) }
    },
  }
}
