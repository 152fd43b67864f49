import type { Listener, Task } from '../../engine/dispatch/dispatch.ts'
import type { Id } from '../../kernel/id.ts'
import { approvalState, approvals, cancelApproval, endingTaskName } from './approval.ts'

const reasons: Readonly<Record<string, string>> = {
  deleted: 'the item was deleted',
  merged: 'the item was merged into another',
  until: 'the time to vote is over',
}

/** Cancels the approvals of items that are deleted or merged. Until then votes are refused, because such an item is not found. */
export const approvalListener: Listener = {
  name: 'approval',
  listens: async () => true,
  accepts: ({ entity, kind }) => entity === 'Item' && (kind === 'item.deleted' || kind === 'item.merged'),
  async jobs(ctx, events) {
    // Both items of a merge have an event; only that of the merged one has `mergedInto`.
    const gone = events.filter(({ kind, changes }) => kind === 'item.deleted' || changes.mergedInto)
    if (gone.length === 0) return []
    const rows = await ctx.sql<{ id: Id; itemId: Id }>`select id, item_id as "itemId" from approval
      where tenant_id = ${ctx.caller.tenantId} and item_id = any(${gone.map(each => each.recordId)}::uuid[]) and state = ${approvalState.pending} and not deleted`
    return gone.flatMap(event =>
      rows
        .filter(({ itemId }) => itemId === event.recordId)
        .map(({ id }) => ({
          event,
          task: endingTaskName,
          lane: `approval ${id}`,
          payload: { approvalId: id, reason: event.kind === 'item.deleted' ? 'deleted' : 'merged' },
        })),
    )
  },
}

export const approvalEndingTask: Task = {
  name: endingTaskName,
  retryDelays: [5_000, 60_000, 600_000],
  async run({ payload, service, transaction }) {
    const reason = reasons[String(payload.reason)] ?? ''
    await transaction(service, async ctx => {
      const approval = await approvals.find(ctx, String(payload.approvalId), { lock: true })
      if (approval?.state === approvalState.pending) await cancelApproval(ctx, approval, reason)
    })
  },
}
