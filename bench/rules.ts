import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { openDataDirectory } from '../server/src/platform/embedded-postgres/data-directory/data-directory.ts'
import { livePostmaster } from '../server/src/platform/embedded-postgres/process/postmaster.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'
import { watchCpu } from './speed/processes.ts'

// `npm run bench -- --rules`: measures how much rules slow down writes on a fully loaded machine. Rounds with and without
// active rules alternate, because the speed of the machine varies.
//   --seconds N   length of a round, default 4
//   --profile DIR   the service writes profiles of its processes there

const { values: flags } = parseArgs({
  options: { rules: { type: 'boolean' }, seconds: { type: 'string', default: '4' }, profile: { type: 'string' } },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = Number(flags.seconds)
const [writers, count] = [16, 50]

const dataDir = temporaryDirectory()
const service = await startService({
  dataDir,
  port: await freePort(),
  profile: flags.profile,
})
const postmaster = livePostmaster(openDataDirectory(dataDir).cluster) ?? 0
const database = openDatabase({ url: service.databaseUrl(), poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
const { RawKey: key } = await createTenant(database, { name: 'Bench', email: 'bench@example.com', keyName: 'bench' })
const home = (await ask('POST', '/container', { name: 'Home' })).id

const idleRule = (n: number) => ({
  name: `Idle ${n}`,
  active: false,
  triggerEvent: 0,
  conditionGroup: when('title', 0, `Nothing ${n}`),
  actionValue: [set],
})
const set = { actionType: 0, field: 'priority', value: 1 }
const rules: string[] = []
for (let n = 0; n < count; n++) rules.push((await ask('POST', '/rule', idleRule(n))).id)

await write(seconds)
const noneMatches = await alternate()
await ask('PUT', `/rule/${rules[0]}`, { conditionGroup: when('title', 10, 'Item') })
const oneMatches = await alternate()
print('writes a second in each round: without rules | with rules; the ratio of the sums;')
print('CPU ms for a write and all that follows from it, of Node and PostgreSQL: without | with; the ratio of both')
print(`${count} rules, none matches   ${figures(noneMatches)}`)
print(`${count} rules, one matches    ${figures(oneMatches)}`)
await database.close()
await service.stop()

/** Writes a second, and the CPU times of a write and of all that follows from it. */
interface Round {
  perSecond: number
  node: number
  postgres: number
}

interface Rounds {
  without: Round[]
  with: Round[]
}

/** Alternates rounds without and with rules. Each comes first equally often, because writes become slower as data grows. */
async function alternate(): Promise<Rounds> {
  const rounds: Rounds = { without: [], with: [] }
  for (const active of [false, true, true, false, false, true, true, false]) {
    await setActive(active)
    rounds[active ? 'with' : 'without'].push(await round())
  }
  return rounds
}

async function round(): Promise<Round> {
  const [node, postgres] = [watchCpu(service.process.pid ?? 0), watchCpu(postmaster)]
  const { written, perSecond } = await write(seconds)
  await untilQuiet()
  return { perSecond, node: node() / written, postgres: postgres() / written }
}

function figures(rounds: Rounds): string {
  const mean = (all: readonly Round[], of: (each: Round) => number) =>
    all.reduce((total, each) => total + of(each), 0) / all.length
  const ratio = (of: (each: Round) => number) => (mean(rounds.with, of) / mean(rounds.without, of)).toFixed(2)
  const list = (all: readonly Round[]) => all.map(each => each.perSecond.toFixed(0)).join(', ')
  const cpu = (all: readonly Round[]) =>
    `${mean(all, each => each.node).toFixed(1)} + ${mean(all, each => each.postgres).toFixed(1)}`
  return `${list(rounds.without)} | ${list(rounds.with)}   ${ratio(each => each.perSecond)};   ${cpu(rounds.without)} | ${cpu(rounds.with)}   ${ratio(each => each.node + each.postgres)}`
}

function when(leftSide: string, operator: number, rightSide: string) {
  return [{ condition: [{ leftSide, operator, rightSide }] }]
}

async function setActive(active: boolean): Promise<void> {
  for (const id of rules) await ask('PUT', `/rule/${id}`, { active })
  await untilQuiet()
}

async function untilQuiet(): Promise<void> {
  // The queue must be empty, and the caches of the processes must have expired.
  for (let quiet = 0; quiet < 3; ) {
    await sleep(300)
    const [row] = await database.crossTenantSql<{
      open: boolean
    }>`select exists (select 1 from queued_job where run_at <= now() or worker is not null) as open`
    quiet = row?.open ? 0 : quiet + 1
  }
}

async function ask(method: string, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${service.base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return JSON.parse(await response.text())
}

/** Creates and changes items with several concurrent writers. */
async function write(length: number): Promise<{ written: number; perSecond: number }> {
  const began = performance.now()
  let written = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() - began < length * 1000) {
        const { id } = await ask('POST', '/item', { title: `Item ${written}`, containerId: home })
        await ask('PUT', `/item/${id}`, { status: 'Changed' })
        written += 2
      }
    }),
  )
  return { written, perSecond: (written / (performance.now() - began)) * 1000 }
}
