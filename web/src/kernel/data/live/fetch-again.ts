import { isProblem } from '@gantry/sdk'
import { type Query, QueryCache, type QueryClient } from '@tanstack/react-query'
import { reached } from '../client.ts'

const pause = 2000 // ms

/** What the service answers while it is too busy or cannot be reached. */
const passing = new Set([429, 502, 503, 504])

/**
 * Fetches what could not be fetched again until the service answers. The change that a list lacks is told only once, so it
 * would lack it until the next one.
 */
export function cacheThatFetchesAgain(queries: () => QueryClient): QueryCache {
  return new QueryCache({
    onError: (error, query) => {
      if (query.state.data === undefined || (isProblem(error) && !passing.has(error.status))) return
      setTimeout(() => void fetchAgain(queries(), query), pause)
    },
  })
}

async function fetchAgain(queries: QueryClient, { queryKey }: Query<unknown, unknown, unknown>): Promise<void> {
  await reached()
  // One that nothing shows any more is fetched when it is shown.
  await queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
}
