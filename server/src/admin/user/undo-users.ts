import type { Reversal } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { ownProfile } from './user-operations.ts'

/** Undoes changes of users. Everybody may take back a change of their own profile, as they may make one. */
export const undoUsers: Undoer = async (ctx, given, undo) => {
  const isOwn = ({ recordId, created, deleted, properties }: Reversal) =>
    recordId === ctx.caller.userId &&
    !created &&
    deleted === undefined &&
    [...properties.keys()].every(property => ownProfile.includes(property))
  return [
    ...(await undoRecords(withSystemAuthority(ctx), given.filter(isOwn), undo)),
    ...(await undoRecords(
      ctx,
      given.filter(each => !isOwn(each)),
      undo,
    )),
  ]
}
