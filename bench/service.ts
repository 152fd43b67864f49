import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { urlOf } from '../server/src/platform/embedded-postgres/cluster/address.ts'
import { readConnectionRecord } from '../server/src/platform/embedded-postgres/data-directory/connection-record.ts'
import { openDataDirectory } from '../server/src/platform/embedded-postgres/data-directory/data-directory.ts'

export { freePort } from '../server/test/support/free-port.ts'

const main = fileURLToPath(new URL('../server/gantry.js', import.meta.url))

/** The service in processes of its own, started like `npm start`. */
export interface Service {
  base: string
  port: number
  dataDir: string
  process: ChildProcess
  /** Its output so far, at most the last 200,000 characters. */
  output(): string
  /** The database URL of the owner, who is not subject to row level security. */
  databaseUrl(): string
  /** Kills the process and its workers at once. */
  kill(): void
  stop(): Promise<void>
}

export interface ServiceOptions {
  dataDir: string
  port: number
  env?: Record<string, string>
  /** The folder where the processes write profiles of their CPU time. */
  profile?: string | undefined
}

/** Starts the service and waits until it is ready. */
export async function startService({ dataDir, port, env = {}, profile }: ServiceOptions): Promise<Service> {
  let output = ''
  const nodeOptions = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const child = spawn(process.execPath, [...nodeOptions, main, 'serve'], {
    env: {
      ...withoutOwnSettings(process.env),
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0', // One tenant sends whatever the machine can answer.
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // A process group of its own, so that it can be killed with its workers.
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output = (output + chunk).slice(-200_000)
    })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid)
  }
  process.once('exit', kill)
  for (const signal of endingSignals)
    if (!process.listeners(signal).includes(endBySignal)) process.once(signal, endBySignal)
  ended.then(() => process.off('exit', kill))
  const service: Service = {
    base: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    process: child,
    output: () => output,
    databaseUrl: () => databaseUrlOf(dataDir),
    kill,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
  await untilReady(service)
  return service
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal by itself would end this process without the event `exit`, on which services are killed and directories removed. */
function endBySignal(): never {
  process.exit(1)
}

/** Waits until `/readyz` succeeds. Throws when the service has ended or the time is over. */
export async function untilReady({ base, process: child, output }: Service, timeout = 180_000): Promise<void> {
  const began = performance.now()
  while (!(await isReady(base))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended:\n${output()}`)
    if (performance.now() - began > timeout)
      throw new Error(`the service is not ready after ${timeout} ms:\n${output()}`)
    await sleep(20)
  }
}

async function isReady(base: string): Promise<boolean> {
  try {
    const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}

function databaseUrlOf(dataDir: string): string {
  const record = readConnectionRecord(openDataDirectory(dataDir))
  if (!record) throw new Error(`there is no embedded PostgreSQL in ${dataDir}`)
  return urlOf(record)
}

/** Removes settings of the developer's shell that would change the service under test. */
function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const removed = ['DATABASE_URL', 'BASE_URL', 'MASTER_KEY', 'WORKERS', 'POOL_SIZE', 'HOST', 'NODE_TEST_CONTEXT']
  return Object.fromEntries(Object.entries(env).filter(([name]) => !removed.includes(name)))
}

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The processes have ended already.
  }
}

/** The API key that the first start stores. */
export function firstKey(service: Service): string {
  const stored = readFileSync(join(service.dataDir, 'first-credentials.txt'), 'utf8')
  const key = /API key +(gty_\w+)/.exec(stored)?.[1]
  if (!key) throw new Error(`the first start stored no key:\n${service.output()}`)
  return key
}

/** A directory that is removed when this process ends. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'gantry-bench-'))
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return path
}

/** The parent of a process, from /proc. */
export function parentOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return Number(fields?.[1])
  } catch {
    return undefined
  }
}
