import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId, operatorId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { tenantStatus } from '../tenant/tenant.ts'
import { ContentHash } from './content-hash.ts'
import { format } from './export.ts'
import { changeIds, freshIds, IdSet, idLike } from './fresh-ids.ts'
import { type OpenBytes, receiveBytes } from './incoming-bytes.ts'
import { insertBatch, type RowBatch } from './insert-rows.ts'
import { type Line, refuseLine } from './read-lines.ts'
import { rebuildDerived } from './rebuild-derived.ts'
import { type ExportedTable, readCatalogue } from './table-catalogue.ts'

export interface ImportSource {
  /** Gives the lines from the beginning; asked for twice where ids must be changed. */
  lines: () => AsyncIterable<Line>
  slug: string
  /** The name of the new tenant, if it shall have another. */
  name: string
  suspended?: boolean | undefined
}

export interface ImportResult {
  tenantId: Id
  rows: Record<string, number>
  files: number
  hash: string
  /** Whether the records have other ids than in the file. */
  freshIds: boolean
  suspended: boolean
  /** Secrets that were kept where it came from, and must be set anew; the first hundred. */
  setAnew: { ownerId: Id; name: string }[]
}

/**
 * Makes a tenant out of an export: all of it, or nothing. Tables, columns and types are those of this installation;
 * whatever the file says otherwise is refused with the number of its line. Where the original lives in this
 * installation, every record gets a fresh id, and the copy is suspended unless asked otherwise: two of the same would
 * both send mail.
 */
export async function importLines(ctx: Context, arrival: ImportSource): Promise<ImportResult> {
  const header = await readHeader(arrival.lines())
  const [original] = await ctx.crossTenantSql`select 1 from tenant where id = ${header.id}`
  const [called] = await ctx.crossTenantSql`select 1 from tenant where slug = ${arrival.slug}`
  if (called) throw new RuleBroken('already-taken', `another tenant is called ${arrival.slug}`)
  const tenantId = original ? idLike(header.id) : header.id
  const suspended = arrival.suspended ?? original !== undefined
  const kept: string[] = []
  await ctx.sql`set local idle_in_transaction_session_timeout = '30min'` // a long file is read twice
  try {
    return await ctx.actFor(tenantCaller(tenantId, operatorId), async inner => {
      const change = original ? await idChange(arrival, inner, header.id, tenantId) : undefined
      const own = { slug: arrival.slug, status: suspended ? tenantStatus.suspended : tenantStatus.active }
      const told = await storeLines(inner, { ...arrival, own, change, kept })
      // A file whose bytes did not come along is not ready.
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
    if (typeof id !== 'string' || !isId(id) || id === operatorId) refuseLine(number, 'does not tell the tenant’s id')
    return { id: id.toLowerCase() }
  }
  throw new RuleBroken('not-an-export', 'the file is empty')
}

/** How the row of a table is changed on its way in. */
type RowChange = (row: string, value: Record<string, unknown>, table: ExportedTable) => string

/** Ids in columns of ids are changed in any case; in other texts and values those that are some record's. */
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
  /** The bytes that got their place, to be taken back if the rest does not. */
  kept: string[]
}

const maxRows = 1000
const maxText = 1_000_000

async function storeLines(
  ctx: Context,
  { lines, own, name: given, change, kept }: StoreInput,
): Promise<Pick<ImportResult, 'rows' | 'files' | 'hash' | 'setAnew'>> {
  await ctx.sql`set local statement_timeout = '10min'`
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
      if (end) refuseLine(number, 'comes behind the end')
      if (typeof value.table === 'string') {
        const { table, row, columns } = readRow(tables, value, number)
        const start = `{"table":"${table.name}","row":`
        if (!text.startsWith(start)) refuseLine(number, 'is not written as an export is: table first, then row')
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
      else refuseLine(number, 'is of no kind that is known')
    }
    await flush()
  }
  await read().catch(async error => {
    await bytes?.abort()
    throw error
  })
  if (!end) throw new RuleBroken('not-an-export', 'the file ends too early: its last line is missing')
  if (bytes) {
    await bytes.abort()
    throw new RuleBroken('not-an-export', 'the bytes of a file end too early')
  }
  if (hash.rows.tenant !== 1) throw new RuleBroken('not-an-export', 'the file must have one row of the tenant itself')
  if (hash.digest() !== end.hash)
    throw new RuleBroken('not-an-export', 'the content is not what its hash says: the file was changed or damaged')
  return { rows: hash.rows, files: kept.length, hash: hash.digest(), setAnew }
}

function changedId(change: RowChange, id: string, tables: ReadonlyMap<string, ExportedTable>): string {
  const [table] = tables.values()
  return table ? change(id, {}, table) : id
}

/** A row of a table that is known, with columns that are known. */
function readRow(tables: ReadonlyMap<string, ExportedTable>, value: Record<string, unknown>, number: number) {
  const table = tables.get(String(value.table))
  if (!table) refuseLine(number, `is of a table that is not known here: ${String(value.table).slice(0, 60)}`)
  const row = value.row
  if (row === null || typeof row !== 'object' || Array.isArray(row)) refuseLine(number, 'has no row')
  const columns = Object.keys(row)
  const unknown = columns.find(each => !table.columns.some(column => column.name === each))
  if (unknown !== undefined)
    refuseLine(number, `has a column that is not known in ${table.name}: ${unknown.slice(0, 60)}`)
  return { table, row: row as Record<string, unknown>, columns }
}

/** Transactions are counted from one: far behind everything that happens here, so that the past stays the past. */
function openNumbering(): (xact: unknown) => number {
  let last: unknown
  let count = 0
  return xact => {
    if (xact !== last || count === 0) [last, count] = [xact, count + 1]
    return count
  }
}

/** The last word counts, whatever was said before. */
const withNumber = (row: string, number: number) => `${row.slice(0, -1)},"xact":${number}}`
