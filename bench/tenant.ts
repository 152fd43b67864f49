import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Agent, request } from 'undici'
import { createTenant } from '../server/src/app/seed-tenant.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { furnishGround } from './growth/tenant-base.ts'
import { itemIdSql, seedItems, seedWords } from './growth/seed.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --tenant`: a whole tenant goes out as lines and comes in again as another one, over HTTP, in one
// process. Tells how many rows a second, and by how much the memory of the service grows meanwhile.
//   --items 100000   how many items the tenant has, each with what belongs to it and an entry in the log

const { values: flags } = parseArgs({
  options: { tenant: { type: 'boolean' }, items: { type: 'string', default: '100000' } },
})
const items = Number(flags.items)
const dataDir = temporaryDirectory()
const service = await startService({ dataDir, port: await freePort(), env: { WORKERS: '1' } })
const url = service.databaseUrl()
const owner = new pg.Client({ connectionString: url })
await owner.connect()
const lines = join(dataDir, 'tenant.ndjson')
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

const leaving = await seed()
const operator = firstKey(service)
await exported(operator) // so that the first one does not pay for loading

const out = await measured(() => exported(leaving.RawKey, lines))
const come = await measured(() => imported(operator))
const again = await measured(() => exported(come.result.RawKey))
const rows = (totals: Record<string, number>) => Object.values(totals).reduce((sum, each) => sum + each, 0)
const count = rows(out.result.rows)
const bytes = statSync(lines).size
process.stdout.write(`
| a tenant with ${items.toLocaleString('en')} items | rows | s | rows/s | MB/s | memory, before and most (MB) |
|---|---|---|---|---|---|
${row('export', out)}
${row('import', come)}
${row('export of what came', again)}

${(bytes / 1e6).toFixed(0)} MB of lines; the content is ${again.result.hash === out.result.hash ? 'the same by its hash' : 'NOT THE SAME'}
`)
await owner.end()
await service.stop()
process.exit(again.result.hash === out.result.hash ? 0 : 1)

function row(name: string, { seconds, before, most }: { seconds: number; before: number; most: number }): string {
  const figures = [count, seconds.toFixed(1), Math.round(count / seconds), (bytes / 1e6 / seconds).toFixed(1)]
  return `| ${name} | ${figures.join(' | ')} | ${before.toFixed(0)}, ${most.toFixed(0)} |`
}

/** How long something takes, and how much memory the service holds meanwhile. */
async function measured<T>(work: () => Promise<T>) {
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = memory()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memory())
  }, 50)
  const began = performance.now()
  const result = await work()
  clearInterval(watch)
  return { result, seconds: (performance.now() - began) / 1000, before, most }
}

/** Reads an export to its end; gives its last line. */
async function exported(key: string, to?: string): Promise<{ rows: Record<string, number>; hash: string }> {
  const { statusCode, body } = await request(`${service.base}/api/tenant/export`, {
    dispatcher: patient,
    headers: { authorization: `Bearer ${key}` },
  })
  if (statusCode !== 200) throw new Error(`the export answered ${statusCode}: ${await body.text()}`)
  let end = ''
  const noticing = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      end = (end + part.toString('latin1')).slice(-20_000)
      yield part
    }
  }
  const hash = createHash('sha256') // goes nowhere else
  await pipeline(Readable.from(noticing(body)), to ? createWriteStream(to) : hash)
  return JSON.parse(end.trimEnd().split('\n').at(-1) ?? '')
}

async function imported(key: string): Promise<{ RawKey: string }> {
  const { statusCode, body } = await request(
    `${service.base}/api/tenant/import?slug=come-again&email=big@example.com&suspended=false`,
    {
      method: 'POST',
      dispatcher: patient,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: createReadStream(lines),
    },
  )
  const text = await body.text()
  if (statusCode !== 201) throw new Error(`the import answered ${statusCode}: ${text}`)
  return JSON.parse(text)
}

async function seed(): Promise<{ RawKey: string }> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const mark = 'bb0'
  const { RawKey, tenantId, userId } = await createTenant(database, {
    name: 'Big',
    email: 'big@example.com',
    keyName: 'bench',
  })
  await database.close()
  await seedWords(owner)
  const plot = { base: service.base, adminKey: RawKey, tenantId, memberId: userId, mark }
  const ground = await furnishGround(owner, plot)
  await seedItems(owner, ground, 0, items)
  await owner.query(`insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
    select '${tenantId}', ${itemIdSql(mark, 'n')}, now(), 'item.created', 'Item', ${itemIdSql(mark, 'n')}, '${userId}', 'user', ${itemIdSql(mark, 'n')}, '{"title": {"to": "An item"}}'
    from generate_series(0, ${items - 1}) n`)
  await owner.query('vacuum (analyze)')
  process.stderr.write(`${items} items are there\n`)
  return { RawKey }
}
