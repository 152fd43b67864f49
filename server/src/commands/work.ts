import { openAppEngines } from '../app/engines.ts'
import type { Engines } from '../engine/dispatch/dispatch.ts'
import { openWriteNotifications } from '../engine/live/write-notifications.ts'
import { hiddenFields } from '../identity/hidden-fields.ts'
import { type Database, openDatabase } from '../kernel/database.ts'
import { openHttp } from '../kernel/http/http.ts'
import { NotFound } from '../kernel/refusal.ts'
import { joinEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { mountHealth } from '../platform/health.ts'
import { migrate } from '../platform/migrate.ts'
import { checkMasterKey, openSecrets } from '../platform/secrets.ts'
import type { Settings } from '../platform/settings.ts'
import { log, printLine } from './console.ts'

/** Runs the engines without the API, for a host that answers no requests. */
export async function runEngines(settings: Settings): Promise<void> {
  const embedded = settings.databaseUrl
    ? undefined
    : await joinEmbeddedPostgres({ dataDir: settings.dataDir, log: () => {} })
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  await migrate(url, printLine)
  const database = openDatabase({
    url,
    poolSize: settings.poolSize,
    queueSize: settings.queueSize,
    statementTimeout: settings.statementTimeout,
    queue: true,
  })
  const secrets = openSecrets(settings)
  await checkMasterKey(database.crossTenantSql, secrets)
  const engines = openAppEngines(settings, { database, secrets, log })
  const waking = openWriteNotifications(database, engines.wake)
  waking.listen()
  engines.start()
  const health = settings.healthPort ? await serveHealth(settings.healthPort, settings, database, engines) : undefined
  printLine('The background jobs are running')
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([health?.close(), engines.stop(), waking.close()])
    await database.close()
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** `/healthz`, `/readyz` and `/metrics`, as `serve` has them, and nothing else. */
async function serveHealth(port: number, settings: Settings, database: Database, engines: Engines) {
  const app = openHttp({
    database: database.serving({ redaction: hiddenFields }),
    log,
    baseUrl: () => settings.baseUrl,
    bodyLimit: settings.bodyLimit,
    authenticate: async () => {
      throw new NotFound('address')
    },
  })
  mountHealth(app, { database, figures: engines.figures })
  await app.listen({ port, host: settings.host })
  return app
}
