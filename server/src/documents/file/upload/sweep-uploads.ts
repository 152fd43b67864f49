import { tenantIds } from '../../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Database } from '../../../kernel/database.ts'
import type { UploadPlace } from '../../../platform/bytes/upload-parts.ts'

const hour = 3_600_000

/** Longer than any request takes: one that begins an upload with bytes has parts before the upload exists. */
const grace = 2 * hour

/** Forgets uploads that have expired, and removes the parts of those that are forgotten or finished. */
export function sweepUploads(database: Database, now: () => Date = () => new Date()): RecurringJob {
  const { uploadParts } = database.services
  return {
    name: 'sweep-uploads',
    every: hour,
    async run(signal) {
      for await (const tenantId of tenantIds(database)) {
        signal.throwIfAborted()
        await database.single(
          tenantCaller(tenantId),
          ctx => ctx.sql`delete from file_upload where tenant_id = ${tenantId} and expires_at < ${now()}`,
        )
      }
      for (const place of await uploadParts.untouchedSince(new Date(now().getTime() - grace))) {
        signal.throwIfAborted()
        if (!(await isOpen(database, place))) await uploadParts.forget(place)
      }
    },
  }
}

async function isOpen(database: Database, { tenantId, uploadId }: UploadPlace): Promise<boolean> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`select 1 from file_upload where tenant_id = ${tenantId} and id = ${uploadId} and not finished`,
  )
  return rows.length > 0
}
