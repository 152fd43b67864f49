import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { openAppEngines } from '../app/engines.ts'
import { buildApp } from '../app.ts'
import { queueSettings } from '../engine/dispatch/queue-settings.ts'
import { openDatabase } from '../kernel/database.ts'
import type { Written } from '../kernel/postgres/transaction.ts'
import { openAdmission } from '../platform/admission/admission.ts'
import { openSlowPool } from '../platform/admission/slow-pool.ts'
import { collectAtRest } from '../platform/heap.ts'
import { openMetrics } from '../platform/metrics.ts'
import { checkMasterKey, openSecrets } from '../platform/secrets.ts'
import type { Settings } from '../platform/settings.ts'
import { log } from './console.ts'
import { serveHealth } from './health-port.ts'
import { openLimits } from './shared-limits.ts'
import { limitsOfAll, metricsOfAll } from './worker-process.ts'

/** Database connections of the engines, per process. */
const enginePool = 8

/** One process that answers requests. Returns a function that stops it after the running requests have finished. */
export async function serveHttp(settings: Settings, url: string): Promise<() => Promise<void>> {
  const { queueSize, statementTimeout } = settings
  const written: Written = new Set()
  const limits = cluster.isWorker ? limitsOfAll : openLimits(settings.slowRequests)
  const slowPool = settings.databaseUrl ? undefined : openSlowPool({ url, statementTimeout }, settings.slowRequests)
  const admission = openAdmission({
    connections: settings.poolSize,
    queueSize,
    slowSlots: limits.slowSlots,
    slowPool,
    processors: availableParallelism() / settings.workers,
  })
  const database = openDatabase({ url, poolSize: settings.poolSize, queueSize, statementTimeout, admission }, written)
  // The engines have their own connections, so that requests only compete with requests.
  const apart = openDatabase(
    { url, poolSize: enginePool, queueSize, statementTimeout, crossTenantSettings: queueSettings },
    written,
  )
  const secrets = openSecrets(settings)
  await checkMasterKey(database.crossTenantSql, secrets)
  const engines = settings.engines ? openAppEngines(settings, { database: apart, secrets, log }) : undefined
  const metrics = openMetrics({
    database,
    ...(engines ? { figures: engines.figures } : {}),
    ...(cluster.isWorker ? { ofAll: metricsOfAll } : {}),
  })
  const app = await buildApp({
    settings,
    database,
    secrets,
    log,
    allowances: limits.allowances,
    observe: metrics.observe,
  })
  engines?.start()
  const stopCollecting = collectAtRest()
  const health = settings.healthPort
    ? await serveHealth(settings.healthPort, { settings, database, metrics })
    : undefined
  await app.listen({ port: settings.port, host: settings.host })
  return async () => {
    stopCollecting()
    await Promise.all([app.close(), health?.close(), engines?.stop()])
    await Promise.all([database.close(), apart.close(), slowPool?.end()])
  }
}
