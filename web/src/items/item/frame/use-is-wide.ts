import { type RefObject, useLayoutEffect, useState } from 'react'

/** Whether an element has at least this width, in pixels; undefined until it is there. */
export function useIsWide(place: RefObject<HTMLElement | null>, from: number): boolean | undefined {
  const [isWide, setWide] = useState<boolean>()
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    setWide(element.clientWidth >= from)
    const observer = new ResizeObserver(() => setWide(element.clientWidth >= from))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place, from])
  return isWide
}
