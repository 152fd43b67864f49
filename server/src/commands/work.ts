import { openAppEngines } from '../app/engines.ts'
import { queueSettings } from '../engine/dispatch/queue-settings.ts'
import { openWriteNotifications } from '../engine/live/write-notifications.ts'
import { openDatabase } from '../kernel/database.ts'
import { refuseUnfinishedRestore } from '../platform/backup/restore-target.ts'
import { migrate } from '../platform/database/migrate.ts'
import { joinEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { openMetrics } from '../platform/metrics.ts'
import { checkMasterKey, openSecrets } from '../platform/secrets.ts'
import type { Settings } from '../platform/settings.ts'
import { embeddedOptions } from '../platform/wal-archive/wal-archive.ts'
import { log, printLine } from './console.ts'
import { serveHealth } from './health-port.ts'

/** Runs the engines without the API, for a host that answers no requests. */
export async function runEngines(settings: Settings): Promise<void> {
  refuseUnfinishedRestore(settings.dataDir)
  const embedded = settings.databaseUrl ? undefined : await joinEmbeddedPostgres(embeddedOptions(settings, () => {}))
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  await migrate(url, printLine)
  const database = openDatabase({
    url,
    poolSize: settings.poolSize,
    queueSize: settings.queueSize,
    statementTimeout: settings.statementTimeout,
    crossTenantSettings: queueSettings,
  })
  const secrets = openSecrets(settings)
  await checkMasterKey(database.crossTenantSql, secrets)
  const engines = openAppEngines(settings, { database, secrets, log })
  const waking = openWriteNotifications(database, engines.wake)
  waking.listen()
  engines.start()
  const metrics = openMetrics({ database, figures: engines.figures })
  const health = settings.healthPort
    ? await serveHealth(settings.healthPort, { settings, database, metrics })
    : undefined
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
