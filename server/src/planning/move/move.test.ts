import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { wipPolicies } from '../../containers/board/board.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { newId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'

interface Moved {
  id: string
  key: string
  title: string
  containerId: string
  status: string
}

describe('items that move together', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const [here, there, closed] = [
    await ada.post('/container', { name: 'Here' }),
    await ada.post('/container', { name: 'There' }),
    await ada.post('/container', { name: 'Attic' }),
  ]
  const make = async (title: string, body: object = {}): Promise<Moved> =>
    await ada.post('/item', { title, containerId: here.id, ...body })
  const locked = await make('Locked', { containerId: closed.id })
  await ada.put(`/container/${closed.id}`, { archived: true })
  const foreign = await eve.post('/item', { title: 'Foreign' })
  const place = async ({ id }: { id: string }) => (await ada.get(`/item/${id}`)).containerId

  test('go to another container with their descendants, in one change set that can be undone', async () => {
    const parent = await make('Parent')
    const child = await make('Child', { parentId: parent.id })
    const grandchild = await make('Grandchild', { parentId: child.id })
    const other = await make('Other')
    const body = { itemIds: [other.id, parent.id, child.id.toUpperCase(), other.id], containerId: there.id }
    const moved = await bob.ask('POST', '/item/move', { body })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    assert.deepEqual(
      moved.body.items.map((each: Moved) => each.title),
      ['Other', 'Parent', 'Child'],
    )
    for (const each of [parent, child, grandchild, other]) assert.equal(await place(each), there.id)
    assert.equal((await bob.get(`/item/${other.key}`)).id, other.id)
    await bob.post(`/change/${moved.headers.get('change-set')}/undo`, {})
    for (const each of [parent, child, grandchild, other]) assert.equal(await place(each), here.id)
    await bob.post('/item/move', { ...body, itemIds: [parent.id], children: false })
    assert.deepEqual([await place(parent), await place(child)], [there.id, here.id])
  })

  test('stay if one of them cannot go; the refusal names each with its reason', async () => {
    const [good, denied] = [await make('Good'), await make('Denied')]
    const { id } = await ada.post('/access-control', {
      userId: bob.id,
      effect: grantEffect.deny,
      permissions: ['item.update'],
      owner: ownerKind.item,
      ownerId: denied.id,
    })
    const itemIds = [good.id, denied.id, locked.id, foreign.id, newId()]
    const { status, body } = await bob.ask('POST', '/item/move', { body: { itemIds, containerId: there.id } })
    assert.deepEqual([status, body.code], [422, 'items-refused'])
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string; Code: string }) => [each.Pointer, each.Code]),
      [
        ['/itemIds/1', 'forbidden'],
        ['/itemIds/2', 'container-archived'],
        ['/itemIds/3', 'not-found'],
        ['/itemIds/4', 'not-found'],
      ],
    )
    assert.deepEqual(
      body.refused.map((each: { id: string; status: number }) => [each.id, each.status]),
      [
        [denied.id, 403],
        [locked.id, 422],
        [foreign.id, 404],
        [itemIds[4], 404],
      ],
    )
    assert.equal(await place(good), here.id)
    await ada.delete(`/access-control/${id}`)
    const dry = await bob.ask('POST', '/item/move?dryRun=true', { body: { itemIds: [good.id], containerId: there.id } })
    assert.deepEqual([dry.status, await place(good)], [200, here.id])
  })

  test('are 500 at most, and at least one', async () => {
    for (const itemIds of [[], Array.from({ length: 501 }, () => newId()), 'all', undefined]) {
      const { status, body } = await bob.ask('POST', '/item/move', { body: { itemIds, containerId: there.id } })
      assert.deepEqual([status, body.Fields[0].Field.split('.')[0]], [400, 'itemIds'])
    }
  })

  describe('on a board', async () => {
    const room = await ada.post('/container', { name: 'Room' })
    const column = (name: string, more: object = {}) => ({ id: name.toLowerCase(), name, values: [name], ...more })
    const board = await ada.post('/board', {
      name: 'Board',
      containerIds: [room.id],
      columnField: 'status',
      columns: [column('Open'), column('Doing'), column('Full', { wip: 2, wipPolicy: wipPolicies.block })],
    })
    const card = (title: string) => make(title, { containerId: room.id, status: 'Open' })
    const [a, b, c, d] = [await card('A'), await card('B'), await card('C'), await card('D')]
    const path = `/board/${board.id}/move`
    const titles = async (id: string) => {
      const { columns } = await bob.get(`/board/${board.id}/cards?column=${id}`)
      return columns[0].cards.map((each: Moved) => each.title).join('')
    }

    test('keep the order of the request, behind the last or beside a card', async () => {
      const moved = await bob.ask('POST', path, { body: { itemIds: [c.id, a.id], column: 'doing' } })
      assert.equal(moved.status, 200, JSON.stringify(moved.body))
      assert.deepEqual(
        [moved.body.items.map((each: Moved) => each.status), moved.body.column, moved.headers.get('etag')],
        [['Doing', 'Doing'], 'doing', null],
      )
      assert.deepEqual([await titles('doing'), await titles('open')], ['CA', 'BD'])
      await bob.post(path, { itemIds: [d.id, b.id], column: 'doing', before: a.id })
      assert.equal(await titles('doing'), 'CDBA')
      await bob.post(path, { itemIds: [a.id, c.id], column: 'doing', after: d.id })
      assert.equal(await titles('doing'), 'DACB')
    })

    test('move all or none: a limit, a stranger, or a card that is not there keeps all of them', async () => {
      await bob.post(path, { itemIds: [a.id, b.id, c.id, d.id], column: 'open' })
      assert.equal(await titles('open'), 'ABCD')
      const full = await bob.ask('POST', path, { body: { itemIds: [a.id, b.id, c.id], column: 'full' } })
      assert.deepEqual([full.status, full.body.code], [422, 'wip-limit'])
      const outside = await make('Outside')
      for (const [id, code] of [
        [outside.id, 'not-on-board'],
        [foreign.id, 'unknown-reference'],
        [newId(), 'unknown-reference'],
      ]) {
        const { status, body } = await bob.ask('POST', path, { body: { itemIds: [a.id, id], column: 'doing' } })
        assert.deepEqual([status, body.code, body.Fields[0].Pointer], [422, code, '/itemIds/1'])
      }
      const { id } = await ada.post('/access-control', {
        userId: bob.id,
        effect: grantEffect.deny,
        permissions: ['item.update'],
        owner: ownerKind.item,
        ownerId: b.id,
      })
      const refused = await bob.ask('POST', path, { body: { itemIds: [a.id, b.id], column: 'doing' } })
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.refused.map((each: { id: string }) => each.id)],
        [422, 'items-refused', [b.id]],
      )
      await ada.delete(`/access-control/${id}`)
      assert.equal(await titles('open'), 'ABCD')
      await bob.post(path, { itemIds: [a.id, b.id], column: 'full' })
      assert.equal(await titles('full'), 'AB')
    })

    test('are named in one way, and have no version in common', async () => {
      for (const [body, field, headers] of [
        [{ itemId: a.id, itemIds: [b.id], column: 'open' }, 'itemId', {}],
        [{ column: 'open' }, 'itemId', {}],
        [{ itemIds: [c.id, d.id], column: 'open', before: c.id }, 'before', {}],
        [{ itemIds: [c.id], column: 'open' }, 'itemIds', { 'if-match': '"v1"' }],
      ] as const) {
        const answer = await bob.ask('POST', path, { body, headers })
        assert.deepEqual([answer.status, answer.body.Fields[0].Field], [400, field])
      }
    })
  })
})
