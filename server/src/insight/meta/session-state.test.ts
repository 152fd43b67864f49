import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { scopes } from '../../platform/setting.ts'

const { ada, bob, eve, person } = await sharedTestService()
const preferences = (value: object) => ({ key: 'ui.preferences', scope: scopes.user, value })

test('one call says who the caller is, where, and what they may do', async () => {
  const state = await bob.get('/session')
  assert.deepEqual([state.user.id, state.user.name, state.user.superAdmin], [bob.id, 'Bob', false])
  assert.deepEqual(
    [state.tenant.name, state.tenant.status, state.tenant.weekStart],
    ['Acme', 0, (await bob.get('/tenant')).weekStart],
  )
  assert.ok(
    (state.permissions.includes('item.read') || state.permissions.includes('item.*')) &&
      !state.permissions.includes('user.create'),
  )
  assert.deepEqual([state.unread, state.timer, state.starred, state.preferences], [0, null, [], {}])
  assert.ok(Math.abs(Date.parse(state.now) - Date.now()) < 3_600_000)
  assert.equal(state.catalogueHash, (await bob.get('/config/me')).catalogueHash)
})

test('permissions are those of the configuration, and a star stands for a whole area', async () => {
  const zoe = await person({ name: 'Zoe', role: roleCode.requester })
  for (const who of [ada, bob, zoe]) {
    const { permissions }: { permissions: string[] } = await who.get('/session')
    const all: Record<string, boolean> = (await who.get('/config/me')).permissions
    for (const [name, held] of Object.entries(all)) {
      const area = `${name.split('.')[0]}.*`
      assert.equal(permissions.includes(name) || permissions.includes(area), held, name)
    }
  }
})

test('the preferences of a user are kept and checked', async () => {
  const made = await bob.post('/admin/setting', preferences({ theme: 'dark', panes: [1, 2] }))
  assert.deepEqual((await bob.get('/session')).preferences, { theme: 'dark', panes: [1, 2] })
  assert.deepEqual((await ada.get('/session')).preferences, {})
  for (const value of [
    5,
    'x',
    [],
    { starred: 'x' },
    { starred: [{ entity: 'User', id: bob.id }] },
    { starred: [{ id: bob.id }] },
  ])
    assert.equal(
      (await bob.ask('PUT', `/admin/setting/${made.id}`, { body: { value } })).status,
      400,
      JSON.stringify(value),
    )
  const large = { text: 'x'.repeat(65_600) }
  assert.equal((await bob.ask('PUT', `/admin/setting/${made.id}`, { body: { value: large } })).status, 400)
  const ofTenant = { key: 'ui.preferences', scope: scopes.tenant, value: {} }
  assert.equal((await ada.ask('POST', '/admin/setting', { body: ofTenant })).status, 400)
  await bob.delete(`/admin/setting/${made.id}`)
})

test('starred containers come first, and what the caller no longer sees is left out', async () => {
  const open = await ada.post('/container', { name: 'Zebra' })
  const closed = await ada.post('/container', { name: 'Secret', private: true })
  const foreign = await eve.post('/container', { name: 'Foreign' })
  const filter = await ada.post(`/container/${open.id}/filter`, { name: 'Mine' })
  const board = await ada.post('/board', { name: 'Wall', containerIds: [open.id] })
  const stars = [
    { entity: 'Board', id: board.id },
    { entity: 'Container', id: closed.id },
    { entity: 'Container', id: open.id.toUpperCase() },
    { entity: 'ContainerFilter', id: filter.id },
    { entity: 'Container', id: foreign.id },
    { entity: 'Board', id: open.id },
    { entity: 'Container', id: 'nonsense' },
  ]
  const dan = await person({ name: 'Dan' })
  await dan.post('/admin/setting', preferences({ starred: stars }))
  const state = await dan.get('/session')
  assert.deepEqual(
    state.starred.map((each: { name: string; containerId: string }) => [each.name, each.containerId]),
    ['Wall', 'Zebra', 'Mine'].map(each => [each, open.id]),
  )
  assert.equal(state.containers[0].id, open.id)
  assert.ok(!JSON.stringify(state.containers).includes('Secret') && !JSON.stringify(state.starred).includes('Secret'))
  await ada.put(`/container/${open.id}`, { archived: true })
  assert.ok(!(await dan.get('/session')).containers.some((each: { id: string }) => each.id === open.id))
})

test('a requester sees the own world only', async () => {
  const zoe = await person({ name: 'Zoe', role: roleCode.requester })
  const state = await zoe.get('/session')
  assert.ok(!state.permissions.includes('user.create') && !state.permissions.includes('container.create'))
  const ids = (records: { id: string }[]) => records.map(each => each.id).sort()
  assert.deepEqual(ids(state.containers), ids(await zoe.get('/container')))
})

test('the answer stays small, however many containers there are', async () => {
  for (let i = 0; i < 35; i++) await ada.post('/container', { name: `Container ${i}` })
  const state = await ada.get('/session')
  assert.deepEqual([state.containers.length, state.moreContainers], [30, true])
  const size = JSON.stringify(state).length
  assert.ok(
    size <= 8192,
    `${size} bytes: ${Object.entries(state).map(([key, value]) => `${key} ${JSON.stringify(value).length}`)}`,
  )
})
