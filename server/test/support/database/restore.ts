import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../src/platform/database/migrate.ts'

/** Copies a database into an empty one of another server: by pg_dump if there is one for this server, otherwise by SQL. */
export async function restore(from: string, to: string): Promise<void> {
  const [source, target] = [new pg.Client({ connectionString: from }), new pg.Client({ connectionString: to })]
  await Promise.all([source.connect(), target.connect()])
  try {
    const { rows } = await source.query<{ major: number }>(
      `select current_setting('server_version_num')::int / 10000 as major`,
    )
    const programs = findPrograms(rows[0]?.major ?? 0)
    if (programs) {
      const dump = execFileSync(join(programs, 'pg_dump'), ['--no-owner', from], { maxBuffer: 1 << 30 })
      execFileSync(join(programs, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', to], { input: dump })
    } else await copyTables(source, target, to)
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

/** The folder with the programs of this version of PostgreSQL, where Debian installs them. */
function findPrograms(major: number): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  return readdirSync(root)
    .filter(version => Number(version) === major)
    .map(version => join(root, version, 'bin'))
    .find(folder => existsSync(join(folder, 'pg_dump')))
}

async function copyTables(source: pg.Client, target: pg.Client, to: string): Promise<void> {
  await migrate(to)
  const { rows: tables } = await source.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name,
       (select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c where c.relkind = 'r' and c.relname <> 'record' and c.relnamespace = 'public'::regnamespace`,
  )
  await target.query('set session_replication_role = replica')
  for (const { name, columns } of tables) {
    const { rows } = await source.query<{ all: string | null }>(`select json_agg(t)::text as all from ${name} t`)
    await target.query(`delete from ${name}`)
    await target.query(
      `insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::public.${name}, $1)`,
      [rows[0]?.all ?? '[]'],
    )
  }
  const { rows } = await source.query<{ text: string }>(`select pg_get_functiondef('log_base'::regproc) as text`)
  await target.query(rows[0]?.text ?? '')
}
