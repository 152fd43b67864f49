import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ensureLogins } from './ensure-logins.ts'
import { ensureLogBase } from './log-base.ts'
import { UnsuitableDatabase } from './unsuitable-database.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** Migrates the schema, each migration in its own transaction. Concurrent calls wait for each other. */
export async function migrate(url: string, log: (line: string) => void = () => {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await refuseOldVersion(client)
    await client.query(`select pg_advisory_lock(hashtext('gantry migrations'))`)
    await ensureLogins(client, url)
    await client.query(
      'create table if not exists migration (name text primary key, at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const known = new Set(rows.map(row => row.name))
    const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
    const ahead = [...known].filter(file => !files.includes(file))
    if (ahead.length > 0)
      throw new UnsuitableDatabase(
        `the database is newer than this program: it contains the migrations ${ahead.join(', ')}; start the newer version of Gantry`,
      )
    const fresh = files.filter(file => !known.has(file))
    for (const file of fresh) {
      await client.query('begin')
      await client.query(await readFile(new URL(file, folder), 'utf8'))
      await client.query('insert into migration (name) values ($1)', [file])
      await client.query('commit')
      log(`migrated ${file}`)
    }
    if (await ensureLogBase(client))
      log('the database has come to another server: the log continues after its last event')
    return fresh
  } finally {
    await client.end()
  }
}

/** Returns the schema version of this program: the name of the last migration it knows. */
export async function latestMigration(): Promise<string> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
  return files.at(-1) ?? ''
}

async function refuseOldVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < 150000) throw new UnsuitableDatabase('Gantry needs PostgreSQL 15 or newer')
}
