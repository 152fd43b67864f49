import cluster from 'node:cluster'
import { buildApp } from './app.ts'
import { sweepFiles } from './documents/file/sweep.ts'
import { rebalanceRanks } from './items/item/rebalance.ts'
import { repeatItems } from './items/recurrence/repeat.ts'
import { openBlobs } from './kernel/blobs.ts'
import { openDatabase } from './kernel/database.ts'
import { housekeeping } from './kernel/housekeeping.ts'
import { openJobs } from './kernel/jobs.ts'
import { checkMasterKey, openSecrets } from './kernel/secrets.ts'
import type { Settings } from './kernel/settings.ts'
import { log } from './speak.ts'
import { metricsOfAll } from './workers.ts'

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
  const work = [
    ...housekeeping(database),
    sweepFiles(database, openBlobs(settings)),
    repeatItems(database),
    rebalanceRanks(database),
  ]
  const jobs = openJobs({ database, jobs: work, log })
  jobs.start()
  await app.listen({ port: settings.port, host: settings.host })
  return async () => {
    await app.close()
    await jobs.stop()
    await database.close()
  }
}
