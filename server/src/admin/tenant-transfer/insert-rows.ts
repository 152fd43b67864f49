import type { Context } from '../../kernel/context.ts'
import { isConnectionFault, sqlState } from '../../kernel/postgres/sql-state.ts'
import { join, name, raw, sql } from '../../kernel/sql.ts'
import { refuseLine } from './read-lines.ts'
import type { ExportedTable } from './table-catalogue.ts'

/** Rows of one table with the same columns, to be inserted together. */
export interface RowBatch {
  table: ExportedTable
  columns: string[]
  signature: string
  rows: { row: string; number: number }[]
  length: number
  /** The operator's properties of the new tenant. */
  own: { slug: string; status: number }
  /** The name of the new tenant; empty to keep the exported name. */
  given: string
}

/** Inserts rows together; if that fails, one by one, to find the faulty line. */
export async function insertBatch(ctx: Context, batch: RowBatch): Promise<void> {
  await ctx.sql`savepoint batch`
  try {
    await insertRows(ctx, batch, batch.rows)
    await ctx.sql`release savepoint batch`
    return
  } catch (error) {
    if (sqlState(error) === '' || isConnectionFault(error)) throw error
    await ctx.sql`rollback to savepoint batch`
    for (const row of batch.rows) await tryRow(ctx, batch, row)
    throw error
  }
}

async function tryRow(ctx: Context, batch: RowBatch, one: RowBatch['rows'][number]): Promise<void> {
  try {
    await insertRows(ctx, batch, [one])
  } catch (error) {
    if (sqlState(error) === '' || isConnectionFault(error)) throw error
    refuseLine(
      one.number,
      `cannot be stored in ${batch.table.name}: ${error instanceof Error ? error.message : 'refused'}`,
    )
  }
}

async function insertRows(
  ctx: Context,
  { table, columns, own, given }: RowBatch,
  rows: RowBatch['rows'],
): Promise<void> {
  const known = table.columns.filter(
    column => columns.includes(column.name) || `${table.name}.${column.name}` === 'event.xact',
  )
  const places = known.map(column => name(column.name))
  const values = known.map(({ name: column, type, required }) => {
    const value = sql`r.${name(column)}`
    if (table.name === 'tenant' && column === 'name' && given !== '') return sql`${given}::text`
    // A JSON null in a required column is a value; json_populate_recordset reads it as SQL null.
    return type === 'jsonb' && required ? sql`coalesce(${value}, 'null'::jsonb)` : value
  })
  const [moreColumns, moreValues] =
    table.name === 'tenant' ? [sql`, slug, status`, sql`, ${own.slug}::text, ${own.status}::int`] : [raw(''), raw('')]
  // Triggers may have inserted rows of other tables already; rows of records and events must be new.
  const again = table.named || table.name === 'event' ? raw('') : raw('on conflict do nothing')
  await ctx.sql`insert into ${name(table.name)} (tenant_id, ${join(places)}${moreColumns})
    select ${ctx.caller.tenantId}::uuid, ${join(values)}${moreValues}
    from json_populate_recordset(null::public.${name(table.name)}, ${`[${rows.map(each => each.row).join(',')}]`}::json) r ${again} returning 1`
}
