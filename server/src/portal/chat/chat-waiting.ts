import { visitorChannel } from '../../desk/chat/message.ts'
import { listen, type Subscription } from '../../engine/listen.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal, Unavailable } from '../../kernel/refusal.ts'

// Visitors wait for an answer with a request that stays open. It holds no connection to the database: PostgreSQL tells the process in which
// room something was said, whichever process stored it.

/** How many requests of one network wait in one process, and how many of all. */
export const maxWaitingPerNetwork = 20
const maxWaiting = 2000

interface ChatWaiting {
  /** Counts a waiting request until it is done, or refuses it. */
  admit<T>(network: string, work: () => Promise<T>): Promise<T>
  /** Begins to watch a room. The promise resolves at the next message, when the time is over or when the signal ends it. */
  watch(roomId: Id, seconds: number, signal: AbortSignal): Promise<{ told: Promise<void> }>
  close(): Promise<void>
}

export function openChatWaiting(database: Database): ChatWaiting {
  const waiting = new Map<string, number>()
  const rooms = new Map<string, Set<() => void>>()
  let all = 0
  let closing = false
  let subscription: Subscription | undefined

  const tell = (roomId: string) => {
    for (const resolve of rooms.get(roomId) ?? []) resolve()
  }

  return {
    async admit(network, work) {
      const own = waiting.get(network) ?? 0
      if (own >= maxWaitingPerNetwork)
        throw new Refusal(429, 'too-many-waiting', `${maxWaitingPerNetwork} requests of this network are waiting`, {
          headers: { 'retry-after': '5' },
        })
      if (closing || all >= maxWaiting) throw new Unavailable('this process lets no more requests wait')
      waiting.set(network, own + 1)
      all++
      try {
        return await work()
      } finally {
        all--
        const left = (waiting.get(network) ?? 1) - 1
        if (left > 0) waiting.set(network, left)
        else waiting.delete(network)
      }
    },
    async watch(roomId, seconds, signal) {
      subscription ??= listen(database, visitorChannel, tell)
      await subscription.ready
      const told = new Promise<void>(resolve => {
        const timer = setTimeout(done, seconds * 1000)
        function done(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          const others = rooms.get(roomId)
          others?.delete(done)
          if (others?.size === 0) rooms.delete(roomId)
          resolve()
        }
        rooms.set(roomId, (rooms.get(roomId) ?? new Set()).add(done))
        signal.addEventListener('abort', done)
        if (signal.aborted || closing) done()
      })
      return { told }
    },
    async close() {
      closing = true
      for (const roomId of [...rooms.keys()]) tell(roomId)
      await subscription?.close()
    },
  }
}
