import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { foundTenant } from '../server/src/found.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --rules`: what a write pays for rules that listen to it. Rounds without rules stand between the others,
// because the machine is not the same from minute to minute.
//   --seconds N   length of a round, 6 if not said

const { values: flags } = parseArgs({
  options: { rules: { type: 'boolean' }, seconds: { type: 'string', default: '6' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = Number(flags.seconds)
const [writers, count] = [16, 50]

const service = await startService({ dataDir: temporaryDirectory(), port: await freePort(), env: {} })
const database = openDatabase({ url: service.databaseUrl(), poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
const { RawKey: key } = await foundTenant(database, { name: 'Bench', email: 'bench@example.com', keyName: 'bench' })
const home = (await ask('POST', '/container', { name: 'Home' })).id

const idle = (n: number) => ({
  name: `Idle ${n}`,
  active: false,
  triggerEvent: 0,
  conditionGroup: when('title', 0, `Nothing ${n}`),
  actionValue: [set],
})
const set = { actionType: 0, field: 'priority', value: 1 }
const rules: string[] = []
for (let n = 0; n < count; n++) rules.push((await ask('POST', '/rule', idle(n))).id)

await write(2)
const plain = [await write(seconds)]
await turn(true)
const idling = await write(seconds)
await turn(false)
plain.push(await write(seconds))
await turn(true)
await ask('PUT', `/rule/${rules[0]}`, { conditionGroup: when('title', 10, 'Item') })
await sleep(500)
const matching = await write(seconds)
await turn(false)
plain.push(await write(seconds))
const usual = plain.reduce((sum, each) => sum + each, 0) / plain.length
const against = (rate: number, ...near: (number | undefined)[]) =>
  (rate / (near.reduce<number>((sum, each) => sum + (each ?? 0), 0) / near.length)).toFixed(2)
say(`writes a second, no rules               ${plain.map(each => each.toFixed(0)).join(', ')} (${usual.toFixed(0)})`)
say(
  `writes a second, ${count} rules, none holds    ${idling.toFixed(0)} (${against(idling, plain[0], plain[1])} of the rounds around it)`,
)
say(
  `writes a second, ${count} rules, one holds     ${matching.toFixed(0)} (${against(matching, plain[1], plain[2])} of the rounds around it)`,
)
await database.close()
await service.stop()

function when(leftSide: string, operator: number, rightSide: string) {
  return [{ condition: [{ leftSide, operator, rightSide }] }]
}

async function turn(active: boolean): Promise<void> {
  for (const id of rules) await ask('PUT', `/rule/${id}`, { active })
  // What is owed is done first, and the processes forget what they knew.
  for (let quiet = 0; quiet < 3; ) {
    await sleep(300)
    const [row] = await database.atDoor<{
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

/** New items and changes of them, from several sides at once: writes a second. */
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
