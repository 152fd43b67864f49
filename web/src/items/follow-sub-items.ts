import { call } from '@gantry/sdk'
import { gantry } from '../kernel/data/client.ts'
import { type LiveChange, onChanges } from '../kernel/data/live/live.ts'
import { baseOf, entityOf, isWatched, put } from '../kernel/data/records/store.ts'
import { heldItem } from './held-item.ts'
import { readItems } from './read-items.ts'

/** Counts the sub-items of rows and cards again when something happens to one of them. Returns what stops it. */
export function followSubItems(): () => void {
  return onChanges(changes => {
    const counted = changes.filter(isCounted)
    if (counted.length > 0) void follow(counted).catch(() => undefined) // the next change counts again
  })
}

/** Whether a change can make another number of sub-items, or of closed ones. */
function isCounted({ entity, kind, changes }: LiveChange): boolean {
  if (entityOf(entity) !== 'Item') return false
  return /\.(created|deleted|restored)$/.test(kind) || countedProperties.some(each => each in (changes ?? {}))
}

const countedProperties = ['parentId', 'statusCategory', 'status', 'archived', 'deleted']

async function follow(changes: readonly LiveChange[]): Promise<void> {
  const named = changes.flatMap(change => [
    change.changes?.parentId?.from,
    change.changes?.parentId?.to,
    heldItem(change.recordId)?.parentId,
  ])
  const unknown = changes.filter(({ recordId, changes }) => !heldItem(recordId) && !changes?.parentId)
  const read = unknown.length > 0 ? await readItems(unknown.slice(0, maxRead).map(({ recordId }) => recordId)) : []
  const parents = new Set([...named, ...read.map(({ parentId }) => parentId)].filter(isShown))
  if (parents.size === 0) return
  const ids = [...parents].slice(0, maxRead)
  const query = { id: ids.join(','), include: 'subItems', limit: ids.length }
  for (const item of await call(gantry, 'GET /item', { query })) put(item, { whole: true })
}

const maxRead = 100

/** Whether an item is on the screen with the number of its sub-items. */
function isShown(id: unknown): id is string {
  return typeof id === 'string' && isWatched('Item', id) && 'subItems' in (baseOf('Item', id) ?? {})
}
