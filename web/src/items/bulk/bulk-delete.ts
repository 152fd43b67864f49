import { call, dryRun, isProblem } from '@gantry/sdk'
import { gantry } from '../../kernel/data/client.ts'
import { remember } from '../../kernel/data/undo.ts'
import { selectNone } from '../focus.ts'
import { holdDeleted } from '../held-item.ts'
import { say } from './messages.ts'

/** An item that cannot be deleted. */
export interface RefusedDeletion {
  id: string
  why: string
}

/** Tries the deletion: the service names each item that it refuses to delete. */
export async function refusedDeletions(ids: readonly string[]): Promise<RefusedDeletion[]> {
  try {
    await dryRun(gantry, 'POST /item/delete', { body: { itemIds: [...ids] } })
    return []
  } catch (error) {
    if (!isProblem(error) || !Array.isArray(error.body.refused)) throw error
    return error.body.refused.map(({ id, detail }) => ({ id: String(id), why: String(detail) }))
  }
}

/** Deletes all of the items by one request, so that one undo brings all of them back. */
export async function deleteItems(itemIds: string[], step: string): Promise<void> {
  const { answer, changeSet } = await call(gantry, 'POST /item/delete', { body: { itemIds } }).withResponse()
  for (const { id, version } of answer.items) holdDeleted(id, version)
  selectNone()
  remember(changeSet, say.deleted(answer.items.length), step)
}
