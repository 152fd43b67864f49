import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { fillNumber, type OperationName } from './operations.ts'
import type { Statements } from './statements.ts'

// The baseline of the measurement: the same framework, driver, SQL, number of processes and connections, without
// authentication, validation or caches.

export interface BareOptions {
  port: number
  url: string
  session: string
  processes: number
  poolSize: number
  /** A file with the statements of each operation. */
  statements: string
}

const options: BareOptions = JSON.parse(process.argv[2] ?? '{}')

if (cluster.isPrimary) {
  for (let i = 0; i < options.processes; i++) cluster.fork()
  cluster.on('exit', () => process.exit(1))
  process.on('disconnect', () => process.exit(0)) // The parent process has ended.
} else await serve()

async function serve(): Promise<void> {
  const statements: Statements = JSON.parse(readFileSync(options.statements, 'utf8'))
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    idleTimeoutMillis: 0,
    options: options.session,
  })
  pool.on('error', () => {}) // The measurement is over, and the database has stopped.
  const app = Fastify({ logger: false })
  const run =
    (name: OperationName, numberOf: (request: FastifyRequest) => string) => async (request: FastifyRequest) => {
      const n = numberOf(request)
      let last: Record<string, unknown>[] = []
      for (const [i, { text, values }] of statements[name].entries()) {
        const { rows } = await pool.query({
          name: `${name}-${i}`,
          text,
          values: values.map(each => fillNumber(each, n)),
        })
        last = rows
      }
      const texts = last.map(row => Object.values(row).filter(each => typeof each === 'string'))
      return texts.map(each => each.join('')).join(',')
    }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.type('application/json; charset=utf-8')
    done()
  })
  app.get(
    '/api/item/:id',
    run('read', ({ url }) => url.slice(-6)),
  )
  app.get(
    '/api/item',
    run('list', ({ url }) => /containerId=[^&]*(\d\d)(&|$)/.exec(url)?.[1] ?? ''),
  )
  app.post(
    '/api/insight/report/user-timesheet',
    run('timesheet', () => ''),
  )
  app.post('/api/item', run('create', uniqueNumber))
  await app.listen({ port: options.port, host: '127.0.0.1' })
}

let created = 0

/** Twelve digits that neither pgbench nor another process nor an earlier start uses. */
function uniqueNumber(): string {
  const process = cluster.worker?.id ?? 0
  return String(300_000_000_000 + process * 10_000_000_000 + (Date.now() % 1_000_000) * 10_000 + (created++ % 10_000))
}
