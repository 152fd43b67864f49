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
import { itemIdSql, seedItems, seedWords } from './growth/seed.ts'
import { createTenantBase } from './growth/tenant-base.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'

// `npm run bench -- --tenant`: exports a tenant and imports it as another one, over HTTP, with one web process. Prints rows a
// second and the memory of the service.
//   --items 100000   how many items the tenant has, each with its related rows and an event

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
const withoutTimeout = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

const source = await seed()
const operator = firstKey(service)
await exportTenant(operator) // The first export also loads code, so it is not measured.

const firstExport = await measure(() => exportTenant(source.RawKey, lines))
const importResult = await measure(() => importTenant(operator))
const secondExport = await measure(() => exportTenant(importResult.result.RawKey))
const rows = (totals: Record<string, number>) => Object.values(totals).reduce((sum, each) => sum + each, 0)
const count = rows(firstExport.result.rows)
const bytes = statSync(lines).size
process.stdout.write(`
| a tenant with ${items.toLocaleString('en')} items | rows | s | rows/s | MB/s | memory, before and peak (MB) |
|---|---|---|---|---|---|
${row('export', firstExport)}
${row('import', importResult)}
${row('export of the import', secondExport)}

${(bytes / 1e6).toFixed(0)} MB of lines; the content hash is ${secondExport.result.hash === firstExport.result.hash ? 'the same' : 'NOT THE SAME'}
`)
await owner.end()
await service.stop()
process.exit(secondExport.result.hash === firstExport.result.hash ? 0 : 1)

function row(name: string, { seconds, before, peak }: { seconds: number; before: number; peak: number }): string {
  const figures = [count, seconds.toFixed(1), Math.round(count / seconds), (bytes / 1e6 / seconds).toFixed(1)]
  return `| ${name} | ${figures.join(' | ')} | ${before.toFixed(0)}, ${peak.toFixed(0)} |`
}

/** Measures the duration of the work and the memory of the service meanwhile. */
async function measure<T>(work: () => Promise<T>) {
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = memory()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, memory())
  }, 50)
  const began = performance.now()
  const result = await work()
  clearInterval(watch)
  return { result, seconds: (performance.now() - began) / 1000, before, peak }
}

/** Reads an export to its end and returns its last line. */
async function exportTenant(key: string, to?: string): Promise<{ rows: Record<string, number>; hash: string }> {
  const { statusCode, body } = await request(`${service.base}/api/tenant/export`, {
    dispatcher: withoutTimeout,
    headers: { authorization: `Bearer ${key}` },
  })
  if (statusCode !== 200) throw new Error(`the export answered ${statusCode}: ${await body.text()}`)
  let end = ''
  const keepingEnd = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      end = (end + part.toString('latin1')).slice(-20_000)
      yield part
    }
  }
  const hash = createHash('sha256') // The bytes are read and discarded.
  await pipeline(Readable.from(keepingEnd(body)), to ? createWriteStream(to) : hash)
  return JSON.parse(end.trimEnd().split('\n').at(-1) ?? '')
}

async function importTenant(key: string): Promise<{ RawKey: string }> {
  const { statusCode, body } = await request(
    `${service.base}/api/tenant/import?slug=imported&email=big@example.com&suspended=false`,
    {
      method: 'POST',
      dispatcher: withoutTimeout,
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
  const tenant = { base: service.base, adminKey: RawKey, tenantId, memberId: userId, mark }
  const base = await createTenantBase(owner, tenant)
  await seedItems(owner, base, 0, items)
  await owner.query(`insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
    select '${tenantId}', ${itemIdSql(mark, 'n')}, now(), 'item.created', 'Item', ${itemIdSql(mark, 'n')}, '${userId}', 'user', ${itemIdSql(mark, 'n')}, '{"title": {"to": "An item"}}'
    from generate_series(0, ${items - 1}) n`)
  await owner.query('vacuum (analyze)')
  process.stderr.write(`${items} items are seeded\n`)
  return { RawKey }
}
