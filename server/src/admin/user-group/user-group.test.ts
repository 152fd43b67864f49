import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, happened, person } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })

let count = 0
async function group(values: object = {}) {
  return await ada.post('/user-group', { name: `Group ${++count}`, ...values })
}

describe('a user group', () => {
  test('has a unique name, regardless of case and accents', async () => {
    const { name } = await group({ name: 'Équipe', description: 'Second line', kind: 2, assignPolicy: 1 })
    assert.equal(name, 'Équipe')
    const { status, body } = await ada.ask('POST', '/user-group', { body: { name: 'EQUIPE' } })
    assert.equal(status, 422)
    assert.equal(body.Fields[0].Field, 'name')
    assert.equal((await eve.ask('POST', '/user-group', { body: { name: 'Équipe' } })).status, 201)
  })

  test('has only users of the tenant as members', async () => {
    const { status, body } = await ada.ask('POST', '/user-group', {
      body: { name: 'Mixed', members: [bob.id, eve.id], owners: [newId()] },
    })
    assert.equal(status, 422)
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/members/1', '/owners/0'],
    )
    const made = await group({ members: [bob.id, bob.id.toUpperCase(), ada.id] })
    assert.deepEqual(made.members, [bob.id, ada.id])
  })

  test('is never a subgroup of itself', async () => {
    const outer = await group()
    const inner = await group({ parentId: outer.id })
    for (const parentId of [outer.id, inner.id]) {
      const { status, body } = await ada.ask('PUT', `/user-group/${outer.id}`, { body: { parentId } })
      assert.equal(status, 422)
      assert.equal(body.code, 'cycle')
    }
  })

  test('gives its role to the members of its subgroups at once', async () => {
    const carl = await person({ name: 'Carl', role: roleCode.requester })
    const outer = await group()
    const inner = await group({ parentId: outer.id })
    const input = { name: 'Note', owner: ownerKind.container, ownerId: desk.id }
    assert.equal((await carl.ask('POST', '/area', { body: input })).status, 403)
    await ada.post('/access-control', {
      userGroupId: outer.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.manager,
    })
    await ada.put(`/user-group/${inner.id}`, { members: [carl.id] })
    assert.equal((await carl.ask('POST', '/area', { body: input })).status, 201)
    await ada.put(`/user-group/${inner.id}`, { parentId: '' })
    assert.equal((await carl.ask('POST', '/area', { body: input })).status, 403)
  })

  test('is changed by admins and by its owners, and is visible to staff', async () => {
    const boss = await person({ name: 'Anna', role: roleCode.admin })
    const guest = await person({ name: 'Greg', role: roleCode.requester, kind: userKind.requester })
    const team = await group()
    assert.equal((await bob.ask('PUT', `/user-group/${team.id}`, { body: { description: 'Mine' } })).status, 403)
    assert.equal((await bob.ask('POST', '/user-group', { body: { name: 'Mine' } })).status, 403)
    assert.equal((await bob.ask('DELETE', `/user-group/${team.id}`)).status, 403)
    assert.equal((await guest.ask('GET', `/user-group/${team.id}`)).status, 403)
    assert.equal((await boss.ask('PUT', `/user-group/${team.id}`, { body: { owners: [bob.id] } })).status, 200)
    assert.equal((await bob.ask('PUT', `/user-group/${team.id}`, { body: { members: [guest.id] } })).status, 200)
    assert.equal((await bob.ask('GET', `/user-group/${team.id}`)).body.members[0], guest.id)
  })
})

describe('nobody gives rights that they lack through a group', () => {
  test('an owner can neither add nor remove members if the group has a role above their own', async () => {
    const team = await group({ owners: [bob.id], members: [ada.id] })
    await ada.post('/access-control', { userGroupId: team.id, role: roleCode.member })
    const change = async (body: object) => (await bob.ask('PUT', `/user-group/${team.id}`, { body })).status
    const dan = await person({ name: 'Dan' })
    assert.equal(await change({ members: [ada.id, dan.id] }), 200)
    const grant = await ada.post('/access-control', { userGroupId: team.id, role: roleCode.manager })
    assert.equal(await change({ members: [ada.id] }), 403)
    assert.equal(await change({ members: [ada.id, dan.id, bob.id] }), 403)
    assert.equal(await change({ members: [dan.id, ada.id], description: 'No member changed' }), 200)
    await ada.delete(`/access-control/${grant.id}`)
    assert.equal(await change({ members: [ada.id] }), 200)
  })

  test('a group cannot be moved into one with more rights', async () => {
    const mighty = await group()
    await ada.post('/access-control', { userGroupId: mighty.id, role: roleCode.admin })
    const team = await group({ owners: [bob.id], members: [bob.id] })
    assert.equal((await bob.ask('PUT', `/user-group/${team.id}`, { body: { parentId: mighty.id } })).status, 403)
    const inside = await group({ owners: [bob.id], parentId: mighty.id })
    assert.equal((await bob.ask('PUT', `/user-group/${inside.id}`, { body: { members: [bob.id] } })).status, 403)
    assert.equal((await bob.ask('GET', '/access-control')).status, 403)
  })

  test('a role in a container can be given in that container', async () => {
    const team = await group({ owners: [bob.id] })
    await ada.post('/access-control', {
      userGroupId: team.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.manager,
    })
    const join = async () => (await bob.ask('PUT', `/user-group/${team.id}`, { body: { members: [bob.id] } })).status
    assert.equal(await join(), 403)
    await ada.post('/access-control', {
      userId: bob.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.manager,
    })
    assert.equal(await join(), 200)
  })
})

describe('a group in use', () => {
  async function inUse() {
    const team = await group({ members: [bob.id] })
    const child = await group({ parentId: team.id })
    const grant = await ada.post('/access-control', {
      userGroupId: team.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.member,
    })
    const document = await ada.post('/docs/doc', { name: 'Plan', restrictedTo: [team.id] })
    const workflow = [{ fieldId: 'status', value: 'open', next: '*', userGroup: ['@author', team.id] }]
    const process = await ada.post('/process', { name: 'Bug', workflow })
    return { team, child, grant, document, process }
  }

  test('cannot be deleted, and the refusal lists the records that use it', async () => {
    const { team, child, grant, document, process } = await inUse()
    const { status, body } = await ada.ask('DELETE', `/user-group/${team.id}`)
    assert.equal(status, 409)
    assert.equal(body.code, 'in-use')
    const used = body.usedBy
      .map((each: { entity: string; id: string; property: string }) => `${each.entity} ${each.property} ${each.id}`)
      .sort()
    assert.deepEqual(used, [
      `AccessControl userGroupId ${grant.id}`,
      `Document restrictedTo ${document.id}`,
      `Process workflow ${process.id}`,
      `UserGroup parentId ${child.id}`,
    ])
    assert.equal(body.usedBy.find((each: { entity: string }) => each.entity === 'Process').name, 'Bug')
    assert.equal((await ada.ask('GET', `/user-group/${team.id}`)).status, 200)
  })

  test('is replaced everywhere by another group, with one event per record', async () => {
    const { team, child, grant, document, process } = await inUse()
    const other = await group()
    await ada.must('DELETE', `/user-group/${team.id}?replaceBy=${other.id.toUpperCase()}`)
    assert.equal((await ada.get(`/access-control/${grant.id}`)).userGroupId, other.id)
    assert.deepEqual((await ada.get(`/docs/doc/${document.id}`)).restrictedTo, [other.id])
    assert.deepEqual((await ada.get(`/process/${process.id}`)).workflow[0].userGroup, ['@author', other.id])
    assert.equal((await ada.get(`/user-group/${child.id}`)).parentId, other.id)
    assert.equal((await ada.ask('GET', `/user-group/${team.id}`)).status, 404)
    assert.deepEqual((await happened(5)).sort(), [
      'accessControl.updated',
      'document.updated',
      'process.updated',
      'userGroup.deleted',
      'userGroup.updated',
    ])
    const [last] = (await ada.get(`/docs/doc/${document.id}/history`)).slice(-1)
    assert.deepEqual(last.changes, { restrictedTo: { from: [team.id], to: [other.id] } })
  })

  test('cannot be replaced by itself, a missing group or a subgroup', async () => {
    const { team, child } = await inUse()
    const theirs = await eve.post('/user-group', { name: 'Theirs' })
    const replaceBy = async (id: string) => (await ada.ask('DELETE', `/user-group/${team.id}?replaceBy=${id}`)).status
    assert.equal(await replaceBy(team.id), 400)
    assert.equal(await replaceBy(newId()), 422)
    assert.equal(await replaceBy(theirs.id), 422)
    assert.equal(await replaceBy('none'), 422)
    assert.equal(await replaceBy(child.id), 422)
  })

  test('can be deleted when nothing uses it, and can be restored', async () => {
    const team = await group({ members: [bob.id] })
    const document = await ada.post('/docs/doc', { name: 'Plan', restrictedTo: [team.id] })
    await ada.put(`/docs/doc/${document.id}`, { restrictedTo: [] })
    await ada.delete(`/user-group/${team.id}`)
    assert.deepEqual((await ada.must('POST', `/user-group/${team.id}/restore`)).members, [bob.id])
  })
})
