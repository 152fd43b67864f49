import { useCallback, useSyncExternalStore } from 'react'

/** Whether the screen is like this now: `useMedia('(max-width: 719px)')`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

export const narrow = '(max-width: 719px)'
export const medium = '(min-width: 720px) and (max-width: 1199px)'
