import { parentPort, workerData } from 'node:worker_threads'
import type { HolidayQuery, HolidayResult } from './holiday-thread.ts'

// Runs in a thread of its own. Each library is big, and loaded only where it is asked for.

const question: HolidayQuery = workerData

async function answer(): Promise<HolidayResult> {
  try {
    if ('country' in question) {
      const { daysOfCountry } = await import('./days-of-country.ts')
      return { found: daysOfCountry(question.country, question) }
    }
    const { daysOfFeed } = await import('./days-of-feed.ts')
    return { found: daysOfFeed(question.feed, question) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await answer())
