import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { type Call, openReceiver } from './hook-receiver.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --engines`: measures how much webhooks slow down writes, how many calls a second are delivered, and how
// long after the request a call arrives. The service, its database, the writers and the receiver share one machine.
//   --seconds N   length of a round, default 6
//   --tenants N   how many tenants write, default 4

const { values: flags } = parseArgs({
  options: {
    engines: { type: 'boolean' },
    seconds: { type: 'string', default: '6' },
    tenants: { type: 'string', default: '4' },
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
const service = await startService({ dataDir: temporaryDirectory(), port: await freePort(), env })
const keys = await createTenants(Number(flags.tenants))

const owner = new pg.Client({ connectionString: service.databaseUrl() })
await owner.connect()
const before = await write(seconds)
await untilDispatched()
const hooks = await Promise.all(keys.map(key => post(key, '/hook', { name: 'Bench', url: receiver.url, events: [1] })))
await sleep(1000)
const withHooks = await write(seconds)
await untilDispatched()
await untilArrived(withHooks.written)
const delays = calls.map(call => call.at - Date.parse(call.body.timestamp)).sort((a, b) => a - b)
const idle = await latenciesWhenIdle(keys)
const burst = await writeInBulk(1000)
const [neighbour = '', ...others] = keys
await queueForDeadHooks(neighbour)
const beside = await latenciesWhenIdle(others)
const besideOwn = await latenciesWhenIdle([neighbour])
await Promise.all(hooks.map(({ id }, i) => put(keys[i] ?? '', `/hook/${id}`, { active: false })))
const after = await write(seconds)

const plain = (before.perSecond + after.perSecond) / 2
print(`writes a second, no hooks              ${before.perSecond.toFixed(0)} and ${after.perSecond.toFixed(0)}`)
print(
  `writes a second, one hook per tenant   ${withHooks.perSecond.toFixed(0)} (${(withHooks.perSecond / plain).toFixed(2)} of that)`,
)
print(
  `delivered meanwhile                    ${withHooks.written} events; the last one ${delays.at(-1)} ms after its request`,
)
print(`calls under that load arrive within    p50 ${percentile(delays, 0.5)} ms, p99 ${percentile(delays, 0.99)} ms`)
print(
  `at 20 writes a second they arrive in   p50 ${percentile(idle, 0.5)} ms, p95 ${percentile(idle, 0.95)} ms, p99 ${percentile(idle, 0.99)} ms`,
)
print(`beside 20 unreachable hooks of another ${besideFigures(beside)}`)
print(`beside 20 unreachable hooks of its own ${besideFigures(besideOwn)}`)
print(`calls a second, ${burst.count} written in bulk     ${burst.perSecond.toFixed(0)}`)
await owner.end()
await service.stop()
receiver.close()
dead.close()

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
      'select exists (select 1 from errand) or exists (select 1 from event e, dispatch d where (e.xact, e.id) > (d.xact, d.id)) as busy',
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

function besideFigures(delays: readonly number[]): string {
  const ratio = (part: number) => (percentile(delays, part) / percentile(idle, part)).toFixed(2)
  return `p50 ${percentile(delays, 0.5)} ms (${ratio(0.5)} of that), p95 ${percentile(delays, 0.95)} ms (${ratio(0.95)})`
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
