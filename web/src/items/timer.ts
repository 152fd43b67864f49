import { call } from '@gantry/sdk'
import { attempt } from '../kernel/data/attempt.ts'
import { gantry } from '../kernel/data/client.ts'
import { patchSession, sessionNow } from '../kernel/data/session/session.ts'
import { remember } from '../kernel/data/undo.ts'
import { clockText } from '../kernel/dates/durations.ts'
import { heldItem } from './held-item.ts'
import { say } from './messages.ts'

// The timer of this person, of which there is one.

/** Starts it on an item, or switches it there from another one; where it runs on this item already, stops it. */
export const toggleTimer = (itemId: string): Promise<boolean> =>
  sessionNow()?.timer?.itemId === itemId ? stopTimer() : attempt(() => startTimer(itemId))

export const stopTimer = (): Promise<boolean> =>
  attempt(async () => {
    const { answer, changeSet } = await call(gantry, 'POST /time/timer/stop', { body: {} }).withResponse()
    patchSession({ timer: null })
    const minutes = answer.entries.reduce((sum, { seconds }) => sum + (seconds ?? 0) / 60, 0)
    remember(changeSet, say.timerStopped(clockText(minutes)))
  })

async function startTimer(itemId: string): Promise<void> {
  const route = sessionNow()?.timer ? 'POST /time/timer/switch' : 'POST /time/timer/start'
  const { answer, changeSet } = await call(gantry, route, { body: { itemId } }).withResponse()
  patchSession({ timer: 'timer' in answer ? answer.timer : answer })
  remember(changeSet, say.timerStarted(heldItem(itemId)?.key ?? ''))
}
