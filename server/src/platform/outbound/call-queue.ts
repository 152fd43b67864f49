import { OutboundFailure } from './failure.ts'

interface CallQueue {
  /**
   * Runs the work as soon as fewer calls than the limit are running for this key. The others wait in order, for a
   * limited time.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function openCallQueue({
  atOnce,
  waiting,
  maxWait,
}: {
  atOnce: number
  waiting: number
  maxWait: number
}): CallQueue {
  const places = new Map<string, { taken: number; queue: Set<() => void> }>()

  async function enter(key: string): Promise<void> {
    const place = places.get(key) ?? { taken: 0, queue: new Set() }
    places.set(key, place)
    if (place.taken < atOnce) {
      place.taken++
      return
    }
    if (place.queue.size >= waiting) throw new OutboundFailure('busy', 'too many calls are waiting for this host')
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        place.queue.delete(start)
        reject(new OutboundFailure('busy', 'earlier calls to this host take too long'))
      }, maxWait)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      place.queue.add(start)
    })
  }

  function leave(key: string): void {
    const place = places.get(key)
    if (!place) return
    const [next] = place.queue
    if (next) {
      // The waiting call takes over the slot that becomes free.
      place.queue.delete(next)
      next()
      return
    }
    place.taken--
    if (place.taken === 0) places.delete(key)
  }

  return {
    async run(key, work) {
      await enter(key)
      try {
        return await work()
      } finally {
        leave(key)
      }
    },
  }
}
