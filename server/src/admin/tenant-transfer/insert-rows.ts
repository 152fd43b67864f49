import type { Context } from '../../kernel/context.ts'
import { isConnectionFault, sqlState } from '../../kernel/postgres/sql-state.ts'
import { join, name, raw, sql } from '../../kernel/sql.ts'
import { refuseLine } from './read-lines.ts'
import type { ExportedTable } from './table-catalogue.ts'

/** Rows of one table with the same columns, on their way in. */
export interface RowBatch {
  table: ExportedTable
  columns: string[]
  signature: string
  rows: { row: string; number: number }[]
  length: number
  /** What the operator says of the new tenant. */
  own: { slug: string; status: number }
  /** The name it shall have, if another than in the file. */
  given: string
}

/** Rows go in together; if they do not, one by one, to find the line that is to blame. */
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
    // A value that is JSON's null is there; only JSON cannot tell it from none at all.
    return type === 'jsonb' && required ? sql`coalesce(${value}, 'null'::jsonb)` : value
  })
  const [moreColumns, moreValues] =
    table.name === 'tenant' ? [sql`, slug, status`, sql`, ${own.slug}::text, ${own.status}::int`] : [raw(''), raw('')]
  // What a trigger has put in already stays; records are put in by nobody else.
  const again = table.named || table.name === 'event' ? raw('') : raw('on conflict do nothing')
  await ctx.sql`insert into ${name(table.name)} (tenant_id, ${join(places)}${moreColumns})
    select ${ctx.caller.tenantId}::uuid, ${join(values)}${moreValues}
    from json_populate_recordset(null::public.${name(table.name)}, ${`[${rows.map(each => each.row).join(',')}]`}::json) r ${again}`
}
