import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { grantEffect } from '../../../identity/grant-effect.ts'
import { roleCode } from '../../../kernel/access.ts'
import { ownerKind } from '../../../records/references/owner.ts'

describe('amounts by container', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const [ours, others] = [
    await ada.post('/container', { name: 'Ours' }),
    await ada.post('/container', { name: 'Others' }),
  ]
  const at = ({ id }: { id: string }) => ({ owner: ownerKind.container, ownerId: id })
  await meg.post('/finance/rate', { from: '2026-01-01', bill: 100, cost: 50 })
  const book = async (container: { id: string }, who: Person = bob) => {
    const item = await ada.post('/item', { title: 'Work', containerId: container.id })
    return (await who.post('/time', { itemId: item.id, date: '2026-04-08', minutes: 60 })).id
  }
  const amounts = async (who: Person, id: string) => {
    const { billAmount, costAmount, multiplier } = await who.get(`/time/${id}`)
    return [billAmount, costAmount, multiplier]
  }
  const none = [undefined, undefined, undefined]

  test('who manages a container sees those of its entries, and of no others', async () => {
    const lead = await person({ name: 'Lead' })
    await ada.post('/access-control', { userId: lead.id, role: roleCode.manager, ...at(ours) })
    const [inside, outside] = [await book(ours), await book(others, lead)]
    assert.deepEqual(await amounts(lead, inside), ['100.0000', '50.0000', '1.0000'])
    assert.deepEqual(await amounts(lead, outside), none, 'also of their own time')
    assert.deepEqual(await amounts(bob, inside), none)
    const listed = await lead.get('/time?fields=billAmount,note')
    assert.deepEqual(
      new Map(listed.map((each: { id: string; billAmount?: string }) => [each.id, each.billAmount])),
      new Map([
        [inside, '100.0000'],
        [outside, undefined],
      ]),
    )
    for (const query of ['sort=billAmount', 'billRate[gt]=1'])
      assert.equal((await lead.ask('GET', `/time?${query}`)).status, 400, query)
    assert.doesNotMatch(JSON.stringify(await lead.get(`/time/${inside}/history`)), /billRate|costRate/)
    assert.equal((await eve.ask('GET', `/time/${inside}`)).status, 404)
  })

  test('a record that is sent back keeps what is not shown', async () => {
    const lead = await person({ name: 'Half' })
    for (const container of [ours, others])
      await ada.post('/access-control', { userId: lead.id, role: roleCode.manager, ...at(container) })
    const denied = { userId: lead.id, effect: grantEffect.deny, permissions: ['bill.read', 'cost.read'], ...at(others) }
    await ada.post('/access-control', denied)
    const mine = await meg.post('/finance/rate', { containerId: ours.id, from: '2030-01-01', bill: 1, cost: 2 })
    const hidden = await meg.post('/finance/rate', { containerId: others.id, from: '2030-01-01', bill: 3, cost: 4 })
    assert.equal((await lead.get(`/finance/rate/${mine.id}`)).cost, '2.0000')
    const seen = await lead.get(`/finance/rate/${hidden.id}`)
    assert.ok(!('bill' in seen) && !('cost' in seen))
    assert.equal((await lead.put(`/finance/rate/${hidden.id}`, { ...seen, note: 'Seen' })).note, 'Seen')
    const { bill, cost } = await meg.get(`/finance/rate/${hidden.id}`)
    assert.deepEqual([bill, cost], ['3.0000', '4.0000'])
  })

  test('a denial in a container hides them there only', async () => {
    const kim = await person({ name: 'Kim', role: roleCode.manager })
    const denied = { userId: kim.id, effect: grantEffect.deny, permissions: ['cost.read'], ...at(ours) }
    await ada.post('/access-control', denied)
    const [inside, outside] = [await book(ours), await book(others)]
    assert.deepEqual(await amounts(kim, inside), ['100.0000', undefined, '1.0000'])
    assert.deepEqual(await amounts(kim, outside), ['100.0000', '50.0000', '1.0000'])
    assert.equal((await kim.ask('GET', '/time?sort=costAmount')).status, 400)
    assert.ok((await kim.get('/time?sort=-billAmount&limit=1')).length > 0)
  })
})
