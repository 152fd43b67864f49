import { tenantCaller } from '../../identity/tenant-caller.ts'
import { tenantStatus } from '../../identity/tenant-status.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId, operatorId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { ContentHash } from './content-hash.ts'
import { format } from './export.ts'
import { changeIds, freshIds, IdSet, idLike } from './fresh-ids.ts'
import { type OpenBytes, receiveBytes } from './incoming-bytes.ts'
import { insertBatch, type RowBatch } from './insert-rows.ts'
import { type Line, refuseLine } from './read-lines.ts'
import { rebuildDerived } from './rebuild-derived.ts'
import { type ExportedTable, readCatalogue } from './table-catalogue.ts'

interface ImportSource {
  /** Reads the lines from the beginning; called twice if ids must be replaced. */
  lines: () => AsyncIterable<Line>
  slug: string
  /** The name of the new tenant; empty to keep the exported name. */
  name: string
  suspended?: boolean | undefined
}

export interface ImportResult {
  tenantId: Id
  rows: Record<string, number>
  files: number
  hash: string
  /** Whether the ids of records were replaced. */
  freshIds: boolean
  suspended: boolean
  /** Secrets that are not part of an export and must be set again; the first hundred. */
  setAnew: { ownerId: Id; name: string }[]
}

/**
 * Creates a tenant from an export, all of it or nothing. Unknown tables, columns and types are refused with the number of
 * the line. If the original tenant is in this installation, every record gets a new id, and the copy is suspended by
 * default, because both would send mail.
 */
export async function importLines(ctx: Context, arrival: ImportSource): Promise<ImportResult> {
  const header = await readHeader(arrival.lines())
  const [original] = await ctx.crossTenantSql`select 1 from tenant where id = ${header.id}`
  const [called] = await ctx.crossTenantSql`select 1 from tenant where slug = ${arrival.slug}`
  if (called) throw new RuleBroken('already-taken', `another tenant has the slug ${arrival.slug}`)
  const tenantId = original ? idLike(header.id) : header.id
  const suspended = arrival.suspended ?? original !== undefined
  const kept: string[] = []
  await ctx.sql`set local idle_in_transaction_session_timeout = '30min'` // the connection idles while a long file is read, twice
  try {
    return await ctx.actFor(tenantCaller(tenantId, operatorId), async inner => {
      const change = original ? await idChange(arrival, inner, header.id, tenantId) : undefined
      const own = { slug: arrival.slug, status: suspended ? tenantStatus.suspended : tenantStatus.active }
      const told = await storeLines(inner, { ...arrival, own, change, kept })
      // Files whose bytes are not in the export are not ready.
      await inner.sql`update file set state = 0 where tenant_id = ${tenantId} and state = 2 and sha256 <> all(${kept}::text[])`
      await rebuildDerived(inner)
      return { tenantId, ...told, freshIds: change !== undefined, suspended }
    })
  } catch (error) {
    for (const sha256 of kept) await ctx.services.blobs.forget(tenantId, sha256)
    throw error
  }
}

async function readHeader(lines: AsyncIterable<Line>): Promise<{ id: Id }> {
  for await (const { value, number } of lines) {
    const { gantry, tenant } = value
    if (gantry !== 'tenant' || value.format !== format)
      refuseLine(number, `is not the header of an export in format ${format}`)
    const id = tenant !== null && typeof tenant === 'object' && 'id' in tenant ? tenant.id : undefined
    if (typeof id !== 'string' || !isId(id) || id === operatorId) refuseLine(number, 'has no valid id of the tenant')
    return { id: id.toLowerCase() }
  }
  throw new RuleBroken('not-an-export', 'the file is empty')
}

/** Rewrites a row before it is stored. */
type RowChange = (row: string, value: Record<string, unknown>, table: ExportedTable) => string

/** Replaces all ids in columns of type uuid, and elsewhere only the ids of records in the file. */
async function idChange({ lines }: ImportSource, ctx: Context, from: Id, to: Id): Promise<RowChange> {
  const tables = new Map((await readCatalogue(ctx)).map(table => [table.name, table]))
  const known = new IdSet()
  for await (const { value } of lines()) {
    const { table, row } = value
    if (typeof table !== 'string' || !tables.get(table)?.named || row === null || typeof row !== 'object') continue
    if ('id' in row && typeof row.id === 'string' && isId(row.id)) known.add(row.id)
  }
  const fresh = freshIds(from, to)
  return (row, value, { columns }) => {
    const own = new Set<unknown>()
    for (const { name: column, type } of columns) {
      if (type === 'uuid') own.add(value[column])
      else if (type === 'uuid[]') for (const each of [value[column]].flat()) own.add(each)
    }
    return changeIds(row, id => own.has(id) || known.has(id), fresh)
  }
}

interface StoreInput extends ImportSource {
  own: { slug: string; status: number }
  change: RowChange | undefined
  /** The hashes of stored files, to remove them if the import fails. */
  kept: string[]
}

const maxRows = 1000
const maxText = 1_000_000

async function storeLines(
  ctx: Context,
  { lines, own, name: given, change, kept }: StoreInput,
): Promise<Pick<ImportResult, 'rows' | 'files' | 'hash' | 'setAnew'>> {
  await ctx.sql`set local statement_timeout = '10min'`
  await ctx.sql`set local app.importing = 'on'` // what follows from events and entries is in the file
  const tables = new Map((await readCatalogue(ctx)).map(table => [table.name, table]))
  const hash = new ContentHash()
  const setAnew: ImportResult['setAnew'] = []
  const numbering = openNumbering()
  let batch: RowBatch | undefined
  let end: Record<string, unknown> | undefined
  let bytes: OpenBytes | undefined
  const flush = async () => {
    if (batch) await insertBatch(ctx, batch)
    batch = undefined
  }
  const read = async () => {
    for await (const { value, text, number } of lines()) {
      if (number === 1) continue
      if (end) refuseLine(number, 'follows the end line')
      if (typeof value.table === 'string') {
        const { table, row, columns } = readRow(tables, value, number)
        const start = `{"table":"${table.name}","row":`
        if (!text.startsWith(start)) refuseLine(number, 'does not have the form of an export: table first, then row')
        const written = text.slice(start.length, -1)
        hash.add(table.name, written)
        const changed = change ? change(written, row, table) : written
        const signature = `${table.name} ${columns.join()}`
        if (batch && (batch.signature !== signature || batch.rows.length >= maxRows || batch.length >= maxText))
          await flush()
        batch ??= { table, columns, signature, rows: [], length: 0, own, given }
        const placed = table.name === 'event' ? withNumber(changed, numbering(row.xact)) : changed
        batch.rows.push({ row: placed, number })
        batch.length += placed.length
      } else if (typeof value.bytes === 'string') {
        await flush()
        bytes = await receiveBytes(ctx, bytes, value, number, kept)
      } else if (value.unset !== null && typeof value.unset === 'object') {
        const { ownerId, name: called } = value.unset as Record<string, unknown>
        if (setAnew.length < 100 && typeof ownerId === 'string' && typeof called === 'string')
          setAnew.push({ ownerId: change ? changedId(change, ownerId, tables) : ownerId, name: called })
      } else if (value.end === true) end = value
      else refuseLine(number, 'is of an unknown kind')
    }
    await flush()
  }
  await read().catch(async error => {
    await bytes?.abort()
    throw error
  })
  if (!end) throw new RuleBroken('not-an-export', 'the file is truncated: the end line is missing')
  if (bytes) {
    await bytes.abort()
    throw new RuleBroken('not-an-export', 'the bytes of a file are truncated')
  }
  if (hash.rows.tenant !== 1)
    throw new RuleBroken('not-an-export', 'the file must contain exactly one row of the tenant table')
  if (hash.digest() !== end.hash)
    throw new RuleBroken('not-an-export', 'the content does not match its hash: the file was changed or damaged')
  return { rows: hash.rows, files: kept.length, hash: hash.digest(), setAnew }
}

function changedId(change: RowChange, id: string, tables: ReadonlyMap<string, ExportedTable>): string {
  const [table] = tables.values()
  return table ? change(id, {}, table) : id
}

/** Reads a row and refuses unknown tables and columns. */
function readRow(tables: ReadonlyMap<string, ExportedTable>, value: Record<string, unknown>, number: number) {
  const table = tables.get(String(value.table))
  if (!table) refuseLine(number, `is of an unknown table: ${String(value.table).slice(0, 60)}`)
  const row = value.row
  if (row === null || typeof row !== 'object' || Array.isArray(row)) refuseLine(number, 'has no row')
  const columns = Object.keys(row)
  const unknown = columns.find(each => !table.columns.some(column => column.name === each))
  if (unknown !== undefined)
    refuseLine(number, `has a column that ${table.name} does not have: ${unknown.slice(0, 60)}`)
  return { table, row: row as Record<string, unknown>, columns }
}

/** Imported transactions are numbered from one, so that they sort before all transactions of this installation. */
function openNumbering(): (xact: unknown) => number {
  let last: unknown
  let count = 0
  return xact => {
    if (xact !== last || count === 0) [last, count] = [xact, count + 1]
    return count
  }
}

/** PostgreSQL takes the last of duplicate keys, so appending replaces an earlier value. */
const withNumber = (row: string, number: number) => `${row.slice(0, -1)},"xact":${number}}`
