import { type ComponentType, type ReactNode, useDeferredValue, useEffect, useSyncExternalStore } from 'react'
import { notify } from './data/undo.ts'
import { say } from './problems/messages.ts'

/**
 * A part of the page that the first paint does not need. Its code is fetched when the first page is shown and the browser has nothing else
 * to do, or when the part is wanted: if it has `open`, then when that is true. Unlike `lazy` it waits for nothing once the code is here.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let part: ComponentType<P> | undefined
  let fetching: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const fetchPart = () => {
    fetching ??= load().then(
      found => {
        part = found
        for (const tell of listeners) tell()
      },
      error => {
        fetching = undefined // the next time tries again
        throw error
      },
    )
    return fetching
  }
  void firstPage.promise.then(() => whenIdle(() => void fetchPart().catch(() => undefined)))
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return function Later(props: P) {
    const Part = useSyncExternalStore(subscribe, () => part)
    const isWanted = !('open' in props) || props.open === true
    useEffect(() => {
      if (isWanted) void fetchPart().catch(() => notify(say.broken))
    }, [isWanted])
    return Part ? <Part {...props} /> : null
  }
}

const soon = 500 // ms, in browsers that do not say when they are idle

/** Acts when the browser has nothing else to do. */
export const whenIdle: (act: () => void) => void =
  globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, soon))

/** Lets the code be fetched that the first page did not need. */
const firstPage = Promise.withResolvers<void>()

export const tellFirstPageShown = (): void => firstPage.resolve()

/** Renders its content in slices, between which the browser can answer: what would be one long task when a page opens becomes many short ones. */
export function InSlices({ meanwhile = null, children }: { meanwhile?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : meanwhile
}
