import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { isClosed } from '../status.ts'

// Archived items are closed, are left out of lists unless requested, and are read-only until they are unarchived.

/** Refuses to archive an open item. */
export function refuseOpenArchived({ archived, statusCategory }: Record<string, unknown>): void {
  if (archived === true && !isClosed(Number(statusCategory)))
    throw new RuleBroken('item-open', 'only closed items can be archived', [
      fault(['archived'], 'item-open', 'must not be true while the item is open'),
    ])
}

export function archivedItem(): RuleBroken {
  return new RuleBroken('item-archived', 'an archived item is read-only; unarchive it first')
}
