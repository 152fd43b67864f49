import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { crossThresholds } from '../server/src/clocks/item-clock/cross-thresholds.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --clocks`: measures whether clock states change on time when very many items have a running clock. Most
// are due in years; some become amber one minute and red two minutes after their creation.
//   --items 100000     how many open items there are
//   --crossing 2000    how many of them become amber and red

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
const print = (line: string) => process.stdout.write(`${line}\n`)
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

async function createDesk(name: string, minutes: number): Promise<string> {
  const { id } = await post('/container', { name })
  const targets = [{ kind: 4, minutes }]
  await post('/clock', { name, container: [id], thresholdMode: 1, amberThreshold: 50, targets })
  return id
}

async function createItems(containerId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1000) {
    const some = Math.min(1000, count - made)
    await post(
      '/item/bulk',
      Array.from({ length: some }, (_, i) => ({ title: `Item ${made + i}`, containerId })),
    )
  }
}

async function firstRow<T>(text: string): Promise<T> {
  const { rows } = await owner.query(text)
  return rows[0]
}

/** Waits until there are so many rows. Returns how long that took, in ms. */
async function until(what: string, count: number, text: string): Promise<number> {
  const since = performance.now()
  for (;;) {
    const { n } = await firstRow<{ n: string }>(`select count(*) as n from ${text}`)
    if (Number(n) >= count) return performance.now() - since
    if (performance.now() - since > 3_600_000) throw new Error(`${what}: ${n} of ${count} after an hour`)
    await sleep(200)
  }
}

const far = await createDesk('Far', 2_000_000)
await createItems(far, items - crossing)
progress(`${items - crossing} items are created`)
const started = await until('started', items - crossing, 'item_clock')
progress(`their clocks run; the last one started ${(started / 1000).toFixed(1)} s after the last item was created`)

const database = openDatabase({ url: service.databaseUrl(), poolSize: 4, queueSize: 10, statementTimeout: 20_000 })
const job = crossThresholds(database)
const runs: number[] = []
for (let i = 0; i < 20; i++) {
  const since = performance.now()
  await job.run(new AbortController().signal)
  runs.push(performance.now() - since)
}
await database.close()

const near = await createDesk('Near', 2)
await createItems(near, crossing)
await until('started', items, 'item_clock')
progress(`${crossing} more items, which become amber in one minute and red in two`)
await until('amber', crossing, `event where kind = 'clock.amber'`)
await until('red', crossing, `event where kind = 'clock.red'`)

const lateness = async (state: string) =>
  await firstRow<{ median: number; p99: number; max: number; repeated: string }>(`select
      percentile_cont(0.5) within group (order by extract(epoch from e.at - c.${state}_at)) as median,
      percentile_cont(0.99) within group (order by extract(epoch from e.at - c.${state}_at)) as p99,
      max(extract(epoch from e.at - c.${state}_at)) as max, count(*) - count(distinct e.record_id) as repeated
    from event e join item_clock c on c.tenant_id = e.tenant_id and c.item_id = e.record_id where e.kind = 'clock.${state}'`)

print(`${items} open items with clocks`)
print(`a run of the job without due states: ${runs.toSorted((a, b) => a - b)[10]?.toFixed(1)} ms`)
for (const state of ['amber', 'red']) {
  const { median, p99, max, repeated } = await lateness(state)
  const seconds = (value: number) => `${Number(value).toFixed(1)} s`
  print(
    `${state}: late by ${seconds(median)} (median), ${seconds(p99)} (p99), ${seconds(max)} (max); repeated events: ${repeated}`,
  )
}
await owner.end()
await service.stop()
