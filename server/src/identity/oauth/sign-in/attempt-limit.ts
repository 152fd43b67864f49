import { isIPv6 } from 'node:net'

/** Limits the number of attempts in every window of one minute. */
export interface AttemptLimit {
  /** Tells whether another attempt is allowed, and counts it if so. */
  take(key: string): boolean
  /** Returns an attempt that turned out to be legitimate. */
  giveBack(key: string): void
}

const maxKeys = 100_000

/**
 * A token bucket for each key. Its capacity is half of the limit and it refills by the other half in a minute, so that
 * a burst and the refill after it never exceed the limit.
 */
export function openAttemptLimit(perMinute: number, now: () => number = Date.now): AttemptLimit {
  const size = Math.max(1, Math.floor(perMinute / 2))
  const buckets = new Map<string, { left: number; at: number }>()

  function fill(key: string): { left: number; at: number } {
    const at = now()
    const bucket = buckets.get(key) ?? { left: size, at }
    const filled = { left: Math.min(size, bucket.left + ((at - bucket.at) * size) / 60_000), at }
    // The entry is inserted again at the end, so that the first entries of the map are the least recently used.
    buckets.delete(key)
    buckets.set(key, filled)
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value ?? '')
    return filled
  }

  return {
    take(key) {
      const bucket = fill(key)
      if (bucket.left < 1) return false
      bucket.left -= 1
      return true
    },
    giveBack(key) {
      const bucket = fill(key)
      bucket.left = Math.min(size, bucket.left + 1)
    },
  }
}

/** Returns the network by which an address is counted, because the holder of one IPv6 address has 2^64 of them. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = ip.includes('::') ? tail.split(':').filter(Boolean) : []
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`.toLowerCase()
}
