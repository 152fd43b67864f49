import { changedSince, type UndoConflict } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { items } from '../../items/item/item.ts'
import { type ApprovalValues, approvalState, approvals, cancelApproval, endInTime } from './approval.ts'

const kept: ReadonlySet<string> = new Set<keyof ApprovalValues>(['votes', 'state', 'decidedAt'])

/** Undoing a request cancels it, unless somebody has voted; undoing a vote or a cancellation restores the state before it. */
export const undoApprovals: Undoer = async (ctx, given) => {
  const conflicts: UndoConflict[] = []
  for (const reversal of given) {
    const { entity, recordId, properties } = reversal
    const approval = await approvals.find(ctx, recordId, { lock: true })
    if (!approval) {
      conflicts.push({ entity, recordId, property: 'id' })
      continue
    }
    if (properties.has('groupId')) {
      const { state, votes } = approval
      const item = await items.find(ctx, approval.itemId, { deleted: true })
      if (item) await items.demand(ctx, 'update', item)
      if (votes.length > 0) conflicts.push({ entity, recordId, property: 'votes', expected: [], current: votes })
      else if (state === approvalState.pending) await cancelApproval(ctx, approval, 'the request was undone')
      continue
    }
    for (const property of properties.keys()) if (!kept.has(property)) properties.delete(property)
    const since = changedSince(reversal, property => Reflect.get(approval, property))
    conflicts.push(...since)
    if (since.length > 0 || properties.size === 0) continue
    const values = Object.fromEntries([...properties].map(([property, { from }]) => [property, from]))
    const own = { columns: {}, changes: { itemId: { to: approval.itemId } } }
    const before = await approvals.update(ctx, approval.id, values, { verb: 'reopened', own })
    if (before.state === approvalState.pending) await endInTime(ctx, before)
  }
  return conflicts
}
