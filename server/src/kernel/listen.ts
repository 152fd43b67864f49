import pg from 'pg'

/** Something that listens until it is closed. */
export interface Heard {
  close(): Promise<void>
}

const firstPause = 200
const longestPause = 5000

/**
 * Hears what is said on a channel of PostgreSQL, on a connection of its own that comes back when it breaks. What is said
 * meanwhile is lost, so nobody may depend on hearing it.
 */
export function listen(url: string, channel: string, hear: (message: string) => void): Heard {
  let closed = false
  let client: pg.Client | undefined
  let pause = firstPause
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const mine = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      options: '-c role=gantry_door',
    })
    client = mine
    let gone = false
    const lost = () => {
      if (gone) return
      gone = true
      mine.end().catch(() => {})
      if (closed) return
      retry = setTimeout(() => void connect(), pause).unref()
      pause = Math.min(pause * 2, longestPause)
    }
    mine.on('error', lost)
    mine.on('end', lost)
    mine.on('notification', ({ payload }) => hear(payload ?? ''))
    try {
      await mine.connect()
      await mine.query(`listen ${pg.escapeIdentifier(channel)}`)
      pause = firstPause
    } catch {
      lost()
    }
  }

  const begun = connect()
  return {
    async close() {
      closed = true
      clearTimeout(retry)
      await begun
      await client?.end().catch(() => {})
    },
  }
}
