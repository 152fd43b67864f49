import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { sendProblem } from '../kernel/http/problem.ts'
import { diskOf, onDisk } from './disk/disk.ts'
import { mountHealth } from './health.ts'

const answering = { crossTenantSql: async () => [] } as Partial<Database> as Database
const down = { crossTenantSql: () => Promise.reject(new Error('it is down')) } as Partial<Database> as Database

function serve(free: number, least: number, database = answering) {
  const app = Fastify()
  app.setErrorHandler((error, request, reply) =>
    sendProblem(error, request, reply, { baseUrl: () => '', log: () => {} }),
  )
  mountHealth(app, database, { free: async () => free, least })
  app.get('/write', () => {
    throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  })
  return app
}

test('a node whose disk is almost full is not ready, and says why', async () => {
  const mebibyte = 1024 * 1024
  assert.equal((await serve(65 * mebibyte, 64 * mebibyte).inject('/readyz')).statusCode, 200)
  assert.equal((await serve(0, 0).inject('/readyz')).statusCode, 200)
  const full = await serve(63 * mebibyte, 64 * mebibyte).inject('/readyz')
  assert.equal(full.statusCode, 503)
  assert.match(full.json().detail, /the disk of the data directory is almost full: 63 MiB are free/)
  const fullAndDown = await serve(0, 64 * mebibyte, down).inject('/readyz')
  assert.match(fullAndDown.json().detail, /almost full: 0 MiB are free/)
  assert.match((await serve(1, 1, down).inject('/readyz')).json().detail, /the database does not respond/)
  assert.ok((await diskOf({ dataDir: '.', minFreeBytes: 1 }).free()) > 0)
})

test('a write that meets a full disk says so, and when to try again', async () => {
  const { statusCode, headers, body } = await serve(0, 0).inject('/write')
  assert.deepEqual([statusCode, headers['retry-after'], JSON.parse(body).code], [503, '60', 'storage-full'])
})

test('on a full disk requests that write are refused, others read, and a database that is down says why', async () => {
  const run: Partial<Database> = { single: async (_caller, work) => await work({} as Context) }
  const full = diskOf({ dataDir: '', minFreeBytes: 100 }, async () => 49)
  const database = onDisk(run as Database, full)
  const asking = (mode: 'read' | 'write' | 'single', work = async () => 'done') =>
    database.single({} as Caller, work, { operation: { mode } })
  const storageFull = { code: 'ENOSPC' }
  assert.equal(await asking('read'), 'done')
  for (const mode of ['write', 'single'] as const) await assert.rejects(asking(mode), storageFull)
  const refused = async () => {
    throw Object.assign(new Error('the database is starting up'), { code: '57P03' })
  }
  await assert.rejects(asking('read', refused), storageFull)
  const roomy = onDisk(
    run as Database,
    diskOf({ dataDir: '', minFreeBytes: 100 }, async () => 50),
  )
  assert.equal(await roomy.single({} as Caller, async () => 'stored', { operation: { mode: 'write' } }), 'stored')
  await assert.rejects(roomy.single({} as Caller, refused), { code: '57P03' })
})
