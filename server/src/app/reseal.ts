import { tenantIds } from '../engine/recurring-jobs/housekeeping.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import { name, raw, type Sql, sql } from '../kernel/sql.ts'
import { isSealedWith, UnsealFailed } from '../platform/master-key/master-key.ts'
import type { Secrets } from '../platform/secrets.ts'

// Every place where sealed values are stored. A new one is added here, so that a rotation of the master key reaches it.

/** A table of tenants with a column `sealed`: for which owner and under which name a row is sealed. */
interface SealedTable {
  table: string
  owner: Sql
  name: Sql
}

export const sealedTables: readonly SealedTable[] = [
  { table: 'secret', owner: raw('t.owner_id'), name: raw('t.name') },
  { table: 'delivery', owner: raw('t.id'), name: raw(`'headers'`) },
]

/** The purposes of sealed texts in rows of `installation`, by the key of the row. */
const installationPurposes: Readonly<Record<string, string>> = {
  'signing-keys': 'signing-keys',
  'master-key-check': 'master-key-check',
}

/** What a pass over all sealed values found. */
export interface ResealReport {
  /** Values that an older key sealed, and that the first key seals now (or would, if only counted). */
  resealed: number
  /** Values that no known key opens. */
  unreadable: number
}

/** Seals everything with the first key that an older one sealed; `dryRun` only counts. It can be interrupted and repeated. */
export async function resealAll(database: Database, secrets: Secrets, { dryRun = false } = {}): Promise<ResealReport> {
  const report: ResealReport = { resealed: 0, unreadable: 0 }
  await resealInstallation(database, secrets, report, dryRun)
  for await (const tenantId of tenantIds(database)) {
    for (const place of sealedTables)
      await database.single(tenantCaller(tenantId), ctx => resealTable(ctx, place, secrets, report, dryRun))
    await database.single(tenantCaller(tenantId), ctx => resealChain(ctx, secrets, report, dryRun))
  }
  return report
}

const batch = 200

async function resealTable(
  ctx: Context,
  place: SealedTable,
  secrets: Secrets,
  report: ResealReport,
  dryRun: boolean,
): Promise<void> {
  const { tenantId } = ctx.caller
  const table = name(place.table)
  for (let last: Id | undefined; ; ) {
    const rows: { id: Id; owner: Id; name: string; sealed: Buffer }[] = await ctx.sql`
      select t.id, ${place.owner} as owner, ${place.name} as name, t.sealed from ${table} t
      where t.tenant_id = ${tenantId} and t.sealed is not null ${last ? sql`and t.id > ${last}` : raw('')} order by t.id limit ${batch}`
    for (const row of rows) {
      const text = openOld(secrets, row.sealed, report, () =>
        secrets.openFor(tenantId, row.owner, row.name, row.sealed),
      )
      if (text === undefined || dryRun) continue
      // A value that was changed meanwhile was sealed with the first key.
      await ctx.sql`update ${table} set sealed = ${secrets.sealFor(tenantId, row.owner, row.name, text)}
        where tenant_id = ${tenantId} and id = ${row.id} and sealed = ${row.sealed}`
    }
    if (rows.length < batch) return
    last = rows.at(-1)?.id
  }
}

async function resealChain(ctx: Context, secrets: Secrets, report: ResealReport, dryRun: boolean): Promise<void> {
  const { tenantId } = ctx.caller
  const [chain] = await ctx.sql<{ head: string }>`select head from audit_chain where tenant_id = ${tenantId}`
  const fresh = chain && resealText(secrets, 'audit-chain', chain.head, report)
  if (chain && fresh !== undefined && !dryRun)
    await ctx.sql`update audit_chain set head = ${fresh} where tenant_id = ${tenantId} and head = ${chain.head}`
}

/** The rows are JSON with sealed texts in them. */
async function resealInstallation(
  { crossTenantSql }: Database,
  secrets: Secrets,
  report: ResealReport,
  dryRun: boolean,
): Promise<void> {
  for (const [key, purpose] of Object.entries(installationPurposes)) {
    for (;;) {
      const [row] = await crossTenantSql<{ value: unknown }>`select value from installation where key = ${key}`
      const counted: ResealReport = { resealed: 0, unreadable: 0 }
      const fresh = resealIn(secrets, purpose, row?.value, counted)
      const done = dryRun || counted.resealed === 0
      const written = done
        ? [true]
        : await crossTenantSql`update installation set value = ${JSON.stringify(fresh)}::jsonb
            where key = ${key} and value = ${JSON.stringify(row?.value)}::jsonb returning true`
      if (written.length === 0) continue // another process has changed the row
      report.resealed += counted.resealed
      report.unreadable += counted.unreadable
      break
    }
  }
}

function resealIn(secrets: Secrets, purpose: string, value: unknown, report: ResealReport): unknown {
  if (typeof value === 'string') return resealText(secrets, purpose, value, report) ?? value
  const { keys, secret } = (value ?? {}) as { keys?: { sealed: string }[]; secret?: string }
  if (!keys || secret === undefined) return value
  return {
    ...(value as object),
    keys: keys.map(each => ({ ...each, sealed: resealText(secrets, purpose, each.sealed, report) ?? each.sealed })),
    secret: resealText(secrets, purpose, secret, report) ?? secret,
  }
}

function resealText(secrets: Secrets, purpose: string, sealed: string, report: ResealReport): string | undefined {
  const text = openOld(secrets, Buffer.from(sealed, 'base64url'), report, () => secrets.openText(purpose, sealed))
  return text === undefined ? undefined : secrets.sealText(purpose, text)
}

/** Returns the text of a value that an older key sealed, and counts it. */
function openOld({ ring }: Secrets, sealed: Buffer, report: ResealReport, open: () => string): string | undefined {
  if (isSealedWith(ring.first(), sealed)) return undefined
  try {
    const text = open()
    report.resealed++
    return text
  } catch (error) {
    if (!(error instanceof UnsealFailed)) throw error
    report.unreadable++
    return undefined
  }
}
