import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../../test/support/listener.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { noRole, roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, person } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })
const shop = await ada.post('/container', { name: 'Shop' })
const condition = (leftSide: string, rightSide: string, operator = 0) => [
  { condition: [{ leftSide, operator, rightSide }] },
]
const grant = (input: object) => ada.post('/access-control', input)
const drop = ({ id }: { id: string }) => ada.delete(`/access-control/${id}`)
const titles = async (who: Person, query = '') =>
  (await who.get(`/item?sort=title${query}`)).map((each: { title: string }) => each.title)
const status = async (who: Person, method: string, path: string, body?: object) =>
  (await who.ask(method, path, body ? { body } : {})).status

/** Checks that `explain` gives the same decision as the operation itself. */
async function explained(who: Person, action: string, id: string): Promise<boolean> {
  const { allowed, steps } = await ada.get(
    `/access-control/explain?user=${who.id}&action=${action}&entity=Item&id=${id}`,
  )
  assert.ok(steps.length > 0)
  return allowed
}

describe('a denial', async () => {
  const [here, there] = [
    await ada.post('/item', { title: 'At the desk', containerId: desk.id }),
    await ada.post('/item', { title: 'In the shop', containerId: shop.id }),
  ]

  test('hides a container with everything in it from the users it names', async () => {
    const given = await grant({
      userId: bob.id,
      effect: grantEffect.deny,
      owner: ownerKind.container,
      ownerId: desk.id,
    })
    assert.equal(await status(bob, 'GET', `/item/${here.id}`), 404)
    assert.equal(await status(bob, 'GET', `/container/${desk.id}`), 404)
    assert.equal(await status(bob, 'GET', `/item/${there.id}`), 200)
    assert.ok(!(await titles(bob)).includes('At the desk'))
    assert.equal(await explained(bob, 'read', here.id), false)
    await drop(given)
    assert.equal(await status(bob, 'GET', `/item/${here.id}`), 200)
  })

  test('can deny single permissions, and the nearer place decides', async () => {
    const denied = await grant({ audience: '@staff', effect: grantEffect.deny, permissions: ['item.update'] })
    assert.equal(await status(bob, 'PATCH', `/item/${here.id}`, { priority: 1 }), 403)
    const near = await grant({
      audience: '@staff',
      permissions: ['item.update'],
      owner: ownerKind.container,
      ownerId: desk.id,
    })
    assert.equal(await status(bob, 'PATCH', `/item/${here.id}`, { priority: 2 }), 200)
    assert.equal(await status(bob, 'PATCH', `/item/${there.id}`, { priority: 2 }), 403)
    assert.deepEqual([await explained(bob, 'update', here.id), await explained(bob, 'update', there.id)], [true, false])
    for (const each of [denied, near]) await drop(each)
  })

  test('at the same place the nearer principal decides, and at the same level a denial wins', async () => {
    const group = await ada.post('/user-group', { name: 'Editors', members: [bob.id] })
    const all = await grant({ audience: '@everyone', effect: grantEffect.deny, permissions: ['item.update'] })
    const some = await grant({ userGroupId: group.id, permissions: ['item.update'] })
    assert.equal(await status(bob, 'PATCH', `/item/${here.id}`, { priority: 3 }), 200)
    const same = await grant({ userGroupId: group.id, effect: grantEffect.deny, permissions: ['item.*'] })
    assert.equal(await status(bob, 'PATCH', `/item/${here.id}`, { priority: 4 }), 404, 'the item is not visible')
    for (const each of [all, some, same]) await drop(each)
  })

  test('has no effect on super admins, and nobody denies rights that they lack', async () => {
    const given = await grant({ audience: '@everyone', effect: grantEffect.deny, permissions: ['item.update'] })
    assert.equal(await status(ada, 'PATCH', `/item/${here.id}`, { priority: 5 }), 200)
    await drop(given)
    const boss = await person({ name: 'Boss', role: roleCode.manager })
    assert.equal(
      await status(boss, 'POST', '/access-control', {
        audience: '@everyone',
        effect: grantEffect.deny,
        permissions: ['user.delete'],
      }),
      403,
    )
    assert.equal(await status(boss, 'POST', '/access-control', { userId: bob.id, permissions: ['*'] }), 403)
    assert.equal(await status(boss, 'POST', '/access-control', { userId: bob.id, permissions: ['item.delete'] }), 201)
  })
})

test('a role at one place gives no rights at another place that is only visible', async () => {
  const sue = await person({ name: 'Sue', role: roleCode.readOnly })
  const [near, far] = [
    await ada.post('/item', { title: 'Near', containerId: desk.id }),
    await ada.post('/item', { title: 'Far', containerId: shop.id }),
  ]
  const given = await grant({ userId: sue.id, role: roleCode.member, owner: ownerKind.container, ownerId: desk.id })
  assert.equal(await status(sue, 'GET', `/item/${far.id}`), 200)
  assert.equal(await status(sue, 'PATCH', `/item/${near.id}`, { points: 1 }), 200)
  assert.equal(await status(sue, 'PATCH', `/item/${far.id}`, { points: 1 }), 403)
  assert.equal(await status(sue, 'POST', '/item', { title: 'New', containerId: desk.id }), 201)
  assert.equal(await status(sue, 'POST', '/item', { title: 'New', containerId: shop.id }), 403)
  assert.equal(await status(sue, 'POST', `/item/${near.id}/move`, { containerId: shop.id }), 403)
  await drop(given)
})

describe('a rule for some items', async () => {
  const vera = await person({ name: 'Vera', role: noRole })
  const room = await ada.post('/container', { name: 'Room' })
  const urgent = await ada.post('/item', { title: 'Urgent walrus', containerId: room.id, priority: 1 })
  const calm = await ada.post('/item', { title: 'Calm walrus', containerId: room.id, priority: 4 })

  test('gives access to those items only: in lists, counts, searches, filters, streams and writes', async () => {
    const given = await grant({
      userId: vera.id,
      role: roleCode.member,
      owner: ownerKind.container,
      ownerId: room.id,
      conditionGroup: condition('priority', '2', 7),
    })
    const stream = await Listener.to(vera, '/event/stream?entity=Item')
    assert.deepEqual(await titles(vera, `&containerId=${room.id}`), ['Urgent walrus'])
    const counted = await vera.ask('GET', `/item?containerId=${room.id}&count=exact&limit=1`)
    assert.equal(counted.headers.get('x-total-count'), '1')
    assert.deepEqual(
      (await vera.get('/search?q=walrus')).map((each: { id: string }) => each.id),
      [urgent.id],
    )
    assert.equal(await status(vera, 'GET', `/item/${calm.id}`), 404)
    assert.equal(await status(vera, 'PATCH', `/item/${urgent.id}`, { points: 3 }), 200)
    assert.equal(await status(vera, 'PATCH', `/item/${calm.id}`, { points: 3 }), 404)
    await ada.put(`/item/${calm.id}`, { points: 5 })
    await ada.put(`/item/${urgent.id}`, { points: 6 })
    await stream.until(() => stream.received.some(({ data }) => data.changes?.points?.to === 6))
    assert.ok(stream.received.every(({ data }) => data.recordId === urgent.id))
    stream.hangUp()
    assert.deepEqual([await explained(vera, 'read', urgent.id), await explained(vera, 'read', calm.id)], [true, false])
    await drop(given)
    assert.equal(await status(vera, 'GET', '/item'), 403)
  })

  test('can limit changes to some of the visible items', async () => {
    const given = await grant({
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['item.update', 'item.delete'],
      conditionGroup: condition('priority', '1'),
    })
    assert.equal(await status(bob, 'PATCH', `/item/${urgent.id}`, { points: 1 }), 403)
    assert.equal(await status(bob, 'PATCH', `/item/${calm.id}`, { points: 1 }), 200)
    const { body } = await bob.ask('PATCH', '/item', { body: { ids: [urgent.id, calm.id], patch: { points: 2 } } })
    assert.deepEqual(
      body.map((each: { outcome: string }) => each.outcome).sort(),
      ['failed', 'updated'],
      JSON.stringify(body),
    )
    assert.deepEqual(
      [await explained(bob, 'update', urgent.id), await explained(bob, 'update', calm.id)],
      [false, true],
    )
    await drop(given)
  })

  test('can prevent the deletion of some items', async () => {
    const boss = await person({ name: 'Boss of some', role: roleCode.manager })
    const given = await grant({
      userId: boss.id,
      effect: grantEffect.deny,
      permissions: ['item.delete'],
      conditionGroup: condition('priority', '1'),
    })
    assert.equal(await status(boss, 'DELETE', `/item/${urgent.id}`), 403)
    await drop(given)
    assert.equal(await status(boss, 'DELETE', `/item/${urgent.id}`), 204)
    await ada.post(`/item/${urgent.id}/restore`, {})
  })

  test('with a condition that can never be true is reported, and grants nothing', async () => {
    const given = await grant({ userId: vera.id, role: roleCode.member, conditionGroup: condition('nonsense', 'x') })
    const { check } = await ada.get(`/access-control/${given.id}`)
    assert.ok(check.some((each: { path: string }) => each.path.startsWith('/conditionGroup/0/condition/0')))
    assert.deepEqual(await titles(vera), [])
    await drop(given)
  })
})

describe('a hidden field', async () => {
  const salary = await ada.post('/field', { key: 'salary', name: 'Salary', fieldType: 'text' })
  const process = await ada.post('/process', {
    name: 'Hiring',
    fields: [{ fieldId: salary.id, order: 0, required: false }],
  })
  const staff = await ada.post('/container', { name: 'Staff', processIds: [process.id], defaultProcessId: process.id })
  const item = await ada.post('/item', {
    title: 'Candidate',
    containerId: staff.id,
    estimateMinutes: 77,
    Field: [{ key: 'salary', value: 'xylophone' }],
  })
  const rule = await grant({
    audience: '@everyone',
    effect: grantEffect.deny,
    permissions: ['field.salary.*', 'field.estimateMinutes.read'],
  })

  test('is absent from the item in every reply', async () => {
    await ada.put(`/item/${item.id}`, { estimateMinutes: 78, Field: [{ key: 'salary', value: 'xylophones' }] })
    for (const path of [
      `/item/${item.id}`,
      `/item?containerId=${staff.id}`,
      `/item/${item.id}/history`,
      `/item/${item.id}/timeline`,
      `/search?q=candidate`,
    ]) {
      const text = JSON.stringify(await bob.get(path))
      assert.ok(/Candidate|candidate|item\./.test(text), path)
      for (const secret of ['xylophone', 'estimateMinutes', salary.id])
        assert.ok(!text.includes(secret), `${path} shows ${secret}`)
    }
    assert.ok('estimateMinutes' in (await ada.get(`/item/${item.id}`)))
    const stream = await Listener.to(bob, '/event/stream?entity=Item')
    await ada.put(`/item/${item.id}`, { points: 1, estimateMinutes: 79 })
    await stream.count(1)
    assert.deepEqual(Object.keys(stream.received[0]?.data.changes ?? {}), ['points'])
    stream.hangUp()
  })

  test('cannot be used to search, filter or sort', async () => {
    assert.deepEqual(await bob.get('/search?q=xylophones'), [])
    assert.equal((await ada.get('/search?q=xylophones')).length, 1)
    assert.equal(await status(bob, 'GET', '/item?sort=estimateMinutes'), 400)
    assert.equal(await status(bob, 'GET', '/item?sort=salary'), 400)
    const asked = { conditionGroup: condition('field.salary', 'xylophones') }
    assert.equal((await ada.post('/item/search', asked)).length, 1)
    for (const conditionGroup of [asked.conditionGroup, condition('estimateMinutes', '79')]) {
      const { status, body } = await bob.ask('POST', '/item/search', { body: { conditionGroup } })
      assert.deepEqual([status, body.Fields[0].Message], [400, 'no such field here'])
    }
    assert.equal(await status(bob, 'GET', `/item?containerId=${staff.id}&estimateMinutes=1`), 400)
  })

  test('cannot be written, and keeps its value when other properties are written', async () => {
    assert.equal(await status(bob, 'PATCH', `/item/${item.id}`, { estimateMinutes: 1 }), 403)
    assert.equal(await status(bob, 'PATCH', `/item/${item.id}`, { Field: [{ key: 'salary', value: 'x' }] }), 403)
    await bob.put(`/item/${item.id}`, { title: 'Candidate two' })
    const now = await ada.get(`/item/${item.id}`)
    assert.equal(now.estimateMinutes, 79)
    assert.equal(now.Field[0].value, 'xylophones')
  })

  test('is not given or given back by whom it is hidden from, whichever name the grant uses', async () => {
    const boss = await person({ name: 'Field manager', role: roleCode.manager })
    for (const permissions of [
      ['field.salary.read'],
      [`field.${salary.id}.*`],
      ['field.SALARY.write'],
      ['field.*.read'],
    ])
      assert.equal(await status(boss, 'POST', '/access-control', { userId: boss.id, permissions }), 403, permissions[0])
    assert.equal(await status(boss, 'PATCH', `/access-control/${rule.id}`, { permissions: ['field.points.read'] }), 403)
    assert.equal(await status(boss, 'DELETE', `/access-control/${rule.id}`), 403)
    const other = { userId: boss.id, permissions: ['field.points.read'] }
    assert.equal(await status(boss, 'POST', '/access-control', other), 201)
    assert.ok(!JSON.stringify(await boss.get(`/item/${item.id}`)).includes('xylophone'))
  })

  test('is not revealed by a refusal', async () => {
    const { status: refused, body } = await bob.ask('PATCH', `/item/${item.id}`, {
      body: { title: 'Late' },
      headers: { 'if-match': '"v1"' },
    })
    assert.equal(refused, 412)
    assert.ok(!JSON.stringify(body).includes('estimateMinutes'))
    await drop(rule)
    assert.equal((await bob.get(`/item/${item.id}`)).estimateMinutes, 79)
  })

  test('can be readable without being writable', async () => {
    const kept = await grant({ audience: '@staff', effect: grantEffect.deny, permissions: ['field.priority.write'] })
    assert.equal(await status(bob, 'PATCH', `/item/${item.id}`, { priority: 1 }), 403)
    assert.equal(await status(bob, 'POST', '/item', { title: 'New', priority: 1 }), 403)
    assert.equal(await status(bob, 'PATCH', `/item/${item.id}`, { points: 8 }), 200)
    assert.ok('priority' in (await bob.get(`/item/${item.id}`)))
    await drop(kept)
  })
})

describe('a confidential item', async () => {
  const hr = await ada.post('/container', { name: 'People' })
  const secret = await bob.post('/item', {
    title: 'Secret',
    containerId: hr.id,
    visibility: itemVisibility.confidential,
  })

  test('is visible only to its participants, until a super admin opens it and gives a reason', async () => {
    const boss = await person({ name: 'Admin', role: roleCode.admin })
    for (const who of [ada, boss]) {
      assert.equal(await status(who, 'GET', `/item/${secret.id}`), 404)
      assert.ok(!(await titles(who)).includes('Secret'))
    }
    assert.equal(await status(boss, 'POST', `/item/${secret.id}/break-glass`, { reason: 'I want to know' }), 403)
    assert.equal(await status(eve, 'POST', `/item/${secret.id}/break-glass`, { reason: 'I want to know' }), 404)
    assert.equal(await status(ada, 'POST', `/item/${secret.id}/break-glass`, {}), 400)
    const given = await ada.ask('POST', `/item/${secret.id}/break-glass`, { body: { reason: 'The author has left' } })
    assert.equal(given.status, 200)
    assert.ok(new Date(given.body.expiresAt).getTime() < Date.now() + 3_700_000)
    assert.equal(await status(ada, 'GET', `/item/${secret.id}`), 200)
    assert.equal(await status(boss, 'GET', `/item/${secret.id}`), 404)
    const history = await bob.get(`/item/${secret.id}/history`)
    assert.ok(
      history.some(
        (each: { type: string; changes: object }) =>
          each.type === 'item.glassBroken' && JSON.stringify(each.changes).includes('The author has left'),
      ),
    )
    assert.equal(await status(ada, 'POST', `/item/${secret.id}/break-glass`, { reason: 'Once more' }), 422)
  })

  test('can be shared with one person', async () => {
    const nobody = await person({ name: 'Nobody', role: noRole })
    await bob.put(`/item/${secret.id}`, { assignees: [] })
    assert.equal(await status(nobody, 'GET', `/item/${secret.id}`), 403)
    const given = await grant({ userId: nobody.id, role: roleCode.readOnly, owner: ownerKind.item, ownerId: secret.id })
    assert.equal(await status(nobody, 'GET', `/item/${secret.id}`), 200)
    assert.deepEqual(await titles(nobody), ['Secret'])
    assert.equal(await status(nobody, 'PATCH', `/item/${secret.id}`, { points: 1 }), 403)
    await drop(given)
    assert.equal(await status(nobody, 'GET', `/item/${secret.id}`), 403)
  })
})

describe('a custom role', async () => {
  test('gives its permissions to all users who have it, and a change applies to all at once', async () => {
    const sam = await person({ name: 'Sam', role: roleCode.readOnly })
    const item = await ada.post('/item', { title: 'Dispatched', containerId: desk.id })
    const role = await ada.post('/access-control/role', { name: 'Dispatcher', permissions: ['item.update'] })
    const given = await grant({ userId: sam.id, roleId: role.id, owner: ownerKind.container, ownerId: desk.id })
    assert.equal(await status(sam, 'PATCH', `/item/${item.id}`, { points: 1 }), 200)
    assert.equal(await status(sam, 'DELETE', `/item/${item.id}`), 403)
    await ada.put(`/access-control/role/${role.id}`, { permissions: ['item.update', 'item.delete'] })
    assert.equal(await status(sam, 'DELETE', `/item/${item.id}`), 204)
    const refused = await ada.ask('DELETE', `/access-control/role/${role.id}`)
    assert.equal(refused.status, 409)
    assert.deepEqual(
      refused.body.usedBy.map((each: { id: string }) => each.id),
      [given.id],
    )
    await drop(given)
    assert.equal(await status(ada, 'DELETE', `/access-control/role/${role.id}`), 204)
  })

  test('cannot be created by users who lack its permissions', async () => {
    const boss = await person({ name: 'Half an admin', role: roleCode.admin })
    assert.equal(await status(boss, 'POST', '/access-control/role', { name: 'All', permissions: ['*'] }), 403)
    assert.equal(
      await status(boss, 'POST', '/access-control/role', { name: 'Some', permissions: ['item.*'] }),
      403,
      'item.breakGlass is not theirs',
    )
    assert.equal(await status(boss, 'POST', '/access-control/role', { name: 'Few', permissions: ['item.update'] }), 201)
    const { check } = await ada.post('/access-control/role', { name: 'Typo', permissions: ['itm.update'] })
    assert.equal(
      check?.[0]?.code ??
        (await ada.get('/access-control/role')).find((each: { name: string }) => each.name === 'Typo').check[0].code,
      'unknown-permission',
    )
  })
})

describe('explain', () => {
  test('names the deciding rule, to users about themselves and to managers about others', async () => {
    const item = await ada.post('/item', { title: 'Why', containerId: desk.id })
    const own = await bob.get(`/access-control/explain?action=update&id=${item.id}`)
    assert.equal(own.allowed, true)
    assert.equal(own.permission, 'item.update')
    assert.equal(await status(bob, 'GET', `/access-control/explain?user=${ada.id}`), 403)
    assert.equal(await status(ada, 'GET', `/access-control/explain?user=${eve.id}`), 404)
    assert.equal(await status(ada, 'GET', `/access-control/explain?user=${bob.id}&id=${eve.id}`), 404)
    assert.equal(await status(ada, 'GET', `/access-control/explain?user=${bob.id}&entity=Nothing&action=fly`), 400)
    const given = await grant({
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['item.update'],
      owner: ownerKind.container,
      ownerId: desk.id,
    })
    const explanation = await ada.get(`/access-control/explain?user=${bob.id}&action=update&id=${item.id}`)
    assert.equal(explanation.allowed, false)
    assert.equal(
      explanation.steps.find((each: { outcome: string }) => each.outcome === 'denies').accessControlId,
      given.id,
    )
    await drop(given)
  })
})
