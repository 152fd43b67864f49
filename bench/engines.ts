import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { openDataDirectory } from '../server/src/platform/embedded-postgres/data-directory/data-directory.ts'
import { livePostmaster } from '../server/src/platform/embedded-postgres/process/postmaster.ts'
import { type Call, openReceiver } from './hook-receiver.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'
import { watchCpu } from './speed/processes.ts'

// `npm run bench -- --engines`: measures how much webhooks slow down writes, how many calls a second are delivered, and how
// long after the request a call arrives. The service, its database, the writers and the receiver share one machine. Rounds with
// and without hooks alternate, because the speed of the machine varies.
//   --seconds N   length of a round, default 6
//   --tenants N   how many tenants write, default 4
//   --cost   only the rounds that show how much webhooks slow down writes
//   --profile DIR   the service writes profiles of its processes there

const { values: flags } = parseArgs({
  options: {
    engines: { type: 'boolean' },
    seconds: { type: 'string', default: '6' },
    tenants: { type: 'string', default: '4' },
    cost: { type: 'boolean' },
    profile: { type: 'string' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = Number(flags.seconds)
const writers = 16

const receiver = await openReceiver()
const calls: Call[] = []
receiver.onCall = call => calls.push(call)
// Accepts every call and never answers.
const dead = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
await once(dead, 'listening')
const deadAddress = `127.0.0.1:${(dead.address() as AddressInfo).port}`
const env = { ...receiver.env, OUTBOUND_ALLOW: `${receiver.env.OUTBOUND_ALLOW},${deadAddress}` }
const dataDir = temporaryDirectory()
const service = await startService({ dataDir, port: await freePort(), env, profile: flags.profile })
const postmaster = livePostmaster(openDataDirectory(dataDir).cluster) ?? 0
const keys = await createTenants(Number(flags.tenants))

const owner = new pg.Client({ connectionString: service.databaseUrl() })
await owner.connect()
const hooks = await Promise.all(keys.map(key => post(key, '/hook', { name: 'Bench', url: receiver.url, events: [1] })))
await round(false)
const rounds: Record<'without' | 'with', Round[]> = { without: [], with: [] }
for (const called of [false, true, true, false, false, true, true, false])
  rounds[called ? 'with' : 'without'].push(await round(called))
printCost()
if (!flags.cost) await measureArrival()
await owner.end()
await service.stop()
receiver.close()
dead.close()

/** Writes, the CPU times of these and of all that follows from them in ms, and how long the calls took to arrive. */
interface Round {
  written: number
  perSecond: number
  node: number
  postgres: number
  delays: number[]
}

async function round(called: boolean): Promise<Round> {
  await Promise.all(hooks.map(({ id }, i) => put(keys[i] ?? '', `/hook/${id}`, { active: called })))
  await untilDispatched()
  await sleep(1000)
  const [node, postgres] = [watchCpu(service.process.pid ?? 0), watchCpu(postmaster)]
  const { written, perSecond } = await write(seconds)
  await untilDispatched()
  const cost = { node: node(), postgres: postgres() }
  if (called) await untilArrived(written)
  return { written, perSecond, ...cost, delays: calls.map(call => call.at - Date.parse(call.body.timestamp)) }
}

function printCost(): void {
  const sum = (all: readonly Round[], of: (each: Round) => number) => all.reduce((total, each) => total + of(each), 0)
  const ratio = (sum(rounds.with, each => each.perSecond) / sum(rounds.without, each => each.perSecond)).toFixed(2)
  const list = (all: readonly Round[]) => all.map(each => each.perSecond.toFixed(0)).join(', ')
  const perWrite = (all: readonly Round[], of: (each: Round) => number) =>
    (sum(all, of) / sum(all, each => each.written)).toFixed(2)
  const cpu = (all: readonly Round[]) => `${perWrite(all, each => each.node)} + ${perWrite(all, each => each.postgres)}`
  const delays = rounds.with.flatMap(each => each.delays).sort((a, b) => a - b)
  print(`writes a second, no hooks              ${list(rounds.without)}`)
  print(`writes a second, one hook per tenant   ${list(rounds.with)} (${ratio} of that)`)
  print(`CPU ms of a write, Node + PostgreSQL   ${cpu(rounds.without)}; with its call ${cpu(rounds.with)}`)
  print(
    `calls under that load arrive within    p50 ${percentile(delays, 0.5)} ms, p99 ${percentile(delays, 0.99)} ms; the last of ${delays.length} after ${delays.at(-1)} ms`,
  )
}

async function measureArrival(): Promise<void> {
  await Promise.all(hooks.map(({ id }, i) => put(keys[i] ?? '', `/hook/${id}`, { active: true })))
  await sleep(1000)
  const idle = await latenciesWhenIdle(keys)
  const besideFigures = (delays: readonly number[]) => {
    const ratio = (part: number) => (percentile(delays, part) / percentile(idle, part)).toFixed(2)
    return `p50 ${percentile(delays, 0.5)} ms (${ratio(0.5)} of that), p95 ${percentile(delays, 0.95)} ms (${ratio(0.95)})`
  }
  print(
    `at 20 writes a second they arrive in   p50 ${percentile(idle, 0.5)} ms, p95 ${percentile(idle, 0.95)} ms, p99 ${percentile(idle, 0.99)} ms`,
  )
  const burst = await writeInBulk(1000)
  const [neighbour = '', ...others] = keys
  await queueForDeadHooks(neighbour)
  print(`beside 20 unreachable hooks of another ${besideFigures(await latenciesWhenIdle(others))}`)
  print(`beside 20 unreachable hooks of its own ${besideFigures(await latenciesWhenIdle([neighbour]))}`)
  print(`calls a second, ${burst.count} written in bulk     ${burst.perSecond.toFixed(0)}`)
}

async function createTenants(count: number): Promise<string[]> {
  const database = openDatabase({ url: service.databaseUrl(), poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const made: string[] = []
  for (let i = 0; i < count; i++) {
    const email = `bench${i}@example.com`
    made.push((await createTenant(database, { name: `Bench ${i}`, email, keyName: 'bench' })).RawKey)
  }
  await database.close()
  return made
}

async function ask(method: string, key: string, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${service.base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return JSON.parse(await response.text())
}

function post(key: string, path: string, body: object) {
  return ask('POST', key, path, body)
}

function put(key: string, path: string, body: object) {
  return ask('PUT', key, path, body)
}

/** Creates items with several concurrent writers. */
async function write(length: number): Promise<{ written: number; perSecond: number }> {
  calls.length = 0
  const began = performance.now()
  let written = 0
  await Promise.all(
    Array.from({ length: writers }, async (_, i) => {
      while (performance.now() - began < length * 1000) {
        await post(keys[i % keys.length] ?? '', '/item', { title: `Item ${written}` })
        written++
      }
    }),
  )
  return { written, perSecond: (written / (performance.now() - began)) * 1000 }
}

/** Measures the latency without other load. */
async function latenciesWhenIdle(keys: readonly string[]): Promise<number[]> {
  calls.length = 0
  for (let i = 0; i < 100; i++) {
    await post(keys[i % keys.length] ?? '', '/item', { title: `Quiet ${i}` })
    await sleep(50)
  }
  await untilArrived(100)
  return calls.map(call => call.at - Date.parse(call.body.timestamp)).sort((a, b) => a - b)
}

/** Gives a tenant twenty unreachable hooks and 2,000 queued calls to them. */
async function queueForDeadHooks(key: string): Promise<void> {
  calls.length = 0
  for (let n = 0; n < 20; n++)
    await post(key, '/hook', { name: `Dead ${n}`, url: `http://${deadAddress}/${n}`, events: [1] })
  await post(
    key,
    '/item/bulk',
    Array.from({ length: 100 }, (_, n) => ({ title: `Dead ${n}` })),
  )
  await untilArrived(100) // at its one reachable hook
}

/** All tenants write at once; measures how fast the calls are delivered. */
async function writeInBulk(each: number): Promise<{ count: number; perSecond: number }> {
  calls.length = 0
  const rows = Array.from({ length: each }, (_, i) => ({ title: `Flood ${i}` }))
  await Promise.all(keys.map(key => post(key, '/item/bulk', rows)))
  const count = each * keys.length
  await untilArrived(count)
  const [first, last] = [calls[0]?.at ?? 0, calls.at(-1)?.at ?? 0]
  return { count, perSecond: (count / (last - first)) * 1000 }
}

/** Waits until all events are dispatched and the queue is empty, so that one round does not affect the next. */
async function untilDispatched(): Promise<void> {
  for (let busy = true; busy; await sleep(100)) {
    const { rows } = await owner.query<{ busy: boolean }>(
      'select exists (select 1 from queued_job) or exists (select 1 from event e, dispatch d where (e.xact, e.id) > (d.xact, d.id)) as busy',
    )
    busy = rows[0]?.busy ?? false
  }
}

async function untilArrived(count: number): Promise<void> {
  const deadline = performance.now() + 120_000
  while (new Set(calls.map(call => call.webhookId)).size < count) {
    if (performance.now() > deadline) throw new Error(`${calls.length} of ${count} have arrived`)
    await sleep(100)
  }
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
