import type { Id } from '../../kernel/id.ts'
import { ThreadFailed } from '../../platform/limited-thread.ts'
import { type Outbound, OutboundFailure } from '../../platform/outbound/outbound.ts'
import { feedUrl, yearsAround } from './holiday.ts'
import { type FeedDays, runInWorker } from './holiday-thread.ts'

const maxBytes = 1024 * 1024
/** A usual calendar is parsed in a few milliseconds. */
const parseTimeoutMs = 5000

/** The last fetch of a feed, with the validators (`etag`, `lastModified`) for the next conditional request. */
export interface FetchState {
  fetchedAt: string | null
  lastError: string
  days: number
  timed: number
  etag: string
  lastModified: string
}

/** The result of a fetch; `same` means that the server answered 304. */
export type FeedResult =
  | { outcome: 'days'; days: FeedDays['days']; timed: number; etag: string; lastModified: string }
  | { outcome: 'same' }
  | { outcome: 'failed'; why: string }

interface FeedRequest {
  outbound: Outbound
  tenantId: Id
  url: string
  state: FetchState | undefined
  now: Date
}

/** Fetches and parses a feed. The reason of a failure contains nothing of the fetched text, so it may be shown. */
export async function fetchFeed({ outbound, tenantId, url, state, now }: FeedRequest): Promise<FeedResult> {
  try {
    const answer = await outbound.ask({
      tenantId,
      method: 'GET',
      url: feedUrl(url),
      headers: { accept: 'text/calendar, */*;q=0.1', ...conditionalHeaders(state, now) },
      maxBytes,
    })
    if (answer.status === 304 && state) return { outcome: 'same' }
    if (answer.status !== 200) return { outcome: 'failed', why: `the address answered ${answer.status}` }
    const { days, timed } = await readFeed(answer.body.toString('utf8'), now)
    return { outcome: 'days', days, timed, etag: answer.etag, lastModified: answer.lastModified }
  } catch (error) {
    if (error instanceof OutboundFailure) return { outcome: 'failed', why: error.message }
    if (error instanceof ThreadFailed) return { outcome: 'failed', why: `the answer cannot be used: ${error.message}` }
    throw error
  }
}

/** The request is unconditional in a new year: the window of years has moved, so the same text yields other days. */
function conditionalHeaders(state: FetchState | undefined, now: Date): Record<string, string> {
  if (state?.fetchedAt?.slice(0, 4) !== now.toISOString().slice(0, 4)) return {}
  return {
    ...(state.etag === '' ? {} : { 'if-none-match': state.etag }),
    ...(state.lastModified === '' ? {} : { 'if-modified-since': state.lastModified }),
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Feeds are parsed one at a time, so that feeds which are slow to parse occupy at most one core. */
export function readFeed(feed: string, now: Date): Promise<FeedDays> {
  const turn = last.then(() =>
    runInWorker<FeedDays>({ feed, ...yearsAround(now) }, { timeoutMs: parseTimeoutMs, memoryMiB: 128 }),
  )
  last = turn.catch(() => {})
  return turn
}
