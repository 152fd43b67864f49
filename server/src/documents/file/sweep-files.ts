import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { Blobs } from '../../platform/blobs.ts'
import { lockBytes } from '../../platform/stored-bytes.ts'
import { neededOnDisk } from '../storage/storage.ts'

const day = 86_400_000

/** Longer than any upload takes. */
const grace = day

const batch = 500

/**
 * Removes bytes from the disk that nobody needs there: those that have no row after a day, because their upload was refused or
 * interrupted, and those that are at a store.
 */
export function sweepFiles(database: Database, blobs: Blobs, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'sweep-files',
    every: day,
    async run(signal) {
      const before = new Date(now().getTime() - grace)
      await blobs.forgetArrivals(before)
      // This includes tenants that do not exist, because their import was rolled back.
      for (const tenantId of await blobs.owners()) {
        for await (const hashes of inBatches(blobs.untouchedSince(tenantId, before))) {
          signal.throwIfAborted()
          for (const hash of await unneeded(database, tenantId, hashes))
            await removeUnused(database, blobs, tenantId, hash)
        }
      }
    },
  }
}

async function* inBatches(hashes: AsyncIterable<string>): AsyncGenerator<string[]> {
  let some: string[] = []
  for await (const hash of hashes) {
    some.push(hash)
    if (some.length < batch) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

async function unneeded(database: Database, tenantId: Id, hashes: readonly string[]): Promise<string[]> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ hash: string }>`
    select h.hash from unnest(${hashes}::text[]) as h (hash)
    where not ${neededOnDisk(raw('h.hash'))}`,
  )
  return rows.map(row => row.hash)
}

/** Checks again under the lock. */
async function removeUnused(database: Database, blobs: Blobs, tenantId: Id, hash: string): Promise<void> {
  await database.transaction(tenantCaller(tenantId), async ctx => {
    await lockBytes(ctx, hash)
    const [row] = await ctx.sql<{ needed: boolean }>`select ${neededOnDisk(sql`${hash}`)} as needed`
    if (row?.needed === false) await blobs.forget(tenantId, hash)
  })
}
