import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { startTestService } from '../../../../test/support/people.ts'
import { s3Proxy, startS3 } from '../../../../test/support/servers/s3.ts'
import { hashOf, storageTools } from '../../../../test/support/storage.ts'
import { eventually, until } from '../../../../test/support/until.ts'
import { migrationState } from './migration-state.ts'

const s3 = await startS3('first', 'second', 'third')
const between = await s3Proxy(s3)
const home = await startTestService(between.env)
const { ada } = home
const running = await engines(home, between.env)
const { bucket, keyOf, onDisk, upload, download, sweep } = storageTools(home, s3)

const first = await bucket('first')
for (const text of ['one', 'two', 'three']) await upload(text)

test('everything moves to another storage and back to the disk; copies leave after a week', async () => {
  const before = 3
  const settled = async (storageId: string) => {
    const { id } = await ada.post(`/outbound-storage/${storageId}/migrate`, undefined)
    await eventually(
      () => ada.get(`/outbound-storage/migration/${id}`),
      migration => migration.state === migrationState.done,
    )
  }
  await settled(first.id)
  const second = await bucket('second', { endpoint: between.endpoint })
  let pass = () => {}
  const held = new Promise<void>(resolve => {
    pass = resolve
  })
  between.before = () => held
  const { id, state } = await ada.post(`/outbound-storage/${second.id}/migrate`, undefined)
  assert.equal(state, migrationState.running)
  const other = await ada.post(`/outbound-storage/${first.id}/migrate`, undefined)
  assert.equal(
    (await ada.get(`/outbound-storage/migration/${id}`)).state,
    migrationState.cancelled,
    'the last one counts',
  )
  await ada.post(`/outbound-storage/migration/${id}/resume`, undefined)
  // The other one had nothing to move, so it may have been done before.
  assert.notEqual((await ada.get(`/outbound-storage/migration/${other.id}`)).state, migrationState.running)
  pass()
  const done = await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.state !== migrationState.running,
  )
  assert.deepEqual([done.state, done.files, done.error], [migrationState.done, before, ''])
  const keys = async (name: string) => await Array.fromAsync(s3.store({ bucket: name }).list(''))
  assert.deepEqual([(await keys('first')).length, (await keys('second')).length], [before, before])
  await sweep(8)
  assert.deepEqual([(await keys('first')).length, (await keys('second')).length], [0, before])
  const all = await ada.get('/file')
  for (const file of all) assert.deepEqual([file.storageId, (await download(file.id)).status], [second.id, 200])
  const disk = await ada.post('/outbound-storage', { name: 'Disk' })
  await settled(disk.id)
  await sweep(8)
  assert.deepEqual(await keys('second'), [])
  for (const file of all)
    assert.deepEqual([(await ada.get(`/file/${file.id}`)).storageId, (await download(file.id)).status], [null, 200])
  await ada.delete(`/outbound-storage/${second.id}`)
})

test('bytes with a wrong checksum stop a migration, which can be resumed when they are mended', async () => {
  await upload('some bytes')
  const damaged = await upload('good bytes')
  writeFileSync(onDisk(hashOf('good bytes')), 'evil bytes')
  const { id } = await ada.post(`/outbound-storage/${first.id}/migrate`, undefined)
  const stopped = await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.state !== migrationState.running,
  )
  assert.equal(stopped.state, migrationState.stopped)
  assert.match(stopped.error, /^checksum-mismatch/)
  assert.ok(!(await s3.keys()).includes(keyOf(hashOf('good bytes'))), 'no damaged copy is left')
  assert.equal((await ada.get(`/file/${damaged}`)).storageId, null)
  writeFileSync(onDisk(hashOf('good bytes')), 'good bytes')
  await ada.post(`/outbound-storage/migration/${id}/resume`, undefined)
  await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.state === migrationState.done,
  )
  assert.equal((await ada.get(`/file/${damaged}`)).storageId, first.id)
  const kinds = (await ada.get(`/outbound-storage/migration/${id}/history`)).map((each: { type: string }) => each.type)
  assert.deepEqual(kinds, [
    'storageMigration.created',
    'storageMigration.stopped',
    'storageMigration.resumed',
    'storageMigration.finished',
  ])
})

test('a store that gives other bytes back than it got stops a migration, and nothing is switched', async () => {
  const liar = await bucket('second', { name: 'Liar', endpoint: between.endpoint })
  between.answers = bytes => Buffer.from(bytes.map(byte => byte ^ 1))
  const { id } = await ada.post(`/outbound-storage/${liar.id}/migrate`, undefined)
  const stopped = await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.state !== migrationState.running,
  )
  assert.match(stopped.error, /^checksum-mismatch: the store gives other bytes back/)
  assert.equal(stopped.files, 0)
  for (const file of await ada.get('/file')) assert.equal(file.storageId, first.id)
  await ada.delete(`/outbound-storage/${liar.id}`)
})

test('a cancelled migration moves nothing more', async () => {
  const second = (await ada.get('/outbound-storage?deleted=only')).find(
    (each: { name: string }) => each.name === 'second',
  )
  await ada.post(`/outbound-storage/${second.id}/restore`, undefined)
  await s3.stop()
  const { id } = await ada.post(`/outbound-storage/${second.id}/migrate`, undefined)
  await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.error !== '',
  )
  const cancelled = await ada.post(`/outbound-storage/migration/${id}/cancel`, undefined)
  assert.equal(cancelled.state, migrationState.cancelled)
  const again = await ada.post(`/outbound-storage/migration/${id}/cancel`, undefined)
  assert.equal(again.version, cancelled.version)
  await s3.start()
  assert.deepEqual(await Array.fromAsync(s3.store({ bucket: 'second' }).list('')), [])
})

test('of two moves of the same bytes the later one counts, and the other leaves no copy', async () => {
  const { id: slow } = await bucket('third', { name: 'Slow', endpoint: between.endpoint, default: true })
  between.answers = bytes => bytes
  let pass = () => {}
  const held = new Promise<void>(resolve => {
    pass = resolve
  })
  let waiting = false
  between.before = async method => {
    if (method !== 'PUT') return
    waiting = true
    await held
  }
  const file = await upload('moved twice')
  await until(() => waiting)
  const { id } = await ada.post(`/outbound-storage/${first.id}/migrate`, undefined)
  await eventually(
    () => ada.get(`/outbound-storage/migration/${id}`),
    migration => migration.state === migrationState.done,
  )
  pass()
  await running.settle()
  assert.equal((await ada.get(`/file/${file}`)).storageId, first.id)
  assert.equal((await download(file)).body, 'moved twice')
  assert.deepEqual(await Array.fromAsync(s3.store({ bucket: 'third' }).list('')), [])
  await ada.delete(`/outbound-storage/${slow}`)
})
