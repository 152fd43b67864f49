import { setTimeout as sleep } from 'node:timers/promises'

// The limit is long enough for any machine: it detects a hang and does not measure speed.
const patience = 180_000

// What takes longer is looked at less often: a look, which is often a request, takes CPU time from what is waited for.
const [firstPause, longestPause] = [10, 50]

/** Waits until a condition holds. `seen` describes the actual state if it never does. */
export async function until(holds: () => boolean | Promise<boolean>, seen: () => unknown = () => ''): Promise<void> {
  const late = performance.now() + patience
  for (let pause = firstPause; !(await holds()); pause = Math.min(pause * 1.5, longestPause)) {
    if (performance.now() > late)
      throw new Error(`it did not come about: ${JSON.stringify(await seen())?.slice(0, 3000)}`)
    await sleep(pause)
  }
}

/** Reads repeatedly until the result satisfies the condition, and returns it. */
export async function eventually<T>(look: () => Promise<T>, holds: (found: T) => unknown): Promise<T> {
  let found = await look()
  await until(
    async () => {
      if (holds(found)) return true
      found = await look()
      return Boolean(holds(found))
    },
    () => found,
  )
  return found
}
