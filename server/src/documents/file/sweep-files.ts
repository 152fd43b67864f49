import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { Blobs } from '../../platform/blobs.ts'
import { lockBytes } from './file.ts'

const day = 86_400_000

/** Longer than any upload takes. */
const grace = day

const batch = 500

/** Removes bytes that have no row after a day, because their upload was refused or interrupted. */
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
          for (const hash of await withoutRow(database, tenantId, hashes))
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

async function withoutRow(database: Database, tenantId: Id, hashes: readonly string[]): Promise<string[]> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ hash: string }>`
    select h.hash from unnest(${hashes}::text[]) as h (hash)
    where not exists (select 1 from file f where f.tenant_id = ${tenantId} and f.sha256 = h.hash)
      and not exists (select 1 from mail_message m where m.tenant_id = ${tenantId} and m.sha256 = h.hash)`,
  )
  return rows.map(row => row.hash)
}

/** Checks again under the lock, and keeps bytes that a file (deleted or not) or a stored mail refers to. */
async function removeUnused(database: Database, blobs: Blobs, tenantId: Id, hash: string): Promise<void> {
  await database.transaction(tenantCaller(tenantId), async ctx => {
    await lockBytes(ctx, hash)
    const [row] = await ctx.sql`(select 1 from file where tenant_id = ${tenantId} and sha256 = ${hash} limit 1)
      union all (select 1 from mail_message where tenant_id = ${tenantId} and sha256 = ${hash} limit 1)`
    if (!row) await blobs.forget(tenantId, hash)
  })
}
