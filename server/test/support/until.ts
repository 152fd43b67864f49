import { setTimeout as sleep } from 'node:timers/promises'

// Long enough for any machine: it is there to tell what hangs, and bounds no speed.
const patience = 180_000

/** Waits until a condition holds. `seen` tells what was there instead, should it never hold. */
export async function until(holds: () => boolean | Promise<boolean>, seen: () => unknown = () => ''): Promise<void> {
  const late = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > late)
      throw new Error(`it did not come about: ${JSON.stringify(await seen())?.slice(0, 3000)}`)
    await sleep(10)
  }
}

/** Looks until what is found is as it should be, and gives it. */
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
