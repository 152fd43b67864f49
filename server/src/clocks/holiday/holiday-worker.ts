import { parentPort, workerData } from 'node:worker_threads'
import type { HolidayQuery, HolidayResult } from './holiday-thread.ts'

// The entry point of the worker thread. Both libraries are large, so each is loaded only when it is needed.

const query: HolidayQuery = workerData

async function result(): Promise<HolidayResult> {
  try {
    if ('country' in query) {
      const { daysOfCountry } = await import('./days-of-country.ts')
      return { found: daysOfCountry(query.country, query) }
    }
    const { daysOfFeed } = await import('./days-of-feed.ts')
    return { found: daysOfFeed(query.feed, query) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await result())
