import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { budgetUnit } from '../../../finance/budget/budget.ts'
import { grantEffect } from '../../../identity/grant-effect.ts'
import { roleCode } from '../../../kernel/access.ts'
import { ownerKind } from '../../../records/references/owner.ts'

describe('amounts of a container', async () => {
  const { ada, bob, person } = await sharedTestService()
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  await ada.post('/finance/rate', { from: '2026-01-01', bill: '100', cost: '40', currency: 'EUR' })
  const acme = await ada.post('/finance/crm', { name: 'Acme', currency: 'EUR' })
  const [open, shut] = [
    await ada.post('/container', { name: 'Open', crmId: acme.id, billable: true }),
    await ada.post('/container', { name: 'Shut', crmId: acme.id, billable: true }),
  ]
  for (const [{ id: containerId }, seconds] of [[open, 3600] as const, [shut, 7200] as const]) {
    const item = await ada.post('/item', { title: 'Work', containerId })
    await bob.post('/time', { itemId: item.id, date: '2026-04-08', seconds })
  }
  const budgetIn = async (ownerId: string) => {
    const values = { owner: ownerKind.container, ownerId, unit: budgetUnit.cost, currency: 'EUR' }
    const { id } = await ada.post('/finance/budget', { name: `Of ${ownerId}`, ...values })
    const reason = await ada.post('/finance/budget-reason', { name: `For ${ownerId}` })
    await ada.post(`/finance/budget/${id}/entry`, { delta: '500', reasonId: reason.id, date: '2026-04-01' })
    return id
  }
  const [openBudget] = [await budgetIn(open.id), await budgetIn(shut.id)]

  /** A manager of all whom a grant denies the amounts of one container. */
  const max = await person({ name: 'Max', role: roleCode.manager })
  await ada.post('/access-control', {
    userId: max.id,
    effect: grantEffect.deny,
    permissions: ['bill.read', 'cost.read'],
    owner: ownerKind.container,
    ownerId: shut.id,
  })
  /** A manager of one container. */
  const lea = await person({ name: 'Lea' })
  const manages = { role: roleCode.manager, owner: ownerKind.container, ownerId: open.id }
  await ada.post('/access-control', { userId: lea.id, ...manages })

  const april = { startDate: '2026-04-01T00:00:00Z', endDate: '2026-04-30T00:00:00Z', timezone: 'UTC' }
  const read = async (who: Person, name: string, body: object) => {
    const { status, body: rows } = await who.ask('POST', `/insight/report/${name}`, { body })
    assert.equal(status, 200, JSON.stringify(rows))
    return rows
  }

  test('are not in the sums of customers where the caller may not read them', async () => {
    const [all] = await read(ada, 'realisation', april)
    assert.deepEqual([all.worked, all.unbilled, 'withheld' in all], ['300.0000', '300.0000', false])
    const [seen] = await read(max, 'realisation', april)
    assert.deepEqual([seen.worked, seen.unbilled, seen.withheld], ['100.0000', '100.0000', 1])
    const [profit] = await read(max, 'profitability', april)
    assert.deepEqual([profit.cost, profit.margin, profit.withheld], ['40.0000', null, 1])
    assert.equal((await max.get(`/insight/drill/${seen.drill}`)).length, 1)
  })

  test('are not in the summary of a customer where the caller may not read them', async () => {
    const summaryFor = async (who: Person) => {
      const found = await who.get(`/finance/crm/${acme.id}/summary?from=2026-04-01&to=2026-04-30`)
      return [found.seconds, found.cost.amount, found.unbilled[0].amount, found.margin, found.withheld]
    }
    assert.deepEqual(await summaryFor(ada), [10_800, '120.0000', '300.0000', '-120.0000', undefined])
    assert.deepEqual(await summaryFor(max), [10_800, '40.0000', '100.0000', null, 1])
  })

  test('are not in the sums of cost centres where the caller may not read them', async () => {
    const sums = async (who: Person) => {
      const [row] = await read(who, 'cost-centers', { ...april, groupBy: [] })
      return [row.seconds, row.cost, row.value, row.withheld]
    }
    assert.deepEqual(await sums(ada), [10_800, '120.0000', '300.0000', 0])
    assert.deepEqual(await sums(max), [10_800, '40.0000', '100.0000', 1])
    assert.equal((await lea.ask('POST', '/insight/report/cost-centers', { body: april })).status, 403)
  })

  test('are not told by its budgets where the caller may not read them', async () => {
    for (const who of [max, lea]) {
      const rows: { budget: string }[] = await read(who, 'budget', { at: '2026-04-30' })
      assert.deepEqual(
        rows.map(each => each.budget),
        [openBudget],
      )
    }
    const { body } = await max.ask('POST', '/insight/query', {
      body: { entity: 'BudgetEntry', measures: [{ op: 'sum', field: 'delta', as: 'sum' }] },
    })
    assert.equal(body.total.sum, '500.0000')
  })

  test('are no fields of a query for a caller who may not read all of them', async () => {
    const body = { entity: 'Time', measures: [{ op: 'sum', field: 'billAmount', as: 'sum' }] }
    assert.equal((await ada.ask('POST', '/insight/query', { body })).body.total.sum, '300.0000')
    for (const who of [max, lea])
      assert.equal((await who.ask('POST', '/insight/query', { body })).body.Fields[0].Code, 'unknown-path')
  })
})
