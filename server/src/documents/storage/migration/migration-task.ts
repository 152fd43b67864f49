import { Postponed, type Task, type Work } from '../../../engine/dispatch/task.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { StoreFailure } from '../../../platform/object-store/object-store.ts'
import { ChecksumMismatch } from '../bytes/copies.ts'
import { moveBytes } from '../bytes/move-bytes.ts'
import { storePause } from '../bytes/store-bytes-task.ts'
import { outboundStorages } from '../outbound-storage.ts'
import { recordHealth } from '../storage-health.ts'
import { storageKind } from '../storage-kind.ts'
import { migrationTaskName, type StorageMigration, storageMigrations } from './migration.ts'
import { migrationState } from './migration-state.ts'

const batch = 100

/** Moves everything in the order of the hashes; the last one that was moved is stored, so that another attempt goes on there. */
export const migrationTask: Task = {
  name: migrationTaskName,
  retryDelays: [1000, 10_000, 60_000, 600_000, 3_600_000],
  async run(work) {
    const id = String(work.payload.id)
    for (;;) {
      const next = await work.single(work.service, ctx => nextBatch(ctx, id))
      if (!next) return
      const { target, hashes } = next
      for (const sha256 of hashes) {
        work.signal.throwIfAborted()
        if (!(await moved(work, next.migration, sha256, target))) return
      }
      if (hashes.length < batch) return await end(work, id, { state: migrationState.done, error: '' }, 'finished')
    }
  },
  async onGiveUp(work, error) {
    const message = error instanceof Error ? error.message : String(error)
    await end(work, String(work.payload.id), { state: migrationState.stopped, error: message.slice(0, 500) }, 'stopped')
  },
}

interface Batch {
  migration: StorageMigration
  target: Id | null
  hashes: string[]
}

/** The next hashes that rows refer to; undefined if the migration does not run any more. */
async function nextBatch(ctx: Context, id: Id): Promise<Batch | undefined> {
  const { tenantId } = ctx.caller
  const migration = await storageMigrations.find(ctx, id)
  if (!migration || migration.state !== migrationState.running || migration.storageId === null) return undefined
  const storage = await outboundStorages.find(ctx, migration.storageId, { deleted: true })
  if (!storage) return undefined
  const rows = await ctx.sql<{ hash: string }>`select distinct r.hash from (
      (select sha256 as hash from file where tenant_id = ${tenantId} and sha256 > ${migration.checkpoint} order by sha256 limit ${batch * 10})
      union all
      (select sha256 from mail_message where tenant_id = ${tenantId} and sha256 <> '' and sha256 > ${migration.checkpoint} order by sha256 limit ${batch * 10})
    ) r order by r.hash limit ${batch}`
  return {
    migration,
    target: storage.kind === storageKind.s3 ? storage.id : null,
    hashes: rows.map(row => row.hash),
  }
}

/** Moves the bytes of one hash. Returns false if the migration has ended. */
async function moved(work: Work, { id }: StorageMigration, sha256: string, target: Id | null): Promise<boolean> {
  const note = (error: string) =>
    work.single(work.service, async ctx => {
      if (target !== null) await recordHealth(ctx, target, error)
      await ctx.sql`update storage_migration set error = ${error.slice(0, 500)} where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
    })
  try {
    const bytes = await moveBytes(work, sha256, target)
    return await work.single(work.service, ctx => checkpoint(ctx, id, sha256, bytes))
  } catch (error) {
    if (error instanceof ChecksumMismatch) {
      await note(error.message)
      const stopped = { state: migrationState.stopped, error: `checksum-mismatch: ${error.message}` }
      await end(work, id, stopped, 'stopped')
      return false
    }
    if (!(error instanceof StoreFailure)) throw error
    await note(error.message)
    throw new Postponed(storePause, error.message)
  }
}

async function checkpoint(ctx: Context, id: Id, sha256: string, bytes: number | undefined): Promise<boolean> {
  const [row] = await ctx.sql<{ state: number }>`update storage_migration
    set checkpoint = ${sha256}, error = '', files = files + ${bytes === undefined ? 0 : 1}, bytes = bytes + ${bytes ?? 0}
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} returning state`
  return row?.state === migrationState.running
}

async function end(work: Work, id: Id, values: { state: number; error: string }, verb: string): Promise<void> {
  await work.transaction(work.service, async ctx => {
    const migration = await storageMigrations.find(ctx, id, { lock: true })
    if (migration?.state !== migrationState.running) return
    await storageMigrations.update(ctx, id, { ...values, finishedAt: ctx.now.toISOString() }, { verb })
  })
}
