import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { mint } from '../server/src/admin/api-key.ts'
import { users } from '../server/src/admin/user/user.ts'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { tenantCaller } from '../server/src/identity/tenant-caller.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { type Figures, growthTable, latencies, questions } from './growth/measure.ts'
import { nameQuestions } from './growth/name-questions.ts'
import { plansOf } from './growth/plans.ts'
import { reportQuestions } from './growth/report-questions.ts'
import { seedItems, seedWords, type TenantBase } from './growth/seed.ts'
import { seedNames } from './growth/seed-names.ts'
import { createTenantBase } from './growth/tenant-base.ts'
import { freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --growth`: measures how response times grow with the number of items. One tenant grows in place, another
// one stays small; a plain member of each sends requests over HTTP, one after the other.
//   --sizes 10000,100000,1000000   the sizes at which it measures
//   --data DIR                     keep the data there, and continue with it next time
//   --only TEXT                    only the questions whose title contains this text
//   --plans                        print the plans of the statements at the last size instead of measuring
//   --beside                       with --plans: the plans of the small tenant
//   --reports                      ask for queries and reports of items instead

const { values: flags } = parseArgs({
  options: {
    growth: { type: 'boolean' },
    reports: { type: 'boolean' },
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

interface SavedState {
  big: TenantBase & { key: string; board: string; size: number }
  small: TenantBase & { key: string; board: string; size: number }
}
const stateFile = join(dataDir, 'growth.json')
const state: SavedState = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : await prepare()
const saveState = () => writeFileSync(stateFile, JSON.stringify(state))
saveState()

const selectedQuestions = (tenant: SavedState['big']) =>
  (flags.reports ? reportQuestions(tenant) : [...questions(tenant, tenant.size), ...nameQuestions(tenant.size)]).filter(
    each => each.title.includes(flags.only),
  )
const results: { size: number; figures: Figures; beside: Figures }[] = []
for (const size of sizes) {
  if (state.big.size < size) {
    await grow(state.big, size)
    saveState()
  }
  if (state.big.size === size && !flags.plans) results.push({ size, ...(await measure()) })
}
const shown = flags.beside ? state.small : state.big
process.stdout.write(
  flags.plans ? await plansOf(url, dataDir, shown.key, selectedQuestions(shown)) : `${growthTable(results)}\n`,
)
await owner.end()
await service.stop()
process.exit(0)

/** Measures both tenants in turn, so that other load on the machine affects both equally. */
async function measure(): Promise<{ figures: Figures; beside: Figures }> {
  const [figures, beside]: [Figures, Figures] = [new Map(), new Map()]
  const small = selectedQuestions(state.small)
  for (const [i, each] of selectedQuestions(state.big).entries()) {
    const same = small[i] ?? each
    const [large, other] = await latencies(service.base, [
      { key: state.big.key, asked: each },
      { key: state.small.key, asked: same },
    ])
    if (!large || !other) continue
    figures.set(each.title, large)
    beside.set(each.title, other)
    progress(
      `${each.title}: p50 ${large.p50.toFixed(1)} ms, p99 ${large.p99.toFixed(1)} ms; small tenant ${other.p50.toFixed(1)} ms`,
    )
  }
  return { figures, beside }
}

/** Creates the two tenants, each with a member who sends the requests. */
async function prepare(): Promise<SavedState> {
  await seedWords(owner)
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const create = async (name: string, mark: string) => {
    const { RawKey, tenantId } = await createTenant(database, { name, email: `${mark}@example.com`, keyName: 'bench' })
    const { id } = await database.transaction(tenantCaller(tenantId), ctx =>
      users.create(ctx, { name: 'Bea', role: 3 }),
    )
    const key = await database.transaction(tenantCaller(tenantId, id), ctx => mint(ctx, { name: 'bench' }))
    const tenant = { base: service.base, adminKey: RawKey, tenantId, memberId: id, mark }
    const base = await createTenantBase(owner, tenant)
    return { ...base, key: key.RawKey, size: 0 }
  }
  const made = { big: await create('Big', 'bb0'), small: await create('Small', 'aa0') }
  await database.close()
  progress('two tenants are created')
  await grow(made.small, 10_000)
  return made
}

/** Seeds items up to the size. The indexes of search words are dropped before and created again, which is much faster. */
async function grow(base: TenantBase & { size: number }, size: number): Promise<void> {
  const indexes = ['item_search', 'annotation_search'].map(table => `${table}_words`)
  const { rows } = await owner.query<{ name: string; definition: string }>(
    'select indexname as name, indexdef as definition from pg_indexes where indexname = any($1)',
    [[...indexes, 'item_title_parts', 'item_value_text_parts', 'search_word_parts', 'name_part_words']],
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  const step = 100_000
  for (let from = base.size; from < size; from += step) {
    await seedItems(owner, base, from, Math.min(size, from + step))
    await seedNames(owner, base, from, Math.min(size, from + step))
    progress(`${Math.min(size, from + step)} items`)
  }
  await owner.query(`set maintenance_work_mem = '512MB'`)
  for (const { definition } of rows) await owner.query(definition)
  progress('the words are indexed')
  await owner.query('vacuum (analyze)')
  base.size = size
  progress(`${size} items are ready`)
}
