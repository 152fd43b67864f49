import pg from 'pg'
import { migrate, migrateTo } from '../database/migrate.ts'
import { readCompressed } from './compressed-file.ts'
import { tableFile } from './contents.ts'
import { copyIn } from './copy-protocol.ts'
import type { Manifest } from './manifest.ts'
import { type StoredTable, session, storedTables } from './snapshot.ts'
import { UnusableBackup } from './unusable-backup.ts'

/**
 * Loads the rows of a backup into an empty database, in one transaction: creates the schema that the backup was made with,
 * loads and counts, and then runs the migrations that came later. Returns those.
 */
export async function loadBackup(url: string, folder: string, manifest: Manifest): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection lost while idle; the statement reports it
  await client.connect()
  try {
    await refuseUsed(client, manifest)
    await migrateTo(url, manifest.migrations)
    await client.query(session)
    await client.query('begin')
    const tables = await storedTables(client)
    refuseOtherSchema(tables, manifest)
    const guards = await liftGuards(client, tables)
    await client.query(`truncate ${tables.map(table => table.quoted).join(', ')}`) // rows that migrations inserted
    await loadTables(client, tables, folder, manifest)
    if (manifest.logBase) await setLogBase(client, manifest.logBase)
    for (const statement of guards) await client.query(statement)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  return await migrate(url)
}

/** A database counts as empty without tables of Gantry, or without tenants after a restore that was interrupted. */
async function refuseUsed(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const used = new UnusableBackup('the database is not empty: restore into a new one')
  const { rows } = await client.query<{ tables: number; begun: boolean }>(
    `select count(*)::int as tables, coalesce(bool_or(relname = 'migration'), false) as begun from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
  )
  if (rows[0]?.tables === 0) return
  if (!rows[0]?.begun) throw used
  const done = await client.query<{ name: string }>('select name from migration')
  if (done.rows.some(({ name }) => !migrations.includes(name))) throw used
  const { rows: found } = await client.query<{ yes: boolean }>(`select to_regclass('installation') is not null as yes`)
  if (!found[0]?.yes) return
  // Every database that a service has used knows its server; row level security would hide the tenants here.
  const { rows: marks } = await client.query('select 1 from installation limit 1')
  if (marks.length > 0) throw used
}

function refuseOtherSchema(tables: readonly StoredTable[], manifest: Manifest): void {
  const known = new Map(tables.map(table => [table.name, new Set(table.columns)]))
  const strange = manifest.tables.find(({ name, columns }) => columns.some(column => !known.get(name)?.has(column)))
  if (strange || known.size !== manifest.tables.length)
    throw new UnusableBackup(
      `the schema of the backup is not the one of its migrations${strange ? `: ${strange.name}` : ''}`,
    )
}

/**
 * Lifts what would refuse rows in this order or run a second time: foreign keys, triggers, and row level security. Only the
 * owner of the tables is needed for that, not a superuser. Returns the statements that set it all up again; the foreign keys
 * then check every row.
 */
async function liftGuards(client: pg.Client, tables: readonly StoredTable[]): Promise<string[]> {
  const again: string[] = []
  for (const { quoted, isWalled } of tables) {
    if (isWalled) {
      await client.query(`alter table ${quoted} no force row level security`)
      again.push(`alter table ${quoted} force row level security`)
    }
    await client.query(`alter table ${quoted} disable trigger user`)
    again.push(`alter table ${quoted} enable trigger user`)
  }
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  // Before row level security, which would hide the rows that they check.
  const keys = rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
  return [...keys, ...again]
}

async function loadTables(
  client: pg.Client,
  tables: readonly StoredTable[],
  folder: string,
  manifest: Manifest,
): Promise<void> {
  for (const { name, columns, rows } of manifest.tables) {
    const quoted = tables.find(table => table.name === name)?.quoted ?? ''
    const bytes = readCompressed(tableFile(folder, name))
    await copyIn(client, `copy ${quoted} (${columns.join(', ')}) from stdin`, bytes)
    const counted = await client.query<{ rows: number }>(`select count(*)::float8 as rows from ${quoted}`)
    if (counted.rows[0]?.rows !== rows)
      throw new UnusableBackup(
        `${name} has ${counted.rows[0]?.rows} rows after the restore, and the backup has ${rows}`,
      )
  }
}

async function setLogBase(client: pg.Client, base: string): Promise<void> {
  if (!/^\d+$/.test(base)) throw new UnusableBackup('the manifest has no valid base of the log')
  await client.query(
    `create or replace function log_base() returns bigint language sql stable parallel safe as 'select ${base}::bigint'`,
  )
}
