import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDataDirectory } from '../server/src/platform/embedded-postgres/data-directory/data-directory.ts'
import { livePostmaster } from '../server/src/platform/embedded-postgres/process/postmaster.ts'
import { readSettings } from '../server/src/platform/settings.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import type { BareOptions } from './speed/bare.ts'
import { bulk, type LargeRequestResult, pagedWalk, wholeList } from './speed/large-requests.ts'
import type { Load, LoadOptions } from './speed/load.ts'
import { type OperationName, operationNames, operationOf } from './speed/operations.ts'
import { hasPgbench, pgbenchMissing, runPgbench } from './speed/pgbench.ts'
import { plainStatements } from './speed/plain.ts'
import { residentOf, watchCpu } from './speed/processes.ts'
import { seed } from './speed/seed.ts'
import { captureStatements } from './speed/statements.ts'
import { type LoadAndCpu, printTable, type Round } from './speed/table.ts'

// `npm run bench`: compares the throughput of the service with that of PostgreSQL alone (with the service's statements and with
// plain ones) and of a bare handler. All of it runs on one machine and in one run, so the ratios can be compared between
// machines, and the absolute figures cannot.
//   --quick    one short round
//   --admin    send the requests as a super admin instead of as a plain member

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, admin: { type: 'boolean' } } })
// A new process compiles for long: a read took 0.97 ms of CPU in its first five seconds and 0.70 after fifteen.
const pace = flags.quick ? { rounds: 1, warmUp: 0.5, seconds: 2 } : { rounds: 2, warmUp: 10, seconds: 6 }
const connections = 32

const began = performance.now()
const print = (line: string) => process.stdout.write(`${line}\n`)
const progress = (line: string) =>
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)

const settings = readSettings({})
const dataDir = temporaryDirectory()
const service = await startService({ dataDir, port: await freePort() })
progress('the service is ready')
const url = service.databaseUrl()
const adminKey = firstKey(service)
const seeded = await seed(url, service.base, adminKey)
const key = flags.admin ? adminKey : seeded.memberKey
progress(`seeded ${seeded.items} items and ${seeded.times} entries of time`)
const statements = await captureStatements(url, dataDir, key)
const plain = plainStatements(seeded.tenantId)
const session = `-c role=gantry_app -c app.tenant=${seeded.tenantId} -c timezone=UTC -c statement_timeout=${settings.statementTimeout} -c lock_timeout=2000`
const bare = await startBare()
const postmaster = livePostmaster(openDataDirectory(dataDir).cluster) ?? 0
const owner = new pg.Client({ connectionString: url })
await owner.connect()
const withPgbench = hasPgbench()
if (!withPgbench) print(pgbenchMissing)

const rounds = new Map<OperationName, Round[]>(operationNames.map(name => [name, []]))
const largeRequests: { title: string; long: LargeRequestResult; more?: string }[] = []
const processId = service.process.pid ?? 0
const asMember = { base: service.base, key, pid: processId }

// Reads come first, so that they all read the seeded data.
const reads = operationNames.filter(name => !operationOf(name).writes)
for (let round = 0; round < pace.rounds; round++) for (const name of reads) await measure(name, round)
largeRequests.push({ title: 'the whole list in one reply', long: await wholeList(asMember) })
const maxItems = flags.quick ? 20_000 : Number.POSITIVE_INFINITY
largeRequests.push({ title: 'the list in pages of 500', long: await pagedWalk(asMember, 500, maxItems) })
progress('the whole list is read')
const writes = operationNames.filter(name => operationOf(name).writes)
for (let round = 0; round < pace.rounds; round++) for (const name of writes) await measure(name, round)
const single = mean((rounds.get('create') ?? []).map(each => each.service.perSecond))
const bulkResult = await bulk(asMember, flags.quick ? 4 : 10)
largeRequests.push({
  title: 'bulk create, 1,000 in a request',
  long: bulkResult,
  more: `${(bulkResult.perSecond / single).toFixed(1)} × single creates`,
})
const resident = residentOf(processId)

printTable(print, {
  rounds,
  largeRequests: largeRequests,
  resident,
  connections,
  pace,
  withPgbench,
  who: flags.admin ? 'a super admin' : 'a plain member',
})
progress('done')
await owner.end()
await service.stop()
const failures = [...rounds]
  .flatMap(([name, all]) => all.flatMap(each => [each.service, each.bare].map(load => ({ name, ...load }))))
  .filter(each => each.failures > 0)
for (const { name, failures: count, failure } of failures)
  print(`${name}: ${count} requests failed, for example ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

/** The servers are measured in alternating order, so that other load on the machine affects all equally. */
async function measure(name: OperationName, round: number): Promise<void> {
  const operation = operationOf(name)
  const clients = settings.workers * settings.poolSize
  const raw = { url, session, clients, seconds: pace.seconds, from: round * 10_000_000 }
  const rawPlain = { ...raw, from: raw.from + 5_000_000 } // both write into one container, where a number is taken once
  const turns: Record<keyof Round, () => Promise<number | LoadAndCpu>> = {
    service: () => runLoad(processId, { operation: name, port: service.port, key, connections, ...pace }),
    bare: () => runLoad(bare.pid, { operation: name, port: bare.port, key, connections, ...pace }),
    pgbench: async () => (withPgbench ? await runPgbench(operation, statements[name], raw) : Number.NaN),
    plain: async () => (withPgbench ? await runPgbench(operation, plain[name], rawPlain) : Number.NaN),
  }
  const results: Record<string, number | LoadAndCpu> = {}
  const order = Object.entries(turns)
  for (const [server, measureServer] of round % 2 === 0 ? order : order.reverse()) {
    // A checkpoint brings the writes of one server to the disk before the next one starts.
    if (operation.writes) await owner.query('checkpoint')
    results[server] = await measureServer()
  }
  const figures = results as unknown as Round
  rounds.get(name)?.push(figures)
  const { service: own, bare: other, pgbench, plain: byHand } = figures
  const perSecond = [own.perSecond, other.perSecond, pgbench, byHand].map(each => each.toFixed(0))
  progress(`${operation.title}: service, bare, pgbench, plain ${perSecond.join(', ')} a second`)
}

/** Puts load on one server, and measures the CPU time that its processes and the database spend on a request. */
async function runLoad(pid: number, options: LoadOptions): Promise<LoadAndCpu> {
  const [server, database] = [watchCpu(pid), watchCpu(postmaster)]
  const load = await generate(options)
  return { ...load, node: server() / load.answered, postgres: database() / load.answered }
}

function generate(options: LoadOptions): Promise<Load> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL('speed/load.ts', import.meta.url))
    const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.once('close', code =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`the load generator ended with ${code}`)),
    )
  })
}

async function startBare(): Promise<{ port: number; pid: number }> {
  const port = await freePort()
  const file = join(dataDir, 'bench-statements.json')
  writeFileSync(file, JSON.stringify(statements))
  const options: BareOptions = {
    port,
    url,
    session,
    processes: settings.workers,
    poolSize: settings.poolSize,
    statements: file,
  }
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('speed/bare.ts', import.meta.url)), JSON.stringify(options)],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  process.once('exit', () => child.kill())
  for (let attempt = 0; attempt < 500; attempt++) {
    const isReady = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isReady) return { port, pid: child.pid ?? 0 }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('the bare handler did not start')
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}
