import { Postponed, type Task } from '../../../engine/dispatch/task.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { StoreFailure } from '../../../platform/object-store/object-store.ts'
import { recordHealth } from '../storage-health.ts'
import { storageKind } from '../storage-kind.ts'
import { ChecksumMismatch } from './copies.ts'
import { moveBytes } from './move-bytes.ts'

export const storeBytesTaskName = 'store-bytes'

/** A store that does not answer is asked again after this time, for as long as it takes; ms. */
export const storePause = 60_000

/** Moves new bytes to the default storage of the tenant. One after another, so that a store that is down is asked once a minute. */
export const storeBytesTask: Task = {
  name: storeBytesTaskName,
  retryDelays: [10_000, 60_000, 600_000],
  async run(work) {
    const target = await work.single(work.service, defaultStore)
    if (!target) return
    const told = (error?: string) => work.single(work.service, ctx => recordHealth(ctx, target, error))
    try {
      await moveBytes(work, String(work.payload.sha256), target)
      await told()
    } catch (error) {
      if (error instanceof StoreFailure || error instanceof ChecksumMismatch) await told(error.message)
      if (error instanceof StoreFailure && error.fault !== 'missing') throw new Postponed(storePause, error.message)
      throw error
    }
  },
}

async function defaultStore(ctx: Context): Promise<Id | undefined> {
  const [row] = await ctx.sql<{ id: Id }>`select id from outbound_storage
    where tenant_id = ${ctx.caller.tenantId} and "default" and active and not deleted and kind = ${storageKind.s3}`
  return row?.id
}
