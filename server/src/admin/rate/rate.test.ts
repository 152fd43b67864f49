import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { rateLevels } from './rate-scope.ts'

describe('rates', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const { id: containerId } = await ada.post('/container', { name: 'Project' })
  const { id: crmId } = await ada.post('/finance/crm', { name: 'Acme' })
  const { id: jobRoleId } = await ada.post('/finance/job-role', { name: 'Consultant', code: 'CON' })
  const { id: itemId } = await ada.post('/item', { title: 'Work', containerId })
  const scope = { itemId, containerId, crmId, userId: bob.id, jobRoleId }
  const refusal = async (body: object) => {
    const answer = await meg.ask('POST', '/finance/rate', { body })
    return [answer.status, answer.body.Fields?.[0]?.Code]
  }

  test('every level is a scope, and nothing else is', async () => {
    for (const [, properties] of rateLevels.slice(1)) {
      const own = Object.fromEntries(properties.map(property => [property, scope[property]]))
      const { bill, cost, currency } = await meg.post('/finance/rate', {
        ...own,
        from: '2020-01-01',
        to: '2020-12-31',
        bill: 1,
      })
      assert.deepEqual([bill, cost, currency], ['1.0000', null, ''])
    }
    for (const wrong of [
      { itemId, userId: bob.id },
      { containerId, crmId },
      { userId: bob.id, jobRoleId },
    ])
      assert.deepEqual(await refusal({ ...wrong, from: '2026-01-01', bill: 1 }), [422, 'rate-scope'])
  })

  test('rates of one scope follow each other', async () => {
    const first = await meg.post('/finance/rate', { crmId, from: '2026-01-01', bill: 100 })
    await meg.post('/finance/rate', { crmId, from: '2026-07-01', to: '2026-12-31', bill: 110 })
    await meg.post('/finance/rate', { crmId, userId: bob.id, from: '2026-07-01', bill: 120 })
    assert.deepEqual(await refusal({ crmId, from: '2026-01-01', bill: 1 }), [422, 'rate-overlap'])
    assert.deepEqual(await refusal({ crmId, from: '2026-12-31', bill: 1 }), [422, 'rate-overlap'])
    assert.deepEqual(await refusal({ crmId, from: '2026-03-01', to: '2026-07-01', bill: 1 }), [422, 'rate-overlap'])
    await meg.post('/finance/rate', { crmId, from: '2027-01-01', bill: 1 })
    await meg.delete(`/finance/rate/${first.id}`)
    await meg.post('/finance/rate', { crmId, from: '2026-01-01', cost: 1 })
    const back = await meg.ask('POST', `/finance/rate/${first.id}/restore`)
    assert.deepEqual([back.status, back.body.code], [422, 'rate-overlap'])
  })

  test('of two rates that overlap and come at once, one is stored', async () => {
    const body = { jobRoleId, from: '2030-01-01', bill: 1 }
    const answers = await Promise.all([1, 2, 3].map(() => meg.ask('POST', '/finance/rate', { body })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  })

  test('a rate has an amount, ends after it begins, and costs in the currency of the tenant', async () => {
    assert.deepEqual(await refusal({ crmId, from: '2040-01-01' }), [400, 'required'])
    assert.deepEqual(await refusal({ crmId, from: '2040-01-02', to: '2040-01-01', bill: 1 }), [400, 'range'])
    assert.deepEqual(await refusal({ crmId, from: '2040-01-01', bill: '1.00001' }), [400, 'precision'])
    assert.deepEqual(await refusal({ crmId, from: '2040-01-01', bill: -1 }), [400, 'range'])
    await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
    assert.deepEqual(await refusal({ crmId, from: '2040-01-01', cost: 1, currency: 'USD' }), [422, 'cost-currency'])
    await meg.post('/finance/rate', { crmId, from: '2040-01-01', bill: 1, currency: 'USD' })
  })

  test('are the rates of users and job roles, in both directions', async () => {
    const rates = [{ from: '2026-01-01', to: null, cost: '55.0000', bill: '110.0000', currency: 'EUR' }]
    const role = await ada.post('/finance/job-role', {
      name: 'Senior',
      rates: [{ from: '2026-01-01', cost: 55, bill: 110, currency: 'EUR' }],
    })
    assert.deepEqual(role.rates, rates)
    const [row] = await meg.get(`/finance/rate?jobRoleId=${role.id}`)
    assert.deepEqual([row.bill, row.containerId], ['110.0000', ''])
    await meg.put(`/finance/rate/${row.id}`, { bill: 115 })
    assert.equal((await meg.get(`/finance/job-role/${role.id}`)).rates[0].bill, '115.0000')
    const again = await ada.put(`/finance/job-role/${role.id}`, { rates: [{ ...rates[0], bill: 115 }] })
    assert.equal(again.version, 1, 'nothing has changed')
    const { headers } = await ada.ask('PUT', `/finance/job-role/${role.id}`, { body: { rates: [] } })
    assert.deepEqual(await meg.get(`/finance/rate?jobRoleId=${role.id}`), [])
    await ada.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.equal((await meg.get(`/finance/job-role/${role.id}`)).rates[0].bill, '115.0000')
    const overlap = { rates: [{ from: '2026-01-01' }, { from: '2026-01-01' }] }
    assert.equal((await ada.ask('PUT', `/finance/job-role/${role.id}`, { body: overlap })).status, 400)
    assert.ok(!('rates' in (await bob.get(`/finance/job-role/${role.id}`))))
  })

  test('members do not read them, and who manages a container reads only those of it', async () => {
    assert.equal((await bob.ask('GET', '/finance/rate')).status, 403)
    const lead = await person({ name: 'Lead' })
    await ada.post('/access-control', {
      userId: lead.id,
      role: roleCode.manager,
      owner: ownerKind.container,
      ownerId: containerId,
    })
    const seen = await lead.get('/finance/rate')
    assert.ok(seen.length > 0 && seen.every((each: { containerId: string }) => each.containerId === containerId))
    await lead.post('/finance/rate', { containerId, from: '2050-01-01', bill: 1 })
    assert.equal(
      (await lead.ask('POST', '/finance/rate', { body: { crmId, from: '2050-01-01', bill: 1 } })).status,
      403,
    )
    assert.deepEqual(await eve.get('/finance/rate'), [])
  })

  test('who may not read costs sees none, cannot sort by them, and keeps them when changing a rate', async () => {
    const kim = await person({ name: 'Kim', role: roleCode.manager })
    await ada.post('/access-control', { userId: kim.id, effect: grantEffect.deny, permissions: ['cost.read'] })
    const { id } = await meg.post('/finance/rate', { containerId, from: '2060-01-01', bill: 100, cost: 947.11 })
    const seen = await kim.get(`/finance/rate/${id}`)
    assert.ok(!('cost' in seen) && seen.bill === '100.0000')
    for (const query of ['sort=cost', 'cost[gt]=1'])
      assert.equal((await kim.ask('GET', `/finance/rate?${query}`)).status, 400)
    await kim.put(`/finance/rate/${id}`, { ...seen, bill: '101' })
    assert.equal((await meg.get(`/finance/rate/${id}`)).cost, '947.1100')
    for (const path of [
      `/finance/rate/${id}/history`,
      '/event/stream?entity=Rate&after=0-00000000-0000-0000-0000-000000000000&limit=500',
    ])
      assert.doesNotMatch(JSON.stringify((await kim.ask('GET', path)).body), /947\.11/)
    const listed = await meg.get('/finance/rate?sort=-cost&limit=1')
    assert.equal(listed[0].id, id)
  })
})
