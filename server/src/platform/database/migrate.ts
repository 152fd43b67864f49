import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ensureLogins } from './ensure-logins.ts'
import { ensureLogBase } from './log-base.ts'
import { UnsuitableDatabase } from './unsuitable-database.ts'

const folder = new URL('../../../migrations/', import.meta.url)

/** Migrates the schema, each migration in its own transaction. Concurrent calls wait for each other. */
export async function migrate(url: string, log: (line: string) => void = () => {}): Promise<string[]> {
  return await asMigrator(url, async client => {
    const fresh = await pendingOf(client)
    const isNew = fresh.length === (await migrationFiles()).length
    await run(client, fresh, isNew ? () => {} : log)
    if (isNew) log(`created the tables by ${fresh.length} migrations`)
    if (await ensureLogBase(client))
      log('the database has come to another server: the log continues after its last event')
    return fresh
  })
}

/** Creates an earlier schema in an empty database, for the restore of a backup that was made with it. */
export async function migrateTo(url: string, migrations: readonly string[]): Promise<void> {
  const files = await migrationFiles()
  const unknown = migrations.filter(file => !files.includes(file))
  if (unknown.length > 0)
    throw new UnsuitableDatabase(
      `the backup is newer than this program: it contains the migrations ${unknown.join(', ')}; use the newer version of Gantry`,
    )
  await asMigrator(url, async client => {
    const pending = await pendingOf(client)
    await run(
      client,
      pending.filter(file => migrations.includes(file)),
      () => {},
    )
  })
}

/** Returns the migrations that this program knows and the database does not have; changes nothing. */
export async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ some: boolean }>(`select to_regclass('migration') is not null as some`)
  return rows[0]?.some ? await pendingOf(client) : await migrationFiles()
}

async function asMigrator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await refuseOldVersion(client)
    // A migration that is lost with the power is run again; what is acknowledged later takes all of them to the disk.
    await client.query('set synchronous_commit = off')
    await client.query(`select pg_advisory_lock(hashtext('gantry migrations'))`)
    await ensureLogins(client, url)
    await client.query(
      'create table if not exists migration (name text primary key, at timestamptz not null default now())',
    )
    return await work(client)
  } finally {
    await client.end()
  }
}

async function pendingOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration')
  const known = new Set(rows.map(row => row.name))
  const files = await migrationFiles()
  const ahead = [...known].filter(file => !files.includes(file))
  if (ahead.length > 0)
    throw new UnsuitableDatabase(
      `the database is newer than this program: it contains the migrations ${ahead.join(', ')}; start the newer version of Gantry`,
    )
  return files.filter(file => !known.has(file))
}

async function run(client: pg.Client, files: readonly string[], log: (line: string) => void): Promise<void> {
  for (const file of files) {
    await client.query('begin')
    await client.query(await readFile(new URL(file, folder), 'utf8'))
    await client.query('insert into migration (name) values ($1)', [file])
    await client.query('commit')
    log(`migrated ${file}`)
  }
}

/** Returns the schema version of this program: the name of the last migration it knows. */
export async function latestMigration(): Promise<string> {
  return (await migrationFiles()).at(-1) ?? ''
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
}

async function refuseOldVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < 150000) throw new UnsuitableDatabase('Gantry needs PostgreSQL 15 or newer')
}
