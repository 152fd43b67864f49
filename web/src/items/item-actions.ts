import { call, type Item, isProblem } from '@gantry/sdk'
import { gantry } from '../kernel/data/client.ts'
import { patchSession, sessionNow } from '../kernel/data/session/session.ts'
import { notify, remember } from '../kernel/data/undo.ts'
import { holdDeleted } from './held-item.ts'
import { say } from './messages.ts'

// What can be done with an item besides changing its values.

/** Says why something was refused, where no field is concerned. Returns whether it was done. */
async function orNotify(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!isProblem(error)) throw error
    notify(error.message)
    return false
  }
}

/** Starts the timer on an item; where it runs on this item already, stops it. */
export const toggleTimer = (item: Item): Promise<boolean> =>
  orNotify(async () => {
    const running = sessionNow()?.timer
    if (running?.itemId === item.id) {
      const { changeSet } = await call(gantry, 'POST /time/timer/stop', { body: {} }).withResponse()
      patchSession({ timer: null })
      remember(changeSet, say.timerStopped)
      return
    }
    const body = { itemId: item.id }
    const timer = running
      ? (await call(gantry, 'POST /time/timer/switch', { body })).timer
      : await call(gantry, 'POST /time/timer/start', { body })
    patchSession({ timer })
    notify(say.timerStarted(item.key ?? ''))
  })

/** Deletes an item; the trash and the undo keep it. Returns whether that was possible. */
export const deleteItem = (item: Item): Promise<boolean> =>
  orNotify(async () => {
    const { changeSet } = await call(gantry, 'DELETE /item/{id}', { path: { id: item.id } }).withResponse()
    holdDeleted(item.id, item.version + 1)
    remember(changeSet, say.removed(item.key ?? ''))
  })

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  notify(say.copied(text))
}

export const linkOf = ({ key, id }: Item): string => `${location.origin}/item/${key ?? id}`
