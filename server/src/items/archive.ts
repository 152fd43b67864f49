import { fault, RuleBroken } from '../kernel/refusal.ts'
import { isClosed } from './status.ts'

// Closed work that is put away: found by who asks for it, and changed by nobody until it is taken out again.

/** Open work is not put away. */
export function refuseOpenArchived({ archived, statusCategory }: Record<string, unknown>): void {
  if (archived === true && !isClosed(Number(statusCategory)))
    throw new RuleBroken('item-open', 'only closed work is archived', [
      fault(['archived'], 'item-open', 'must not be true while the item is open'),
    ])
}

export function archivedItem(): RuleBroken {
  return new RuleBroken('item-archived', 'an archived item can only be read; unarchive it first')
}
