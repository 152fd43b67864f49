import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { nested } from './area-tree.ts'

const { ada, bob, eve, happened, person } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })
const shop = await ada.post('/container', { name: 'Shop' })

const inDesk = { owner: ownerKind.container, ownerId: desk.id }

async function area(name: string, values: object = {}) {
  return await ada.post('/area', { name, ...values })
}

describe('areas', () => {
  test('can be nested, and are listed by path, sequence and name', async () => {
    const europe = await area('Europe', inDesk)
    const asia = await area('Asia', { ...inDesk, sequence: -1 })
    const germany = await area('Germany', { ...inDesk, parentId: europe.id, sequence: 2 })
    const france = await area('France', { ...inDesk, parentId: europe.id, sequence: 1 })
    const austria = await area('Austria', { ...inDesk, parentId: europe.id, sequence: 2 })
    const berlin = await area('Berlin', { ...inDesk, parentId: germany.id })
    assert.deepEqual([europe.path, germany.path, berlin.path], ['', 'Europe', 'Europe / Germany'])
    const listed = await ada.get(`/area?ownerId=${desk.id}`)
    assert.deepEqual(
      listed.map((each: { id: string }) => each.id),
      [asia, europe, france, austria, germany, berlin].map(each => each.id),
    )
    const tree = await ada.get(`/area?tree=true&ownerId=${desk.id}`)
    assert.deepEqual(
      tree.map((each: { name: string }) => each.name),
      ['Asia', 'Europe'],
    )
    assert.deepEqual(
      tree[1].children.map((each: { name: string }) => each.name),
      ['France', 'Austria', 'Germany'],
    )
    assert.deepEqual(tree[1].children[2].children[0].name, 'Berlin')
    assert.deepEqual(tree[1].children[2].children[0].children, [])
    assert.deepEqual((await ada.get(`/area/${berlin.id}`)).parentId, germany.id)
  })

  test('pass a new name and a new owner on to the areas below them', async () => {
    const root = await area('Root', inDesk)
    const middle = await area('Middle', { ...inDesk, parentId: root.id })
    const leaf = await area('Leaf', { ...inDesk, parentId: middle.id })
    await ada.put(`/area/${root.id}`, { name: 'Trunk' })
    assert.equal((await ada.get(`/area/${leaf.id}`)).path, 'Trunk / Middle')
    assert.deepEqual(await happened(3), ['area.updated', 'area.updated', 'area.updated'])
    await ada.put(`/area/${root.id}`, { ownerId: shop.id.toUpperCase() })
    assert.equal((await ada.get(`/area/${leaf.id}`)).ownerId, shop.id)
    await ada.put(`/area/${middle.id}`, { parentId: '' })
    assert.equal((await ada.get(`/area/${leaf.id}`)).path, 'Middle')
    const { version } = await ada.get(`/area/${middle.id}`)
    assert.equal((await ada.put('/area', { id: middle.id, name: 'Middle' })).version, version)
  })

  test('cannot be below themselves', async () => {
    const a = await area('A')
    const b = await area('B', { parentId: a.id })
    const c = await area('C', { parentId: b.id })
    for (const parentId of [a.id, b.id, c.id, c.id.toUpperCase()]) {
      const { status, body } = await ada.ask('PUT', `/area/${a.id}`, { body: { parentId } })
      assert.equal(status, 422)
      assert.equal(body.code, 'cycle')
    }
  })

  test('cannot be moved below each other by concurrent requests', async () => {
    const race = async (n: number) => {
      const one = await area(`One ${n}`)
      const two = await area(`Two ${n}`)
      const moves = [
        [one.id, two.id],
        [two.id, one.id],
      ].map(([id, parentId]) => ada.ask('PUT', `/area/${id}`, { body: { parentId } }))
      assert.deepEqual((await Promise.all(moves)).map(each => each.status).sort(), [200, 422])
    }
    await Promise.all([1, 2, 3, 4, 5].map(race))
  })

  test('must have the same owner as their parent', async () => {
    const ours = await area('Ours', inDesk)
    const { status, body } = await ada.ask('POST', '/area', {
      body: { name: 'Theirs', owner: ownerKind.container, ownerId: shop.id, parentId: ours.id },
    })
    assert.equal(status, 422)
    assert.equal(body.code, 'other-owner')
    const tenants = await area('Tenant’s', { ownerId: ada.tenantId })
    assert.equal((await area('Alike', { parentId: tenants.id })).parentId, tenants.id)
  })

  test('need an existing owner if the code of its kind is known', async () => {
    for (const [owner, ownerId] of [
      [0, newId()],
      [1, newId()],
      [1, ''],
      [1, 'desk'],
      [2, newId()],
      [4, newId()],
    ] as const) {
      const { status, body } = await ada.ask('POST', '/area', { body: { name: 'Lost', owner, ownerId } })
      assert.equal(status, 422, `${owner} ${ownerId}`)
      assert.equal(body.Fields[0].Field, 'ownerId')
    }
    const odd = await area('Odd', { owner: 99, ownerId: 'somewhere' })
    assert.deepEqual([odd.owner, odd.ownerId, odd.check[0].code], [99, 'somewhere', 'unknown-code'])
    assert.equal((await bob.ask('GET', `/area/${odd.id}`)).status, 200)
  })

  test('of another tenant do not exist', async () => {
    const { id } = await area('Ours')
    assert.equal((await eve.ask('GET', `/area/${id}`)).status, 404)
    assert.equal((await eve.ask('DELETE', `/area/${id}`)).status, 404)
    assert.equal((await eve.ask('POST', '/area', { body: { name: 'Below', parentId: id } })).status, 422)
    assert.ok(!(await eve.get('/area')).some((each: { id: string }) => each.id === id))
  })

  test('of a private container are visible to its members only', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const hidden = await area('Hidden', { owner: ownerKind.container, ownerId: vault.id })
    const below = await area('Below', { owner: ownerKind.container, ownerId: vault.id, parentId: hidden.id })
    assert.equal((await bob.ask('GET', `/area/${hidden.id}`)).status, 404)
    assert.ok(!JSON.stringify(await bob.get('/area?tree=true')).includes(hidden.id))
    const grant = await ada.post('/access-control', {
      userId: bob.id,
      owner: ownerKind.area,
      ownerId: hidden.id,
      role: roleCode.member,
    })
    assert.equal((await bob.ask('GET', `/area/${below.id}`)).status, 200)
    await ada.delete(`/access-control/${grant.id}`)
    assert.equal((await bob.ask('GET', `/area/${below.id}`)).status, 404)
  })

  test('are created by managers of the tenant, the container or the parent area', async () => {
    const chief = await person({ name: 'Cleo', role: roleCode.manager })
    const local = await person({ name: 'Lars', role: roleCode.member })
    assert.equal((await bob.ask('POST', '/area', { body: { name: 'No', ...inDesk } })).status, 403)
    assert.equal((await chief.ask('POST', '/area', { body: { name: 'Yes' } })).status, 201)
    await ada.post('/access-control', {
      userId: local.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.manager,
    })
    const mine = await local.must('POST', '/area', { body: { name: 'Yes', ...inDesk } })
    assert.equal(
      (await local.ask('POST', '/area', { body: { name: 'No', owner: ownerKind.container, ownerId: shop.id } })).status,
      403,
    )
    assert.equal(
      (await local.ask('PUT', `/area/${mine.id}`, { body: { owner: ownerKind.container, ownerId: shop.id } })).status,
      403,
    )
    const root = await area('Root', { owner: ownerKind.container, ownerId: shop.id })
    await ada.post('/access-control', {
      userId: local.id,
      owner: ownerKind.area,
      ownerId: root.id,
      role: roleCode.manager,
    })
    assert.equal(
      (
        await local.ask('POST', '/area', {
          body: { name: 'Yes', owner: ownerKind.container, ownerId: shop.id, parentId: root.id },
        })
      ).status,
      201,
    )
  })
})

describe('items in areas', () => {
  test('are assigned to the default assignee of the area, or of the nearest area above that has one', async () => {
    const root = await area('Root', { ...inDesk, defaultAssignee: ada.id, leadUserId: bob.id })
    const middle = await area('Middle', { ...inDesk, parentId: root.id })
    const leaf = await area('Leaf', { ...inDesk, parentId: middle.id, defaultAssignee: bob.id })
    const made = async (areaId: string, values = {}) =>
      (await ada.post('/item', { title: 'x', containerId: desk.id, areaId, ...values })).assignees
    assert.deepEqual(await made(root.id), [ada.id])
    assert.deepEqual(await made(middle.id.toUpperCase()), [ada.id])
    assert.deepEqual(await made(leaf.id), [bob.id])
    assert.deepEqual(await made(leaf.id, { assignees: [ada.id] }), [ada.id])
    await ada.put(`/area/${middle.id}`, { defaultAssignee: bob.id })
    assert.deepEqual(await made(middle.id), [bob.id])
    await ada.put(`/area/${leaf.id}`, { defaultAssignee: null })
    await ada.put(`/area/${middle.id}`, { defaultAssignee: '' })
    assert.deepEqual(await made(leaf.id), [ada.id])
  })

  test('can only be in an area of their container or of the tenant that is not archived', async () => {
    const [ours, theirs, all, old] = [
      await area('Ours', inDesk),
      await area('Theirs', { owner: ownerKind.container, ownerId: shop.id }),
      await area('All'),
      await area('Old', { ...inDesk, archived: true }),
    ]
    const answer = async (areaId: string) => {
      const { status, body } = await ada.ask('POST', '/item', { body: { title: 'x', containerId: desk.id, areaId } })
      return [status, body.code]
    }
    assert.deepEqual(await answer(ours.id), [201, undefined])
    assert.deepEqual(await answer(all.id), [201, undefined])
    assert.deepEqual(await answer(theirs.id), [422, 'area-elsewhere'])
    assert.deepEqual(await answer(old.id), [422, 'area-archived'])
    const item = await ada.post('/item', { title: 'x', containerId: desk.id, areaId: ours.id })
    const put = async (body: object) => {
      const { status, body: problem } = await ada.ask('PUT', `/item/${item.id}`, { body })
      return [status, problem.code]
    }
    assert.deepEqual(await put({ areaId: theirs.id }), [422, 'area-elsewhere'])
    assert.deepEqual(await put({ areaId: old.id }), [422, 'area-archived'])
    await ada.put(`/area/${ours.id}`, { archived: true })
    assert.deepEqual(await put({ title: 'stays where it is' }), [200, undefined])
    assert.deepEqual(await put({ containerId: shop.id, areaId: ours.id }), [422, 'area-elsewhere'])
    assert.deepEqual(await put({ containerId: shop.id, areaId: theirs.id }), [200, undefined])
  })

  test('are never in an area that a concurrent request deleted', async () => {
    const race = async (n: number) => {
      const root = await area(`Base ${n}`, inDesk)
      const { id } = await area(`Brief ${n}`, { ...inDesk, parentId: root.id })
      const item = await ada.post('/item', { title: 'x', containerId: desk.id })
      const [created, changed] = await Promise.all([
        ada.ask('POST', '/item', { body: { title: 'x', containerId: desk.id, areaId: id } }),
        ada.ask('PUT', `/item/${item.id}`, { body: { areaId: id } }),
        ada.ask('DELETE', `/area/${id}`),
      ])
      assert.ok([201, 422].includes(created.status) && [200, 422].includes(changed.status))
      assert.deepEqual(await ada.get(`/item?areaId=${id}`), [])
    }
    await Promise.all([...Array(8).keys()].map(race))
  })

  test('prevent the move of their area to another container', async () => {
    const { id } = await area('Settled', inDesk)
    await ada.post('/item', { title: 'x', containerId: desk.id, areaId: id })
    const { status, body } = await ada.ask('PUT', `/area/${id}`, { body: { ownerId: shop.id } })
    assert.deepEqual([status, body.code], [422, 'area-in-use'])
    assert.equal((await ada.ask('PUT', `/area/${id}`, { body: { owner: ownerKind.tenant, ownerId: '' } })).status, 200)
  })
})

describe('the deletion of an area', () => {
  test('is for super admins only', async () => {
    const boss = await person({ name: 'Anna', role: roleCode.admin })
    const { id } = await area('Guarded')
    assert.equal((await bob.ask('DELETE', `/area/${id}`)).status, 403)
    assert.equal((await boss.ask('DELETE', `/area/${id}`)).status, 403)
    assert.equal((await ada.ask('DELETE', `/area/${id}`)).status, 204)
    assert.equal((await ada.ask('GET', `/area/${id}`)).status, 404)
  })

  test('moves its children and its items to its parent', async () => {
    const root = await area('Root', inDesk)
    const middle = await area('Middle', { ...inDesk, parentId: root.id })
    const leaf = await area('Leaf', { ...inDesk, parentId: middle.id })
    const deep = await area('Deep', { ...inDesk, parentId: leaf.id })
    const item = await ada.post('/item', { title: 'Here', containerId: desk.id, areaId: middle.id })
    const gone = await ada.post('/item', { title: 'Gone', containerId: desk.id, areaId: middle.id })
    await ada.delete(`/item/${gone.id}`)
    await ada.delete(`/area/${middle.id}`)
    const [left, below] = [await ada.get(`/area/${leaf.id}`), await ada.get(`/area/${deep.id}`)]
    assert.deepEqual([left.parentId, left.path, below.parentId, below.path], [root.id, 'Root', leaf.id, 'Root / Leaf'])
    assert.equal((await ada.get(`/item/${item.id}`)).areaId, root.id)
    const [last] = (await ada.get(`/item/${item.id}/history`)).slice(-1)
    assert.deepEqual([last.type, last.changes], ['item.updated', { areaId: { from: middle.id, to: root.id } }])
    assert.equal((await ada.must('POST', `/item/${gone.id}/restore`)).areaId, root.id)
    await ada.delete(`/area/${root.id}`)
    assert.equal((await ada.get(`/item/${item.id}`)).areaId, '')
    assert.equal((await ada.get(`/area/${leaf.id}`)).parentId, '')
  })

  test('moves any number of items', async () => {
    const { id } = await area('Busy', inDesk)
    for (let n = 0; n < 3; n++) await ada.post('/item', { title: `Item ${n}`, containerId: desk.id, areaId: id })
    await ada.delete(`/area/${id}`)
    assert.deepEqual((await happened(4)).sort(), ['area.deleted', 'item.updated', 'item.updated', 'item.updated'])
    assert.equal((await ada.get(`/item?areaId=${id}`)).length, 0)
  })

  test('with cascade archives the area and all areas below it instead', async () => {
    const root = await area('Old')
    const leaf = await area('Older', { parentId: root.id })
    assert.equal((await ada.ask('DELETE', `/area/${root.id}?cascade=true`)).status, 204)
    assert.deepEqual(
      [(await ada.get(`/area/${root.id}`)).archived, (await ada.get(`/area/${leaf.id}`)).archived],
      [true, true],
    )
  })

  test('can be undone: the area returns to its parent, or becomes a root if the parent is deleted', async () => {
    const root = await area('Root')
    const leaf = await area('Leaf', { parentId: root.id })
    await ada.delete(`/area/${leaf.id}`)
    await ada.put(`/area/${root.id}`, { name: 'Stem' })
    const back = await ada.must('POST', `/area/${leaf.id}/restore`)
    assert.deepEqual([back.parentId, back.path], [root.id, 'Stem'])
    await ada.delete(`/area/${leaf.id}`)
    await ada.delete(`/area/${root.id}`)
    assert.deepEqual((await ada.must('POST', `/area/${leaf.id}/restore`)).parentId, '')
  })

  test('has a dry run', async () => {
    const { id } = await area('Kept')
    assert.equal((await ada.ask('DELETE', `/area/${id}?dryRun=true`)).status, 200)
    assert.equal((await ada.ask('GET', `/area/${id}`)).status, 200)
  })
})

test('a record whose parent is not visible becomes a root of the tree', () => {
  assert.deepEqual(
    nested([
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: 'b' },
    ]),
    [{ id: 'b', parentId: 'a', children: [{ id: 'c', parentId: 'b', children: [] }] }],
  )
})
