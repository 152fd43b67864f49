import { openHouseEngines } from './engines.ts'
import { openDatabase } from './kernel/database.ts'
import { joinEmbeddedPostgres } from './kernel/embedded-postgres/embedded-postgres.ts'
import { openWaking } from './kernel/live/wake.ts'
import { migrate } from './kernel/migrate.ts'
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
  say('The engines are at work')
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([engines.stop(), waking.close()])
    await database.close()
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
