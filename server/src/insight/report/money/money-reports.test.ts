import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { roleCode } from '../../../kernel/access.ts'

describe('a report on money', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const seller = { name: 'Gantry GmbH', city: 'Köln', country: 'DE', taxId: 'DE999999999' }
  await ada.post('/admin/setting', { key: 'billing.seller', value: seller })
  await ada.post('/finance/rate', { from: '2026-01-01', bill: '100', cost: '40', currency: 'EUR' })
  const acme = await ada.post('/finance/crm', {
    name: 'Acme',
    currency: 'EUR',
    rounding: { mode: 2, stepSeconds: 3600 },
  })
  const project = await ada.post('/container', { name: 'Project', crmId: acme.id, billable: true })
  const inside = await ada.post('/container', { name: 'Inside', billable: false })
  const [work, own] = [
    await ada.post('/item', { title: 'Work', containerId: project.id }),
    await ada.post('/item', { title: 'Own', containerId: inside.id }),
  ]
  await bob.post('/time', { itemId: work.id, date: '2026-04-08', seconds: 5400 })
  await bob.post('/time', { itemId: own.id, date: '2026-04-08', seconds: 3600 })
  const invoice = await ada.post('/finance/invoice/draft', { crmId: acme.id, to: '2026-04-30', groupBy: 1 })
  await ada.post(`/finance/invoice/${invoice.id}/approve`, {})
  await ada.post(`/finance/invoice/${invoice.id}/issue`, { date: '2026-04-30' })
  await bob.post('/time', { itemId: work.id, date: '2026-04-09', seconds: 1800 })

  const april = { startDate: '2026-04-01T00:00:00Z', endDate: '2026-04-30T00:00:00Z', timezone: 'UTC' }
  const ask = (who: Person, name: string, body: object = {}) =>
    who.ask('POST', `/insight/report/${name}`, { body: name === 'budget' ? body : { ...april, ...body } })
  const read = async (name: string, body: object = {}) => (await ask(meg, name, body)).body
  const query = (who: Person, body: object) => who.ask('POST', '/insight/query', { body })

  test('realisation divides what was issued by the value of the work', async () => {
    const [{ drill, ...row }, ...others] = await read('realisation')
    const values = { worked: '200.0000', net: '200.0000', unbilled: '50.0000', realisation: 1 }
    assert.deepEqual(row, { crm: acme.id, crmLabel: 'Acme', currency: 'EUR', ...values })
    assert.equal(others.length, 0)
    assert.equal((await meg.get(`/insight/drill/${drill}`)).length, 2)
    const [month] = await read('realisation', { groupBy: ['month'] })
    assert.deepEqual([month.month, month.worked, 'crm' in month], ['2026-04-01', '200.0000', false])
    assert.deepEqual(
      await read('realisation', { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T00:00:00Z' }),
      [],
    )
  })

  test('profitability takes the cost off, also that of work for nobody', async () => {
    const rows = await read('profitability')
    const shown = rows.map((each: Record<string, unknown>) => [
      each.crm,
      each.net,
      each.cost,
      each.margin,
      each.marginRatio,
    ])
    assert.deepEqual(shown, [
      [null, '0.0000', '40.0000', '-40.0000', null],
      [acme.id, '200.0000', '80.0000', '120.0000', 0.6],
    ])
    const [total] = await read('profitability', { groupBy: [] })
    assert.deepEqual([total.net, total.cost, total.margin, total.marginRatio], ['200.0000', '120.0000', '80.0000', 0.4])
    assert.deepEqual([total.unbilled, total.mixedCurrency], ['50.0000', false])
    assert.equal((await meg.get(`/insight/drill/${rows[0].drill}`)).length, 1)
    assert.equal((await meg.get(`/insight/drill/${total.drill}`)).length, 3)
  })

  test('documents in several currencies have no margin', async () => {
    const lines = [{ text: 'Trip', price: 10 }]
    const other = await ada.post('/finance/invoice', { crmId: acme.id, currency: 'USD', lines })
    await ada.post(`/finance/invoice/${other.id}/approve`, {})
    await ada.post(`/finance/invoice/${other.id}/issue`, { date: '2026-04-30' })
    const rows = await read('profitability', { groupBy: [] })
    assert.deepEqual(
      rows.map((each: Record<string, unknown>) => [
        each.currency,
        each.net,
        each.cost,
        each.margin,
        each.mixedCurrency,
      ]),
      [
        ['EUR', '200.0000', '120.0000', null, true],
        ['USD', '10.0000', null, null, true],
      ],
    )
    await ada.post(`/finance/invoice/${other.id}/credit`, { reason: 'x' })
  })

  test('budgets are compared with what was used', async () => {
    const ledger = await ada.post('/finance/budget', { name: 'Hours', ownerId: project.id })
    const reason = await ada.post('/finance/budget-reason', { name: 'Start' })
    await ada.post(`/finance/budget/${ledger.id}/entry`, { delta: '240', reasonId: reason.id, date: '2026-04-01' })
    const [{ drill, ...row }] = await read('budget', { containerIds: [project.id], at: '2026-04-30' })
    assert.deepEqual(
      [row.budget, row.budgetLabel, row.current, row.actual, row.available, row.used],
      [ledger.id, 'Hours', '240.0000', '120.0000', '120.0000', '50.0000'],
    )
    assert.deepEqual(
      (await meg.get(`/insight/drill/${drill}`)).map((each: { delta: string }) => each.delta),
      ['240.0000'],
    )
    const { body } = await query(meg, {
      entity: 'BudgetEntry',
      groupBy: [{ field: 'budget.name' }],
      measures: [{ op: 'sum', field: 'delta', as: 'sum' }],
    })
    assert.deepEqual([body.rows[0]['budget.name'], body.rows[0].sum, body.total.sum], ['Hours', '240.0000', '240.0000'])
  })

  test('queries count invoices, credit notes with the opposite sign', async () => {
    const { body } = await query(meg, {
      entity: 'Invoice',
      groupBy: [{ field: 'crm.name' }, { field: 'currency' }],
      measures: [
        { op: 'count', as: 'count' },
        { op: 'sum', field: 'net', as: 'net' },
      ],
    })
    assert.deepEqual(
      body.rows.map((each: Record<string, unknown>) => [each['crm.name'], each.currency, each.count, each.net]),
      [
        ['Acme', 'EUR', 1, '200.0000'],
        ['Acme', 'USD', 2, '0.0000'],
      ],
    )
  })

  test('members see no money, others nothing, and a private container is counted for its members only', async () => {
    for (const name of ['realisation', 'profitability', 'budget']) {
      assert.equal((await ask(bob, name)).status, 403, name)
      assert.deepEqual((await ask(eve, name)).body, [], name)
    }
    for (const entity of ['Invoice', 'BudgetEntry']) assert.equal((await query(bob, { entity })).status, 403, entity)
    const secret = await ada.post('/container', { name: 'Secret', crmId: acme.id, billable: true, private: true })
    const item = await ada.post('/item', { title: 'Secret', containerId: secret.id })
    await ada.post('/time', { itemId: item.id, date: '2026-04-10', seconds: 3600 })
    const worked = async (who: Person) => (await ask(who, 'realisation')).body[0].worked
    assert.deepEqual([await worked(meg), await worked(ada)], ['200.0000', '300.0000'])
  })
})
