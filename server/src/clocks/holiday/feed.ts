import type { Id } from '../../kernel/id.ts'
import { type Outbound, OutboundFailure } from '../../platform/outbound/outbound.ts'
import { feedUrl, yearsAround } from './holiday.ts'
import { type FeedDays, runInWorker, UnreadableHolidays } from './holiday-thread.ts'

/** Bytes of a calendar: many years of many holidays. */
const maxBytes = 1024 * 1024
/** ms to take one apart: a usual one takes a few. */
const patience = 5000

/** How a feed was last read, and by what the other side knows that. */
export interface FeedState {
  fetchedAt: string | null
  lastError: string
  days: number
  timed: number
  etag: string
  lastModified: string
}

/** What came of asking for a feed. */
export type FeedResult =
  | { outcome: 'days'; days: FeedDays['days']; timed: number; etag: string; lastModified: string }
  | { outcome: 'same' }
  | { outcome: 'failed'; why: string }

interface FeedRequest {
  outbound: Outbound
  tenantId: Id
  url: string
  state: FeedState | undefined
  now: Date
}

/** Fetches a feed and takes it apart. Whatever goes wrong is told, in words that may be shown. */
export async function fetchFeed({ outbound, tenantId, url, state, now }: FeedRequest): Promise<FeedResult> {
  try {
    const answer = await outbound.ask({
      tenantId,
      method: 'GET',
      url: feedUrl(url),
      headers: { accept: 'text/calendar, */*;q=0.1', ...unlessKnown(state, now) },
      maxBytes,
    })
    if (answer.status === 304 && state) return { outcome: 'same' }
    if (answer.status !== 200) return { outcome: 'failed', why: `the address answered ${answer.status}` }
    const { days, timed } = await readFeed(answer.body.toString('utf8'), now)
    return { outcome: 'days', days, timed, etag: answer.etag, lastModified: answer.lastModified }
  } catch (error) {
    if (error instanceof OutboundFailure) return { outcome: 'failed', why: error.message }
    if (error instanceof UnreadableHolidays)
      return { outcome: 'failed', why: `what came cannot be used: ${error.message}` }
    throw error
  }
}

/** Asks for news only; but in a new year even what was there before has new days in it. */
function unlessKnown(state: FeedState | undefined, now: Date): Record<string, string> {
  if (state?.fetchedAt?.slice(0, 4) !== now.toISOString().slice(0, 4)) return {}
  return {
    ...(state.etag === '' ? {} : { 'if-none-match': state.etag }),
    ...(state.lastModified === '' ? {} : { 'if-modified-since': state.lastModified }),
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other: those who hand out something that takes long wait for each other, not the house for them. */
export function readFeed(feed: string, now: Date): Promise<FeedDays> {
  const turn = last.then(() => runInWorker<FeedDays>({ feed, ...yearsAround(now) }, { timeout: patience, memory: 128 }))
  last = turn.catch(() => {})
  return turn
}
