import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { mint } from '../server/src/admin/api-key.ts'
import { users } from '../server/src/admin/user/user.ts'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { tenantCaller } from '../server/src/identity/tenant-caller.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { furnishGround } from './growth/tenant-base.ts'
import { type Figures, growthTable, latencies, questions } from './growth/measure.ts'
import { plansOf } from './growth/plans.ts'
import { type Ground, seedItems, seedWords } from './growth/seed.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --growth`: whether what people wait for stays as fast when there is a hundred times as much. One
// tenant grows in place, with a small one beside it; a plain member asks over HTTP, one request after the other.
//   --sizes 10000,100000,1000000   how many items to stop and measure at
//   --data DIR                     keep what was seeded there, and go on from it next time
//   --only TEXT                    only the questions with this in their title
//   --plans                        instead of measuring, print the plans of the statements at the last size;
//                                  --beside those of the small tenant

const { values: flags } = parseArgs({
  options: {
    growth: { type: 'boolean' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    plans: { type: 'boolean' },
    beside: { type: 'boolean' },
  },
})
const sizes = flags.sizes.split(',').map(Number)
const began = performance.now()
const progress = (line: string) =>
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)

const dataDir = flags.data ?? temporaryDirectory()
mkdirSync(dataDir, { recursive: true })
const service = await startService({ dataDir, port: await freePort() })
const url = service.databaseUrl()
const owner = new pg.Client({ connectionString: url })
await owner.connect()

interface Memory {
  big: Ground & { key: string; board: string; size: number }
  small: Ground & { key: string; board: string; size: number }
}
const memoryFile = join(dataDir, 'growth.json')
const memory: Memory = existsSync(memoryFile) ? JSON.parse(readFileSync(memoryFile, 'utf8')) : await prepare()
const remember = () => writeFileSync(memoryFile, JSON.stringify(memory))
remember()

const wanted = (ground: Memory['big']) => questions(ground, ground.size).filter(each => each.title.includes(flags.only))
const results: { size: number; figures: Figures; beside: Figures }[] = []
for (const size of sizes) {
  if (memory.big.size < size) {
    await grow(memory.big, size)
    remember()
  }
  if (memory.big.size === size && !flags.plans) results.push({ size, ...(await measured()) })
}
const shown = flags.beside ? memory.small : memory.big
process.stdout.write(flags.plans ? await plansOf(url, dataDir, shown.key, wanted(shown)) : `${growthTable(results)}\n`)
await owner.end()
await service.stop()
process.exit(0)

/** The big tenant and the small one take turns, so that whatever else the machine does falls on both alike. */
async function measured(): Promise<{ figures: Figures; beside: Figures }> {
  const [figures, beside]: [Figures, Figures] = [new Map(), new Map()]
  const small = wanted(memory.small)
  for (const [i, each] of wanted(memory.big).entries()) {
    const other = small[i] ?? each
    const [here, there] = await latencies(service.base, [
      { key: memory.big.key, asked: each },
      { key: memory.small.key, asked: other },
    ])
    if (!here || !there) continue
    figures.set(each.title, here)
    beside.set(each.title, there)
    progress(
      `${each.title}: p50 ${here.p50.toFixed(1)} ms, p99 ${here.p99.toFixed(1)} ms; beside ${there.p50.toFixed(1)} ms`,
    )
  }
  return { figures, beside }
}

/** Two tenants, each with somebody who asks. */
async function prepare(): Promise<Memory> {
  await seedWords(owner)
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const make = async (name: string, mark: string) => {
    const { RawKey, tenantId } = await createTenant(database, { name, email: `${mark}@example.com`, keyName: 'bench' })
    const { id } = await database.transaction(tenantCaller(tenantId), ctx =>
      users.create(ctx, { name: 'Bea', role: 3 }),
    )
    const key = await database.transaction(tenantCaller(tenantId, id), ctx => mint(ctx, { name: 'bench' }))
    const plot = { base: service.base, adminKey: RawKey, tenantId, memberId: id, mark }
    const ground = await furnishGround(owner, plot)
    return { ...ground, key: key.RawKey, size: 0 }
  }
  const made = { big: await make('Big', 'bb0'), small: await make('Small', 'aa0') }
  await database.close()
  progress('two tenants are there')
  await grow(made.small, 10_000)
  return made
}

/** Indexes of words are made anew afterwards, which is many times faster than letting them grow. */
async function grow(ground: Ground & { size: number }, size: number): Promise<void> {
  const indexes = ['item_search', 'annotation_search'].map(table => `${table}_words`)
  const { rows } = await owner.query<{ name: string; made: string }>(
    'select indexname as name, indexdef as made from pg_indexes where indexname = any($1)',
    [[...indexes, 'search_word_parts']],
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  const step = 100_000
  for (let from = ground.size; from < size; from += step) {
    await seedItems(owner, ground, from, Math.min(size, from + step))
    progress(`${Math.min(size, from + step)} items`)
  }
  await owner.query(`set maintenance_work_mem = '512MB'`)
  for (const { made } of rows) await owner.query(made)
  progress('the words are indexed')
  await owner.query('vacuum (analyze)')
  ground.size = size
  progress(`${size} items are ready`)
}
