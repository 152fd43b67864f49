import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { startTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { scopes } from '../../platform/setting.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, nobody, databaseUrl } = await startTestService()

test('an anonymous caller gets the name of the service, and how to sign in to a workspace', async () => {
  assert.deepEqual(await nobody.get('/meta'), { name: 'Gantry' })
  assert.equal((await nobody.ask('GET', '/meta/limits')).status, 401)
  const { slug } = await ada.get('/tenant')
  await ada.post('/admin/setting', { key: 'branding.color', value: '#336699' })
  const config = await nobody.get(`/config?tenant=${slug}`)
  assert.deepEqual(
    [config.baseUrl, config.branding.color, config.passwordPolicy.minLength],
    ['http://gantry.localhost', '#336699', 12],
  )
  assert.equal((await nobody.get('/config?tenant=nobody-here')).branding.color, '')
  assert.ok(!JSON.stringify(config).includes('version'))
})

test('an authenticated caller gets the version and the kinds that they may read', async () => {
  const { version, entities } = await ada.get('/meta')
  assert.match(version, /^\d+\.\d+\.\d+$/)
  for (const { entity } of entities) assert.equal((await ada.get(`/meta/entity/${entity}`)).entity, entity)
  assert.ok(!(await bob.get('/meta')).entities.some((each: { entity: string }) => each.entity === 'Hook'))
  assert.equal((await bob.ask('GET', '/meta/entity/Hook')).status, 404)
  assert.equal((await ada.ask('GET', '/meta/entity/Nothing')).status, 404)
})

test('the schemas of a kind contain the custom fields of the tenant, and of no other', async () => {
  const field = await ada.post('/field/select', { name: 'Size', options: [{ label: 'S' }] })
  const ofTime = await ada.post('/field', { name: 'Trip', usage: [2] })
  const [mine] = (await bob.get('/meta/entity/item')).fields
  assert.deepEqual([mine.id, mine.fieldType, mine.options[0].label], [field.id, 'select', 'S'])
  assert.deepEqual(
    (await bob.get('/meta/entity/Time')).fields.map((each: { id: string }) => each.id),
    [ofTime.id],
  )
  assert.deepEqual((await eve.get('/meta/entity/Item')).fields, [])
})

test('the code tables are those that the service uses', async () => {
  const codes = await bob.get('/meta/codes')
  const find = (field: string, code: number) =>
    codes.find((each: { field: string; code: number }) => each.field === field && each.code === code)?.name
  assert.deepEqual(
    [find('operator', 31), find('owner', 7), find('triggerEvent', 97), find('usage', 10), find('placement', 12)],
    ['search', 'process', 'hook.disabled', 'annotation', 'timesheet'],
  )
  const only = await bob.get('/meta/codes?field=limiter')
  assert.equal(only.at(-1).from, true)
})

test('every event kind in the code and in the log is listed', async () => {
  const known = new Set((await bob.get('/meta/events')).map((each: { name: string }) => each.name))
  const rows = await asOwner<{ kind: string }>(databaseUrl, undefined, 'select distinct kind from event', [])
  const written = globSync('server/src/**/*.ts')
    .filter(file => !/\.test\.ts$|\/test-/.test(file))
    .flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(/\bkind: '([a-zA-Z]+\.[a-zA-Z]+)'/g)].map(([, kind]) => kind ?? ''),
    )
  assert.deepEqual(
    [...rows.map(row => row.kind), ...written].filter(kind => !known.has(kind)),
    [],
  )
})

test('limits are those that are enforced', async () => {
  const limits = await bob.get('/meta/limits')
  assert.deepEqual([limits.bodyBytes, limits.pageSize], [2 * 1024 * 1024, 1000])
  assert.equal((await ada.ask('GET', `/item?limit=${limits.pageSize + 1}`)).status, 400)
  assert.ok((await bob.get('/meta/changelog')).length > 0)
})

test('a caller gets their permissions in the tenant and at places, and their settings', async () => {
  const desk = await ada.post('/container', { name: 'Desk' })
  await ada.post('/access-control', {
    userId: bob.id,
    owner: ownerKind.container,
    ownerId: desk.id,
    role: roleCode.manager,
  })
  await bob.post('/admin/setting', { key: 'watch.auto', value: false, scope: scopes.user })
  const mine = await bob.get('/config/me')
  assert.deepEqual(
    [mine.caller.id, mine.permissions['item.read'], mine.permissions['user.create']],
    [bob.id, true, false],
  )
  assert.deepEqual(mine.places['container.update'].containers, [desk.id])
  assert.equal(mine.settings['watch.auto'], false)
  const { catalogueHash } = mine
  await ada.post('/process', { name: 'Bug' })
  assert.notEqual((await bob.get('/config/me')).catalogueHash, catalogueHash)
})

test('a tenant can require paging, and a maximum lifetime of keys', async () => {
  const made = await ada.post('/admin/setting', { key: 'list.maxUnpaged', value: 1 })
  const { status, body } = await ada.ask('GET', '/link/type')
  assert.deepEqual([status, body.code], [422, 'too-many-records'])
  assert.equal((await ada.ask('GET', '/link/type?limit=2')).status, 200)
  await ada.delete(`/admin/setting/${made.id}`)
  assert.equal((await ada.ask('GET', '/link/type')).status, 200)
  await ada.post('/admin/setting', { key: 'apiKey.maxAgeDays', value: 30 })
  const createKey = (expiresAt: string | null) => ada.ask('POST', '/admin/api-key', { body: { name: 'k', expiresAt } })
  const endless = await createKey(null)
  assert.deepEqual(
    [endless.status, endless.body.code, endless.body.Fields[0].Field],
    [422, 'key-lifetime', 'expiresAt'],
  )
  assert.equal((await createKey(new Date(Date.now() + 40 * 86_400_000).toISOString())).status, 422)
  assert.equal((await createKey(new Date(Date.now() - 86_400_000).toISOString())).status, 400)
  assert.equal((await createKey(new Date(Date.now() + 20 * 86_400_000).toISOString())).status, 200)
})
