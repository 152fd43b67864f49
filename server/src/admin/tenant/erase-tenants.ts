import { createHash } from 'node:crypto'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { tenantStatus } from '../../kernel/access.ts'
import type { Run } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { notifyForget } from '../../kernel/memory.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { appendTenantEvent } from './operate-tenants.ts'

const day = 86_400_000

/** How long a store that does not answer delays the erasure of its tenant; ms. What is there then is left to its owner. */
const storePatience = 30 * day

/** Rows of each table per statement. */
const batch = 2000

export const certificateSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid', description: 'The id that the tenant had.' },
    name: { type: 'string' },
    slug: { type: 'string' },
    closed: { type: 'string', format: 'date-time', description: 'When the tenant was closed.' },
    erased: { type: 'string', format: 'date-time', description: 'When nothing was left of it.' },
    rows: { type: 'object', description: 'How many rows were deleted, by table.' },
    files: { type: 'integer', description: 'How many files were deleted.' },
    digest: {
      type: 'string',
      description:
        'The SHA-256 of the other properties. The event `tenant.erased` of the operating tenants has it, too.',
    },
  },
  required: ['id', 'name', 'slug', 'closed', 'erased', 'rows', 'files', 'digest'],
}

interface Certificate {
  id: Id
  name: string
  slug: string
  closed: string
  erased: string
  rows: Record<string, number>
  files: number
  digest: string
}

/** The certificates of the erased tenants. */
export async function certificates(sql: Run): Promise<Certificate[]> {
  const rows = await sql<Omit<Certificate, 'digest'>>`select id, name, slug, rows, files,
      to_char(closed at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as closed,
      to_char(erased at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as erased
    from tenant_erasure where erased is not null order by erased, id`
  return rows.map(({ id, name, slug, closed, erased, rows, files }) => {
    const content = { id, name, slug, closed, erased, rows, files }
    return { ...content, digest: createHash('sha256').update(JSON.stringify(content)).digest('hex') }
  })
}

/** Erases the tenants that have been closing for longer than the grace. An interrupted run is continued by the next. */
export function eraseTenants(database: Database, graceDays: number, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'erase-tenants',
    every: day / 24,
    async run(signal) {
      const { crossTenantSql } = database
      const before = new Date(now().getTime() - graceDays * day)
      const over = await crossTenantSql<{ id: Id; updated: Date }>`select id, updated from tenant
        where status = ${tenantStatus.closing} and updated < ${before} order by id`
      const failures: unknown[] = []
      for (const { id, updated } of over) {
        const isLate = updated.getTime() < before.getTime() - storePatience
        await erase(database, { id, before, signal, isLate }).catch(error => failures.push(error))
      }
      await reportErasures(database)
      signal.throwIfAborted()
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} tenants could not be erased`)
    },
  }
}

interface Erasure {
  id: Id
  before: Date
  signal: AbortSignal
  /** Its stores were waited for long enough. */
  isLate: boolean
}

async function erase(database: Database, { id, before, signal, isLate }: Erasure): Promise<void> {
  const { crossTenantSql, services } = database
  // The bytes first: they are found by their tenant, also after a crash, as long as it exists.
  const atStores = await services.storedBytes.eraseTenant(database, id).catch(error => {
    if (isLate) return 0
    throw error
  })
  await services.thumbs.forgetTenant(id)
  await services.uploadParts.forgetTenant(id)
  let files = atStores + (await services.blobs.forgetTenant(id))
  for (let left = 1; left > 0; files = 0) {
    signal.throwIfAborted()
    const [part] = await crossTenantSql<{
      rows: number
    }>`select erase_tenant(${id}, ${before}, ${files}, ${batch}) as rows`
    left = part?.rows ?? 0
  }
  await notifyForget(id, false) // its credentials are known for some seconds otherwise
}

/** Writes each erasure into the logs of the operating tenants, whose chain of hashes then proves the certificate. */
async function reportErasures(database: Database): Promise<void> {
  const { crossTenantSql } = database
  const reported = await crossTenantSql<{ id: Id }>`select id from tenant_erasure where reported`
  const known = new Set(reported.map(({ id }) => id))
  const operating = await crossTenantSql<{ id: Id }>`select id from tenant where operating and not deleted`
  for (const { id, name, slug, digest } of await certificates(crossTenantSql)) {
    if (known.has(id)) continue
    for (const { id: operator } of operating)
      await database.transaction(tenantCaller(operator), ctx =>
        appendTenantEvent(ctx, 'erased', id, { name: { from: name }, slug: { from: slug }, digest: { to: digest } }),
      )
    await crossTenantSql`update tenant_erasure set reported = true where id = ${id}`
  }
}
