import { call, codes, type Item, isProblem } from '@gantry/sdk'
import { gantry } from '../../kernel/data/client.ts'
import { put } from '../../kernel/data/store.ts'
import { notify, remember } from '../../kernel/data/undo.ts'
import { changeItem } from '../change-item.ts'
import { say } from './messages.ts'

const { itemVisibility } = codes

export const setConfidential = (item: Item, isConfidential: boolean) =>
  changeItem(
    item.id,
    { visibility: isConfidential ? itemVisibility.confidential : itemVisibility.normal },
    say.changedTo(say.confidential, isConfidential ? say.yes : say.no, item.key ?? ''),
  )

/** Puts an item into the trash; whether that was possible. */
export async function deleteItem(item: Item): Promise<boolean> {
  try {
    const { changeSet } = await call(gantry, 'DELETE /item/{id}', { path: { id: item.id } }).withResponse()
    const gone: Item = { ...item, deleted: true, version: item.version + 1 }
    put(gone)
    remember(changeSet, say.deleted(item.key ?? ''))
    return true
  } catch (error) {
    if (!isProblem(error)) throw error
    notify(error.message)
    return false
  }
}
