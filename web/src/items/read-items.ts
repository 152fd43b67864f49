import { call, type Item } from '@gantry/sdk'
import { gantry } from '../kernel/data/client.ts'

/** Reads items by their ids; those that are gone, or may no longer be seen, are not in the answer. */
export function readItems(ids: readonly string[]): PromiseLike<Item[]> {
  return call(gantry, 'GET /item', { query: { id: ids.join(','), limit: ids.length } })
}
