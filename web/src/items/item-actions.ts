import { call, type Item } from '@gantry/sdk'
import { attempt } from '../kernel/data/attempt.ts'
import { gantry, soon } from '../kernel/data/client.ts'
import { settled } from '../kernel/data/outbox/outbox.ts'
import { patchSession, sessionNow } from '../kernel/data/session/session.ts'
import { notify, remember } from '../kernel/data/undo.ts'
import { holdDeleted } from './held-item.ts'
import { say } from './messages.ts'

// What can be done with an item besides changing its values.

/** Starts the timer on an item; where it runs on this item already, stops it. */
export const toggleTimer = (item: Item): Promise<boolean> =>
  attempt(async () => {
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
  attempt(async () => {
    await soon(settled([item.id]))
    const { changeSet } = await call(gantry, 'DELETE /item/{id}', { path: { id: item.id } }).withResponse()
    holdDeleted(item.id, item.version + 1)
    remember(changeSet, say.removed(item.key ?? ''))
  })

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  notify(say.copied(text))
}

export const linkOf = ({ key, id }: Item): string => `${location.origin}/item/${key ?? id}`
