import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Facet } from './ticket.ts'

/** What a message changes in its ticket, for every author. */
const followsMessages: ReadonlySet<string> = new Set<keyof Facet>([
  ...(['firstReplyAt', 'lastRequesterAt', 'lastStaffAt', 'waitingOn', 'snoozedUntil', 'reopenCount'] as const),
])

/** Undoes changes of tickets. What followed from a message needs no permission of its own, like the message itself. */
export const undoTickets: Undoer = async (ctx, given, undo) => {
  const isConsequence = (each: (typeof given)[number]) =>
    !each.created && each.deleted === undefined && [...each.properties.keys()].every(name => followsMessages.has(name))
  return [
    ...(await undoRecords(withSystemAuthority(ctx), given.filter(isConsequence), undo)),
    ...(await undoRecords(
      ctx,
      given.filter(each => !isConsequence(each)),
      undo,
    )),
  ]
}
