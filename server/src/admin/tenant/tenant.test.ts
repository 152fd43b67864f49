import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { Listener } from '../../../test/support/listener.ts'
import { Person, serveOn, startTestService } from '../../../test/support/people.ts'
import { tenantStatus } from '../../identity/tenant-status.ts'
import { repeatItems } from '../../planning/recurrence/repeat-items.ts'

const home = await startTestService()
const { ada, bob, eve, base, databaseUrl } = home

/** Lets the super admins of a tenant manage the other tenants. */
async function letOperate(tenantId: string): Promise<void> {
  await asOwner(databaseUrl, undefined, 'update tenant set operating = true where id = $1', [tenantId])
}

test('a super admin changes the profile of the tenant, but not the properties of the operator', async () => {
  const profile = { weekStart: 'Monday', domains: ['acme.example'], features: ['boards'], branding: { color: '#036' } }
  const mine = await ada.must('PATCH', '/tenant', {
    body: { ...profile, quotas: { users: 1 }, status: tenantStatus.closing, region: 'moon', slug: 'moon' },
  })
  assert.deepEqual([mine.weekStart, mine.domains, mine.branding], ['Monday', ['acme.example'], { color: '#036' }])
  assert.deepEqual([mine.quotas, mine.status, mine.region, mine.slug], [{}, tenantStatus.active, '', 'acme'])
  assert.equal((await bob.ask('PATCH', '/tenant', { body: profile })).status, 403)
  const wrong = await ada.ask('PATCH', '/tenant', { body: { domains: ['nowhere'] } })
  assert.deepEqual([wrong.status, wrong.body.Fields[0].Field], [400, 'domains.0'])
  assert.equal((await ada.ask('PUT', '/tenant', { body: { id: eve.tenantId, name: 'Mine' } })).status, 400)
})

test('other tenants do not exist for users who are not operators', async () => {
  const absent = crypto.randomUUID()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { status: tenantStatus.suspended }],
    ['DELETE', '', undefined],
    ['POST', '/suspend', undefined],
    ['POST', '/activate', undefined],
  ] as const) {
    const options = body ? { body } : {}
    const [foreign, none] = [
      await ada.ask(method, `/tenant/${eve.tenantId}${path}`, options),
      await ada.ask(method, `/tenant/${absent}${path}`, options),
    ]
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not-found'], `${method} ${path}`)
    assert.deepEqual([none.status, none.body.detail], [404, foreign.body.detail])
    assert.equal(
      (await bob.ask(method, `/tenant/${eve.tenantId}${path}`, options)).status,
      method === 'GET' ? 404 : 403,
    )
  }
  assert.equal((await ada.ask('GET', '/tenant/all')).status, 403)
  assert.equal((await ada.ask('POST', '/tenant', { body: { name: 'X', email: 'x@example.com' } })).status, 403)
  assert.equal((await ada.ask('DELETE', `/tenant/${ada.tenantId}`)).status, 403)
})

test('an operator creates tenants and sees their profile and usage, but not their records', async () => {
  await letOperate(ada.tenantId)
  const founded = await ada.ask('POST', '/tenant', {
    body: { name: 'Globex', slug: 'globex', email: 'hank@globex.example' },
  })
  assert.equal(founded.status, 201)
  assert.equal(founded.headers.get('cache-control'), 'no-store')
  const { tenant, RawKey, password, userId } = founded.body
  assert.equal(tenant.slug, 'globex')
  assert.ok(password.length > 15)
  const hank = new Person(base, RawKey, userId, tenant.id)
  const item = await hank.post('/item', { title: 'Donuts' })
  assert.equal((await hank.get('/user/me')).superAdmin, true)
  assert.deepEqual(
    (await hank.get('/container')).map((each: { name: string }) => each.name),
    ['Inbox', 'Start here'],
  )

  const seen = await ada.get(`/tenant/${tenant.id}`)
  assert.deepEqual([seen.name, seen.usage.users, seen.usage.items], ['Globex', 1, 8])
  assert.equal((await ada.ask('GET', `/item/${item.id}`)).status, 404)
  const all = await ada.get('/tenant/all')
  assert.deepEqual(all.map((each: { slug: string }) => each.slug).sort(), ['acme', 'evil', 'globex'])
  const again = await ada.ask('POST', '/tenant', { body: { name: 'Again', slug: 'globex', email: 'x@example.com' } })
  assert.deepEqual([again.status, again.body.Fields[0].Field], [422, 'slug'])
  assert.equal((await bob.ask('GET', '/tenant/all')).status, 403)
  assert.equal((await bob.ask('GET', `/tenant/${tenant.id}`)).status, 404)
  assert.equal((await hank.ask('GET', '/tenant/all')).status, 403)

  const dryRun = await ada.ask('POST', '/tenant?dryRun=true', { body: { name: 'Not', email: 'not@example.com' } })
  assert.equal(dryRun.status, 200)
  assert.equal((await ada.get('/tenant/all')).length, 3)

  const changed = await ada.must('PATCH', `/tenant/${tenant.id}`, {
    body: { name: 'Globex Inc', region: 'eu', quotas: { users: 2 }, timezone: 'Asia/Tokyo' },
  })
  assert.deepEqual(
    [changed.name, changed.region, changed.quotas, changed.timezone],
    ['Globex Inc', 'eu', { users: 2 }, 'UTC'],
  )
  assert.deepEqual((await hank.get('/tenant')).quotas, { users: 2 })
  const log = await ada.get('/event?limit=1000')
  assert.deepEqual(
    log.filter((each: { recordId: string }) => each.recordId === tenant.id).map((each: { type: string }) => each.type),
    ['tenant.founded', 'tenant.updated'],
  )
})

test('a suspended tenant is read only; a closing one admits only its super admins, who can export', async () => {
  await letOperate(ada.tenantId)
  const { tenant, RawKey, userId } = await ada.post('/tenant', { name: 'Initech', email: 'bill@initech.example' })
  const bill = new Person(base, RawKey, userId, tenant.id)
  const peter = await home.person({ name: 'Peter' }, bill)
  const item = await peter.post('/item', { title: 'TPS' })
  assert.equal((await ada.post(`/tenant/${tenant.id}/suspend`, {})).status, tenantStatus.suspended)
  for (const who of [bill, peter]) {
    assert.equal((await who.get(`/item/${item.id}`)).title, 'TPS')
    for (const [method, path] of [
      ['POST', '/item'],
      ['PATCH', `/item/${item.id}`],
    ] as const) {
      const refused = await who.ask(method, path, { body: { title: 'No' } })
      assert.deepEqual([refused.status, refused.body.code], [403, 'tenant-suspended'], `${method} ${path}`)
    }
  }
  assert.equal((await ada.ask('DELETE', `/tenant/${tenant.id}`)).status, 204)
  assert.equal((await peter.ask('GET', `/item/${item.id}`)).status, 401)
  assert.equal((await bill.ask('GET', '/tenant/export')).status, 200)
  assert.equal((await bill.ask('POST', '/item', { body: { title: 'No' } })).body.code, 'tenant-closing')
  assert.equal((await ada.post(`/tenant/${tenant.id}/activate`, {})).status, tenantStatus.active)
  await peter.post('/item', { title: 'Yes' })
})

test('quotas are enforced, and the refusal names the limit', async () => {
  await letOperate(ada.tenantId)
  const { tenant, RawKey, userId } = await ada.post('/tenant', {
    name: 'Small',
    email: 'small@example.com',
    startHere: false,
  })
  const sam = new Person(base, RawKey, userId, tenant.id)
  const limit = (quotas: object) => ada.must('PATCH', `/tenant/${tenant.id}`, { body: { quotas } })
  await limit({ users: 3, apiKeys: 2, storageBytes: 10, itemsPerMinute: 5 })

  const two = await Promise.all(
    ['a', 'b', 'c', 'd'].map(name => sam.ask('POST', '/user', { body: { name, email: `${name}@small.example` } })),
  )
  assert.deepEqual(two.map(each => each.status).sort(), [201, 201, 422, 422])
  const refused = two.find(each => each.status === 422)
  assert.deepEqual(
    [refused?.body.code, refused?.body.quota, refused?.body.limit, refused?.body.used],
    ['quota', 'users', 3, 3],
  )
  const idle = await sam.post('/user', { name: 'idle', active: false })
  assert.equal((await sam.ask('PATCH', `/user/${idle.id}`, { body: { active: true } })).body.code, 'quota')

  assert.equal((await sam.ask('POST', '/admin/api-key', { body: { name: 'two' } })).status, 200)
  assert.equal((await sam.ask('POST', '/admin/api-key', { body: { name: 'three' } })).body.quota, 'apiKeys')

  const upload = (bytes: string) =>
    sam.ask('POST', '/file', {
      body: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${bytes}\r\n--x--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
  const first = await upload('12345678')
  assert.equal(first.status, 201)
  assert.deepEqual([(await upload('123')).status, (await upload('12')).status], [422, 201])
  await sam.delete(`/file/${first.body.id}`)
  assert.equal((await sam.get('/tenant/usage')).storageBytes, 2)
  assert.equal((await upload('12345678')).status, 201)
  assert.equal((await sam.ask('POST', `/file/${first.body.id}/restore`, {})).body.quota, 'storageBytes')

  for (let i = 0; i < 5; i++) await sam.post('/item', { title: `Item ${i}` })
  const tooFast = await sam.ask('POST', '/item', { body: { title: 'One more' } })
  assert.deepEqual([tooFast.status, tooFast.body.quota, tooFast.body.used], [429, 'itemsPerMinute', 5])
  assert.ok(tooFast.headers.get('retry-after'))
  const usage = await sam.get('/tenant/usage')
  assert.deepEqual([usage.users, usage.items, usage.apiKeys, usage.storageBytes], [3, 5, 2, 10])
  assert.ok(usage.events > 5)
  await limit({})
  await sam.post('/item', { title: 'As many as wanted' })
})

test('a suspended tenant runs no background jobs; due ones run when it is active again', async () => {
  await letOperate(ada.tenantId)
  const { tenant, RawKey, userId } = await ada.post('/tenant', { name: 'Resting', email: 'rest@example.com' })
  const rita = new Person(base, RawKey, userId, tenant.id)
  const item = await rita.post('/item', { title: 'Every day' })
  const { upcoming } = await rita.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=DAILY', mode: 0 })
  const run = () =>
    repeatItems(home.database, () => new Date(Date.parse(upcoming[0]) + 1000)).run(AbortSignal.timeout(20_000))
  await ada.post(`/tenant/${tenant.id}/suspend`, {})
  await run()
  const resting = await rita.get(`/item/${item.id}/recurrence`)
  assert.deepEqual([resting.made, resting.lastError], [0, ''])
  await ada.post(`/tenant/${tenant.id}/activate`, {})
  await run()
  assert.equal((await rita.get(`/item/${item.id}/recurrence`)).made, 1)
})

test('the event streams of a closing tenant end on every node', async () => {
  await letOperate(ada.tenantId)
  const { tenant, RawKey, userId } = await ada.post('/tenant', { name: 'Brief', email: 'brief@example.com' })
  const boss = new Person(base, RawKey, userId, tenant.id)
  const mel = await home.person({ name: 'Mel' }, boss)
  const { base: elsewhere } = await serveOn(databaseUrl, home.dataDir)
  const far = new Person(elsewhere, mel.key, mel.id, tenant.id)
  const streams = [await Listener.to(mel, '/event/stream'), await Listener.to(far, '/event/stream')]
  await ada.delete(`/tenant/${tenant.id}`)
  await Promise.all(streams.map(stream => stream.until(() => stream.ended)))
  assert.equal((await far.ask('GET', '/user/me')).status, 401)
})
