import type { Context } from '../../kernel/context.ts'
import { join, name, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { latestMigration } from '../../platform/database/migrate.ts'
import { ContentHash } from './content-hash.ts'
import { type ExportedTable, eventsNotExported, readCatalogue } from './table-catalogue.ts'

/** The version of the export format. */
export const format = 1

/** The approximate size of a batch in bytes; the number of rows adapts to it. */
const targetBytes = 500_000
const maxRows = 2000

/**
 * Exports the caller's tenant as lines of JSON from one snapshot: a header, the rows of all tables including deleted ones
 * and the event log, the bytes of files, the secrets to set again, and the totals with the content hash. The transaction
 * must be new, because it sets its isolation level. Rows are streamed, so that memory use is constant.
 */
export async function* exportLines(ctx: Context, { files }: { files: boolean }): AsyncGenerator<string> {
  const { tenantId } = ctx.caller
  await beginSnapshot(ctx)
  const tables = await readCatalogue(ctx)
  const [own] = await ctx.sql<{
    name: string
    slug: string
  }>`select name, slug from tenant where tenant_id = ${tenantId}`
  yield line({
    gantry: 'tenant',
    format,
    schema: await latestMigration(),
    exported: ctx.now.toISOString(),
    tenant: { id: tenantId, ...own },
    files,
  })
  const hash = new ContentHash()
  const bytes: KnownBytes = new Map()
  for (const table of tables) {
    for await (const rows of rowsOf(ctx, table)) {
      for (const row of rows) hash.add(table.name, row)
      yield rows.map(row => `{"table":"${table.name}","row":${row}}\n`).join('')
    }
    if (files) yield* bytesOf(ctx, table, bytes)
  }
  yield* secretsToSet(ctx)
  yield line({ end: true, rows: hash.rows, ...totalsOf(bytes), hash: hash.digest() })
}

/** Makes all statements of a new transaction read the same state, also while a slow client reads what they return. */
export async function beginSnapshot(ctx: Context): Promise<void> {
  await ctx.sql`set transaction isolation level repeatable read, read only`
  await ctx.sql`set local idle_in_transaction_session_timeout = '10min'`
  await ctx.sql`set local statement_timeout = '5min'`
}

export const line = (value: object) => `${JSON.stringify(value)}\n`

/** The rows of a table as JSON texts, in the order of the primary key; all of them, or those that meet a condition on `t`. */
export async function* rowsOf(ctx: Context, table: ExportedTable, where: Sql = raw('true')): AsyncGenerator<string[]> {
  const t = raw('t')
  const numbering = table.name === 'event' ? openNumbering() : undefined
  const shown = table.columns.filter(({ name: column }) => !numbering || column !== 'xact')
  // The changes of an event with the texts that it does not repeat.
  const shownValue = ({ name: column }: { name: string }) =>
    numbering && column === 'changes' ? raw('changes_of(t) as changes') : sql`${t}.${name(column)}`
  const list = join(shown.map(shownValue))
  const key = table.key.map(column => sql`${t}.${name(column.name)}`)
  const keyTexts = join(table.key.map(column => sql`${t}.${name(column.name)}::text`))
  let after: string[] | undefined
  for (let size = 200; ; ) {
    const rows: { row: string; key: string[] }[] = await ctx.sql`
      select (select row_to_json(r)::text from (select ${list}) r) as row, array[${keyTexts}] as key
      from ${name(table.name)} t where t.tenant_id = ${ctx.caller.tenantId} and ${where} ${eventCondition(table)} ${keysetCondition(table, key, after)}
      order by ${join(key)} limit ${size}`
    const texts = rows.map(({ row, key }) => (numbering ? `{"xact":${numbering(key[0] ?? '')},${row.slice(1)}` : row))
    if (texts.length > 0) yield texts
    if (rows.length < size) return
    after = rows.at(-1)?.key
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    size = Math.max(1, Math.min(maxRows, Math.floor((size * targetBytes) / length)))
  }
}

function keysetCondition(table: ExportedTable, key: readonly Sql[], after: readonly string[] | undefined): Sql {
  if (!after) return raw('')
  const values = table.key.map(({ type }, i) => sql`${after[i]}::${raw(type)}`)
  return sql`and (${join(key)}) > (${join(values)})`
}

function eventCondition(table: ExportedTable): Sql {
  if (table.name !== 'event') return raw('')
  const { entities, kinds } = eventsNotExported()
  return sql`and t.entity <> all(${entities}::text[]) and t.kind <> all(${kinds}::text[])`
}

/** Transaction ids are valid in one installation only, so the exported log numbers transactions from one. */
function openNumbering(): (xact: string) => number {
  let [last, count] = ['', 0]
  return xact => {
    if (xact !== last) [last, count] = [xact, count + 1]
    return count
  }
}

/** The hashes whose bytes an export has come to, and whether they were found. */
export type KnownBytes = Map<string, 'there' | 'missing'>

/** The number of files in an export, and the hashes whose bytes are lost. */
export function totalsOf(bytes: KnownBytes): { files: number; missing: string[] } {
  const missing = [...bytes].filter(([, state]) => state === 'missing').map(([sha256]) => sha256)
  return { files: bytes.size - missing.length, missing }
}

/**
 * The bytes that the rows of a table refer to by hash, each file once, in parts; of all rows, or of those that meet a condition
 * on `t`.
 */
export async function* bytesOf(
  ctx: Context,
  table: ExportedTable,
  known: KnownBytes,
  where: Sql = raw('true'),
): AsyncGenerator<string> {
  if (!table.columns.some(column => column.name === 'sha256')) return
  const { tenantId } = ctx.caller
  for (let last = ''; ; ) {
    const rows: { sha256: string }[] =
      await ctx.sql`select distinct t.sha256 collate "C" as sha256 from ${name(table.name)} t
      where t.tenant_id = ${tenantId} and ${where} and t.sha256 collate "C" > ${last} order by 1 limit 500`
    for (const { sha256 } of rows) {
      if (known.has(sha256)) continue
      const bytes = await ctx.services.storedBytes.find(ctx, sha256)
      const there = (await bytes.size()) !== undefined
      known.set(sha256, there ? 'there' : 'missing')
      if (!there) continue
      let part = 0
      for await (const piece of await bytes.open())
        yield line({ bytes: sha256, part: part++, data: piece.toString('base64') })
      yield line({ bytes: sha256, part, data: '' }) // an empty part ends the file
    }
    if (rows.length < 500) return
    last = rows.at(-1)?.sha256 ?? ''
  }
}

/** The owners and names of secrets, whose values are not exported. */
async function* secretsToSet(ctx: Context): AsyncGenerator<string> {
  const rows = await ctx.sql<{ ownerId: string; name: string }>`select owner_id as "ownerId", name from secret s
    where tenant_id = ${ctx.caller.tenantId} and not exists (
      select 1 from second_factor f where f.tenant_id = ${ownTenant} and f.user_id = s.owner_id) order by owner_id, name`
  for (const unset of rows) yield line({ unset })
}
