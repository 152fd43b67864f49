import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/people.ts'
import { startS3 } from '../../../test/support/servers/s3.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { storageFaults } from './storage-faults.ts'
import { storageKind } from './storage-kind.ts'

const s3 = await startS3('bytes')
const { ada, bob, eve, database } = await startTestService(s3.env)
const bucket = { name: 'Bucket', kind: storageKind.s3, ...s3.settings }

const create = (more: object = {}) => ada.post('/outbound-storage', { ...bucket, ...more })
const tested = async (id: string) => await ada.post(`/outbound-storage/${id}/test`, undefined)
const refused = async (method: string, path: string, body: unknown) => {
  const answer = await ada.ask(method, path, { body })
  return [answer.status, answer.body.code, ...(answer.body.Fields ?? []).map((each: { Field: string }) => each.Field)]
}

test('the settings that cannot work are refused, all at once', async () => {
  const wrong = { ...bucket, endpoint: 'http://127.0.0.1:1/path', region: 'a b', bucket: '..', prefix: '../x' }
  assert.deepEqual(await refused('POST', '/outbound-storage', wrong), [
    400,
    'validation',
    ...['endpoint', 'region', 'bucket', 'prefix'],
  ])
  assert.deepEqual(await refused('POST', '/outbound-storage', { name: 'Azure', kind: 2 }), [400, 'validation', 'kind'])
  const faults = (more: object) =>
    storageFaults({ ...bucket, endpoint: 'https://s3.example.com', prefix: '', ...more }, {}).map(each => each.Field)
  assert.deepEqual(faults({}), [])
  assert.deepEqual(faults({ prefix: 'a/b-1/c.d_e' }), [])
  for (const prefix of ['/a', 'a/', 'a//b', 'a/../b', '.', 'a b', 'ä', 'a%2f'])
    assert.deepEqual(faults({ prefix }), ['prefix'], prefix)
  for (const endpoint of [
    '',
    'ftp://s3.example.com',
    'https://u:p@s3.example.com',
    'https://10.0.0.1',
    'https://s3.example.com?x',
  ])
    assert.deepEqual(faults({ endpoint }), ['endpoint'], endpoint)
})

test('a test writes, reads and deletes an object, and says what is wrong', async () => {
  const { id } = await create()
  assert.deepEqual(await tested(id), { ok: true, step: '', fault: '', message: '' })
  assert.deepEqual(await s3.keys(), [])
  const { health } = await ada.get(`/outbound-storage/${id}`)
  assert.ok(health.lastOk)
  const outcome = async (more: object) => {
    await ada.put(`/outbound-storage/${id}`, { ...s3.settings, ...more })
    const { ok, step, fault } = await tested(id)
    return [ok, step, fault]
  }
  assert.deepEqual(await outcome({ secretKey: 'wrong' }), [false, 'write', 'credentials'])
  assert.match((await ada.get(`/outbound-storage/${id}`)).health.lastError, /SignatureDoesNotMatch/)
  assert.deepEqual(await outcome({ secretKey: '' }), [false, 'write', 'credentials'])
  assert.deepEqual(await outcome({ bucket: 'nowhere' }), [false, 'write', 'no-bucket'])
  await s3.stop()
  assert.deepEqual(await outcome({}), [false, 'write', 'unreachable'])
  await s3.start()
  assert.deepEqual(await outcome({}), [true, '', ''])
  assert.equal((await ada.get(`/outbound-storage/${id}`)).health.lastError, '')
  assert.equal((await tested((await ada.post('/outbound-storage', { name: 'Disk' })).id)).ok, true)
})

test('the secret key is never shown, kept by its mask, and not carried to another host', async () => {
  const made = await create()
  assert.equal(made.secretKey, '***')
  const path = `/outbound-storage/${made.id}`
  const kept = await ada.put(path, { ...made, name: 'Renamed' })
  assert.deepEqual([kept.name, kept.secretKey, (await tested(made.id)).ok], ['Renamed', '***', true])
  const elsewhere = { endpoint: s3.settings.endpoint.replace('127.0.0.1', 'localhost') }
  assert.deepEqual(await refused('PUT', path, { endpoint: 'https://s3.example.com' }), [400, 'validation', 'secretKey'])
  assert.deepEqual((await refused('PUT', path, elsewhere))[0], 400)
  const canary = 'canary-7f3a91'
  const shown = [await ada.put(path, { secretKey: canary }), await create({ secretKey: canary })]
  shown.push(await ada.get(`${path}/history`), await ada.get('/event'), await ada.get('/outbound-storage'))
  assert.ok(!JSON.stringify(shown).includes(canary))
  const stored = await database.transaction(
    tenantCaller(ada.tenantId),
    ctx => ctx.sql`select to_jsonb(s) from outbound_storage s where s.tenant_id = ${ada.tenantId}
      union all select to_jsonb(e) from event e where e.tenant_id = ${ada.tenantId}`,
  )
  assert.ok(!JSON.stringify(stored).includes(canary))
})

test('an undone change of the endpoint leaves no secret for it', async () => {
  const made = await create()
  const changed = await ada.ask('PUT', `/outbound-storage/${made.id}`, {
    body: { endpoint: 'https://s3.example.com', secretKey: 'another' },
  })
  await ada.post(`/change/${changed.headers.get('change-set')}/undo`, {})
  const { endpoint, secretKey } = await ada.get(`/outbound-storage/${made.id}`)
  assert.deepEqual([endpoint, secretKey, (await tested(made.id)).fault], [s3.settings.endpoint, '', 'credentials'])
})

test('an access key that no request can carry is a fault of the credentials', async () => {
  for (const accessKey of ['schlüssel ☃', 'two\nlines']) {
    const { id } = await create({ accessKey })
    assert.deepEqual([(await tested(id)).ok, (await tested(id)).fault], [false, 'credentials'])
  }
})

test('storages are for admins of their own tenant; one of them is the default', async () => {
  const { id } = await create({ default: true })
  assert.deepEqual(await refused('POST', '/outbound-storage', { ...bucket, default: true }), [
    422,
    'already-taken',
    'default',
  ])
  for (const [who, status] of [
    [bob, 403],
    [eve, 404],
  ] as const)
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const)
      assert.equal(
        (await who.ask(method, `/outbound-storage/${id}${path}`, method === 'PUT' ? { body: {} } : {})).status,
        status,
      )
  const inactive = await ada.put(`/outbound-storage/${id}`, { active: false })
  assert.deepEqual(
    inactive.check.map((each: { code: string }) => each.code),
    ['inactive-default', 'not-encrypted'],
  )
})
