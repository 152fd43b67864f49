import type { Problem } from '@gantry/sdk'
import type { Values } from '../kernel/data/records/store.ts'
import { updateRecord } from '../kernel/data/updates.ts'

/** Changes an item: painted at once, sent after it. */
export function changeItem(
  id: string,
  values: Values,
  text: string,
  painted: Values = values,
): Promise<Problem | undefined> {
  return updateRecord({ entity: 'Item', id, route: 'PATCH /item/{id}', values, painted, text })
}
