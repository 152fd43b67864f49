import { call } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { attempt } from '../../../../kernel/data/attempt.ts'
import { gantry } from '../../../../kernel/data/client.ts'
import { patchSession, refreshSession, useSession } from '../../../../kernel/data/session/session.ts'
import { remember } from '../../../../kernel/data/undo.ts'
import { instantNow, millisecondsBetween } from '../../../../kernel/dates/days.ts'
import { say } from '../messages.ts'

const minute = 60_000

/** The timer of this person, as far as it concerns one item. A timer that runs elsewhere is switched to it. */
export function useTimer(itemId: string) {
  const { timer } = useSession()
  const client = useQueryClient()
  const isRunning = timer?.itemId === itemId
  const startedAt = isRunning ? timer.startedAt : null
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!startedAt) return
    const ticking = setInterval(() => setTick(tick => tick + 1), minute)
    return () => clearInterval(ticking)
  }, [startedAt])
  const toggle = useCallback(async () => {
    await attempt(async () => {
      if (isRunning) {
        const { changeSet } = await call(gantry, 'POST /time/timer/stop', { body: {} }).withResponse()
        patchSession({ timer: null })
        remember(changeSet, say.stopped)
        await client.invalidateQueries({ queryKey: ['time', itemId] })
      } else {
        const route = timer ? 'POST /time/timer/switch' : 'POST /time/timer/start'
        const { changeSet } = await call(gantry, route, { body: { itemId } }).withResponse()
        remember(changeSet, say.started)
      }
      await refreshSession()
    })
  }, [isRunning, timer, itemId, client])
  const minutes = startedAt ? Math.floor(millisecondsBetween(startedAt, instantNow()) / minute) : 0
  return { isRunning, minutes, toggle }
}
