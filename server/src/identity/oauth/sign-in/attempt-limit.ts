import { isIPv6 } from 'node:net'

/** So much may be tried in a minute, whatever minute one looks at. */
export interface AttemptLimit {
  /** Whether one more may be tried; counts it if so. */
  take(key: string): boolean
  /** It was no guess after all. */
  giveBack(key: string): void
}

const maxKeys = 100_000

/**
 * A bucket for each key that half of a minute's share fits into and that fills by the other half in a minute: a burst
 * and what follows it never make more than the share.
 */
export function openAttemptLimit(perMinute: number, now: () => number = Date.now): AttemptLimit {
  const size = Math.max(1, Math.floor(perMinute / 2))
  const buckets = new Map<string, { left: number; at: number }>()

  function fill(key: string): { left: number; at: number } {
    const at = now()
    const bucket = buckets.get(key) ?? { left: size, at }
    const filled = { left: Math.min(size, bucket.left + ((at - bucket.at) * size) / 60_000), at }
    // Put last, so that the first ones are those that nobody has touched for the longest time.
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

/** The network an address belongs to for counting: whoever has one IPv6 address has 2^64 of them. */
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
