import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { mint } from '../server/src/admin/api-key.ts'
import { users } from '../server/src/admin/user/user.ts'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { tenantCaller } from '../server/src/identity/tenant-caller.ts'
import { foldFlow } from '../server/src/insight/summary/fold-flow.ts'
import { roleCode } from '../server/src/kernel/access.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { plansOf } from './growth/plans.ts'
import { type InsightModels, seedTime } from './insight/seed.ts'
import { type Subject, subjects } from './insight/subjects.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'
import { watchCpu } from './speed/processes.ts'

// `npm run bench -- --insight`: the week grid and reports of a tenant that grows, asked by a manager over HTTP, in turn with the same
// aggregation in SQL on the same server, once by itself and once in a bare handler that answers its rows as JSON over HTTP.
//   --sizes 100000,1000000   the numbers of time entries at which it measures
//   --data DIR               keep the data there, and continue with it next time
//   --only TEXT              only the subjects whose title contains this text
//   --compressed             ask for compressed answers, as browsers do; SQL and the bare handler answer uncompressed
//   --profile DIR            the service writes profiles of its processes there
//   --plans                  print the plans of the statements at the last size instead of measuring

const { values: flags } = parseArgs({
  options: {
    insight: { type: 'boolean' },
    sizes: { type: 'string', default: '100000,1000000' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    compressed: { type: 'boolean' },
    profile: { type: 'string' },
    plans: { type: 'boolean' },
  },
})
const sizes = flags.sizes.split(',').map(Number)
const dataDir = flags.data ?? temporaryDirectory()
mkdirSync(dataDir, { recursive: true })
const service = await startService({
  dataDir,
  port: await freePort(),
  profile: flags.profile,
})
const owner = new pg.Client({ connectionString: service.databaseUrl() })
await owner.connect()
// The service leaves other cores to other tenants, so both use one.
await owner.query('set max_parallel_workers_per_gather = 0')
const database = openDatabase({ url: service.databaseUrl(), poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
/** The tenant and its number of time entries, which `--data` keeps. */
interface SavedState {
  models: InsightModels
  key: string
  size: number
}
const stateFile = join(dataDir, 'insight.json')
const state: SavedState = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : await prepare()
const { models, key } = state
const bareBase = await startBare()

/** The median times of a subject, in ms, and the CPU time of one request or statement with that of the database. */
interface Medians {
  service: number
  bare: number
  sql: number
  cpu: { service: number; sql: number }
}
/**
 * Each of several connections plans a statement five times before it keeps the plan, and Node compiles what it has run often. What takes
 * longer than this time gains nothing by it.
 */
const warmUp = { rounds: 200, milliseconds: 10_000 }
const figures: Map<string, Medians>[] = []
for (const size of sizes.filter(each => each >= state.size)) {
  if (size > state.size) await grow(size)
  await settle()
  process.stderr.write(`${size.toLocaleString('en')} entries are ready\n`)
  const asked = subjects(models.tenantId, size).filter(each => each.title.includes(flags.only))
  if (flags.plans && size === sizes.at(-1))
    process.stdout.write(await plansOf(service.databaseUrl(), dataDir, key, asked))
  const measured = new Map<string, Medians>()
  if (!flags.plans) for (const subject of asked) measured.set(subject.title, await medians(subject))
  figures.push(measured)
}
if (!flags.plans) process.stdout.write(`${table()}\n`)
await owner.end()
await database.close()
await service.stop()
process.exit(0)

/** Creates the tenant by the API, and a manager who sends the requests. */
async function prepare(): Promise<SavedState> {
  const { RawKey, tenantId } = await createTenant(database, { name: 'Bench', email: 'a@example.com', keyName: 'bench' })
  const { id: userId } = await database.transaction(tenantCaller(tenantId), ctx =>
    users.create(ctx, { name: 'Bea', role: roleCode.manager, timezone: 'Europe/Berlin' }),
  )
  const minted = await database.transaction(tenantCaller(tenantId, userId), ctx => mint(ctx, { name: 'bench' }))
  const post = async (path: string, body: object) => JSON.parse(await send(RawKey, { method: 'POST', path, body })).id
  const containerId: string = await post('/container', { name: 'Model', key: 'MODEL', billable: true })
  const itemId: string = await post('/item', { title: 'Model', containerId })
  const timeId: string = await post('/time', { itemId, date: '2024-12-31', minutes: 30 })
  return { key: minted.RawKey, size: 0, models: { tenantId, userId, containerId, itemId, timeId } }
}

async function grow(size: number): Promise<void> {
  await seedTime(owner, models, state.size, size)
  const began = performance.now()
  await database.transaction(tenantCaller(models.tenantId), foldFlow)
  process.stderr.write(`the flow was summed in ${(performance.now() - began).toFixed(0)} ms\n`)
  state.size = size
  writeFileSync(stateFile, JSON.stringify(state))
}

/** Waits until the service rests: for some seconds after a start its processes compile code and run their first jobs. */
async function settle(): Promise<void> {
  for (let second = 0; second < 60; second++) {
    const used = watchWork('service')
    await sleep(1000)
    if (used() < 100) return
  }
}

async function send(
  credential: string,
  { method, path, body }: { method: string; path: string; body?: object },
): Promise<string> {
  const response = await fetch(`${service.base}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      'accept-encoding': flags.compressed ? 'br' : 'identity',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
  return text
}

/** A handler that does nothing but run the statement of its body: what a request over HTTP costs at least. */
async function startBare(): Promise<string> {
  const port = await freePort()
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const found = [await owner.query(Buffer.concat(chunks).toString())].flat() // several statements have several results
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found.map(each => each.rows)))
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${port}`
}

type Way = 'service' | 'bare' | 'sql'

/** Asks the service and the database in turn, so that other load on the machine affects both equally. The first ones do not count. */
async function medians({ repetitions, request, sql }: Subject): Promise<Medians> {
  const taken: Record<Way, number[]> = { service: [], bare: [], sql: [] }
  const cpu: Record<Way, number> = { service: 0, bare: 0, sql: 0 }
  const began = performance.now()
  const isWarm = (round: number) => round >= warmUp.rounds || performance.now() - began > warmUp.milliseconds
  let round = 0
  for (let measured = 0; measured < repetitions; round++) {
    const counts = isWarm(round)
    if (counts) measured++
    const work: [Way, () => Promise<unknown>][] = [
      ['service', () => send(key, request(round))],
      ['bare', async () => await (await fetch(bareBase, { method: 'POST', body: sql(round) })).text()],
      ['sql', () => owner.query(sql(round))],
    ]
    for (const [which, run] of work) {
      const used = watchWork(which)
      const start = performance.now()
      await run()
      if (!counts) continue
      taken[which].push(performance.now() - start)
      cpu[which] += used() / repetitions
    }
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  return { service: median(taken.service), bare: median(taken.bare), sql: median(taken.sql), cpu }
}

/** Counts the CPU time of the database, and of the service or of this process, which reads the rows of a statement. */
function watchWork(way: Way): () => number {
  const [server = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const postgres = watchCpu(Number(server))
  const answering = watchCpu(service.process.pid ?? 0)
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before) // first, because to look at other processes takes time as well
    return postgres() + (way === 'service' ? answering() : (user + system) / 1000)
  }
}

/** One line for each subject: service, bare handler and SQL in ms and their ratios at each size, also of CPU times, and how much the service grew. */
function table(): string {
  const head = [
    'ms, p50: service / bare / SQL',
    ...sizes.map(each => `${each.toLocaleString('en')} entries`),
    `growth (× ${((sizes.at(-1) ?? 1) / (sizes[0] ?? 1)).toFixed(1)} entries)`,
  ]
  const show = (each: Medians | undefined) =>
    each
      ? `${each.service.toFixed(1)} / ${each.bare.toFixed(1)} / ${each.sql.toFixed(1)}; SQL ÷ service ${(each.sql / each.service).toFixed(2)}, bare ÷ service ${(each.bare / each.service).toFixed(2)}, CPU ${each.cpu.sql.toFixed(1)} ÷ ${each.cpu.service.toFixed(1)} = ${(each.cpu.sql / each.cpu.service).toFixed(2)}`
      : '-'
  const titles = [...(figures.at(-1)?.keys() ?? [])]
  const rows = titles.map(title => {
    // The number of people is part of one title, and is smaller in a small tenant.
    const same = figures.map(each => [...each].find(([other]) => bare(other) === bare(title))?.[1])
    const growth = (same.at(-1)?.service ?? 0) / (same[0]?.service ?? 1)
    return [title, ...same.map(show), `× ${growth.toFixed(2)}`]
  })
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return ['', line(head), widths.map(width => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

function bare(title: string): string {
  return title.replace(/\d+/, '')
}
