/** Lets at most `width` calls run concurrently; the others wait in a queue. */
export function concurrencyLimit(width: number) {
  const line: (() => void)[] = []
  let inside = 0
  return {
    /** Whether a call is waiting. */
    isSaturated: () => line.length > 0,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (inside >= width) await new Promise<void>(resolve => line.push(resolve))
      else inside++
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next) next()
        else inside--
      }
    },
  }
}

export type ConcurrencyLimit = ReturnType<typeof concurrencyLimit>
