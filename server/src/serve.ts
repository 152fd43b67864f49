import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { buildApp } from './app.ts'
import { sweepFiles } from './documents/file/sweep.ts'
import { foundTenant } from './found.ts'
import { openBlobs } from './kernel/blobs.ts'
import { openDatabase } from './kernel/database.ts'
import { startEmbeddedPostgres } from './kernel/embedded-postgres/embedded-postgres.ts'
import { housekeeping } from './kernel/housekeeping.ts'
import { openJobs } from './kernel/jobs.ts'
import { migrate } from './kernel/migrate.ts'
import { onAccessChange, tellAccessChange } from './kernel/resource.ts'
import { checkMasterKey, openSecrets } from './kernel/secrets.ts'
import type { Settings } from './kernel/settings.ts'

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
  const stopAnswering = settings.workers === 1 ? await answer(settings, url) : await supervise(settings, url)
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

type Message =
  | { accessChanged: string }
  | { wantMetrics: number }
  | { metrics: string; reply: number }
  | 'stop'
  | 'ready'

/** Several processes share the port; what one learns about rights, all learn. */
async function supervise(settings: Settings, url: string): Promise<() => Promise<void>> {
  const aggregate = new AggregatorRegistry()
  let stopping = false
  const fork = () =>
    new Promise<void>((ready, failed) => {
      const worker = cluster.fork({ ...process.env, GANTRY_DATABASE_URL: url })
      worker.on('message', async (message: Message) => {
        if (message === 'ready') ready()
        else if (typeof message === 'object' && 'accessChanged' in message) {
          for (const other of Object.values(cluster.workers ?? {}))
            if (other && other.id !== worker.id) other.send(message)
        } else if (typeof message === 'object' && 'wantMetrics' in message) {
          worker.send({ metrics: await aggregate.clusterMetrics().catch(() => ''), reply: message.wantMetrics })
        }
      })
      worker.on('exit', code => {
        failed(new Error(`a worker ended with ${code}`))
        if (stopping) return
        log({ level: 'error', error: `a worker ended with ${code}; another takes its place` })
        setTimeout(() => void fork().catch(() => {}), 500)
      })
    })
  await Promise.all(Array.from({ length: settings.workers }, fork))
  return async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
    const gone = Promise.all(workers.map(worker => new Promise(resolve => worker.on('exit', resolve))))
    for (const worker of workers) worker.send('stop')
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL')
    }, 10_000)
    await gone
    clearTimeout(late)
  }
}

/** The life of one of several processes: ends when the first one says so, or is no more. */
export async function work(settings: Settings): Promise<void> {
  const stop = await answer(settings, process.env.GANTRY_DATABASE_URL ?? '')
  onAccessChange((tenantId, heard) => {
    if (!heard) process.send?.({ accessChanged: tenantId })
  })
  const end = async () => {
    await stop()
    process.exit(0)
  }
  process.on('message', (message: Message) => {
    if (message === 'stop') void end()
    else if (typeof message === 'object' && 'accessChanged' in message) tellAccessChange(message.accessChanged, true)
  })
  process.on('disconnect', () => void end())
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {}) // the first process tells us when
  process.send?.('ready')
}

let asked = 0

function metricsOfAll(): Promise<string> {
  const reply = ++asked
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no metrics in time')), 5000)
    const hear = (message: Message) => {
      if (typeof message !== 'object' || !('metrics' in message) || message.reply !== reply) return
      process.off('message', hear)
      clearTimeout(late)
      resolve(message.metrics)
    }
    process.on('message', hear)
    process.send?.({ wantMetrics: reply })
  })
}
