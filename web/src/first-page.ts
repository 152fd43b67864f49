import type { SessionState } from '@gantry/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { router } from './app.tsx'
import { askForProperties } from './items/properties/properties.tsx'
import { tellFirstPageShown, whenIdle } from './kernel/later.tsx'
import { pages } from './pages.ts'

/** Asks for what the first page shows, before it is rendered. What fails is asked for again by the page, which says why. */
export async function askForFirstPage(queries: QueryClient, session: SessionState): Promise<void> {
  askForProperties(queries)
  const page = router.matchRoutes(router.latestLocation).at(-1)
  if (page?.routeId !== '/container/$key') return
  const { askForContainer } = await pages.container()
  await askForContainer(queries, session, page.params.key, page.search)
}

/** Says when the first page shows what it has asked for: until then nothing else is fetched. */
export function watchFirstPage(queries: QueryClient, asked: Promise<void>): void {
  const stop = router.subscribe('onRendered', async () => {
    stop()
    await asked
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
