import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const { ada, bob, eve, base } = await sharedTestService()

// A worker's files share a service, so each uses an origin that nobody else lists.
const unique = ada.tenantId.slice(-12)
const [ours, theirs, nobodys] = ['ours', 'theirs', 'nobodys'].map(each => `https://${each}-${unique}.example`)

const setOrigins = (who: Person, origins: unknown) =>
  who.ask('POST', '/admin/setting', { body: { key: 'cors.origins', value: origins } })

async function preflight(origin = '') {
  const asked = { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }
  return await fetch(`${base}/api/item`, { method: 'OPTIONS', headers: asked })
}

async function readableBy(origin = '', key = '', path = '/api/item') {
  const headers = { origin, ...(key ? { authorization: `Bearer ${key}` } : {}) }
  const { status, headers: received } = await fetch(`${base}${path}`, { headers, redirect: 'manual' })
  assert.equal(received.get('access-control-allow-credentials'), null)
  if (path.startsWith('/api/')) assert.match(received.get('vary') ?? '', /\borigin\b/)
  return { status, origin: received.get('access-control-allow-origin') }
}

test('a site that a tenant lists reads the answers to callers of this tenant, and of no other', async () => {
  const [ownSetting, otherSetting] = [await setOrigins(ada, [ours]), await setOrigins(eve, [theirs])]
  assert.deepEqual([ownSetting.status, otherSetting.status], [201, 201])
  await until(async () => (await preflight(ours)).status === 204 && (await preflight(theirs)).status === 204)
  assert.deepEqual(await readableBy(ours, ada.key), { status: 200, origin: ours })
  assert.deepEqual(await readableBy(ours, bob.key), { status: 200, origin: ours })
  assert.deepEqual(await readableBy(theirs, ada.key), { status: 200, origin: null })
  assert.deepEqual(await readableBy(ours, eve.key), { status: 200, origin: null })
  assert.deepEqual(await readableBy(theirs, eve.key), { status: 200, origin: theirs })
  await ada.put(`/admin/setting/${ownSetting.body.id}`, { value: [] })
  assert.deepEqual(await readableBy(ours, ada.key), { status: 200, origin: null })
})

test('a preflight is answered for sites that some tenant lists, and says nothing else', async () => {
  const made = await setOrigins(bob, [nobodys])
  assert.equal(made.status, 403) // members do not decide this
  const unlisted = await preflight(nobodys)
  assert.deepEqual([unlisted.status, unlisted.headers.get('access-control-allow-origin')], [405, null])
  const listed = await preflight(theirs)
  assert.equal(listed.headers.get('access-control-allow-origin'), theirs)
  assert.match(listed.headers.get('access-control-allow-headers') ?? '', /\bAuthorization\b/)
  assert.equal(listed.headers.get('access-control-allow-credentials'), null)
  assert.equal(await listed.text(), '')
})

test('a refused credential is told to a listed site, a page of the service is shown to none', async () => {
  assert.deepEqual(await readableBy(theirs, 'gty_wrong'), { status: 401, origin: theirs })
  assert.deepEqual(await readableBy(nobodys, 'gty_wrong'), { status: 401, origin: null })
  for (const path of ['/sign-in', '/oauth/device', '/healthz'])
    assert.equal((await readableBy(theirs, '', path)).origin, null, path)
  const { origin } = await readableBy(theirs, '', '/.well-known/oauth-authorization-server')
  assert.equal(origin, theirs)
})

test('only origins are listed, and a change is in the audit log', async () => {
  const wrong = [
    '*',
    'null',
    'http://app.example.com',
    'https://app.example.com/',
    'https://*.example.com',
    'https://a@b.example',
  ]
  for (const each of wrong) assert.equal((await setOrigins(ada, [each])).status, 400, each)
  const entries = await eve.get('/audit?action=setting&limit=20')
  assert.ok(
    entries.some((each: { reason: string }) => each.reason.startsWith('cors.origins: not set → ["https://theirs')),
  )
})
