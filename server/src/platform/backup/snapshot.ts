import pg from 'pg'
import { loginUrl } from '../../kernel/postgres/service-login.ts'
import { copyOut } from './copy-protocol.ts'
import { UnusableBackup } from './unusable-backup.ts'

/** A table whose rows are in a backup. */
export interface StoredTable {
  name: string
  /** The names, quoted where SQL needs it. */
  quoted: string
  columns: string[]
  /** Whether row level security binds the owner, too. */
  isWalled: boolean
  /** Whether the rows refer to files by their hash. */
  hasFiles: boolean
}

/** One moment of the database, read while the service goes on. */
export interface Snapshot {
  client: pg.Client
  tables: StoredTable[]
  /** The rows of a table in the text format of COPY. */
  rowsOf(table: StoredTable): { bytes: AsyncIterable<Buffer>; rows: () => number }
  /** The files on the disk that rows refer to, as `<tenant>/<sha256>`. */
  files(): Promise<Set<string>>
}

/** Reads the database in one repeatable-read transaction, so that all rows are of one moment and nobody waits. */
export async function withSnapshot<T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection lost while idle; the statement reports it
  await client.connect()
  try {
    await client.query(session)
    await client.query('begin isolation level repeatable read, read only')
    const tables = await storedTables(client)
    await refuseSequences(client)
    const tenants = (await bypassesWalls(client)) ? undefined : await tenantsOf(client, url)
    return await work({
      client,
      tables,
      rowsOf: table => rowsOf(client, table, tenants),
      files: () => filesOf(client, tables, tenants),
    })
  } finally {
    await client.end()
  }
}

/** The value that the master key sealed for the question whether it is the right one. */
export async function masterKeyCheckOf({ client }: Snapshot): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>(
    `select value #>> '{}' as value from installation where key = 'master-key-check'`,
  )
  return rows[0]?.value ?? null
}

/** The text of values depends on these settings, which a role or a database may change. */
export const session = `set datestyle = 'iso'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0`

/** All tables except the list of migrations, which a restore writes itself, and those that a crash empties anyway. */
export async function storedTables(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, quote_ident(c.relname) as quoted, c.relrowsecurity and c.relforcerowsecurity as "isWalled",
       array(select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       (select count(*) = 2 from pg_attribute a where a.attrelid = c.oid and a.attname in ('tenant_id', 'sha256')) as "hasFiles"
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relpersistence = 'p' and c.relname <> 'migration'
     order by c.relname collate "C"`,
  )
  return rows
}

/** Sequences would need values of their own in the manifest; a schema with one must not be backed up without them. */
async function refuseSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace`,
  )
  if (rows[0]) throw new UnusableBackup(`the backup cannot hold the sequence ${rows[0].name}`)
}

async function bypassesWalls(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(
    'select rolsuper or rolbypassrls as yes from pg_roles where rolname = current_user',
  )
  return rows[0]?.yes ?? false
}

/** An owner whom row level security binds sees no tenant; `gantry_door` sees them all, in the same snapshot. */
async function tenantsOf(client: pg.Client, url: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
  const door = new pg.Client({ connectionString: loginUrl(url, 'gantry_door') })
  door.on('error', () => {})
  await door.connect()
  try {
    await door.query(`begin isolation level repeatable read, read only; set transaction snapshot '${rows[0]?.id}'`)
    const found = await door.query<{ id: string }>('select tenant_id as id from tenant order by 1')
    return found.rows.map(row => row.id)
  } finally {
    await door.end()
  }
}

function rowsOf(client: pg.Client, { quoted, columns, isWalled }: StoredTable, tenants: string[] | undefined) {
  let total = 0
  async function* read(): AsyncGenerator<Buffer> {
    for (const tenant of isWalled && tenants ? tenants : [undefined]) {
      if (tenant) await beTenant(client, tenant)
      const { bytes, rows } = copyOut(client, `copy (select ${columns.join(', ')} from ${quoted}) to stdout`)
      yield* bytes
      total += await rows
    }
  }
  return { bytes: read(), rows: () => total }
}

async function filesOf(
  client: pg.Client,
  tables: readonly StoredTable[],
  tenants: string[] | undefined,
): Promise<Set<string>> {
  const found = new Set<string>()
  // Bytes at a store of the tenant are in no backup; the store has them.
  const atStore = tables.some(table => table.name === 'stored_bytes')
    ? ' and not exists (select 1 from stored_bytes b where b.tenant_id = t.tenant_id and b.hash = t.sha256 and b.storage_id is not null)'
    : ''
  for (const { quoted } of tables.filter(table => table.hasFiles)) {
    for (const tenant of tenants ?? [undefined]) {
      if (tenant) await beTenant(client, tenant)
      const { rows } = await client.query<{ file: string }>(
        `select distinct t.tenant_id || '/' || t.sha256 as file from ${quoted} t where t.sha256 <> ''${atStore}`,
      )
      for (const { file } of rows) found.add(file)
    }
  }
  return found
}

const beTenant = (client: pg.Client, tenant: string) =>
  client.query(`select set_config('app.tenant', $1, true)`, [tenant])
