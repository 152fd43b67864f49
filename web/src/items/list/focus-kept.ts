import { useCallback, useEffect, useRef } from 'react'
import { focus, select, useFocus } from '../focus.ts'

/** An item that leaves the list passes the focus to its neighbour, and is no longer selected. */
export function useFocusKept(ids: readonly string[], count: number): void {
  const place = useRef(-1)
  useEffect(() => {
    const remember = () => {
      const { current } = useFocus.getState()
      if (current) place.current = ids.indexOf(current)
    }
    const { current, selected } = useFocus.getState()
    const here = new Set(ids)
    if (current && !here.has(current) && place.current >= 0 && ids.length > 0 && ids.length >= count)
      focus(ids[Math.min(place.current, ids.length - 1)])
    // What is not loaded may be selected, too.
    if (ids.length > 0 && ids.length >= count && [...selected].some(id => !here.has(id)))
      select([...selected].filter(id => here.has(id)))
    remember()
    return useFocus.subscribe(remember)
  }, [ids, count])
}

/** Goes to the last item, which may have to be fetched first, with all before it. */
export function useEnd(ids: readonly string[], count: number, scroll: () => void): () => void {
  const isAsked = useRef(false)
  const latest = useRef(scroll)
  latest.current = scroll
  useEffect(() => {
    if (!isAsked.current) return
    latest.current()
    if (ids.length < count) return
    isAsked.current = false
    focus(ids.at(-1))
  }, [ids, count])
  return useCallback(() => {
    isAsked.current = ids.length < count
    focus(ids.at(-1))
    latest.current()
  }, [ids, count])
}
