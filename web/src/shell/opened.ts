import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rememberOpened } from '../kernel/data/session/recents.ts'
import { whenIdle } from '../kernel/later.tsx'

/** Remembers which items were opened, as a page or beside a list. */
export function useRememberOpened(): void {
  const key = useRouterState({
    select: ({ location: { pathname, search } }) => {
      const peek = 'peek' in search && typeof search.peek === 'string' ? search.peek : undefined
      const page = /^\/item\/([^/]+)/.exec(pathname)?.[1]
      return peek ?? (page && decodeURIComponent(page))
    },
  })
  useEffect(() => {
    // The storage of a browser is read at the first use, which takes a while.
    if (key) whenIdle(() => rememberOpened(key))
  }, [key])
}
