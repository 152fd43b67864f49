/** Lets so many in at a time; the others wait in line. */
export function concurrencyLimit(width: number) {
  const line: (() => void)[] = []
  let inside = 0
  return {
    /** Whether anybody has to wait. */
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
