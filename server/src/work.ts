import { openHouseEngines } from './engines.ts'
import { openBlobs } from './kernel/blobs.ts'
import { type Database, openDatabase } from './kernel/database.ts'
import type { Engines } from './kernel/dispatch/dispatch.ts'
import { joinEmbeddedPostgres } from './kernel/embedded-postgres/embedded-postgres.ts'
import { mountHealth } from './kernel/health.ts'
import { openHttp } from './kernel/http.ts'
import { openWaking } from './kernel/live/wake.ts'
import { migrate } from './kernel/migrate.ts'
import { NotFound } from './kernel/refusal.ts'
import { checkMasterKey, openSecrets } from './kernel/secrets.ts'
import type { Settings } from './kernel/settings.ts'
import { log, say } from './speak.ts'

/** The engines alone: for a host that answers nobody. */
export async function work(settings: Settings): Promise<void> {
  const embedded = settings.databaseUrl
    ? undefined
    : await joinEmbeddedPostgres({ dataDir: settings.dataDir, log: () => {} })
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  await migrate(url, say)
  const database = openDatabase({
    url,
    poolSize: settings.poolSize,
    queueSize: settings.queueSize,
    statementTimeout: settings.statementTimeout,
    queue: true,
  })
  const secrets = openSecrets(settings)
  await checkMasterKey(database.atDoor, secrets)
  const engines = openHouseEngines(settings, { database, secrets, log })
  const waking = openWaking(database, engines.wake)
  waking.listen()
  engines.start()
  const told = settings.healthPort ? await tellHealth(settings.healthPort, settings, database, engines) : undefined
  say('The engines are at work')
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([told?.close(), engines.stop(), waking.close()])
    await database.close()
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** `/healthz`, `/readyz` and `/metrics`, as `serve` has them, and nothing else. */
async function tellHealth(port: number, settings: Settings, database: Database, engines: Engines) {
  const app = openHttp({
    database,
    log,
    baseUrl: () => settings.baseUrl,
    bodyLimit: settings.bodyLimit,
    blobs: openBlobs(settings),
    authenticate: async () => {
      throw new NotFound('address')
    },
  })
  mountHealth(app, { database, figures: engines.figures })
  await app.listen({ port, host: settings.host })
  return app
}
