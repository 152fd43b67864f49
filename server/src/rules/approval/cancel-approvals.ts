import type { Listener, Task } from '../../engine/dispatch/dispatch.ts'
import type { Id } from '../../kernel/id.ts'
import { approvalState, approvals, cancelApproval, endingTaskName } from './approval.ts'

const reasons = {
  deleted: 'the item was deleted',
  merged: 'the item was merged into another',
  until: 'the time to answer is over',
} as const

/** Nobody is asked any more about an item that is gone. Until that is done nobody can answer either: the item is not to be found, or refuses. */
export const approvalListener: Listener = {
  name: 'approval',
  listens: async () => true,
  hears: ({ entity, kind }) => entity === 'Item' && (kind === 'item.deleted' || kind === 'item.merged'),
  async jobs(ctx, events) {
    // Of a merge both items tell; the one that goes says into which.
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
    const { approvalId, reason } = payload as { approvalId: Id; reason: keyof typeof reasons }
    await transaction(service, async ctx => {
      const approval = await approvals.find(ctx, approvalId, { lock: true })
      if (approval?.state === approvalState.pending) await cancelApproval(ctx, approval, reasons[reason])
    })
  },
}
