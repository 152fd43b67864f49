import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { crossThresholds } from '../server/src/clocks/item-clock/cross-thresholds.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --clocks`: whether lights come on in time when very many items wait for theirs. Most are due in years;
// some turn amber after one minute and red after two, at the pace at which they were made.
//   --items 100000     how many are open in all
//   --crossing 2000    how many of them turn amber and red

const { values: flags } = parseArgs({
  options: {
    clocks: { type: 'boolean' },
    items: { type: 'string', default: '100000' },
    crossing: { type: 'string', default: '2000' },
  },
})
const items = Number(flags.items)
const crossing = Math.min(items, Number(flags.crossing))
const began = performance.now()
const say = (line: string) => process.stdout.write(`${line}\n`)
const progress = (line: string) =>
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)

const service = await startService({ dataDir: temporaryDirectory(), port: await freePort() })
const key = firstKey(service)
const owner = new pg.Client({ connectionString: service.databaseUrl() })
await owner.connect()

async function post(path: string, body: unknown): Promise<{ id: string }> {
  const answer = await fetch(`${service.base}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

async function desk(name: string, minutes: number): Promise<string> {
  const { id } = await post('/container', { name })
  const targets = [{ kind: 4, minutes }]
  await post('/clock', { name, container: [id], thresholdMode: 1, amberThreshold: 50, targets })
  return id
}

async function fill(containerId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1000) {
    const some = Math.min(1000, count - made)
    await post(
      '/item/bulk',
      Array.from({ length: some }, (_, i) => ({ title: `Item ${made + i}`, containerId })),
    )
  }
}

async function one<T>(text: string): Promise<T> {
  const { rows } = await owner.query(text)
  return rows[0]
}

/** Waits until so many rows are there, and tells how long it took. */
async function until(what: string, count: number, text: string): Promise<number> {
  const since = performance.now()
  for (;;) {
    const { n } = await one<{ n: string }>(`select count(*) as n from ${text}`)
    if (Number(n) >= count) return performance.now() - since
    if (performance.now() - since > 3_600_000) throw new Error(`${what}: ${n} of ${count} after an hour`)
    await sleep(200)
  }
}

const far = await desk('Far', 2_000_000)
await fill(far, items - crossing)
progress(`${items - crossing} items are made`)
const started = await until('started', items - crossing, 'item_clock')
progress(`their clocks run; the last ${(started / 1000).toFixed(1)} s after it was made`)

const database = openDatabase({ url: service.databaseUrl(), poolSize: 4, queueSize: 10, statementTimeout: 20_000 })
const job = crossThresholds(database)
const ticks: number[] = []
for (let i = 0; i < 20; i++) {
  const since = performance.now()
  await job.run(new AbortController().signal)
  ticks.push(performance.now() - since)
}
await database.close()

const near = await desk('Near', 2)
await fill(near, crossing)
await until('started', items, 'item_clock')
progress(`${crossing} more, which turn amber in a minute and red in two`)
await until('amber', crossing, `event where kind = 'clock.amber'`)
await until('red', crossing, `event where kind = 'clock.red'`)

const lateness = async (light: string) =>
  await one<{ half: number; most: number; worst: number; twice: string }>(`select
      percentile_cont(0.5) within group (order by extract(epoch from e.at - c.${light}_at)) as half,
      percentile_cont(0.99) within group (order by extract(epoch from e.at - c.${light}_at)) as most,
      max(extract(epoch from e.at - c.${light}_at)) as worst, count(*) - count(distinct e.record_id) as twice
    from event e join item_clock c on c.tenant_id = e.tenant_id and c.item_id = e.record_id where e.kind = 'clock.${light}'`)

say(`${items} open items with clocks`)
say(`a tick with nothing to do: ${ticks.toSorted((a, b) => a - b)[10]?.toFixed(1)} ms`)
for (const light of ['amber', 'red']) {
  const { half, most, worst, twice } = await lateness(light)
  const seconds = (value: number) => `${Number(value).toFixed(1)} s`
  say(
    `${light}: half within ${seconds(half)}, 99 % within ${seconds(most)}, the last after ${seconds(worst)}; told twice: ${twice}`,
  )
}
await owner.end()
await service.stop()
