import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { noRole, roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, person, databaseUrl } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })
const shop = await ada.post('/container', { name: 'Shop' })
const inDesk = { owner: ownerKind.container, ownerId: desk.id }

describe('a grant', () => {
  test('names exactly one user or group', async () => {
    const group = await ada.post('/user-group', { name: 'Team' })
    for (const who of [{}, { userId: bob.id, userGroupId: group.id }, { userId: null, userGroupId: '' }]) {
      const { status, body } = await ada.ask('POST', '/access-control', { body: { ...who, role: roleCode.member } })
      assert.equal(status, 400)
      assert.deepEqual(
        body.Fields.map((each: { Field: string }) => each.Field),
        ['userId', 'userGroupId'],
      )
    }
    const grant = await ada.post('/access-control', { userId: bob.id, role: roleCode.member })
    assert.equal((await ada.ask('PUT', `/access-control/${grant.id}`, { body: { userGroupId: group.id } })).status, 400)
    assert.equal((await ada.put(`/access-control/${grant.id}`, { userGroupId: group.id, userId: null })).userId, '')
  })

  test('names users and places that exist', async () => {
    for (const input of [
      { userId: eve.id },
      { userId: newId() },
      { userGroupId: newId() },
      { userId: bob.id, owner: ownerKind.container, ownerId: newId() },
      { userId: bob.id, owner: ownerKind.container },
      { userId: bob.id, owner: ownerKind.area, ownerId: desk.id },
      { userId: bob.id, owner: ownerKind.tenant, ownerId: desk.id },
    ]) {
      assert.equal(
        (await ada.ask('POST', '/access-control', { body: { role: roleCode.member, ...input } })).status,
        422,
        JSON.stringify(input),
      )
    }
    assert.equal(
      (
        await ada.ask('POST', '/access-control', {
          body: { userId: bob.id, role: roleCode.member, ownerId: ada.tenantId },
        })
      ).status,
      201,
    )
    assert.equal(
      (await eve.ask('POST', '/access-control', { body: { userId: eve.id, role: roleCode.manager, ...inDesk } }))
        .status,
      422,
    )
  })

  test('takes effect with the next request, and ends with its deletion', async () => {
    const carl = await person({ name: 'Carl', role: noRole })
    const ask = async () => (await carl.ask('POST', '/area', { body: { name: 'Corner', ...inDesk } })).status
    assert.equal(await ask(), 403)
    const { id } = await ada.post('/access-control', {
      userId: carl.id,
      owner: ownerKind.container,
      ownerId: desk.id.toUpperCase(),
      role: roleCode.manager,
    })
    assert.equal(await ask(), 201)
    await ada.put(`/access-control/${id}`, { role: roleCode.member })
    assert.equal(await ask(), 403)
    await ada.put(`/access-control/${id}`, { role: roleCode.admin })
    assert.equal(await ask(), 201)
    await ada.delete(`/access-control/${id}`)
    assert.equal(await ask(), 403)
    await ada.must('POST', `/access-control/${id}/restore`)
    assert.equal(await ask(), 201)
  })

  test('is valid until it expires', async () => {
    const carl = await person({ name: 'Cora', role: noRole })
    const body = { userId: carl.id, role: roleCode.manager, ...inDesk }
    const past = await ada.ask('POST', '/access-control', { body: { ...body, expiresAt: '2020-01-01T00:00:00Z' } })
    assert.equal(past.status, 400)
    assert.equal(past.body.Fields[0].Code, 'past')
    const { id } = await ada.post('/access-control', {
      ...body,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const ask = async () => (await carl.ask('POST', '/area', { body: { name: 'Corner', ...inDesk } })).status
    assert.equal(await ask(), 201)
    await asOwner(
      databaseUrl,
      undefined,
      `update access_control set expires_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    await ada.put(`/user/${carl.id}`, { phone: '1' }) // what is held is looked up anew
    assert.equal(await ask(), 403)
  })

  test('of an unknown role or place is stored and grants nothing', async () => {
    const carl = await person({ name: 'Cyd', role: noRole })
    const odd = await ada.post('/access-control', { userId: carl.id, role: 4, owner: 77, ownerId: 'somewhere' })
    assert.deepEqual([odd.role, odd.owner, odd.ownerId], [4, 77, 'somewhere'])
    assert.deepEqual(
      odd.check.map((each: { path: string }) => each.path),
      ['/role', '/owner'],
    )
    assert.equal((await carl.ask('GET', '/container')).status, 403)
    const none = await ada.post('/access-control', { userId: carl.id })
    assert.deepEqual([none.role, none.owner, none.check], [0, 0, []])
    const strict = await ada.ask('POST', '/access-control', {
      body: { userId: carl.id, role: 4 },
      headers: { prefer: 'handling=strict' },
    })
    assert.equal(strict.status, 400)
  })
})

describe('nobody grants rights that they lack', () => {
  test('a manager of a container grants in it, up to their own role', async () => {
    const lead = await person({ name: 'Lea', role: roleCode.member })
    await ada.post('/access-control', { userId: lead.id, role: roleCode.manager, ...inDesk })
    const grant = async (input: object) =>
      (await lead.ask('POST', '/access-control', { body: { userId: bob.id, ...input } })).status
    assert.equal(await grant({ role: roleCode.member, ...inDesk }), 201)
    assert.equal(await grant({ role: roleCode.manager, ...inDesk }), 201)
    assert.equal(await grant({ role: roleCode.admin, ...inDesk }), 403)
    assert.equal(await grant({ role: roleCode.member, owner: ownerKind.container, ownerId: shop.id }), 403)
    assert.equal(await grant({ role: roleCode.member }), 403)
    assert.equal(await grant({ role: roleCode.readOnly }), 403)
  })

  test('nobody changes, moves or removes grants above their own role', async () => {
    const lead = await person({ name: 'Leo', role: roleCode.member })
    await ada.post('/access-control', { userId: lead.id, role: roleCode.manager, ...inDesk })
    const mighty = await ada.post('/access-control', { userId: bob.id, role: roleCode.admin, ...inDesk })
    const elsewhere = await ada.post('/access-control', {
      userId: bob.id,
      role: roleCode.member,
      owner: ownerKind.container,
      ownerId: shop.id,
    })
    const own = await lead.must('POST', '/access-control', {
      body: { userId: bob.id, role: roleCode.member, ...inDesk },
    })
    const put = async (id: string, body: object) => (await lead.ask('PUT', `/access-control/${id}`, { body })).status
    assert.equal(await put(mighty.id, { role: roleCode.member }), 403)
    assert.equal((await lead.ask('DELETE', `/access-control/${mighty.id}`)).status, 403)
    assert.equal(await put(own.id, { role: roleCode.admin }), 403)
    assert.equal(await put(own.id, { ownerId: shop.id }), 403)
    assert.equal(await put(own.id, { owner: ownerKind.tenant, ownerId: '' }), 403)
    assert.equal(await put(elsewhere.id, { role: roleCode.readOnly }), 404)
    assert.equal((await lead.ask('DELETE', `/access-control/${elsewhere.id}`)).status, 404)
    assert.equal(await put(own.id, { role: roleCode.manager }), 200)
    assert.equal((await lead.ask('DELETE', `/access-control/${own.id}`)).status, 204)
  })

  test('a manager of an area grants in it and below it', async () => {
    const lead = await person({ name: 'Lou', role: roleCode.member })
    const outer = await ada.post('/area', { name: 'Outer', ...inDesk })
    const inner = await ada.post('/area', { name: 'Inner', ...inDesk, parentId: outer.id })
    await ada.post('/access-control', {
      userId: lead.id,
      role: roleCode.manager,
      owner: ownerKind.area,
      ownerId: outer.id,
    })
    const grant = async (input: object) =>
      (await lead.ask('POST', '/access-control', { body: { userId: bob.id, role: roleCode.member, ...input } })).status
    assert.equal(await grant({ owner: ownerKind.area, ownerId: inner.id }), 201)
    assert.equal(await grant({ owner: ownerKind.area, ownerId: inner.id, role: roleCode.admin }), 403)
    assert.equal(await grant(inDesk), 403)
  })

  test('a manager of the tenant cannot appoint admins, an admin can', async () => {
    const chief = await person({ name: 'Cleo', role: roleCode.manager })
    const boss = await person({ name: 'Anna', role: roleCode.admin })
    assert.equal(
      (await chief.ask('POST', '/access-control', { body: { userId: bob.id, role: roleCode.admin } })).status,
      403,
    )
    assert.equal(
      (await chief.ask('POST', '/access-control', { body: { userId: bob.id, role: roleCode.manager } })).status,
      201,
    )
    assert.equal(
      (await boss.ask('POST', '/access-control', { body: { userId: bob.id, role: roleCode.admin, ...inDesk } })).status,
      201,
    )
  })

  test('members can neither create nor see grants', async () => {
    const dan = await person({ name: 'Dan' })
    assert.equal((await dan.ask('GET', '/access-control')).status, 403)
    assert.equal(
      (await dan.ask('POST', '/access-control', { body: { userId: dan.id, role: roleCode.readOnly } })).status,
      403,
    )
  })

  test('a manager of one place sees only the grants of that place', async () => {
    const lead = await person({ name: 'Lin', role: roleCode.member })
    await ada.post('/access-control', {
      userId: lead.id,
      role: roleCode.manager,
      owner: ownerKind.container,
      ownerId: shop.id,
    })
    const seen: { owner: number; ownerId: string }[] = await lead.get('/access-control')
    assert.ok(seen.length > 0)
    assert.ok(seen.every(each => each.owner === ownerKind.container && each.ownerId === shop.id))
  })
})
