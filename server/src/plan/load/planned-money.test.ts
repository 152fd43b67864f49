import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { budgetUnit } from '../../finance/budget/budget-record.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { allocationUnit } from '../allocation/spread.ts'

const week = { from: '2030-06-03', to: '2030-06-07' } // Monday to Friday

describe('the money of planned work', async () => {
  const { ada, bob, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const [ann, ben] = [await person({ name: 'Ann' }), await person({ name: 'Ben' })]
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const role = await ada.post('/finance/job-role', { code: 'CON', name: 'Consultant' })
  await ada.put(`/user/${ben.id}`, { jobRole: 'con' })
  const container = await ada.post('/container', { name: 'Project' })
  const internal = await ada.post('/container', { name: 'Internal', billable: false })
  const rate = (body: object) => meg.post('/finance/rate', { from: '2030-01-01', ...body })
  await rate({ userId: ann.id, bill: '100', cost: '50' })
  await rate({ userId: ann.id, from: '2030-06-05', bill: '120', cost: '50' }) // Wednesday
  await rate({ jobRoleId: role.id, bill: '90.5', currency: 'USD' })
  await rate({ cost: '40' })
  const plan = (body: object) =>
    meg.post('/plan', {
      ...week,
      unit: allocationUnit.minutesPerDay,
      amount: 60,
      owner: ownerKind.container,
      ownerId: container.id,
      ...body,
    })
  await plan({ userId: ann.id })
  await plan({ userId: ben.id })
  await plan({ userId: ann.id, tentative: true })
  await plan({ userId: ann.id, ownerId: internal.id })
  await plan({ jobRoleId: role.id, amount: 30 })

  const committed = async (unit: number, currency: string, of = container) => {
    const terms = { owner: ownerKind.container, ownerId: of.id, unit, currency }
    const budget = await meg.post('/finance/budget', terms)
    const { committed: amount } = await meg.get(`/finance/budget/${budget.id}/balance?at=${week.from}`)
    return amount
  }

  test('is committed in budgets at the rate of each day, in their currency', async () => {
    assert.equal(await committed(budgetUnit.minutes, ''), '750.0000')
    assert.equal(await committed(budgetUnit.cost, ''), '550.0000', '5 × 50 + 5 × 40 + 2.5 × 40')
    assert.equal(await committed(budgetUnit.value, 'EUR'), '560.0000', '2 × 100 + 3 × 120')
    assert.equal(await committed(budgetUnit.value, 'USD'), '678.7500', '7.5 × 90.5')
    assert.equal(await committed(budgetUnit.value, 'EUR', internal), '0.0000', 'nobody pays for internal work')
    assert.equal(await committed(budgetUnit.cost, '', internal), '250.0000')
  })

  test('contains the factors of the days', async () => {
    const friday = { name: 'Fridays', owner: ownerKind.user, ownerId: ann.id, weekdays: [5], bill: 2, cost: 3 }
    const { id } = await meg.post('/finance/multiplier', friday)
    assert.equal(await committed(budgetUnit.value, 'EUR'), '680.0000', '2 × 100 + 2 × 120 + 240')
    assert.equal(await committed(budgetUnit.cost, ''), '650.0000', '4 × 50 + 150 + 5 × 40 + 2.5 × 40')
    await meg.delete(`/finance/multiplier/${id}`)
  })

  test('is in the load for those who may read it', async () => {
    const load = async (who = meg, query = '') =>
      await who.get(`/plan/load?from=${week.from}&to=${week.to}&bucket=week${query}`)
    const of = (rows: { key: string; buckets: Record<string, unknown>[] }[], key: string) => {
      const { cost, value } = rows.find(row => row.key === key)?.buckets[0] ?? {}
      return [cost, value]
    }
    const rows = await load()
    assert.deepEqual(of(rows, ann.id), ['500.0000', [{ currency: 'EUR', amount: '560.0000' }]])
    assert.deepEqual(of(rows, ben.id), ['200.0000', [{ currency: 'USD', amount: '452.5000' }]])
    assert.deepEqual(of(rows, ''), ['100.0000', [{ currency: 'USD', amount: '226.2500' }]])
    assert.deepEqual(of(await load(meg, '&groupBy=container'), container.id), [
      '550.0000',
      [
        { currency: 'EUR', amount: '560.0000' },
        { currency: 'USD', amount: '678.7500' },
      ],
    ])
    assert.deepEqual(of(await load(bob), ann.id), [undefined, undefined])
  })
})
