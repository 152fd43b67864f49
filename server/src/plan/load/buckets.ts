import { Temporal } from 'temporal-polyfill'

/** The lengths of time by which a load is summed. */
export const bucketNames = ['day', 'week', 'month'] as const
export type BucketName = (typeof bucketNames)[number]

/** The first day of the bucket of a day. Weeks begin on a weekday, 1 for Monday to 7. */
export function bucketStart(date: string, bucket: BucketName, weekStart: number): string {
  if (bucket === 'day') return date
  if (bucket === 'month') return `${date.slice(0, 8)}01`
  const day = Temporal.PlainDate.from(date)
  return day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 }).toString()
}

/** The last day of a bucket that begins on this day. */
export function bucketEnd(start: string, bucket: BucketName): string {
  const day = Temporal.PlainDate.from(start)
  switch (bucket) {
    case 'day':
      return start
    case 'week':
      return day.add({ days: 6 }).toString()
    case 'month':
      return day.with({ day: day.daysInMonth }).toString()
  }
}

/** What is counted in a bucket, in seconds. */
export interface Sums {
  capacity: number
  firm: number
  tentative: number
  leave: number
  actual: number
  /** What firm work costs, in the currency of the tenant, and what customers pay for it by currency, in units of 10⁻⁴. */
  cost: bigint
  value: Map<string, bigint>
}

/** Sums to add; an amount is of one currency. */
export type More = Partial<Omit<Sums, 'value'>> & { value?: bigint; currency?: string }

function noSums(): Sums {
  return { capacity: 0, firm: 0, tentative: 0, leave: 0, actual: 0, cost: 0n, value: new Map() }
}

/** Sums by key and by the first day of a bucket; a bucket that the period cuts begins with the period. */
export function openSums(bucket: BucketName, weekStart: number, from: string) {
  const byKey = new Map<string, Map<string, Sums>>()
  const starts = new Map<string, string>()

  function startOf(date: string): string {
    const known = starts.get(date) ?? bucketStart(date, bucket, weekStart)
    starts.set(date, known)
    return known < from ? from : known
  }

  return {
    byKey,
    add(key: string, date: string, more: More): void {
      const buckets = byKey.get(key) ?? new Map<string, Sums>()
      byKey.set(key, buckets)
      const start = startOf(date)
      const sums = buckets.get(start) ?? noSums()
      buckets.set(start, sums)
      sums.capacity += more.capacity ?? 0
      sums.firm += more.firm ?? 0
      sums.tentative += more.tentative ?? 0
      sums.leave += more.leave ?? 0
      sums.actual += more.actual ?? 0
      sums.cost += more.cost ?? 0n
      const { value, currency = '' } = more
      if (value) sums.value.set(currency, (sums.value.get(currency) ?? 0n) + value)
    },
  }
}
