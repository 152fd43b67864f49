import assert from 'node:assert/strict'
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { statementNames } from '../../../src/kernel/sql.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import { memoryFolder } from '../memory-folder.ts'
import { until } from '../until.ts'
import { cachedCluster } from './cluster-cache.ts'
import './quick-passwords.ts'

// A test process calls all operations, each a few times; a service calls few of them often.
Object.assign(statementNames, { max: 20_000, atOnce: true })

const template = 'gantry_template'
const tenantTables = 'tenant-tables.json'

// Most statements of a test run a few times only. By default PostgreSQL plans a prepared statement anew for its first
// five executions; half of its CPU time went into that.
const planOnce = { plan_cache_mode: 'force_generic_plan' }

interface TestPostgres {
  url: string
  stop(): Promise<void>
}

interface TestCluster {
  dataDir: string
  /** The tables with records of tenants. */
  tenantTables: ReadonlySet<string>
}

/** A stopped cluster with the template of all test databases; each server of a run starts on a copy of it. */
export async function testCluster(): Promise<TestCluster> {
  const dataDir = await cachedCluster(createCluster)
  return { dataDir, tenantTables: new Set(JSON.parse(readFileSync(join(dataDir, tenantTables), 'utf8'))) }
}

async function createCluster(): Promise<string> {
  const dataDir = newDataDir()
  const server = await startOn(dataDir)
  await asOwner(server.url, 'postgres', `create database ${template}`)
  await migrate(databaseUrl(server.url, template))
  const tables = await asOwner<{ name: string }>(
    server.url,
    template,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
  )
  await server.stop()
  writeFileSync(join(dataDir, tenantTables), JSON.stringify(tables.map(each => each.name)))
  return dataDir
}

/** Starts a PostgreSQL for tests on a copy of that cluster. */
export async function startTestPostgres(): Promise<TestPostgres & { pid: number }> {
  const dataDir = copyOf((await testCluster()).dataDir)
  const server = await startOn(dataDir)
  return {
    url: server.url,
    pid: Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10),
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function copyOf(cluster: string): string {
  const dataDir = newDataDir()
  cpSync(cluster, dataDir, { recursive: true })
  chmodSync(join(dataDir, 'postgres'), 0o700) // the copy of a folder has the default mode, which PostgreSQL refuses
  return dataDir
}

const newDataDir = () => memoryFolder('gantry-test-')

/** A real PostgreSQL, whose data need not survive, so it does not wait for the disk. */
function startOn(dataDir: string): Promise<TestPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    log: () => {},
    programs: process.env.TEST_POSTGRES,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '1000',
      ...planOnce,
    },
  })
}

let own: Promise<TestPostgres> | undefined
let clones = 0

/** Creates a migrated database for one test file, as a clone of the template. */
export async function freshDatabase(): Promise<string> {
  let server = process.env.GANTRY_TEST_POSTGRES
  if (!server) {
    own ??= startTestPostgres()
    const started = await own
    after(() => started.stop())
    server = started.url
  }
  const name = `gantry_test_${process.pid}_${++clones}`
  await asOwner(server, 'postgres', `create database ${name} template ${template} strategy file_copy`)
  return databaseUrl(server, name)
}

/**
 * Waits until no transaction of a server writes. One that a test file has left would keep the event log of the next file
 * back, whose tests read what they have just written.
 */
export async function writersEnded(server: string): Promise<void> {
  const writing = () => asOwner(server, 'postgres', 'select 1 from pg_stat_activity where backend_xid is not null')
  await until(async () => (await writing()).length === 0)
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const owners = new Map<string, Promise<pg.Client>>()

/**
 * Runs a statement as the owner of the database, which bypasses row level security. All test files of a process share the connection,
 * so a setting must end with the statement: `set local`.
 */
export async function asOwner<Row extends pg.QueryResultRow>(
  server: string,
  database: string | undefined,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  assert.doesNotMatch(text, /(^|;)\s*set\s+(?!local\b)/i, 'this setting would change what later test files see')
  const url = database ? databaseUrl(server, database) : server
  const client = owners.get(url) ?? connectOwner(url)
  owners.set(url, client)
  return (await (await client).query<Row>(text, values)).rows
}

/** Connections are kept, because a new one reads the catalog of the database again. */
async function connectOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  const forget = () => owners.delete(url)
  client.on('error', forget) // its server has stopped
  client.on('end', forget)
  await client.connect().catch(error => {
    forget()
    throw error
  })
  return client
}
