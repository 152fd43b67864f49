import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { engines } from '../../../../test/support/engines.ts'
import { multipart } from '../../../../test/support/multipart.ts'
import { startTestService } from '../../../../test/support/people.ts'
import { s3Proxy, startS3 } from '../../../../test/support/servers/s3.ts'
import { eventually, until } from '../../../../test/support/until.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { storageKind } from '../storage-kind.ts'
import { migrationState } from './migration-state.ts'

const s3 = await startS3('bytes')
const between = await s3Proxy(s3)
const home = await startTestService(between.env)
const { ada, database } = home

test('a migration whose process is killed goes on where it was, and moves nothing twice', async t => {
  const contents = Array.from({ length: 12 }, (_, i) => `file ${i}`)
  for (const file of contents) await ada.must('POST', '/file', multipart({ file }))
  const { id: storageId } = await ada.post('/outbound-storage', {
    name: 'Bucket',
    kind: storageKind.s3,
    ...s3.settings,
    endpoint: between.endpoint,
  })
  // The process is killed while it copies the sixth file, which the store takes nevertheless.
  let puts = 0
  let pass = () => {}
  const held = new Promise<void>(resolve => {
    pass = resolve
  })
  between.before = async method => {
    if (method === 'PUT' && ++puts === 6) await held
  }
  const main = fileURLToPath(new URL('../../../../gantry.js', import.meta.url))
  const env = { PATH: process.env.PATH, DATABASE_URL: home.databaseUrl, DATA_DIR: home.dataDir }
  const worker = spawn(process.execPath, [main, 'work'], {
    env: { ...env, BASE_URL: 'http://gantry.localhost', MAIL_DNS: 'off', ...between.env },
    stdio: 'ignore',
  })
  t.after(() => worker.kill('SIGKILL'))
  const ended = once(worker, 'exit')
  const { id } = await ada.post(`/outbound-storage/${storageId}/migrate`, undefined)
  await until(() => puts === 6 || worker.exitCode !== null)
  assert.equal(worker.exitCode, null)
  worker.kill('SIGKILL')
  await ended
  pass()
  const before = await ada.get(`/outbound-storage/migration/${id}`)
  assert.deepEqual([before.state, before.files], [migrationState.running, 5])
  await database.transaction(
    tenantCaller(ada.tenantId),
    ctx => ctx.sql`update queued_job set run_at = now() where tenant_id = ${ada.tenantId} and worker is not null`,
  )
  await engines(home, between.env)
  const done = await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.state !== migrationState.running,
  )
  assert.deepEqual([done.state, done.files, puts], [migrationState.done, 12, 13])
  assert.equal((await s3.keys()).length, 12)
  const files = await ada.get('/file')
  const read = await Promise.all(files.map((file: { id: string }) => ada.get(`/file/download/${file.id}`)))
  assert.deepEqual(read.sort(), contents.sort())
  for (const file of files) assert.equal(file.storageId, storageId)
})
