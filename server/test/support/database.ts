import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { statementNames } from '../../src/kernel/sql.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../../src/platform/migrate.ts'

// A test process calls all operations, each a few times; a service calls few of them often.
statementNames.max = 20_000

const template = 'gantry_template'

// Most statements of a test run a few times only. By default PostgreSQL plans a prepared statement anew for its first
// five executions; half of its CPU time went into that.
const planOnce = { plan_cache_mode: 'force_generic_plan' }

/** A real PostgreSQL for tests. Its data need not survive, so it does not wait for the disk. */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-test-'))
  const server = await startEmbeddedPostgres({
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
  await asOwner(server.url, 'postgres', `create database ${template}`)
  await migrate(databaseUrl(server.url, template))
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let own: Promise<{ url: string; stop(): Promise<void> }> | undefined
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

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs a statement as the owner of the database, which bypasses row level security. */
export async function asOwner<Row extends pg.QueryResultRow>(
  server: string,
  database: string | undefined,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database ? databaseUrl(server, database) : server })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
