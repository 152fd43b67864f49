import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { type Id, operatorId } from '../../kernel/id.ts'
import type { LogPosition } from '../live/log-position.ts'
import { tenantIds } from '../recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../recurring-jobs/recurring-jobs.ts'
import { type ChainHead, emptyChain, hashOf, type LogSeal, openHead, sealHead } from './chain-head.ts'
import { writeHeads } from './heads-file.ts'

/** Rows of one seal: few enough that a break is found in little time. */
const maxRows = 2000

/** Before every row of a log. */
export const start: LogPosition = { xact: '0', id: operatorId }

/** The job that seals what was added to the logs, and writes the ends of the chains to a file outside of the database. */
export function sealLog(database: Database, dataDir: string): RecurringJob {
  return { name: 'seal-log', every: 60_000, run: signal => sealAll(database, dataDir, signal) }
}

async function sealAll(database: Database, dataDir: string, signal: AbortSignal): Promise<void> {
  const { crossTenantSql } = database
  const [place] = await crossTenantSql<{
    settled: string
    sealed: string | null
  }>`select log_settled()::text as settled,
    (select value #>> '{}' from installation where key = 'log-sealed') as sealed`
  if (!place || place.settled === place.sealed) return
  const heads: ChainHead[] = []
  for await (const tenantId of tenantsSince(database, place.sealed, place.settled)) {
    signal.throwIfAborted()
    const head = await sealTenant(database, tenantId, signal)
    if (head) heads.push(head)
  }
  await writeHeads(dataDir, heads)
  await crossTenantSql`insert into installation (key, value) values ('log-sealed', to_jsonb(${place.settled}::text))
    on conflict (key) do update set value = excluded.value`
}

/** The tenants whose logs have rows in the range; the first run looks at all of them. */
async function* tenantsSince(database: Database, from: string | null, to: string): AsyncGenerator<Id> {
  if (from === null) return yield* tenantIds(database)
  const rows = await database.crossTenantSql<{ tenantId: Id }>`
    select tenant_id as "tenantId" from event where xact >= ${from}::xid8 and xact < ${to}::xid8
    union select tenant_id from audit_entry where xact >= ${from}::xid8 and xact < ${to}::xid8`
  yield* rows.map(({ tenantId }) => tenantId)
}

/** Seals what is settled in the log of a tenant. Returns the end of its chain, if it has one. */
export async function sealTenant(
  database: Database,
  tenantId: Id,
  signal?: AbortSignal,
): Promise<ChainHead | undefined> {
  for (;;) {
    signal?.throwIfAborted()
    const { head, rows } = await database.transaction(tenantCaller(tenantId), sealBatch)
    if (rows < maxRows) return head
  }
}

async function sealBatch(ctx: Context): Promise<{ head: ChainHead | undefined; rows: number }> {
  const { tenantId } = ctx.caller
  const chain = await readChain(ctx)
  const { xact, id } = chain?.position ?? start
  const [batch] = await ctx.sql<Omit<LogSeal, 'n'>>`with part as materialized (
      select xact, id, digest from log_row where tenant_id = ${tenantId} and xact < log_settled()
        and (xact, id) > (${xact}::xid8, ${id}::uuid) order by xact, id limit ${maxRows})
    select (select count(*)::int from part) as rows, (select string_agg(digest, ''::bytea order by xact, id) from part) as digests,
      xact::text as xact, id from part order by part.xact desc, part.id desc limit 1`
  if (!batch) return { head: chain?.head, rows: 0 }
  const before = chain?.head ?? emptyChain(tenantId)
  const seal: LogSeal = { ...batch, n: before.last + 1 }
  const hash = hashOf(tenantId, seal, before.hash)
  await ctx.sql`insert into audit_seal (tenant_id, n, at, xact, id, rows, digests, hash) values
    (${tenantId}, ${seal.n}, ${ctx.now}, ${seal.xact}::xid8, ${seal.id}, ${seal.rows}, ${seal.digests}, decode(${hash}, 'hex'))`
  const head = { ...before, last: seal.n, hash }
  await writeChain(ctx, head, seal)
  return { head, rows: seal.rows }
}

/** Locks the end of the chain: only one process appends to it. */
async function readChain(ctx: Context): Promise<{ head: ChainHead; position: LogPosition } | undefined> {
  const [row] = await ctx.sql<LogPosition & { head: string }>`select xact::text as xact, id, head from audit_chain
    where tenant_id = ${ctx.caller.tenantId} for update`
  return row && { head: openHead(ctx.services.secrets, row.head), position: row }
}

async function writeChain(ctx: Context, head: ChainHead, { xact, id }: LogPosition): Promise<void> {
  await ctx.sql`insert into audit_chain (tenant_id, xact, id, head) values
    (${ctx.caller.tenantId}, ${xact}::xid8, ${id}, ${sealHead(ctx.services.secrets, head)})
    on conflict (tenant_id) do update set xact = excluded.xact, id = excluded.id, head = excluded.head`
}

/**
 * Allows retention to delete the rows that were sealed before this time. Returns the last of them: newer rows must stay.
 * What remains of them is still proven to be unchanged, and their seals stay as links of the chain.
 */
export async function allowForgetting(ctx: Context, before: Date): Promise<LogPosition | undefined> {
  const chain = await readChain(ctx)
  const [seal] = await ctx.sql<LogPosition & { n: number }>`select n::int as n, xact::text as xact, id from audit_seal
    where tenant_id = ${ctx.caller.tenantId} and at < ${before} order by n desc limit 1`
  if (!chain || !seal) return undefined
  const forgotten = Math.max(chain.head.forgotten, seal.n)
  await writeChain(ctx, { ...chain.head, forgotten }, chain.position)
  return { xact: seal.xact, id: seal.id }
}
