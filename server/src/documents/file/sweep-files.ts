import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { Blobs } from '../../platform/bytes/blobs.ts'
import { lockBytes } from '../../platform/bytes/stored-bytes.ts'
import type { Thumbs } from '../../platform/bytes/thumbs.ts'
import { isReferenced, neededOnDisk } from '../storage/storage.ts'

const day = 86_400_000

/** Longer than any upload takes. */
const grace = day

const batch = 500

/**
 * Removes bytes from the disk that nobody needs there: those that have no row after a day, because their upload was refused or
 * interrupted, and those that are at a store. The thumbs of bytes that no record refers to go with them, wherever the bytes were.
 */
export function sweepFiles(database: Database, now: () => Date = () => new Date()): RecurringJob {
  const { blobs, thumbs } = database.services
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
      for (const tenantId of await thumbs.owners()) await sweepThumbs(database, thumbs, tenantId, signal)
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

/** Needs neither a grace nor a lock: a thumb is made of a record's bytes only, and one that is missed is made again. */
async function sweepThumbs(database: Database, thumbs: Thumbs, tenantId: Id, signal: AbortSignal): Promise<void> {
  for await (const hashes of inBatches(thumbs.hashes(tenantId))) {
    signal.throwIfAborted()
    const rows = await database.single(
      tenantCaller(tenantId),
      ctx => ctx.sql<{ hash: string }>`
      select distinct h.hash from unnest(${hashes}::text[]) as h (hash)
      where not ${isReferenced(raw('h.hash'))}`,
    )
    for (const { hash } of rows) await thumbs.forget(tenantId, hash)
  }
}
