import { before, test } from 'node:test'
import type { Schema } from '../../src/kernel/schema/shape.ts'
import { Builder } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import { allowed, roster, type Somebody } from '../support/isolation/roster.ts'
import { digestOf } from '../support/isolation/tenant-isolation.ts'
import { kinds } from '../support/operations.ts'
import { type Person, sharedTestService } from '../support/people.ts'

// Nobody can set properties that belong to the service, grant themselves rights, or keep access after it was revoked.

const home = await sharedTestService()
const { ada, eve, databaseUrl, person } = home
const here = new Builder(ada, 'here')
const elsewhere = await ada.post('/container', { name: 'Elsewhere' })
let people: Somebody[] = []

before(async () => {
  people = await roster(home, here)
})

const alien = {
  entity: 'Alien',
  tenantId: '',
  created: '2001-01-01T00:00:00.000Z',
  createdBy: '',
  updated: '2001-01-01T00:00:00.000Z',
  updatedBy: '',
  deleted: true,
  version: 4711,
}

/** A value of the property's type that the service would not set itself. */
function alienOf({ type, format }: Schema): unknown {
  if (format === 'date-time') return alien.created
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return 4711
    case 'boolean':
      return true
    case 'array':
      return []
    default:
      return 'alien'
  }
}

test('nobody can set a property that only the service sets', async t => {
  const found = new Findings()
  let properties = 0
  await each([...kinds.entries()], async ([number, kind]) => {
    const { serverSet, shape } = kind.resource
    const own = Object.fromEntries(serverSet.map(property => [property, alienOf(Reflect.get(shape, property) ?? {})]))
    const values = { ...alien, tenantId: eve.tenantId, createdBy: eve.id, updatedBy: eve.id, ...own }
    const spare = await here.spare(kind)
    const ofTenant = people.filter(one => !one.inContainer && !one.scopes)
    // In the short form every second person, by turns the one half or the other.
    for (const who of isLong ? ofTenant : ofTenant.filter((_, i) => i % 2 === number % 2)) {
      for (const op of [kind.create, kind.update]) {
        if (!op?.operation.body || !allowed(op, who)) continue
        const isNew = op.method === 'POST'
        const params = { ...(await here.params(op)), ...(isNew ? {} : { [kind.idName]: spare.id }) }
        const body = {
          ...(isNew ? await here.bodyOf(op, { all: false }) : {}),
          ...values,
          ...(isNew ? { id: eve.id } : {}),
        }
        const { status, body: answer } = await here.send(
          { ...op, path: `${op.path}?dryRun=true` },
          params,
          body,
          {},
          who.person,
        )
        if (status >= 400) {
          // The caller may not change this record; every other refusal would hide the result of this test.
          found.expect(
            status === 403 || status === 404,
            `${op.route} by ${who.name} answered ${status} ${answer.detail}`,
          )
          continue
        }
        const shown = answer.would
        const wanted = isNew
          ? {
              entity: kind.entity,
              tenantId: ada.tenantId,
              createdBy: who.person.id,
              updatedBy: who.person.id,
              deleted: false,
              version: 1,
            }
          : {
              entity: kind.entity,
              tenantId: ada.tenantId,
              createdBy: spare.createdBy,
              updatedBy: spare.updatedBy,
              created: spare.created,
              updated: spare.updated,
              id: spare.id,
              deleted: false,
              version: spare.version,
            }
        for (const [property, value] of Object.entries(wanted))
          found.same(shown[property], value, `${op.route} ${property} by ${who.name}`)
        // Clients make the ids of some new records; those of another tenant mean nothing in this one.
        const takesId = isNew && 'id' in (op.operation.body?.schema.properties ?? {})
        found.expect(
          (takesId || shown.id !== eve.id) && shown.created !== alien.created,
          `${op.route} takes an id or a date`,
        )
        for (const [property, value] of Object.entries(own))
          if (JSON.stringify(value) !== '[]')
            found.expect(
              JSON.stringify(shown[property]) !== JSON.stringify(value),
              `${op.route} ${property} by ${who.name} is taken`,
            )
        properties += Object.keys(wanted).length + serverSet.length
      }
    }
  })
  t.diagnostic(`${properties} properties tried`)
  found.finish()
})

test('nobody can raise their own rights', async () => {
  const found = new Findings()
  const adminsOnly = await ada.post('/user-group', { name: 'Admins', members: [] })
  await ada.post('/access-control', { userGroupId: adminsOnly.id, role: 6 })
  for (const { name, person: who, inContainer } of people.filter(one => !one.superAdmin)) {
    const before = await digestOf(databaseUrl, ada.tenantId)
    const higher = name === 'admin' ? {} : { role: 6 }
    for (const [method, path, body] of [
      ['PUT', `/user/${who.id}`, { superAdmin: true }],
      ['PATCH', `/user/${ada.id}`, { active: false }],
      ['DELETE', `/user/${ada.id}`, undefined],
      ['POST', '/user', { name: 'Puppet', superAdmin: true }],
      ['POST', `/user/${ada.id}/password`, { password: 'a long new password' }],
      ...(name === 'admin'
        ? []
        : ([
            ['PUT', `/user/${who.id}`, higher],
            ['POST', '/access-control', { userId: who.id, owner: 0, ...higher }],
            ['PUT', `/user-group/${adminsOnly.id}`, { members: [who.id] }],
          ] as const)),
      ...(inContainer
        ? ([['POST', '/access-control', { userId: who.id, owner: 1, ownerId: elsewhere.id, role: 3 }]] as const)
        : []),
    ] as const) {
      const { status } = await who.ask(method, path, body === undefined ? {} : { body })
      found.expect(
        [403, 404, 422].includes(status),
        `${name}: ${method} ${path} ${JSON.stringify(body)} answered ${status}`,
      )
    }
    found.same(await digestOf(databaseUrl, ada.tenantId), before, `what ${name} left behind`)
  }
  found.finish()
})

test('revoked access ends at once', async () => {
  const found = new Findings()
  const newcomer = async (role = 3) => {
    const one = await person({ name: 'Newcomer', role })
    found.same((await one.ask('GET', '/user/me')).status, 200, 'a newcomer')
    return one
  }
  const refused = async (one: Person, what: string) => found.same((await one.ask('GET', '/user/me')).status, 401, what)
  for (const [what, values] of [
    ['deactivated', { active: false }],
    ['locked', { locked: '2999-01-01T00:00:00Z' }],
  ] as const) {
    const one = await newcomer()
    await ada.put(`/user/${one.id}`, values)
    await refused(one, what)
  }
  const deleted = await newcomer()
  await ada.delete(`/user/${deleted.id}`)
  await refused(deleted, 'deleted')
  const keyless = await newcomer()
  const [key] = await keyless.get('/admin/api-key')
  await ada.delete(`/admin/api-key/${key.id}`)
  await refused(keyless, 'without a key')
  const fenced = await newcomer()
  const [fence] = await fenced.get('/admin/api-key')
  await ada.put(`/admin/api-key/${fence.id}`, { allowedIps: ['192.0.2.1'] })
  await refused(fenced, 'from another address')
  const narrowed = await newcomer()
  const [scope] = await narrowed.get('/admin/api-key')
  await ada.put(`/admin/api-key/${scope.id}`, { scopes: ['clock:read'] })
  found.same((await narrowed.ask('GET', '/user/me')).status, 403, 'a key that was narrowed')

  const demoted = await newcomer(6)
  found.same((await demoted.ask('POST', '/clock', { body: { name: 'Mine' } })).status, 201, 'an admin')
  await ada.put(`/user/${demoted.id}`, { role: 3 })
  found.same((await demoted.ask('POST', '/clock', { body: { name: 'Mine' } })).status, 403, 'demoted')

  const vault = await ada.post('/container', { name: 'Vault', private: true })
  const item = await ada.post('/item', { title: 'Gold', containerId: vault.id })
  const guest = await newcomer()
  const sees = async () => (await guest.ask('GET', `/item/${item.id}`)).status
  const grant = await ada.post('/access-control', { userId: guest.id, owner: 1, ownerId: vault.id, role: 3 })
  found.same(await sees(), 200, 'with a grant')
  await ada.delete(`/access-control/${grant.id}`)
  found.same(await sees(), 404, 'without the grant')
  const group = await ada.post('/user-group', { name: 'Guests', members: [guest.id] })
  await ada.post('/access-control', { userGroupId: group.id, owner: 1, ownerId: vault.id, role: 3 })
  found.same(await sees(), 200, 'in a group with a grant')
  await ada.put(`/user-group/${group.id}`, { members: [] })
  found.same(await sees(), 404, 'out of the group')
  found.finish()
})
