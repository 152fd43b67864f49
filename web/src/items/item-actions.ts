import { call, type Item } from '@gantry/sdk'
import { attempt } from '../kernel/data/attempt.ts'
import { gantry, soon } from '../kernel/data/client.ts'
import { settled } from '../kernel/data/outbox/outbox.ts'
import { notify, remember } from '../kernel/data/undo.ts'
import { holdDeleted } from './held-item.ts'
import { say } from './messages.ts'

// What can be done with an item besides changing its values.

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
