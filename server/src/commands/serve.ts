import { createServer } from 'node:net'
import { openDatabase } from '../kernel/database.ts'
import { refuseUnfinishedRestore } from '../platform/backup/restore-target.ts'
import { ensureDataDir } from '../platform/data-dir/data-dir.ts'
import { migrate } from '../platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import type { Settings } from '../platform/settings.ts'
import { createBase } from '../platform/wal-archive/base-backup.ts'
import { claimArchive, embeddedOptions, needsBase } from '../platform/wal-archive/wal-archive.ts'
import { log, printLine } from './console.ts'
import { superviseWorkers } from './supervise-workers.ts'

// The first process does not load the rooms, unless it is the only one: it supervises the database and the workers, and
// answers no requests.

/** Runs the whole service until it is told to stop: its database, and the processes that answer. */
export async function serve(settings: Settings): Promise<void> {
  refuseUnfinishedRestore(settings.dataDir)
  await refuseTakenPort(settings)
  ensureDataDir(settings.dataDir)
  const stop = stopSignal()
  const stops: Stops = []
  try {
    const url = await start(settings, stops, stop)
    if (!stop.isGiven) {
      printLine(`Gantry is at ${settings.baseUrl} (API documentation: ${settings.baseUrl}/docs)`)
      void ensureBase(settings, url)
    }
    await stop.given
  } catch (error) {
    if (!stop.isGiven) throw error
  } finally {
    for (const each of stops) await each()
  }
  process.exit(0)
}

/** What must be stopped, in this order. */
type Stops = (() => Promise<void>)[]

/** Starts everything, unless a signal to stop comes first. */
async function start(settings: Settings, stops: Stops, stop: StopSignal): Promise<string> {
  const options = embeddedOptions(settings, printLine)
  // The workers load the application while the database starts.
  const workers = settings.workers > 1 ? superviseWorkers(settings, log) : undefined
  if (workers) stops.push(workers.stop)
  const embedded = settings.databaseUrl ? undefined : await startEmbeddedPostgres(options)
  if (embedded) stops.push(embedded.stop)
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  if (!stop.isGiven) await migrate(url, printLine)
  if (settings.walArchive) claimArchive(settings.walArchive, settings.dataDir)
  // Whoever is answered finds the first tenant.
  if (!stop.isGiven && !(await hasTenant(url)))
    await (workers ? workers.welcome(url) : (await import('./welcome.ts')).welcome(settings, url))
  if (stop.isGiven) return url
  if (workers) await workers.begin(url)
  else stops.unshift(await (await import('./http-process.ts')).serveHttp(settings, url))
  return url
}

interface StopSignal {
  readonly isGiven: boolean
  readonly given: Promise<void>
}

/** Listens from now on, so that a service which still starts stops in an orderly way, too. */
function stopSignal(): StopSignal {
  const { promise, resolve } = Promise.withResolvers<void>()
  const signal = { isGiven: false, given: promise }
  for (const name of ['SIGTERM', 'SIGINT'])
    process.on(name, () => {
      signal.isGiven = true
      resolve()
    })
  return signal
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

async function hasTenant(url: string): Promise<boolean> {
  const database = openDatabase({ url, poolSize: 1, queueSize: 10, statementTimeout: 60_000 })
  try {
    return (await database.crossTenantSql`select 1 from tenant limit 1`).length > 0
  } finally {
    await database.close()
  }
}
