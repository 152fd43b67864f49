import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { startTestService } from '../../../../test/support/people.ts'
import { startS3 } from '../../../../test/support/servers/s3.ts'
import { hashOf, storageTools } from '../../../../test/support/storage.ts'
import { eventually } from '../../../../test/support/until.ts'

const s3 = await startS3('first')
const home = await startTestService(s3.env)
const { ada, bob, database } = home
const running = await engines(home, s3.env)
const { asTenant, bucket, keyOf, onDisk, upload, download, sweep, hurry, purge } = storageTools(home, s3)

const first = await bucket('first', { default: true })

test('new files go to the default storage, and are read from there in whole and in part', async () => {
  const text = 'stored at the store'
  const [id, hash] = [await upload(text), hashOf(text)]
  assert.equal((await download(id)).body, text, 'readable before it was moved')
  await running.settle()
  assert.deepEqual(await s3.keys(), [keyOf(hash)])
  assert.equal((await ada.get(`/file/${id}`)).storageId, first.id)
  await sweep(6)
  assert.ok(existsSync(onDisk(hash)), 'a former copy stays for a week')
  await sweep(8)
  assert.ok(!existsSync(onDisk(hash)))
  assert.equal((await download(id)).body, text)
  const part = await download(id, { range: 'bytes=7-8' })
  assert.deepEqual([part.status, part.body, part.headers.get('content-range')], [206, 'at', 'bytes 7-8/19'])
  const head = await bob.ask('HEAD', `/file/download/${id}`)
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '19'])
  assert.equal(
    (await bob.ask('GET', `/file/download/${id}`, { headers: { 'if-none-match': `"${hash}"` } })).status,
    304,
  )
  const again = await upload(text)
  await running.settle()
  assert.deepEqual([(await s3.keys()).length, (await download(again)).body], [1, text], 'equal bytes are stored once')
})

test('the usage counts each content once, where it is', async () => {
  const measured = async () => (await ada.get('/outbound-storage/usage')) as Record<string, unknown>[]
  const of = (rows: Record<string, unknown>[], storageId: string | null) => {
    const { files, objects, bytes } = rows.find(each => each.storageId === storageId) ?? {}
    return [files, objects, bytes].map(Number)
  }
  const before = await measured()
  const texts = ['counted', 'counted', 'öäü']
  for (const text of texts) await upload(text)
  const added = (rows: Record<string, unknown>[], storageId: string | null) =>
    of(rows, storageId).map((each, i) => each - (of(before, storageId)[i] ?? 0))
  await running.settle()
  const after = await measured()
  assert.deepEqual(added(after, first.id), [3, 2, 13])
  assert.deepEqual(added(after, null), [0, 0, 0])
  assert.equal((await bob.ask('GET', '/outbound-storage/usage')).status, 403)
  const other = (await home.eve.get('/outbound-storage/usage')) as Record<string, unknown>[]
  assert.deepEqual(other, [{ storageId: null, name: '', files: 0, mails: 0, objects: 0, bytes: 0 }])
})

test('while the store is down, uploads succeed, stored files are 503, and everything goes on afterwards', async () => {
  const old = await upload('already there')
  await running.settle()
  await sweep(8)
  await s3.stop()
  const refusedFile = await download(old)
  assert.deepEqual(
    [refusedFile.status, refusedFile.body.code, refusedFile.headers.get('retry-after')],
    [503, 'storage-unavailable', '30'],
  )
  assert.ok(!refusedFile.headers.get('content-disposition'), 'a refusal has no headers of the file')
  const fresh = await upload('while it was down')
  await eventually(
    async () => (await ada.get(`/outbound-storage/${first.id}`)).health.lastError,
    error => error !== '',
  )
  assert.equal((await download(fresh)).body, 'while it was down')
  await s3.start()
  await hurry()
  await eventually(
    async () => (await ada.get(`/file/${fresh}`)).storageId,
    id => id === first.id,
  )
  assert.equal((await download(old)).body, 'already there')
  assert.equal((await ada.get(`/outbound-storage/${first.id}`)).health.lastError, '')
})

test('a storage with files can be neither deleted, nor pointed elsewhere', async () => {
  const remove = await ada.ask('DELETE', `/outbound-storage/${first.id}`)
  const point = await ada.ask('PUT', `/outbound-storage/${first.id}`, { body: { bucket: 'second', prefix: 'x' } })
  assert.deepEqual(
    [remove.status, remove.body.code, point.status, point.body.code],
    [422, 'storage-in-use', 422, 'storage-in-use'],
  )
  const created = (await ada.get(`/outbound-storage/${first.id}/history`))[0]
  const undone = await ada.ask('POST', `/change/${created.changeSetId}/undo`, { body: {} })
  assert.equal(undone.status, 409)
})

test('bytes leave every place when nothing refers to them any more', async () => {
  const [id, hash] = [await upload('short-lived'), hashOf('short-lived')]
  await running.settle()
  assert.ok((await s3.keys()).includes(keyOf(hash)) && existsSync(onDisk(hash)))
  await purge(id)
  await s3.stop()
  await sweep(2)
  await s3.start()
  const again = await upload('short-lived')
  assert.equal((await download(again)).body, 'short-lived', 'uploaded while its old copies are being erased')
  await purge(again)
  await sweep(4)
  assert.ok(!(await s3.keys()).includes(keyOf(hash)))
  assert.ok(!existsSync(onDisk(hash)))
  const left = await asTenant(
    ctx => ctx.sql`select 1 from stored_bytes where tenant_id = ${ada.tenantId} and hash = ${hash}`,
  )
  assert.deepEqual(left, [])
})

test('a tenant that is erased leaves nothing at its store', async () => {
  const stray = `gantry/${ada.tenantId}/stray`
  await s3.store().put(stray, { size: 1, sha256: hashOf('x'), read: async () => Readable.from([Buffer.from('x')]) })
  const other = `gantry/${ada.tenantId.replace(/.$/, '')}/theirs`
  await s3.store().put(other, { size: 1, sha256: hashOf('x'), read: async () => Readable.from([Buffer.from('x')]) })
  assert.ok((await database.services.storedBytes.eraseTenant(database, ada.tenantId)) > 1)
  assert.deepEqual(await s3.keys(), [other])
})
