import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { groupSource, userGroups } from './user-group.ts'

const { ada, bob, eve, person, database } = await sharedTestService()
let count = 0
const group = (more = {}) => ada.post('/user-group', { name: `Group ${++count}`, ...more })
const ids = (users: { id: string }[]) => users.map(each => each.id)

describe('the members of a group', () => {
  test('are listed page by page, with or without the members of subgroups', async () => {
    const people = []
    for (let n = 0; n < 5; n++) people.push((await ada.post('/user', { name: `Member ${n}` })).id)
    const top = await group({ members: people.slice(0, 2) })
    const middle = await group({ parentId: top.id, members: [people[2], people[0]] })
    await group({ parentId: middle.id, members: people.slice(3) })
    assert.deepEqual(ids(await bob.get(`/user-group/${top.id}/members`)), people.slice(0, 2))
    assert.deepEqual(ids(await bob.get(`/user-group/${top.id}/members?nested=true`)), people)
    const first = await bob.ask('GET', `/user-group/${top.id}/members?nested=true&limit=3`)
    const cursor = first.headers.get('x-next-cursor')
    const second = await bob.get(`/user-group/${top.id}/members?nested=true&limit=3&cursor=${cursor}`)
    assert.deepEqual([...ids(first.body), ...ids(second)], people)
    assert.deepEqual(ids(await bob.get(`/user-group/${top.id}/members?nested=true&name=Member 3`)), [people[3]])
    const elsewhere = await bob.ask('GET', `/user-group/${middle.id}/members?nested=true&limit=3&cursor=${cursor}`)
    assert.equal(elsewhere.body.Fields[0].Code, 'cursor-mismatch')
    assert.equal((await eve.ask('GET', `/user-group/${top.id}/members`)).status, 404)
    await ada.delete(`/user/${people[1]}`)
    assert.deepEqual(ids(await bob.get(`/user-group/${top.id}/members`)), [people[0]])
  })

  test('of a pseudo-group are the users who match at the moment', async () => {
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    const out = await ada.post('/user', { name: 'Out', active: false })
    const all = await bob.get('/user-group/pseudo')
    assert.deepEqual(
      all.map((each: { id: string }) => each.id),
      ['@everyone', '@staff', '@requesters', '@superAdmins'],
    )
    const members = async (id: string) => new Set(ids(await bob.get(`/user-group/${id}/members`)))
    const [everyone, staff, requesters, superAdmins] = [
      await members('@everyone'),
      await members('@staff'),
      await members('@requesters'),
      await members('@superAdmins'),
    ]
    assert.ok(everyone.has(bob.id) && everyone.has(rita.id) && !everyone.has(out.id) && !everyone.has(eve.id))
    assert.ok(staff.has(bob.id) && staff.has(ada.id) && !staff.has(rita.id))
    assert.deepEqual([...requesters], [rita.id])
    assert.deepEqual([...superAdmins], [ada.id])
    assert.equal(all[0].memberCount, everyone.size)
    await ada.put(`/user/${bob.id}`, { superAdmin: true })
    assert.equal((await members('@superAdmins')).size, 2)
    await ada.put(`/user/${bob.id}`, { superAdmin: false })
    assert.equal((await rita.ask('GET', '/user-group/pseudo')).status, 403)
    assert.equal((await bob.ask('GET', '/user-group/@nobody/members')).status, 404)
  })
})

test('the roles of a group are those grants that the caller may see', async () => {
  const desk = await ada.post('/container', { name: 'Desk' })
  const team = await group()
  const grant = await ada.post('/access-control', {
    userGroupId: team.id,
    owner: ownerKind.container,
    ownerId: desk.id,
    role: roleCode.manager,
  })
  const { roles } = await ada.get(`/user-group/${team.id}`)
  assert.deepEqual(roles, [
    {
      id: grant.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.manager,
      effect: grantEffect.allow,
      expiresAt: null,
    },
  ])
  assert.deepEqual((await bob.get(`/user-group/${team.id}`)).roles, [])
  const same = await ada.put(`/user-group/${team.id}`, { ...team, roles: [], clockId: '', mailboxId: null })
  assert.deepEqual([same.roles.length, same.mailboxId], [1, ''])
})

test('properties from a directory are changed there, until an admin makes the group local', async () => {
  const boss = await person({ name: 'Anna', role: roleCode.admin })
  for (const source of [groupSource.entra, groupSource.scim, groupSource.ldap]) {
    const team = await group({ source, members: [bob.id], owners: [bob.id], externalId: 'x' })
    const change = async (body: object, who = ada) => (await who.ask('PUT', `/user-group/${team.id}`, { body })).status
    const { status, body } = await ada.ask('PUT', `/user-group/${team.id}`, { body: { name: 'Mine', members: [] } })
    assert.deepEqual([status, body.code], [422, 'directory-group'])
    assert.deepEqual(
      body.Fields.map((each: { Field: string }) => each.Field),
      ['name', 'members'],
    )
    assert.equal(await change({ kind: 2, assignPolicy: 1, name: team.name }), 200)
    assert.equal((await ada.ask('DELETE', `/user-group/${team.id}`)).body.code, 'directory-group')
    assert.equal(await change({ source: groupSource.local }, bob), 403)
    await database.transaction(tenantCaller(ada.tenantId), ctx =>
      userGroups.update(ctx, team.id, { members: [bob.id, ada.id] }),
    )
    assert.equal((await ada.get(`/user-group/${team.id}`)).members.length, 2)
    assert.equal(await change({ source: groupSource.local, name: `Taken over ${source}` }, boss), 200)
    assert.equal(await change({ members: [] }), 200)
  }
})
