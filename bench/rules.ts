import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --rules`: measures how much rules slow down writes on a fully loaded machine. Rounds with and without
// active rules alternate, because the speed of the machine varies.
//   --seconds N   length of a round, default 4

const { values: flags } = parseArgs({
  options: { rules: { type: 'boolean' }, seconds: { type: 'string', default: '4' } },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = Number(flags.seconds)
const [writers, count] = [16, 50]

const service = await startService({ dataDir: temporaryDirectory(), port: await freePort(), env: {} })
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
print('writes a second in each round: without rules | with rules; the ratio of the sums')
print(`${count} rules, none matches   ${figures(noneMatches)}`)
print(`${count} rules, one matches    ${figures(oneMatches)}`)
await database.close()
await service.stop()

interface Rounds {
  without: number[]
  with: number[]
}

/** Alternates rounds without and with rules. Each comes first equally often, because writes become slower as data grows. */
async function alternate(): Promise<Rounds> {
  const rounds: Rounds = { without: [], with: [] }
  for (const active of [false, true, true, false, false, true, true, false]) {
    await setActive(active)
    rounds[active ? 'with' : 'without'].push(await write(seconds))
  }
  return rounds
}

function figures(rounds: Rounds): string {
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  const list = (all: readonly number[]) => all.map(each => each.toFixed(0)).join(', ')
  return `${list(rounds.without)} | ${list(rounds.with)}   ${(sum(rounds.with) / sum(rounds.without)).toFixed(2)}`
}

function when(leftSide: string, operator: number, rightSide: string) {
  return [{ condition: [{ leftSide, operator, rightSide }] }]
}

async function setActive(active: boolean): Promise<void> {
  for (const id of rules) await ask('PUT', `/rule/${id}`, { active })
  // The queue must be empty, and the caches of the processes must have expired.
  for (let quiet = 0; quiet < 3; ) {
    await sleep(300)
    const [row] = await database.crossTenantSql<{
      open: boolean
    }>`select exists (select 1 from errand where run_at <= now() or worker is not null) as open`
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

/** Creates and changes items with several concurrent writers. Returns writes a second. */
async function write(length: number): Promise<number> {
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
  return (written / (performance.now() - began)) * 1000
}
