import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { Database } from '../kernel/database.ts'
import { sendProblem } from '../kernel/http/problem.ts'
import { diskOf, mountHealth } from './health.ts'

const database = { crossTenantSql: async () => [] } as Partial<Database> as Database

function serve(free: number, least: number) {
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
  assert.ok((await diskOf({ dataDir: '.', minFreeBytes: 1 }).free()) > 0)
})

test('a write that meets a full disk says so, and when to try again', async () => {
  const { statusCode, headers, body } = await serve(0, 0).inject('/write')
  assert.deepEqual([statusCode, headers['retry-after'], JSON.parse(body).code], [503, '60', 'storage-full'])
})
