import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import { load } from './speed/load.ts'
import { fillNumber, operationNames, operationOf } from './speed/operations.ts'
import { seed } from './speed/seed.ts'
import { captureStatements } from './speed/statements.ts'

// `node bench/profile.ts`: prints for each measured operation the functions in which one process spends its own time, and the
// plan of each statement as the service's own role gets it.
//   --seconds N   duration of the load on each operation, default 4
//   --plans       only the plans

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, plans: { type: 'boolean' } },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

const dataDir = temporaryDirectory()
const service = await startService({
  dataDir,
  port: await freePort(),
  env: { WORKERS: '1' },
  profile: flags.plans ? undefined : join(dataDir, 'profile'),
})
const { tenantId, memberKey } = await seed(service.databaseUrl(), service.base, firstKey(service))
await showPlans()
const windows = new Map<string, [number, number]>()
if (!flags.plans) await loadEach()
await service.stop()
if (!flags.plans) showProfile()
process.exit(0)

async function showPlans(): Promise<void> {
  const statements = await captureStatements(service.databaseUrl(), dataDir, memberKey)
  const app = new pg.Client({
    connectionString: service.databaseUrl(),
    options: `-c role=gantry_app -c app.tenant=${tenantId} -c timezone=UTC`,
  })
  await app.connect()
  for (const name of operationNames) {
    const n = String(operationOf(name).numbers?.[0] ?? 900_000_000_000)
    for (const { text, values } of statements[name]) {
      const parameters = values.map(each => literal(fillNumber(each, n))).join(', ')
      await app.query(`prepare planned as ${text}`)
      await app.query('begin')
      // After five executions PostgreSQL decides whether one plan is good for all values.
      if (operationOf(name).writes) await app.query('set local plan_cache_mode = force_generic_plan')
      else for (let i = 0; i < 6; i++) await app.query(`execute planned(${parameters})`)
      const plan = await app.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute planned(${parameters})`,
      )
      await app.query('rollback')
      await app.query('deallocate planned')
      print(`\nplan of: ${operationOf(name).title}\n${plan.rows.map(row => row['QUERY PLAN']).join('\n')}`)
    }
  }
  await app.end()
}

function literal(value: string | null): string {
  return value === null ? 'null' : `'${value.replaceAll("'", "''")}'`
}

async function loadEach(): Promise<void> {
  const now = () => Number(process.hrtime.bigint() / 1000n)
  for (const operation of operationNames) {
    const options = { operation, port: service.port, key: memberKey, connections: 16 }
    await load({ ...options, warmUp: 2, seconds: 0 })
    const began = now()
    await load({ ...options, warmUp: 0, seconds: Number(flags.seconds) })
    windows.set(operationOf(operation).title, [began, now()])
  }
}

interface Profile {
  startTime: number
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** Prints the self time of each function, as a share of the time in which the process was not idle. */
function showProfile(): void {
  const [file] = globSync(join(dataDir, 'profile', '*.cpuprofile'))
  if (!file) throw new Error('the service wrote no profile')
  const { startTime, nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(file, 'utf8'))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  for (const [title, [from, to]] of windows) {
    const self = new Map<string, number>()
    let at = startTime
    for (const [i, sample] of samples.entries()) {
      const delta = timeDeltas[i] ?? 0
      at += delta
      const frame = frames.get(sample) ?? ''
      if (at >= from && at <= to) self.set(frame, (self.get(frame) ?? 0) + delta)
    }
    const idle = self.get('(idle)') ?? 0
    self.delete('(idle)')
    const busy = [...self.values()].reduce((sum, each) => sum + each, 0)
    print(`\n${title}: busy ${Math.round((100 * busy) / (busy + idle))} % of the time, of which`)
    for (const [frame, spent] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 25))
      print(`  ${((100 * spent) / busy).toFixed(1).padStart(5)} %  ${frame}`)
  }
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(node_modules|server\/src)\//, '$1/').replace('node_modules/', '')
  return place ? `${functionName || '(anonymous)'}  ${place}:${lineNumber + 1}` : functionName || '(anonymous)'
}
