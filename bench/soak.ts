import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { prepareTenants } from './fair/tenants.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'
import { mean, memoryOf, sum } from './soak/memory.ts'
import { act, type Member } from './soak/work.ts'

// `npm run soak`: puts mixed load of eight callers on the service for a long time, and watches the memory of its Node
// processes (PSS). Fails if it is above the bound, if it grows in the second half, or if it does not come back after a rest.
//   --minutes 30    how long
//   --callers 8     how many callers, of two tenants

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, callers: { type: 'string', default: '8' } },
})
const bound = 450
const items = 5000
/** What the last third may have more than the third before, and a rest after the work more than before it. */
const [maxGrowth, maxRest] = [1.1, 1.5]
const began = performance.now()
const print = (line: string) =>
  process.stdout.write(`${((performance.now() - began) / 60_000).toFixed(1).padStart(5)} min  ${line}\n`)

const service = await startService({ dataDir: temporaryDirectory(), port: await freePort() })
const { flooding, other } = await prepareTenants(service, items)
const members: Member[] = [flooding, other].map(tenant => ({ base: service.base, tenant, items }))
const memory = () => memoryOf(service.process.pid ?? 0)
const shown = (figures: number[]) =>
  `${sum(figures).toFixed(0)} MiB (${figures.map(each => each.toFixed(0)).join(' + ')})`

await sleep(5000)
const before = sum(memory())
print(`at rest before the work: ${shown(memory())}`)
const end = performance.now() + Number(flags.minutes) * 60_000
const statuses = new Map<number, number>()
let count = 0
const working = Promise.all(Array.from({ length: Number(flags.callers) }, (_, caller) => work(caller)))
const samples: number[] = []
while (performance.now() < end) {
  await sleep(Math.min(30_000, end - performance.now()))
  const figures = memory()
  samples.push(sum(figures))
  print(`${shown(figures)}, ${count} requests`)
}
await working
print(
  `at the end: ${samples.at(-1)?.toFixed(0)} MiB; answers by status: ${[...statuses].map(each => each.join(': ')).join(', ')}`,
)
await sleep(60_000)
const rest = memory()
print(`after a minute's rest: ${shown(rest)}`)

const third = Math.floor(samples.length / 3)
const growth = mean(samples.slice(-third)) / mean(samples.slice(-2 * third, -third))
const faults = [
  ...(Math.max(...samples) > bound ? [`the memory was above ${bound} MiB: ${Math.max(...samples).toFixed(0)}`] : []),
  ...(growth > maxGrowth ? [`the last third had × ${growth.toFixed(2)} of the third before`] : []),
  ...(sum(rest) > before * maxRest ? [`a rest has × ${(sum(rest) / before).toFixed(2)} of what it had before`] : []),
  ...([...statuses.keys()].some(status => status >= 500) ? ['some requests failed'] : []),
]
for (const fault of faults) print(fault)
if (faults.length === 0) print(`flat (× ${growth.toFixed(2)}) and below ${bound} MiB`)
await service.stop()
process.exit(faults.length > 0 ? 1 : 0)

async function work(caller: number): Promise<void> {
  const member = members[caller % members.length]
  if (!member) return
  for (let i = caller * 1_000_003; performance.now() < end; i++) {
    const status = await act(member, i)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    count++
  }
}
