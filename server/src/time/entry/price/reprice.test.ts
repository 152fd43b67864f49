import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../../test/support/people.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { roleCode } from '../../../kernel/access.ts'
import { timeState } from '../../time-state.ts'

describe('pricing entries again', async () => {
  const { ada, bob, eve, database, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const container = await ada.post('/container', { name: 'Project' })
  const item = await ada.post('/item', { title: 'Work', containerId: container.id })
  const rate = await meg.post('/finance/rate', { from: '2026-01-01', bill: 100, cost: 50 })
  const book = (body: object = {}) => bob.post('/time', { itemId: item.id, date: '2026-04-08', minutes: 60, ...body })
  const [open, approved, later] = [await book(), await book(), await book({ date: '2026-05-01' })]
  const own = await meg.post('/time', {
    itemId: item.id,
    userId: bob.id,
    date: '2026-04-08',
    minutes: 60,
    billRate: 300,
  })
  await database.single(
    tenantCaller(bob.tenantId),
    ctx =>
      ctx.sql`update time set state = ${timeState.approved} where tenant_id = ${bob.tenantId} and id = ${approved.id}`,
  )
  const april = { from: '2026-04-01', to: '2026-04-30' }
  const rates = async (id: string) => {
    const { billRate, costRate } = await meg.get(`/time/${id}`)
    return [billRate, costRate]
  }

  test('only open entries of the period change, a dry run says how, and an undo restores them', async () => {
    await meg.put(`/finance/rate/${rate.id}`, { bill: '120.5', cost: 60 })
    const dry = await meg.post('/time/reprice?dryRun=true', { ...april, which: 'both' })
    const expected = {
      changed: 2,
      unchanged: 0,
      skipped: { approved: 1, ownPrice: 1 },
      bill: [{ currency: 'EUR', before: '400.0000', after: '420.5000' }],
      cost: [{ currency: '', before: '100.0000', after: '120.0000' }],
    }
    assert.deepEqual(dry.would, expected)
    assert.deepEqual(await rates(open.id), ['100.0000', '50.0000'])
    const { body, headers } = await meg.ask('POST', '/time/reprice', { body: { ...april, which: 'both' } })
    assert.deepEqual(body, expected)
    assert.deepEqual(await rates(open.id), ['120.5000', '60.0000'])
    assert.deepEqual(await rates(own.id), ['300.0000', '60.0000'])
    assert.deepEqual(await rates(approved.id), ['100.0000', '50.0000'])
    assert.deepEqual(await rates(later.id), ['100.0000', '50.0000'])
    assert.equal((await meg.post('/time/reprice', { ...april, which: 'both' })).changed, 0)
    assert.doesNotMatch(JSON.stringify(await bob.get(`/time/${open.id}/history`)), /120\.5|billRate/)
    await meg.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.deepEqual(await rates(open.id), ['100.0000', '50.0000'])
  })

  test('entries on a closed day keep their rates', async () => {
    await ada.post('/time/close', { until: '2026-04-30', reason: 'April is reported' })
    const { changed, skipped } = await meg.post('/time/reprice', { ...april, which: 'both' })
    assert.deepEqual([changed, skipped], [0, { approved: 1, closed: 2 }])
    assert.deepEqual(await rates(open.id), ['100.0000', '50.0000'])
    await ada.post('/time/close', { until: null, reason: 'Open again' })
  })

  test('price and cost can be asked for apart, and for some containers only', async () => {
    const elsewhere = await ada.post('/container', { name: 'Elsewhere' })
    const none = await meg.post('/time/reprice', { ...april, which: 'cost', containerIds: [elsewhere.id] })
    assert.deepEqual([none.changed, none.bill], [0, undefined])
    const costs = await meg.post('/time/reprice', {
      ...april,
      which: 'cost',
      userIds: [bob.id],
      containerIds: [container.id],
    })
    assert.deepEqual([costs.changed, await rates(open.id)], [2, ['100.0000', '60.0000']])
  })

  test('entries from before there were rates are priced', async () => {
    await database.single(
      tenantCaller(bob.tenantId),
      ctx =>
        ctx.sql`update time set bill_rate = null, cost_rate = null, rate_source = '', cost_source = '' where tenant_id = ${bob.tenantId} and id = ${later.id}`,
    )
    const { changed } = await meg.post('/time/reprice', { from: '2026-05-01', to: '2026-05-31', which: 'both' })
    assert.deepEqual([changed, await rates(later.id)], [1, ['120.5000', '60.0000']])
  })

  test('members may not, and a period ends after it begins', async () => {
    assert.equal((await bob.ask('POST', '/time/reprice', { body: { ...april, which: 'bill' } })).status, 403)
    const wrong = await meg.ask('POST', '/time/reprice', {
      body: { from: '2026-05-01', to: '2026-04-30', which: 'bill' },
    })
    assert.deepEqual([wrong.status, wrong.body.Fields[0].Pointer], [400, '/to'])
    assert.equal((await meg.ask('POST', '/time/reprice', { body: { ...april, which: 'all' } })).status, 400)
    const foreign = await eve.post('/container', { name: 'Theirs' })
    for (const id of [foreign.id, 'nothing']) {
      const { status, body } = await meg.ask('POST', '/time/reprice', {
        body: { ...april, which: 'bill', containerIds: [id] },
      })
      assert.deepEqual([status, body.code, body.Fields[0].Pointer], [422, 'unknown-reference', '/containerIds/0'])
    }
  })
})
