import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'

interface Made {
  id: string
  key: string
  version: number
}

describe('items that are deleted together', async () => {
  const { ada, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Deletions' })
  const mia = await person({ name: 'Mia', role: roleCode.manager })
  const make = async (title: string): Promise<Made> => await ada.post('/item', { title, containerId: desk.id })
  const isThere = async ({ id }: Pick<Made, 'id'>) => (await ada.ask('GET', `/item/${id}`)).status === 200

  test('are one change set, which restores all of them', async () => {
    const [one, other] = [await make('One'), await make('Other')]
    const itemIds = [other.id, one.id.toUpperCase(), other.id]
    const { status, body, headers } = await mia.ask('POST', '/item/delete', { body: { itemIds } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.items,
      [other, one].map(({ id, key }) => ({ id, key, version: 2 })),
    )
    assert.deepEqual([await isThere(one), await isThere(other)], [false, false])
    const changeSet = headers.get('change-set')
    const { records } = await mia.get(`/change/${changeSet}`)
    assert.equal(records, 2)
    const history: { type: string; changes: object }[] = await mia.get(`/item/${one.id}/history`)
    assert.deepEqual(history.find(({ type }) => type === 'item.deleted')?.changes, {
      deleted: { from: false, to: true },
    })
    await mia.post(`/change/${changeSet}/undo`, {})
    assert.deepEqual([await isThere(one), await isThere(other)], [true, true])
  })

  test('stay if one of them has to stay; the refusal names each with its reason', async () => {
    const [good, denied, gone] = [await make('Good'), await make('Denied'), await make('Gone')]
    const foreign = await eve.post('/item', { title: 'Foreign' })
    await ada.delete(`/item/${gone.id}`)
    await ada.post('/access-control', {
      userId: mia.id,
      effect: grantEffect.deny,
      permissions: ['item.delete'],
      owner: ownerKind.item,
      ownerId: denied.id,
    })
    const itemIds = [good.id, denied.id, gone.id, foreign.id, newId()]
    const { status, body } = await mia.ask('POST', '/item/delete', { body: { itemIds } })
    assert.deepEqual([status, body.code], [422, 'items-refused'])
    assert.deepEqual(
      body.refused.map((each: { id: string; status: number }) => [itemIds.indexOf(each.id), each.status]),
      [
        [1, 403],
        [2, 404],
        [3, 404],
        [4, 404],
      ],
    )
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/itemIds/1', '/itemIds/2', '/itemIds/3', '/itemIds/4'],
    )
    assert.deepEqual([await isThere(good), (await eve.get(`/item/${foreign.id}`)).title], [true, 'Foreign'])
  })

  test('are named, at least one of them, and a dry run keeps them', async () => {
    const item = await make('Kept')
    const tried = await mia.ask('POST', '/item/delete?dryRun=true', { body: { itemIds: [item.id] } })
    assert.deepEqual([tried.status, await isThere(item)], [200, true])
    for (const body of [{}, { itemIds: [] }, { itemIds: ['x'] }])
      assert.ok([400, 422].includes((await mia.ask('POST', '/item/delete', { body })).status), JSON.stringify(body))
  })
})
