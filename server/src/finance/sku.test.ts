import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../test/support/listener.ts'
import { sharedTestService } from '../../test/support/people.ts'
import { roleCode } from '../kernel/access.ts'
import { budgetReasonKind } from './budget-reason.ts'
import { skuKind } from './sku.ts'

describe('job roles, budget reasons and SKUs', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const boss = await person({ name: 'Boss', role: roleCode.admin })
  const kinds = ['job-role', 'budget-reason', 'sku'].map(each => `/finance/${each}`)

  test('a code belongs to one record of its kind, regardless of case', async () => {
    for (const path of kinds) {
      const first = await boss.post(path, { name: 'First', code: 'ONE' })
      const second = await boss.ask('POST', path, { body: { name: 'Second', code: 'one' } })
      assert.deepEqual([second.status, second.body.code, second.body.Fields[0].Field], [422, 'already-taken', 'code'])
      await eve.post(path, { name: 'First', code: 'ONE' })
      await boss.delete(`${path}/${first.id}`)
      await boss.post(path, { name: 'Second', code: 'one' })
      const back = await boss.ask('POST', `${path}/${first.id}/restore`)
      assert.deepEqual([back.status, back.body.code], [422, 'already-taken'])
    }
  })

  test('members read them, and admins change them', async () => {
    for (const path of kinds) {
      const { id } = await boss.post(path, { name: 'Shared' })
      assert.equal((await bob.get(`${path}/${id}`)).active, true)
      assert.equal((await bob.ask('PUT', `${path}/${id}`, { body: { name: 'Mine' } })).status, 403)
    }
  })

  test('a kind that the service does not know is stored and reported', async () => {
    const reason = await ada.post('/finance/budget-reason', { name: 'Odd', kind: 99 })
    assert.deepEqual([reason.kind, reason.check[0].path], [99, '/kind'])
    const known = await ada.put(`/finance/budget-reason/${reason.id}`, { kind: budgetReasonKind.overrun })
    assert.deepEqual(known.check, [])
    const codes = await ada.get('/meta/codes')
    assert.ok(
      codes.some((each: { field: string; name: string }) => each.field === 'sku.kind' && each.name === 'licence'),
    )
  })

  test('the clock of a SKU has an effect for support plans only', async () => {
    const clock = await ada.post('/clock', { name: 'Gold' })
    const plan = await ada.post('/finance/sku', { name: 'Gold', kind: skuKind.supportPlan, clockId: clock.id })
    assert.deepEqual([plan.clockId, plan.check], [clock.id, []])
    const service = await ada.put(`/finance/sku/${plan.id}`, { kind: skuKind.service })
    assert.deepEqual(
      service.check.map((each: { code: string }) => each.code),
      ['no-effect'],
    )
    const theirs = await eve.post('/clock', { name: 'Theirs' })
    const refused = await ada.ask('PUT', `/finance/sku/${plan.id}`, { body: { clockId: theirs.id } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'unknown-reference'])
  })

  test('prices are decimals with a first day, sorted, and do not overlap', async () => {
    const sku = await ada.post('/finance/sku', {
      name: 'Day',
      price: [
        { from: '2026-07-01', amount: 1500.5, currency: 'EUR' },
        { from: '2026-01-01', amount: '1400' },
      ],
    })
    assert.deepEqual(sku.price, [
      { from: '2026-01-01', amount: '1400.0000', currency: '' },
      { from: '2026-07-01', amount: '1500.5000', currency: 'EUR' },
    ])
    const again = await ada.put(`/finance/sku/${sku.id}`, {
      price: [{ from: '2026-01-01', amount: 1400 }, sku.price[1]],
    })
    assert.equal(again.version, 1, 'equal amounts in another notation change nothing')
    for (const [body, code] of [
      [{ price: [{ from: '2026-01-01' }, { from: '2026-01-01' }] }, 'overlap'],
      [{ price: [{ from: '2026-01-01', amount: '1.00005' }] }, 'precision'],
      [{ price: [{ from: '2026-01-01', amount: -1 }] }, 'range'],
      [{ price: [{ from: '2026-01-01', amount: 'much' }] }, 'decimal'],
      [{ validFrom: '2026-02-01', validTo: '2026-01-31' }, 'range'],
    ] as const) {
      const answer = await ada.ask('PUT', `/finance/sku/${sku.id}`, { body })
      assert.deepEqual([answer.status, answer.body.Fields[0].Code], [400, code])
    }
  })

  test('what a SKU costs is for those who may read costs, in records, events and history', async () => {
    const stream = await Listener.to(bob, '/event/stream?entity=Sku')
    const cost = [{ from: '2026-01-01', amount: '47.1100', currency: 'EUR' }]
    const { id } = await ada.post('/finance/sku', { name: 'Cable', cost })
    const changed = await ada.ask('PUT', `/finance/sku/${id}`, { body: { cost: [], unit: 'm' } })
    await stream.count(2)
    assert.deepEqual(
      stream.received.map(({ data }) => Object.keys(data.changes).sort()),
      [['name'], ['unit']],
    )
    stream.hangUp()
    const meg = await person({ name: 'Meg', role: roleCode.manager })
    for (const path of [`/finance/sku/${id}/history`, '/finance/sku']) {
      assert.doesNotMatch(JSON.stringify(await bob.get(path)), /47\.11|"cost"/)
      assert.match(JSON.stringify(await meg.get(path)), /"cost"/)
    }
    assert.equal((await bob.ask('GET', `/finance/sku/${id}/history?property=cost`)).status, 400)
    const change = `/change/${changed.headers.get('change-set')}`
    assert.match(JSON.stringify(await meg.get(change)), /47\.11/)
    await ada.post(`${change}/undo`, {})
    assert.deepEqual((await meg.get(`/finance/sku/${id}`)).cost, cost)
  })

  test('they are part of the configuration, with their codes as keys', async () => {
    await ada.post('/finance/job-role', { name: 'Consultant', code: 'CON', skills: ['SQL'] })
    const { kinds: found } = await ada.get('/config/export')
    assert.deepEqual(found.JobRole.CON.skills, ['SQL'])
    assert.equal(found.Sku.Day.price[1].amount, '1500.5000')
    assert.ok('Odd' in found.BudgetReason)
    const { steps } = await ada.post('/config/plan', { document: await ada.get('/config/export') })
    assert.deepEqual(steps, [])
  })
})
