import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort, startService, temporaryDirectory } from './service.ts'
import { memoryOf, sum } from './soak/memory.ts'
import { cpuSinceStart } from './weight/start-cpu.ts'
import { storagePerItem } from './weight/storage.ts'

// `npm run bench -- --weight`: what the service takes before it has work: the time of a first start and of a restart, the memory of
// its Node processes at rest, and the bytes of the database for an item with one time entry, by table and index.
//   --items 10000    how many items are created

const { values: flags } = parseArgs({
  options: { weight: { type: 'boolean' }, items: { type: 'string', default: '10000' } },
})
/** The most that the Node processes may have at rest, in MiB. */
const maxMemory = 220
const dataDir = temporaryDirectory()
const print = (line: string) => process.stdout.write(`${line}\n`)
const row = (name: string, figure: string, parts = '') => print(`| ${name} | ${figure} | ${parts} |`)

async function timedStart(name: string) {
  const began = performance.now()
  const service = await startService({ dataDir, port: await freePort() })
  const seconds = (performance.now() - began) / 1000
  const cpu = cpuSinceStart(service.process.pid ?? 0).map(each => each / 1000)
  row(name, `${seconds.toFixed(1)} s`, `CPU of Node ${sum(cpu).toFixed(1)} s (${shown(cpu, 1)})`)
  return service
}

const shown = (figures: readonly number[], digits: number) => figures.map(each => each.toFixed(digits)).join(' + ')

print('| | | |\n|---|---|---|')
await (await timedStart('first start')).stop()
await (await timedStart('restart')).stop()
const service = await timedStart('restart')
await sleep(8000)
const memory = memoryOf(service.process.pid ?? 0)
row('memory at rest (PSS)', `${sum(memory).toFixed(0)} MiB`, shown(memory, 0))
const shares = await storagePerItem(service, Number(flags.items))
await service.stop()
row('database per item', `${sum(shares.map(each => each.bytes)).toFixed(0)} B`)
for (const [table, its] of Map.groupBy(shares, each => each.table)) {
  const total = sum(its.map(each => each.bytes))
  row(`  ${table}`, total.toFixed(0), its.map(each => `${each.index || 'rows'} ${each.bytes.toFixed(0)}`).join(', '))
}
const isTooMuch = sum(memory) > maxMemory
if (isTooMuch) print(`the memory at rest is above ${maxMemory} MiB`)
process.exit(isTooMuch ? 1 : 0)
