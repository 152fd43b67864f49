import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { budgetUnit } from '../budget/budget-record.ts'

const draft = 0

describe('the time of cost centres', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const center = (code: string, parentId = '') =>
    ada.post('/finance/cost-center', { name: `Centre ${code}`, code, parentId })
  const top = await center('1')
  const left = await center('1.1', top.id)
  const deep = await center('1.1.1', left.id)
  const right = await center('1.2', top.id)
  await ada.put(`/user/${bob.id}`, {
    costCenter: '1.2',
    split: [
      {
        from: '2026-04-10',
        shares: [
          { costCenterId: deep.id, percent: 25 },
          { costCenterId: right.id, percent: 75 },
        ],
      },
    ],
  })
  await meg.post('/finance/rate', { userId: bob.id, from: '2026-01-01', bill: 100, cost: 50 })
  const item = await ada.post('/item', {
    title: 'Work',
    containerId: (await ada.post('/container', { name: 'Project' })).id,
  })
  const book = (body: object) => bob.post('/time', { itemId: item.id, date: '2026-04-08', hours: 1, ...body })
  await book({})
  await book({ date: '2026-04-13', hours: 2 })
  await book({ costCenterId: left.id })
  await book({ costCenterId: left.id, state: draft })
  await book({ costCenterId: left.id, date: '2026-05-01' })
  const gone = await book({ date: '2026-04-13' })
  await bob.delete(`/time/${gone.id}`)
  const april = 'from=2026-04-01&to=2026-04-30'

  test('a summary sums itself and all below it, with the shares of entries', async () => {
    const { own, below, ...total } = await meg.get(`/finance/cost-center/${top.id}/summary?${april}`)
    const euros = (amount: string) => [{ currency: 'EUR', amount }]
    assert.deepEqual(total, {
      from: '2026-04-01',
      to: '2026-04-30',
      seconds: 14_400,
      cost: '200.0000',
      value: euros('400.0000'),
    })
    assert.deepEqual(own, { seconds: 0, cost: '0.0000', value: [] })
    const rows = below.map((each: Record<string, unknown>) => [
      each.code,
      each.parentId,
      each.seconds,
      each.cost,
      each.value,
    ])
    assert.deepEqual(rows, [
      ['1.1', top.id, 5400, '75.0000', euros('150.0000')],
      ['1.2', top.id, 9000, '125.0000', euros('250.0000')],
      ['1.1.1', left.id, 1800, '25.0000', euros('50.0000')],
    ])
    const one = await meg.get(`/finance/cost-center/${left.id}/summary?${april}`)
    assert.deepEqual([one.seconds, one.own.seconds], [5400, 3600])
  })

  test('is for managers, of their own tenant', async () => {
    assert.equal((await bob.ask('GET', `/finance/cost-center/${top.id}/summary`)).status, 403)
    assert.equal((await eve.ask('GET', `/finance/cost-center/${top.id}/summary`)).status, 404)
    const noDays = await meg.ask('GET', `/finance/cost-center/${top.id}/summary?from=soon&to=2026-04-01T00:00:00Z`)
    const names = noDays.body.Fields.map((each: { Field: string }) => each.Field)
    assert.deepEqual([noDays.status, names], [400, ['from', 'to']])
    const wrong = await meg.ask('GET', `/finance/cost-center/${top.id}/summary?from=2026-04-02&to=2026-04-01`)
    assert.deepEqual([wrong.status, wrong.body.Fields[0].Pointer], [400, '/to'])
  })

  test('uses up the budgets of the cost centre and of those above', async () => {
    for (const [owner, unit, actual] of [
      [top, budgetUnit.minutes, '240.0000'],
      [left, budgetUnit.minutes, '90.0000'],
      [deep, budgetUnit.cost, '25.0000'],
      [right, budgetUnit.value, '250.0000'],
    ] as const) {
      const currency = unit === budgetUnit.value ? 'EUR' : ''
      const terms = {
        owner: ownerKind.costCenter,
        ownerId: owner.id,
        unit,
        currency,
        from: '2026-04-01',
        to: '2026-04-30',
      }
      const budget = await meg.post('/finance/budget', terms)
      assert.deepEqual(budget.check, [])
      const balance = await meg.get(`/finance/budget/${budget.id}/balance?at=2026-04-20`)
      assert.deepEqual([balance.actual, balance.committed], [actual, '0.0000'])
    }
    const theirs = await eve.post('/finance/cost-center', { name: 'Theirs' })
    const body = { owner: ownerKind.costCenter, ownerId: theirs.id }
    assert.equal((await meg.ask('POST', '/finance/budget', { body })).body.code, 'unknown-reference')
  })

  test('is reported by cost centre, each with those below, and by entry', async () => {
    const body = { startDate: '2026-04-01T00:00:00Z', endDate: '2026-04-30T00:00:00Z', timezone: 'UTC' }
    const rows = await meg.post('/insight/report/cost-centers', body)
    const seen = new Map(
      rows.map((row: Record<string, unknown>) => [row.costCenterLabel, [row.seconds, row.cost, row.value]]),
    )
    assert.deepEqual(
      [seen.get('Centre 1'), seen.get('Centre 1.1'), seen.get('Centre 1.1.1')],
      [
        [14_400, '200.0000', '400.0000'],
        [5400, '75.0000', '150.0000'],
        [1800, '25.0000', '50.0000'],
      ],
    )
    const [total] = await meg.post('/insight/report/cost-centers', { ...body, groupBy: [] })
    assert.deepEqual([total.seconds, total.cost, total.entries], [14_400, '200.0000', 4])
    const { drill } = rows.find((row: { costCenter: string }) => row.costCenter === deep.id)
    assert.deepEqual(
      (await meg.get(`/insight/drill/${drill}`)).map((each: { date: string }) => each.date),
      ['2026-04-13'],
    )
    assert.equal((await bob.ask('POST', '/insight/report/cost-centers', { body })).status, 403)
    const own = await ada.post('/access-control/role', {
      name: 'Counter',
      permissions: ['report.costCenters.read', 'time.read'],
    })
    await ada.post('/access-control', { owner: 0, userId: bob.id, roleId: own.id })
    const [poor] = await bob.post('/insight/report/cost-centers', { ...body, groupBy: [] })
    assert.deepEqual([poor.seconds, poor.cost, poor.value], [14_400, null, null])
  })
})
