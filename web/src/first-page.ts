import type { QueryClient } from '@tanstack/react-query'
import { router } from './app.tsx'
import { tellFirstPageShown, whenIdle } from './kernel/later.tsx'

/** Fetches the code of the page that the address names, while the service is asked who is signed in. */
export function fetchFirstPage(): void {
  const [routes] = router.getMatchedRoutes(location.pathname)
  for (const route of routes) void router.loadRouteChunk(route)?.catch(() => undefined) // the page itself says what failed
}

/** Says when the first page shows what it has asked for: until then nothing else is fetched. */
export function watchFirstPage(queries: QueryClient): void {
  const stop = router.subscribe('onRendered', () => {
    stop()
    whenIdle(() => {
      const look = () => {
        if (queries.isFetching() > 0) return
        forget()
        tellFirstPageShown()
      }
      const forget = queries.getQueryCache().subscribe(look)
      look()
    })
  })
}
