import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('../../migrations/', import.meta.url)

/** The reason why a database cannot be used, with a message that an operator can act on. */
class UnsuitableDatabase extends Error {}

/** Migrates the schema, each migration in its own transaction. Concurrent calls wait for each other. */
export async function migrate(url: string, log: (line: string) => void = () => {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await refuseOldVersion(client)
    await client.query(`select pg_advisory_lock(hashtext('gantry migrations'))`)
    await ensureRoles(client)
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

/** The service does not own the tables it uses: it works as `gantry_app`, and authenticates people as `gantry_door`. */
async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of ['gantry_app', 'gantry_door']) {
    try {
      const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [role])
      if (rows.length === 0)
        await client.query(`create role ${role} nologin nosuperuser nobypassrls nocreatedb nocreaterole`)
      const { rows: member } = await client.query<{ yes: boolean }>(
        `select pg_has_role(current_user, $1, 'set') as yes`.replace("'set'", await setPrivilege(client)),
        [role],
      )
      if (!member[0]?.yes) await client.query(`grant ${role} to current_user`)
    } catch (error) {
      throw new UnsuitableDatabase(
        `the role ${role} is missing and this user cannot create it: let an administrator run "create role ${role} nologin; grant ${role} to <user of DATABASE_URL>" (${error instanceof Error ? error.message : error})`,
      )
    }
  }
}

/** Before PostgreSQL 16 membership alone allowed `set role`, and the option did not exist. */
async function setPrivilege(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  return Number(rows[0]?.version) >= 160000 ? "'set'" : "'member'"
}
