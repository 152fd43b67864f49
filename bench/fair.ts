import { parseArgs } from 'node:util'
import { expensiveSearch, usualRequests } from './fair/requests.ts'
import { prepareTenants } from './fair/tenants.ts'
import { type Caller, keepAsking, percentile } from './fair/traffic.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --fair`: one tenant floods the service with expensive searches while another one works as usual. The
// response times of the other tenant are compared with those without the flood, in turn and in one run.
//   --items 20000    how many items each tenant has
//   --flood 24       how many searches the flood has at a time
//   --groups 10      how many groups with `contains` a search has
//   --seconds 10     how long each part lasts
//   --rounds 3       how often both parts are measured

const { values: flags } = parseArgs({
  options: {
    fair: { type: 'boolean' },
    items: { type: 'string', default: '20000' },
    flood: { type: 'string', default: '24' },
    groups: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
})
const maxRatio = 2
/** A person at work: some requests at a time, and a pause after each. */
const usualCallers = 4
const pause = 20
const print = (line: string) => process.stdout.write(`${line}\n`)

const service = await startService({ dataDir: temporaryDirectory(), port: await freePort() })
const { flooding, other } = await prepareTenants(service, Number(flags.items))
const usual: Caller = { base: service.base, key: other.key, request: usualRequests(other, Number(flags.items)), pause }
const flood: Caller = {
  base: service.base,
  key: flooding.key,
  request: expensiveSearch(Number(flags.groups)),
  pause: 0,
}
const length = Number(flags.seconds) * 1000
await keepAsking(usual, usualCallers, Date.now() + 3000) // The first requests compile code and fill caches.

const [quiet, flooded]: [number[], number[]] = [[], []]
const statuses = new Map<number, number>()
const floodTimes: number[] = []
for (let round = 0; round < Number(flags.rounds); round++) {
  const calm = await keepAsking(usual, usualCallers, Date.now() + length)
  const end = Date.now() + length
  const [beside, searches] = await Promise.all([
    keepAsking(usual, usualCallers, end),
    keepAsking(flood, Number(flags.flood), end),
  ])
  refuseFailures(calm.statuses, beside.statuses)
  for (const [status, count] of searches.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  quiet.push(...calm.times)
  flooded.push(...beside.times)
  floodTimes.push(...searches.times)
  print(
    `round ${round + 1}: p95 ${percentile(calm.times, 0.95)} ms without the flood, ${percentile(beside.times, 0.95)} ms beside it`,
  )
}
const ratio = Number(percentile(flooded, 0.95)) / Number(percentile(quiet, 0.95))
print(`
| another tenant, ms | requests | p50 | p95 | p99 |
|---|---|---|---|---|
| without the flood | ${row(quiet)} |
| beside the flood | ${row(flooded)} |

p95 × ${ratio.toFixed(2)} (at most ${maxRatio}). The flood: ${flags.flood} searches at a time with ${flags.groups} groups; answers by status: ${[...statuses].map(each => each.join(': ')).join(', ')}; p50 ${percentile(floodTimes, 0.5)} ms`)
await service.stop()
process.exit(ratio > maxRatio ? 1 : 0)

function row(times: number[]): string {
  return [times.length, ...[0.5, 0.95, 0.99].map(part => percentile(times, part))].join(' | ')
}

function refuseFailures(...all: Map<number, number>[]): void {
  const failed = all.flatMap(each => [...each]).find(([status]) => status !== 200)
  if (failed) throw new Error(`${failed[1]} requests of the other tenant were answered with ${failed[0]}`)
}
