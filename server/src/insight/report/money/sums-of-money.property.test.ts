import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { isLong } from '../../../../test/support/form.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { budgetPeriod } from '../../../finance/budget/budget-period.ts'
import { budgetUnit } from '../../../finance/budget/budget-record.ts'
import { formatDecimal, unitsOf } from '../../../language/decimal.ts'
import { allocationUnit } from '../../../plan/allocation/spread.ts'
import { ownerKind } from '../../../records/references/owner.ts'

// The sums of the reports on money, cost centres, budgets and plans: whatever the rows are grouped by, they add up to the total, to the
// last digit, and the totals of successive periods to that of the whole period. Entries lie at the edges of months and weeks.

type Row = Record<string, string | number | null>

const dates = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-29', '2026-03-31', '2026-04-01']
const whole = ['2026-02-01', '2026-04-30'] as const
const months = [
  ['2026-02-01', '2026-02-28'],
  ['2026-03-01', '2026-03-31'],
  ['2026-04-01', '2026-04-30'],
] as const
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

describe(`the sums of money (SEED=${seed})`, async () => {
  const { ada, bob, person } = await sharedTestService()
  const nora = await person({ name: 'Nora' })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  await ada.post('/admin/setting', {
    key: 'billing.seller',
    value: { name: 'Gantry GmbH', city: 'Köln', country: 'DE', taxId: 'DE999999999' },
  })
  await ada.post('/finance/rate', { from: '2026-01-01', bill: '33.3333', cost: '7.1111', currency: 'EUR' })
  const center = (name: string) => ada.post('/finance/cost-center', { name })
  const centers = [await center('A'), await center('B'), await center('C')]
  const percents = ['33.3333', '33.3333', '33.3334']
  const shares = centers.map(({ id }, i) => ({ costCenterId: id, percent: percents[i] }))
  const customers = [
    await ada.post('/finance/crm', { name: 'Acme', currency: 'EUR' }),
    await ada.post('/finance/crm', { name: 'Zeta', currency: 'EUR' }),
  ]
  const places = [
    await ada.post('/container', { name: 'One', billable: true, crmId: customers[0].id }),
    await ada.post('/container', {
      name: 'Two',
      billable: true,
      crmId: customers[1].id,
      split: [{ from: '2026-01-01', shares }],
    }),
    await ada.post('/container', { name: 'Inside', billable: false }),
  ]
  const items = await Promise.all(places.map(({ id }) => ada.post('/item', { title: 'Work', containerId: id })))
  const [begun, ended] = whole
  for (const [i, { id }] of places.entries())
    await ada.post('/plan', {
      ...{ userId: [bob.id, nora.id][i % 2], owner: ownerKind.container, ownerId: id, tentative: i === 2 },
      ...{ unit: allocationUnit.totalMinutes, amount: 997 + i, from: begun, to: ended },
    })
  const budgetsOf = async (ownerId: string, unit: number) => {
    const terms = { owner: ownerKind.container, ownerId, unit, currency: 'EUR', from: begun, to: ended }
    return [
      await ada.post('/finance/budget', { name: 'Once', period: budgetPeriod.once, ...terms }),
      await ada.post('/finance/budget', { name: 'Monthly', period: budgetPeriod.monthly, ...terms }),
    ]
  }
  const place = places[1].id
  const budgets = [await budgetsOf(place, budgetUnit.cost), await budgetsOf(place, budgetUnit.value)]

  const entry = fc.record({
    date: fc.constantFrom(...dates),
    seconds: fc.integer({ min: 1, max: 7199 }),
    place: fc.nat(places.length - 1),
    byNora: fc.boolean(),
  })
  const certain = dates.map((date, i) => ({ date, seconds: 1801 + i, place: i % places.length, byNora: i % 2 === 0 }))
  for (const { place: at, byNora, ...values } of [...certain, ...fc.sample(entry, { seed, numRuns: isLong ? 40 : 12 })])
    await (byNora ? nora : bob).post('/time', { ...values, itemId: items[at].id })
  const draft = await ada.post('/finance/invoice/draft', { crmId: customers[0].id, to: '2026-03-01', groupBy: 1 })
  await ada.post(`/finance/invoice/${draft.id}/approve`, {})
  await ada.post(`/finance/invoice/${draft.id}/issue`, { date: '2026-03-31' })
  const entries: { billAmount: string | null; costAmount: string | null; seconds: number; containerId: string }[] =
    await ada.get('/time?limit=1000')

  const read = async (name: string, [first, last]: readonly [string, string], groupBy: string[]): Promise<Row[]> =>
    await ada.post(`/insight/report/${name}`, {
      ...{ startDate: `${first}T12:00:00Z`, endDate: `${last}T12:00:00Z`, timezone: 'UTC', groupBy },
    })
  const sumOf = (rows: readonly Row[], measure: string) =>
    formatDecimal(rows.reduce((sum, row) => sum + unitsOf(String(row[measure] ?? 0)), 0n))

  const reported: Record<string, { measures: string[]; groupings: string[][] }> = {
    realisation: { measures: ['worked', 'net', 'unbilled'], groupings: [['crm'], ['month'], ['crm', 'month']] },
    profitability: { measures: ['net', 'cost', 'unbilled'], groupings: [['crm'], ['month'], ['crm', 'month']] },
    'cost-centers': {
      measures: ['entries', 'seconds', 'cost', 'value'],
      groupings: [
        ['costCenter'],
        ['user'],
        ['container'],
        ['currency'],
        ['day'],
        ['week'],
        ['month'],
        ['user', 'week'],
      ],
    },
    'plan-versus-actual': {
      measures: ['planned', 'tentative', 'actual', 'delta'],
      groupings: [['user'], ['container'], ['day'], ['week'], ['month'], ['user', 'week'], ['container', 'month']],
    },
  }
  for (const [name, { measures, groupings }] of Object.entries(reported))
    test(`of ${name}: rows and periods add up to the whole`, async () => {
      const total = await read(name, whole, [])
      for (const measure of measures) assert.notEqual(sumOf(total, measure), '0.0000', `${measure} is counted`)
      for (const groupBy of groupings) {
        const rows = await read(name, whole, groupBy)
        assert.ok(rows.length > 1 || groupBy[0] === 'currency', `there are several rows by ${groupBy}`)
        for (const measure of measures)
          assert.equal(sumOf(rows, measure), sumOf(total, measure), `${measure} by ${groupBy}`)
      }
      const divided = (await Promise.all(months.map(month => read(name, month, [])))).flat()
      for (const measure of measures)
        assert.equal(sumOf(divided, measure), sumOf(total, measure), `${measure} by periods`)
    })

  test('are those of the entries', async () => {
    const amounts = (property: 'billAmount' | 'costAmount', of = entries) =>
      formatDecimal(of.reduce((sum, each) => sum + unitsOf(each[property] ?? '0'), 0n))
    assert.equal(sumOf(await read('realisation', whole, []), 'worked'), amounts('billAmount'))
    assert.equal(sumOf(await read('profitability', whole, ['crm', 'month']), 'cost'), amounts('costAmount'))
    const [charged] = await read('cost-centers', whole, [])
    assert.deepEqual([charged?.cost, charged?.value], [amounts('costAmount'), amounts('billAmount')])
    const inPlace = entries.filter(each => each.containerId === place)
    for (const [i, property] of (['costAmount', 'billAmount'] as const).entries()) {
      const [once, monthly] = budgets[i] ?? []
      const used = async (id: string, at: string) =>
        await ada.post('/insight/report/budget', { at, budgetIds: [id] }).then(([row]: Row[]) => String(row?.actual))
      const parts = await Promise.all(months.map(([first]) => used(monthly.id, first)))
      const expected = amounts(property, inPlace)
      assert.equal(formatDecimal(unitsOf(await used(once.id, ended))), expected, property)
      assert.equal(
        formatDecimal(parts.reduce((sum, part) => sum + unitsOf(part), 0n)),
        expected,
        `${property} by months`,
      )
    }
  })

  test('of the days of a plan are those of its weeks', async () => {
    const days = await read('plan-versus-actual', whole, ['user', 'day'])
    const weeks = await read('plan-versus-actual', whole, ['user', 'week'])
    const weekOf = (date: string) => {
      const monday = Temporal.PlainDate.from(date)
      const start = monday.subtract({ days: monday.dayOfWeek - 1 }).toString()
      return start < begun ? begun : start // a week that the period cuts begins with the period
    }
    for (const row of weeks) {
      const inside = days.filter(each => each.user === row.user && weekOf(String(each.day)) === row.week)
      for (const measure of ['planned', 'tentative', 'actual'])
        assert.equal(sumOf(inside, measure), sumOf([row], measure), `${measure} of ${row.userLabel} in ${row.week}`)
    }
  })
})
