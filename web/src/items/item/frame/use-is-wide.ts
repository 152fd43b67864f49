import { type RefObject, useLayoutEffect, useState } from 'react'

/** By frame and width of the window: what was measured last. It holds until the browser reports another width. */
const measured = new Map<string, boolean>()

/** Whether an element has at least this width, in pixels; undefined until it is there, if no other one was in the same frame before. */
export function useIsWide(place: RefObject<HTMLElement | null>, frame: string, from: number): boolean | undefined {
  const [isWide, setWide] = useState(() => measured.get(nameOf(frame)))
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => {
      const now = element.clientWidth >= from
      measured.set(nameOf(frame), now)
      setWide(now)
    }
    // What is known is not measured before the browser lays the page out anyway.
    if (!measured.has(nameOf(frame))) measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [place, frame, from])
  return isWide
}

const nameOf = (frame: string) => `${frame} ${innerWidth}`
