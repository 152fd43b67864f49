import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { everyone, type Role } from '../../src/kernel/access.ts'
import type { Operation, Routes } from '../../src/kernel/operation.ts'
import type { Schema } from '../../src/kernel/shape.ts'
import { type Body, Builder, furnish } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { kinds, namedByParameter, type Op, operations } from '../support/operations.ts'
import { type Answer, house, Person, serveRoutes } from '../support/people.ts'
import { digestOf } from '../support/walls.ts'

// Who may do what: every operation for every role, held against what the operation itself declares.

const home = await house()
const { ada, eve, base, databaseUrl, person } = home
const here = new Builder(ada, 'here')
const elsewhere = new Builder(ada, 'elsewhere')

interface Somebody {
  name: string
  person: Person
  /** What they hold in the whole tenant. */
  roles: readonly Role[]
  superAdmin?: boolean
  /** What they hold in one container only. */
  inContainer?: Role
  scopes?: readonly string[]
}

const people: Somebody[] = []
const narrow = ['clock:read', 'crm:write']

before(async () => {
  await furnish(here)
  await furnish(elsewhere)
  const { id: ownerId } = await here.one('Container')
  const grant = async (userId: string, role: number) => ada.post('/access-control', { userId, owner: 1, ownerId, role })
  const codes: [Role, number][] = [
    ['readOnly', 1],
    ['requester', 2],
    ['member', 3],
    ['manager', 5],
    ['admin', 6],
  ]
  people.push({ name: 'nobody in particular', person: await person({ name: 'Nil', role: 0 }), roles: [] })
  for (const [role, code] of codes)
    people.push({ name: role, person: await person({ name: role, role: code }), roles: [role] })
  people.push({ name: 'super admin', person: ada, roles: [], superAdmin: true })
  for (const [role, code] of [
    ['member', 3],
    ['manager', 5],
  ] as const) {
    const one = await person({ name: `${role} here`, role: 0 })
    await grant(one.id, code)
    people.push({ name: `${role} of one container`, person: one, roles: [], inContainer: role })
  }
  const { RawKey } = await ada.post('/admin/api-key', { name: 'narrow', scopes: narrow })
  const key = new Person(base, RawKey, ada.id, ada.tenantId)
  people.push({ name: `key for ${narrow.join(' ')}`, person: key, roles: [], superAdmin: true, scopes: narrow })
})

/** What the declaration says, worked out from its words alone. */
function allowed({ operation: { permission, placed } }: Op, who: Somebody): boolean {
  const [area = '', verb = ''] = permission.name.split('.')
  if (who.scopes)
    return who.scopes.includes(`${area}:write`) || (verb === 'read' && who.scopes.includes(`${area}:read`))
  if (who.superAdmin) return true
  if (placed && who.inContainer && permission.roles.includes(who.inContainer)) return true
  return who.roles.some(role => permission.roles.includes(role))
}

/** Queries without which an operation has nothing to answer. */
const queries: Record<string, string> = { 'GET /admin/setting/effective': 'key=desk.greeting' }

/** The smallest request that the operation takes, about something plain, or about something that lies in a container. */
async function ask(op: Op, builder: Builder, who: Person, { placed = false, rehearse = false } = {}): Promise<Answer> {
  const kind = builder.kindAt(op) ?? kinds.find(one => one.updateByBody === op)
  const record = async () => {
    if (placed && kind?.entity === 'Container') return (await builder.one('Container')).id // the rest lies in this one
    if (kind) return (placed ? await builder.rich(kind.entity, kind.base) : await builder.spare(kind)).id
    return (await builder.one(op.entity ?? '')).id
  }
  const params = await builder.params(op)
  if (placed && params.fileId) params.fileId = (await builder.rich('File')).id
  if (kind && op.params.includes(kind.idName)) params[kind.idName] = await record()
  let body: Body = op.method === 'POST' ? await builder.bodyOf(op, { all: false }) : {}
  if (placed && op.method === 'POST') body = await inContainer(op, builder, body)
  if (op === kind?.updateByBody) body = { id: await record() }
  const query = [queries[op.route] ?? '', rehearse && op.operation.mode !== 'read' ? 'dryRun=true' : ''].filter(Boolean)
  const path = query.length > 0 ? `${op.path}?${query.join('&')}` : op.path
  return await builder.send(
    { ...op, path },
    params,
    op.operation.body || op.operation.form ? body : undefined,
    { 'if-match': '*' },
    who,
  )
}

/** A body that says where the new record lies. */
async function inContainer({ operation }: Op, builder: Builder, body: Body): Promise<Body> {
  const { items, properties = items?.properties ?? {} } = operation.body?.schema ?? operation.form?.schema ?? {}
  const { id } = await builder.one('Container')
  const place =
    'containerId' in properties ? { containerId: id } : 'owner' in properties ? { owner: 1, ownerId: id } : {}
  return items ? [{ ...body[0], ...place }] : { ...body, ...place }
}

/** Where the record decides and not the role, and why. */
const byRecord: Record<string, string> = {
  'POST /user/:id/password': 'everybody sets their own, a super admin anybody’s',
  'POST /admin/setting': 'everybody makes their own settings, admins those of others',
  'POST /container': 'a container lies in no other, so a role in one makes none',
  'POST /insight/report/user-timesheet': 'everybody sees their own sheet, managers those of others',
}

/** Kinds of which people see their own only. */
const ownOnly: Record<string, readonly Role[]> = {
  ApiKey: ['readOnly', 'requester', 'member', 'manager', 'admin'],
  AppSetting: ['readOnly', 'requester', 'member', 'manager'],
  Time: ['readOnly', 'requester', 'member'],
  Item: ['requester'],
  File: ['requester'],
}

/** Tries each operation as each of them, and tells whoever gets further, or less far, than declared. */
async function matrix(found: Findings, ops: readonly Op[], at?: string): Promise<Set<string>> {
  const reported = new Set<string>()
  await each(ops, async op => {
    for (const who of people.filter(one => !one.inContainer)) {
      found.checked++
      const caller = at ? new Person(at, who.person.key, who.person.id, who.person.tenantId) : who.person
      const may = allowed(op, who)
      const { status, body } = await ask(op, here, caller, { rehearse: may })
      const edge = status === 403 && body?.detail === `this needs the permission ${op.operation.permission.name}`
      const entity = namedByParameter(op, op.params.at(-1) ?? '') ?? op.entity ?? ''
      const unseen = status === 404 && who.roles.some(role => ownOnly[entity]?.includes(role))
      if (may ? status < 300 || unseen || (status === 403 && !edge && op.route in byRecord) : edge) continue
      reported.add(op.route)
      found.expect(
        false,
        `${op.route}: ${who.name} ${may ? 'may' : 'may not'}, and gets ${status} ${body?.detail ?? ''}`,
      )
    }
  })
  return reported
}

test('every operation lets in whom it says, and nobody else', async t => {
  const found = new Findings()
  for (const kind of kinds) await here.spare(kind)
  const stored = await digestOf(databaseUrl, ada.tenantId)
  await matrix(found, operations)
  for (const [table, digest] of Object.entries(await digestOf(databaseUrl, ada.tenantId)))
    if (table !== 'container_number')
      found.same(digest, stored[table], `what is stored in ${table} after nothing but refusals and rehearsals`)
  t.diagnostic(`${operations.length} operations × ${people.length} people`)
  found.finish(60)
})

test('a role in one container reaches what lies in it, and nothing else', async () => {
  const found = new Findings()
  const stored = await digestOf(databaseUrl, ada.tenantId)
  const local = people.filter(one => one.inContainer)
  await each(operations, async op => {
    for (const who of local) {
      const tell = (where: string, { status, body }: Answer) =>
        found.expect(false, `${op.route}: ${who.name}, ${where}, gets ${status} ${body?.detail ?? ''}`)
      found.checked++
      const may = allowed(op, who)
      const inside = await ask(op, here, who.person, { placed: true, rehearse: may })
      const edge =
        inside.status === 403 && inside.body?.detail === `this needs the permission ${op.operation.permission.name}`
      const own = inside.status === 403 && op.route in byRecord
      if (may ? inside.status >= 300 && !own : !edge) tell('inside', inside)
      if (!may) continue
      const outside = await ask(op, elsewhere, who.person, { placed: true })
      if (!kept(op, outside)) tell('outside', outside)
    }
  })
  for (const [table, digest] of Object.entries(await digestOf(databaseUrl, ada.tenantId)))
    if (table !== 'container_number') found.same(digest, stored[table], `what is stored in ${table}`)
  found.finish(40)
})

/** Whether nothing of elsewhere was reached: refused as a whole, row by row, or simply not in the list. */
function kept({ method, params }: Op, { status, body }: Answer): boolean {
  if (method === 'GET' && params.length === 0) return !JSON.stringify(body).includes(elsewhere.canary)
  if (Array.isArray(body)) return body.every(row => row.outcome === 'failed')
  return [403, 404, 422].includes(status)
}

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

/** Something of the type that the property is surely not set to by the service. */
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

test('what only the service sets is set by nobody else', async t => {
  const found = new Findings()
  let properties = 0
  await each(kinds, async kind => {
    const { serverSet, shape } = kind.resource
    const own = Object.fromEntries(
      serverSet.map(property => [property, alienOf((Reflect.get(shape, property) ?? {}) as Schema)]),
    )
    const wish = { ...alien, tenantId: eve.tenantId, createdBy: eve.id, updatedBy: eve.id, ...own }
    const spare = await here.spare(kind)
    for (const who of people.filter(one => !one.inContainer && !one.scopes)) {
      for (const op of [kind.create, kind.update]) {
        if (!op?.operation.body || !allowed(op, who)) continue
        const isNew = op.method === 'POST'
        const params = { ...(await here.params(op)), ...(isNew ? {} : { [kind.idName]: spare.id }) }
        const body = {
          ...(isNew ? await here.bodyOf(op, { all: false }) : {}),
          ...wish,
          ...(isNew ? { id: eve.id } : {}),
        }
        const { status, body: answer } = await here.send(
          { ...op, path: `${op.path}?dryRun=true` },
          params,
          body,
          {},
          who.person,
        )
        if (status >= 400) continue // refused as a whole
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
        found.expect(shown.id !== eve.id && shown.created !== alien.created, `${op.route} takes an id or a date`)
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

test('nobody raises themselves', async () => {
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
        ? ([
            [
              'POST',
              '/access-control',
              { userId: who.id, owner: 1, ownerId: (await elsewhere.one('Container')).id, role: 3 },
            ],
          ] as const)
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

test('who is out is out at once', async () => {
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

test('tooth: whichever check is taken away, it is missed', async t => {
  const guarded = operations.filter(
    ({ operation: { permission, placed } }) => !placed && permission.roles.length < everyone.length - 1,
  )
  // Every so manyth of them, twenty in all.
  const chosen = Array.from({ length: 20 }, (_, i) => guarded[Math.floor((i * guarded.length) / 20)]).filter(
    op => op !== undefined,
  )
  const open = ({ operation }: Op): Operation => ({
    ...operation,
    permission: { ...operation.permission, roles: everyone },
  })
  const tampered: Routes = Object.fromEntries(chosen.map(op => [op.route, open(op)]))
  const reported = await matrix(new Findings(), chosen, await serveRoutes(home, tampered))
  t.diagnostic(`${reported.size} of ${chosen.length} found: ${chosen.map(op => op.route).join(', ')}`)
  assert.deepEqual(
    chosen.filter(op => !reported.has(op.route)),
    [],
  )
})
