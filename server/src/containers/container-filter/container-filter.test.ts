import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { forgetFields } from './container-filter.ts'

const { ada, bob, eve, database, happened, person } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })
const shop = await ada.post('/container', { name: 'Shop' })
const vault = await ada.post('/container', { name: 'Vault', private: true })
const path = `/container/${desk.id}/filter`

const open = { leftSide: 'status', rightSide: 'open', operator: operator.equals }

describe('a container filter', () => {
  test('is changed by a merge: absent properties stay', async () => {
    const made = await bob.post(path, { name: 'Open' })
    assert.equal(made.entity, 'ContainerFilter')
    assert.equal(made.containerId, desk.id)
    assert.equal(made.active, true)
    assert.deepEqual(made.criteria, {
      container: [],
      conditionGroup: [],
      includeClosed: false,
      sortField: '',
      sortDescending: false,
    })
    const criteria = {
      container: [shop.id.toUpperCase()],
      conditionGroup: [{ condition: [open, { ...open, id: 'c1' }] }],
      includeClosed: true,
      sortField: 'dueDate',
      sortDescending: true,
    }
    const body = { ...made, containerId: desk.id.toUpperCase(), name: 'All', active: false, criteria }
    const changed = await bob.put(`${path}/${made.id}`, body)
    assert.equal(changed.name, 'All')
    assert.equal(changed.active, false)
    assert.deepEqual(changed.criteria.container, [shop.id])
    assert.deepEqual(changed.criteria.conditionGroup, [
      {
        condition: [
          { ...open, id: 'c2' },
          { ...open, id: 'c1' },
        ],
      },
    ])
    const less = await bob.put(path, { id: made.id, criteria: { sortDescending: false } })
    assert.deepEqual(less.criteria, { ...changed.criteria, sortDescending: false })
    assert.equal((await bob.put(`${path}/${made.id}`, { criteria: { sortDescending: false } })).version, less.version)
    assert.deepEqual((await bob.put(`${path}/${made.id}`, { criteria: null })).criteria, made.criteria)
    assert.deepEqual(await happened(4), [
      'containerFilter.created',
      'containerFilter.updated',
      'containerFilter.updated',
      'containerFilter.updated',
    ])
  })

  test('is found in its own container only', async () => {
    const { id } = await bob.post(path, { name: 'Mine' })
    const elsewhere = `/container/${shop.id}/filter`
    for (const [method, at] of [
      ['GET', `${elsewhere}/${id}`],
      ['DELETE', `${elsewhere}/${id}`],
      ['GET', `${elsewhere}/${id}/history`],
      ['POST', `${elsewhere}/${id}/restore`],
      ['GET', `/container/${newId()}/filter/${id}`],
      ['GET', `/container/nowhere/filter/${id}`],
      ['GET', `${path}/${newId()}`],
      ['GET', `${path}/none`],
    ] as const) {
      assert.equal((await ada.ask(method, at)).status, 404, `${method} ${at}`)
    }
    for (const [method, at] of [
      ['PUT', `${elsewhere}/${id}`],
      ['PATCH', `${elsewhere}/${id}`],
      ['PUT', elsewhere],
    ] as const) {
      assert.equal((await ada.ask(method, at, { body: { id, name: 'Taken' } })).status, 404, `${method} ${at}`)
    }
    assert.equal((await ada.get(`${path}/${id}`)).name, 'Mine')
    const listed = async (at: string) => (await ada.get(at)).some((each: { id: string }) => each.id === id)
    assert.equal(await listed(path), true)
    assert.equal(await listed(elsewhere), false)
    await ada.delete(`${path}/${id}`)
    assert.equal((await ada.ask('GET', `${path}/${id}`)).status, 404)
    assert.equal((await ada.must('POST', `${path}/${id}/restore`)).id, id)
    assert.equal((await ada.get(`${path}/${id}/history`)).length, 3)
  })

  test('does not exist for another tenant, whichever container the path names', async () => {
    const { id } = await bob.post(path, { name: 'Ours' })
    const theirs = await eve.post('/container', { name: 'Theirs' })
    for (const container of [desk.id, theirs.id]) {
      const at = `/container/${container}/filter/${id}`
      assert.equal((await eve.ask('GET', at)).status, 404)
      assert.equal((await eve.ask('PUT', at, { body: { name: 'Stolen' } })).status, 404)
    }
    const { status, body } = await eve.ask('POST', `/container/${theirs.id}/filter`, {
      body: { name: 'Spy', criteria: { container: [desk.id] } },
    })
    assert.equal(status, 422)
    assert.equal(body.Fields[0].Pointer, '/criteria/container/0')
  })

  test('cannot be moved to another container', async () => {
    const { id } = await bob.post(path, { name: 'Rooted' })
    for (const [method, at] of [
      ['PUT', `${path}/${id}`],
      ['POST', path],
    ] as const) {
      const { status, body } = await bob.ask(method, at, { body: { name: 'Moved', containerId: shop.id } })
      assert.equal(status, 400)
      assert.equal(body.Fields[0].Code, 'mismatch')
    }
  })

  test('can only name containers that its creator sees', async () => {
    const { status, body } = await bob.ask('POST', path, {
      body: { name: 'Curious', criteria: { container: [shop.id, vault.id] } },
    })
    assert.equal(status, 422)
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/criteria/container/1'],
    )
    assert.equal((await bob.ask('GET', `/container/${vault.id}/filter`)).status, 404)
    const shared = await ada.post(path, { name: 'Both', criteria: { container: [vault.id] } })
    assert.equal((await bob.put(`${path}/${shared.id}`, { name: 'Still both' })).criteria.container[0], vault.id)
  })

  test('is read by staff and created by members, of the container or of the tenant', async () => {
    const reader = await person({ name: 'Rita', role: roleCode.readOnly })
    const guest = await person({ name: 'Greg', role: roleCode.requester })
    const nobody = await person({ name: 'Nora', role: 0 })
    await ada.post('/access-control', {
      userId: nobody.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.member,
    })
    await ada.post('/access-control', {
      userId: guest.id,
      owner: ownerKind.container,
      ownerId: shop.id,
      role: roleCode.member,
    })
    assert.equal((await reader.ask('GET', path)).status, 200)
    assert.equal((await reader.ask('POST', path, { body: { name: 'No' } })).status, 403)
    assert.equal((await guest.ask('GET', path)).status, 403)
    assert.equal((await guest.ask('POST', path, { body: { name: 'No' } })).status, 403)
    assert.equal((await guest.ask('POST', `/container/${shop.id}/filter`, { body: { name: 'Yes' } })).status, 201)
    assert.equal((await nobody.ask('POST', path, { body: { name: 'Yes' } })).status, 201)
    assert.equal((await nobody.ask('GET', `/container/${shop.id}/filter`)).status, 404)
  })

  test('has at most fifty conditions, and findings for those without effect', async () => {
    const many = (count: number) => ({
      name: 'Many',
      criteria: {
        conditionGroup: [
          { condition: Array(Math.min(count, 30)).fill(open) },
          { condition: Array(Math.max(0, count - 30)).fill(open) },
        ],
      },
    })
    assert.equal((await bob.ask('POST', path, { body: many(50) })).status, 201)
    const { status, body } = await bob.ask('POST', path, { body: many(51) })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Pointer, '/criteria/conditionGroup')
    const odd = await bob.post(path, {
      name: 'Odd',
      layout: 99,
      criteria: { conditionGroup: [{ condition: [{ ...open, operator: 4711 }] }] },
    })
    assert.equal(odd.criteria.conditionGroup[0].condition[0].operator, 4711)
    const findings = odd.check.map((each: { path: string; code: string }) => `${each.path} ${each.code}`)
    assert.ok(findings.includes('/criteria/conditionGroup/0/condition/0/operator unknown-operator'), String(findings))
    assert.ok(findings.includes('/layout unknown-code'), String(findings))
  })
})

test('fields that a container no longer shows are removed from its filters, with one event for each filter', async () => {
  const field = await ada.post('/field', { name: 'Severity' })
  const other = await ada.post('/field', { name: 'Colour' })
  const touched = await ada.post(path, {
    name: 'One',
    columns: ['title', `field.${field.id}`, 'severity', other.id],
    groupBy: field.id,
    criteria: { sortField: 'field.severity', sortDescending: true },
  })
  const untouched = await ada.post(path, {
    name: 'Two',
    columns: [other.id],
    groupBy: 'status',
    criteria: { sortField: 'title' },
  })
  const elsewhere = await ada.post(`/container/${shop.id}/filter`, { name: 'Three', columns: [field.id] })
  const caller = tenantCaller(ada.tenantId, ada.id)
  await database.transaction(caller, ctx => forgetFields(ctx, new Map([[desk.id, [field.id, field.key]]])))
  const after = await ada.get(`${path}/${touched.id}`)
  assert.deepEqual(
    [after.columns, after.groupBy, after.criteria.sortField, after.criteria.sortDescending],
    [['title', other.id], '', '', false],
  )
  assert.equal((await ada.get(`${path}/${untouched.id}`)).version, 1)
  assert.equal((await ada.get(`/container/${shop.id}/filter/${elsewhere.id}`)).version, 1)
  assert.deepEqual(await happened(2), ['containerFilter.created', 'containerFilter.updated'])
})

describe('a personal filter', async () => {
  const carl = await person({ name: 'Carl' })
  const dora = await person({ name: 'Dora' })
  const group = await ada.post('/user-group', { name: 'Sharers', members: [dora.id] })
  const mine = await bob.post(path, { name: 'Mine', ownerUserId: bob.id, shared: [group.id.toUpperCase()] })
  const sees = async (who: typeof bob) => (await who.ask('GET', `${path}/${mine.id}`)).status

  test('is visible to its owner, to those it is shared with and to admins', async () => {
    assert.deepEqual(mine.shared, [group.id])
    assert.deepEqual([await sees(bob), await sees(dora), await sees(ada), await sees(carl)], [200, 200, 200, 404])
    assert.ok(!(await carl.get(path)).some((each: { id: string }) => each.id === mine.id))
    assert.equal((await carl.ask('GET', `${path}/${mine.id}/items`)).status, 404)
    assert.equal((await dora.ask('GET', `${path}/${mine.id}/items`)).status, 200)
    await bob.put(`${path}/${mine.id}`, { shared: [carl.id] })
    assert.deepEqual([await sees(carl), await sees(dora)], [200, 404])
  })

  test('is changed by its owner only', async () => {
    assert.equal((await carl.ask('PUT', `${path}/${mine.id}`, { body: { name: 'Theirs' } })).status, 403)
    assert.equal((await carl.ask('DELETE', `${path}/${mine.id}`)).status, 403)
    await bob.put(`${path}/${mine.id}`, { name: 'Still mine' })
  })

  test('cannot be created for, or taken over by, another user', async () => {
    assert.equal((await carl.ask('POST', path, { body: { name: 'x', ownerUserId: bob.id } })).status, 403)
    const common = await bob.post(path, { name: 'Common' })
    assert.equal((await carl.ask('PUT', `${path}/${common.id}`, { body: { ownerUserId: carl.id } })).status, 403)
    assert.equal((await bob.put(`${path}/${common.id}`, { ownerUserId: bob.id })).ownerUserId, bob.id)
  })

  test('is shared with users and groups of the tenant only', async () => {
    const { status, body } = await bob.ask('PUT', `${path}/${mine.id}`, { body: { shared: [carl.id, eve.id, 'x'] } })
    assert.equal(status, 422)
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/shared/1', '/shared/2'],
    )
  })
})
