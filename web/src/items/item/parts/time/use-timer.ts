import { useEffect, useState } from 'react'
import { useSession } from '../../../../kernel/data/session/session.ts'
import { minutesSince } from '../../../../kernel/dates/durations.ts'

const minute = 60_000

/** For how many minutes the timer of this person has run on an item; undefined if it does not. */
export function useTimer(itemId: string): number | undefined {
  const { timer } = useSession()
  const startedAt = timer?.itemId === itemId ? timer.startedAt : undefined
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!startedAt) return
    const ticking = setInterval(() => setTick(tick => tick + 1), minute)
    return () => clearInterval(ticking)
  }, [startedAt])
  return startedAt ? Math.floor(minutesSince(startedAt)) : undefined
}
