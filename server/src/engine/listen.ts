import pg from 'pg'
import type { Database } from '../kernel/database.ts'

/** A subscription to a channel, which lasts until it is closed. */
export interface Subscription {
  /** Resolves after the first attempt to connect. */
  ready: Promise<void>
  close(): Promise<void>
}

const firstPause = 200
const maxPause = 5000

/**
 * Listens on a channel of PostgreSQL, on a connection of its own that is reopened when it breaks. Messages that are sent
 * meanwhile are lost, so no caller may depend on them.
 */
export function listen(database: Database, channel: string, onMessage: (message: string) => void): Subscription {
  let closed = false
  let client: pg.Client | undefined
  let pause = firstPause
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const fresh = database.client({ connectionTimeoutMillis: 5000, keepAlive: true })
    client = fresh
    let ended = false
    const lost = () => {
      if (ended) return
      ended = true
      fresh.end().catch(() => {})
      if (closed) return
      retry = setTimeout(() => void connect(), pause).unref()
      pause = Math.min(pause * 2, maxPause)
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', ({ payload }) => onMessage(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
      pause = firstPause
    } catch {
      lost()
    }
  }

  const connected = connect()
  return {
    ready: connected,
    async close() {
      closed = true
      clearTimeout(retry)
      await connected
      await client?.end().catch(() => {})
    },
  }
}
