import cluster from 'node:cluster'
import { buildApp } from './app.ts'
import { sweepFiles } from './documents/file/sweep.ts'
import { foundTenant } from './found.ts'
import { openBlobs } from './kernel/blobs.ts'
import { openDatabase } from './kernel/database.ts'
import { startEmbeddedPostgres } from './kernel/embedded-postgres/embedded-postgres.ts'
import { housekeeping } from './kernel/housekeeping.ts'
import { openJobs } from './kernel/jobs.ts'
import { migrate } from './kernel/migrate.ts'
import { checkMasterKey, openSecrets } from './kernel/secrets.ts'
import type { Settings } from './kernel/settings.ts'
import { joinWorkers, metricsOfAll, supervise } from './workers.ts'

export const say = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: Record<string, unknown>) =>
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)

/** The whole service: its database, the workers that answer, and a clean end. */
export async function serve(settings: Settings): Promise<void> {
  const embedded = settings.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: settings.dataDir, log: say })
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrate(url, say)
    await welcome(settings, url)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const stopAnswering =
    settings.workers === 1
      ? await answer(settings, url)
      : await supervise(settings.workers, { GANTRY_DATABASE_URL: url }, log)
  say(`Gantry is at ${settings.baseUrl} (API documentation: ${settings.baseUrl}/docs)`)
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
}

/** One process that answers requests. Returns how to stop it: what is in flight is finished first. */
export async function answer(settings: Settings, url: string): Promise<() => Promise<void>> {
  const database = openDatabase({
    url,
    poolSize: settings.poolSize,
    queueSize: settings.queueSize,
    statementTimeout: settings.statementTimeout,
  })
  const secrets = openSecrets(settings)
  await checkMasterKey(database.atDoor, secrets)
  const app = await buildApp({
    settings,
    database,
    secrets,
    log,
    ...(cluster.isWorker ? { metrics: metricsOfAll } : {}),
  })
  const jobs = openJobs({ database, jobs: [...housekeeping(database), sweepFiles(database, openBlobs(settings))], log })
  jobs.start()
  await app.listen({ port: settings.port, host: settings.host })
  return async () => {
    await app.close()
    await jobs.stop()
    await database.close()
  }
}

/** The first start makes the first tenant, and shows its credentials once. */
async function welcome(settings: Settings, url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  try {
    const [any] = await database.atDoor`select 1 from tenant limit 1`
    if (any) return
    const { email, password, RawKey } = await foundTenant(database, {
      name: 'Gantry',
      email: 'admin@localhost',
      keyName: 'First key',
    })
    say(`
Welcome to Gantry. The first tenant is ready, and you are its super admin.
These credentials are shown once, here and now:

  e-mail    ${email}
  password  ${password}
  API key   ${RawKey}

Create your first item:

  curl -s -X POST ${settings.baseUrl}/api/item -H 'Authorization: Bearer ${RawKey}' -H 'Content-Type: application/json' -d '{"title": "Look around"}'
`)
  } finally {
    await database.close()
  }
}

/** The life of one of several processes. */
export async function work(settings: Settings): Promise<void> {
  joinWorkers(await answer(settings, process.env.GANTRY_DATABASE_URL ?? ''))
}
