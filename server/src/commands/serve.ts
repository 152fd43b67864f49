import { createServer } from 'node:net'
import { openDatabase } from '../kernel/database.ts'
import { refuseUnfinishedRestore } from '../platform/backup/restore-target.ts'
import { ensureDataDir } from '../platform/data-dir/data-dir.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../platform/migrate.ts'
import type { Settings } from '../platform/settings.ts'
import { createBase } from '../platform/wal-archive/base-backup.ts'
import { claimArchive, embeddedOptions, needsBase } from '../platform/wal-archive/wal-archive.ts'
import { log, printLine } from './console.ts'
import { greet } from './first-credentials.ts'
import { superviseWorkers } from './worker-processes.ts'

// The first process loads the rooms only if it must: it supervises the database and the workers, and answers no
// requests.

/** Runs the whole service: its database, the worker processes, and an orderly shutdown. */
export async function serve(settings: Settings): Promise<void> {
  refuseUnfinishedRestore(settings.dataDir)
  await refuseTakenPort(settings)
  ensureDataDir(settings.dataDir)
  const options = embeddedOptions(settings, printLine)
  // The workers load the application while the database starts.
  const workers = settings.workers > 1 ? superviseWorkers(settings, log) : undefined
  const embedded = settings.databaseUrl
    ? undefined
    : await startEmbeddedPostgres(options).catch(async error => {
        await workers?.stop()
        throw error
      })
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  let stopAnswering: () => Promise<void>
  try {
    await migrate(url, printLine)
    if (settings.walArchive) claimArchive(settings.walArchive, settings.dataDir)
    await welcome(settings, url)
    if (workers) await workers.begin(url)
    stopAnswering = workers?.stop ?? (await (await import('./http-process.ts')).serveHttp(settings, url))
  } catch (error) {
    await workers?.stop()
    await embedded?.stop()
    throw error
  }
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await stopAnswering()
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  printLine(`Gantry is at ${settings.baseUrl} (API documentation: ${settings.baseUrl}/docs)`)
  void ensureBase(settings, url)
}

/** Without a base backup the archived log is of no use, so the first one is made while the service already works. */
async function ensureBase({ walArchive, dataDir }: Settings, url: string): Promise<void> {
  if (!walArchive || !needsBase(walArchive)) return
  try {
    const { path } = await createBase({ url, dataDir, archive: walArchive })
    printLine(`The log is archived; its base backup is ${path}`)
  } catch (error) {
    log({ level: 'error', error: `no base backup for WAL_ARCHIVE: ${error instanceof Error ? error.message : error}` })
  }
}

/**
 * The port is checked before the first credentials are created and shown: a second start must not use up the welcome of
 * the first.
 */
async function refuseTakenPort({ port, host }: Settings): Promise<void> {
  const probe = createServer()
  await new Promise<void>((free, taken) => {
    probe.once('error', (error: NodeJS.ErrnoException) =>
      taken(error.code === 'EADDRINUSE' ? new Error(portTaken(host, port)) : error),
    )
    probe.listen(port, host, () => probe.close(() => free()))
  })
}

const portTaken = (host: string, port: number) =>
  `another program listens on ${host}:${port}. Stop it, or choose another port: PORT=3001 npm start`

/** The first start creates the first tenant and says where its credentials are. */
async function welcome(settings: Settings, url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  try {
    const [any] = await database.crossTenantSql`select 1 from tenant limit 1`
    if (any) return
    const { createTenant } = await import('../app/seed-tenant.ts')
    const credentials = await createTenant(database, {
      name: 'Gantry',
      email: 'admin@localhost',
      keyName: 'First key',
      operating: true,
    })
    printLine(greet(settings, credentials, process.stdout.isTTY === true))
  } finally {
    await database.close()
  }
}
