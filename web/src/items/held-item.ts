import type { Item } from '@gantry/sdk'
import { put, shown } from '../kernel/data/records/store.ts'

/** An item as it is shown; undefined if no list or page has read it. */
export const heldItem = (id: string): Item | undefined => shown('Item', id) as Item | undefined // the store holds items under this name

export const heldItems = (ids: readonly string[]): Item[] => ids.flatMap(id => heldItem(id) ?? [])

/** Shows an item as deleted, as of a version. */
export function holdDeleted(id: string, version: number): void {
  const item = heldItem(id)
  const gone: Item | undefined = item && { ...item, deleted: true, version }
  if (gone) put(gone)
}
