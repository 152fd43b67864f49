import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leaveState } from '../src/admin/leave/leave.ts'
import { lineGroup } from '../src/finance/billing/line-groups.ts'
import { contractRollover } from '../src/finance/contract/contract-balance.ts'
import { contractPeriod } from '../src/finance/contract/contract-period.ts'
import { contractOverage } from '../src/finance/contract/contract-record.ts'
import { roundingMode, roundingPer } from '../src/finance/rounding.ts'
import { approvalMode } from '../src/time/calendar/calendar.ts'
import { sheetState } from '../src/time/sheet/sheet-state.ts'
import { engines } from './support/engines.ts'
import { startTestService } from './support/people.ts'

// A consultancy's month, over HTTP only: 20 people, three customers, and what is worked, approved, billed and earned in April 2026.

// biome-ignore lint/suspicious/noExplicitAny: tests look into records as a person would
type Row = Record<string, any>

const hours = (n: number) => n * 3600
const [april, lastDay] = ['2026-04-01', '2026-04-30']
const days = Array.from({ length: 30 }, (_, i) => `2026-04-${String(i + 1).padStart(2, '0')}`).filter(day => {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && day !== '2026-04-03' && day !== '2026-04-06'
})

describe('the month of a consultancy', async () => {
  const home = await startTestService()
  const { ada } = home
  const running = await engines(home)
  const seller = { name: 'Consultants GmbH', city: 'Berlin', country: 'DE', taxId: 'DE999999999' }
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR', timezone: 'Europe/Berlin' })
  await ada.post('/admin/setting', { key: 'billing.seller', value: seller })

  const clockOf = async (name: string, dayEnd: string): Promise<string> => {
    const week = { weekStart: 'Monday', weekEnd: 'Friday', dayStart: '09:00', dayEnd, timezone: 'Europe/Berlin' }
    return (await ada.post('/clock', { name, ...week, nonWorkingDay: ['2026-04-03', '2026-04-06'] })).id
  }
  const [whole, half] = [await clockOf('Full time', '17:00'), await clockOf('Half time', '13:00')]
  const rate = (values: object) => ada.post('/finance/rate', { from: '2026-01-01', currency: 'EUR', ...values })
  const role = async (code: string, bill: string, cost: string): Promise<string> => {
    const { id } = await ada.post('/finance/job-role', { name: code, code })
    await rate({ jobRoleId: id, bill, cost })
    return id
  }
  const [senior, consultant] = [await role('SEN', '150', '80'), await role('CON', '110', '55')]
  await role('ANA', '85', '40')
  const ids: string[] = []
  for (let n = 1; n <= 20; n++) {
    const jobRole = n <= 5 ? 'SEN' : n <= 15 ? 'CON' : 'ANA'
    const capacity = [{ from: '2026-01-01', clockId: n >= 17 ? half : whole }]
    const name = `Person ${String(n).padStart(2, '0')}`
    ids.push((await ada.post('/user', { name, jobRole, capacity, timezone: 'Europe/Berlin' })).id)
  }
  const person = (n: number) => ids[n - 1] ?? ''
  const team = await ada.post('/user-group', { name: 'Consultants', members: ids })
  await ada.post('/time/calendar', { name: 'Weeks', userGroups: [team.id], approval: approvalMode.person })

  const customer = (name: string, rounding: object) =>
    ada.post('/finance/crm', { name, currency: 'EUR', taxCategory: 'S', taxRate: '19', rounding })
  const [a, b, c] = [
    await customer('A', {}),
    await customer('B', { mode: roundingMode.up, stepSeconds: 900, per: roundingPer.entry }),
    await customer('C', { mode: roundingMode.nearest, stepSeconds: 360, per: roundingPer.day }),
  ]
  const project = (name: string, values: object) => ada.post('/container', { name, ...values })
  const [a1, a2, b1, c1, int, trn] = [
    await project('A1', { crmId: a.id, billable: true }),
    await project('A2', { crmId: a.id, billable: true }),
    await project('B1', { crmId: b.id, billable: true }),
    await project('C1', { crmId: c.id, billable: true }),
    await project('INT', { billable: false }),
    await project('Training', { billable: false }),
  ]
  const code = await ada.post('/finance/non-billable', { code: 'TRN', name: 'Training' })
  await rate({ containerId: a2.id, jobRoleId: consultant, bill: '120' })
  await rate({ crmId: b.id, jobRoleId: senior, bill: '160' })
  await rate({ userId: person(3), from: '2026-04-15', bill: '140' })
  const contract = await ada.post('/finance/contract', {
    ...{ crmId: c.id, name: 'Retainer', from: april, period: contractPeriod.month, price: '14000', currency: 'EUR' },
    ...{ includedMinutes: 160 * 60, openingMinutes: 12 * 60, rollover: contractRollover.capped },
    ...{ rolloverMaxMinutes: 5 * 60, overage: contractOverage.ownRate, overageRate: '120' },
  })
  const teams: [Row, number[]][] = [
    [a1, [1, 2, 3, 4]],
    [a2, [6, 7, 8, 9, 10]],
    [b1, [5, 11, 12, 13, 14]],
    [c1, [15, 16, 17, 18]],
    [int, [19, 20]],
  ]
  const budget = await ada.post('/finance/budget', { name: 'A2', ownerId: a2.id, alertAt: [80, 100] })
  const start = await ada.post('/finance/budget-reason', { name: 'Start' })
  await ada.post(`/finance/budget/${budget.id}/entry`, { delta: 600 * 60, reasonId: start.id, date: april })

  for (const [n, values] of [
    [2, { from: '2026-04-13', to: '2026-04-17' }],
    [7, { from: '2026-04-22', to: '2026-04-22', fromHalf: 1 }],
  ] as const) {
    const leave = await ada.post('/time/leave', { userId: person(n), ...values })
    if (leave.state !== leaveState.approved) await ada.post(`/time/leave/${leave.id}/approve`, {})
  }
  for (const [{ id: ownerId }, members] of teams)
    for (const n of members) {
      const values = { owner: 1, ownerId, from: april, to: lastDay, unit: 0, amount: n >= 17 ? 210 : 420 }
      await ada.post('/plan', { userId: person(n), ...values })
    }

  /** The lengths of the work of a person on a day on their project. */
  const workOf = (n: number, day: string): number[] => {
    if (n === 2 && day >= '2026-04-13' && day <= '2026-04-17') return []
    if (n >= 17) return [12_300]
    return n === 7 && day === '2026-04-22' ? [11_400] : [13_220, 11_400]
  }
  const entries = (members: readonly number[], from = april, to = lastDay) =>
    days
      .filter(day => day >= from && day <= to)
      .flatMap(date => members.flatMap(n => workOf(n, date).map(seconds => ({ userId: person(n), date, seconds }))))
  const book = (container: Row, Time: object[]) =>
    ada.ask('POST', '/item', { body: { title: `Work on ${container.name}`, containerId: container.id, Time } })
  async function thresholds() {
    await running.settle()
    const events: Row[] = await ada.get(`/finance/budget/${budget.id}/history`)
    return events.filter(each => each.changes?.threshold).map(each => each.changes.threshold.to)
  }

  const invoices = new Map<string, Row>()
  let firstBooking = ''

  test('time is booked, and the budget warns when it is used up', async () => {
    for (const [container, members] of teams) {
      if (container === a2) continue
      const { status, headers } = await book(container, entries(members))
      assert.equal(status, 201)
      firstBooking ||= headers.get('change-set') ?? ''
    }
    await book(a2, entries([6, 7, 8, 9, 10], april, '2026-04-22'))
    assert.deepEqual(await thresholds(), [])
    await book(a2, entries([6, 7, 8, 9, 10], '2026-04-23', '2026-04-23'))
    assert.deepEqual(await thresholds(), [80])
    await book(a2, entries([6, 7, 8, 9, 10], '2026-04-24', '2026-04-27'))
    assert.deepEqual(await thresholds(), [80])
    await book(a2, entries([6, 7, 8, 9, 10], '2026-04-28', '2026-04-28'))
    assert.deepEqual((await thresholds()).sort(), [100, 80])
    await book(a2, entries([6, 7, 8, 9, 10], '2026-04-29'))
    assert.equal((await thresholds()).length, 2)
    const training = days.flatMap(date =>
      ids.flatMap((userId, i) =>
        workOf(i + 1, date).length === 0 ? [] : [{ userId, date, seconds: i >= 16 ? 900 : 1800, nonBillable: code.id }],
      ),
    )
    assert.equal((await book(trn, training)).status, 201)
    const balance = await ada.get(`/finance/budget/${budget.id}/balance?at=${lastDay}`)
    assert.equal(Number(balance.used).toFixed(2), '113.37')
  })

  test('capacity, work and plan', async () => {
    const period = { startDate: `${april}T12:00:00Z`, endDate: `${lastDay}T12:00:00Z`, timezone: 'Europe/Berlin' }
    const report = (body: object) => ada.post('/insight/report/utilisation', { ...period, userIds: ids, ...body })
    const [all] = await report({ groupBy: [] })
    assert.deepEqual([all.capacity, all.worked, all.billable], [hours(2836), 9_365_080, 8_234_080])
    assert.equal(all.utilisation, 0.8065)
    const each: Row[] = await report({ groupBy: ['user'] })
    const of = (n: number) => each.find(row => row.user === person(n))?.utilisation
    assert.deepEqual([of(1), of(2), of(7), of(17)], [0.8549, 0.8549, 0.8532, 0.8542])
    const count = { op: 'count', as: 'count' }
    const sum = { op: 'sum', field: 'seconds', as: 'seconds' }
    const { rows } = await ada.post('/insight/query', {
      entity: 'Time',
      groupBy: [{ field: 'container.name', as: 'name' }],
      measures: [count, sum],
    })
    const seconds = Object.fromEntries(rows.map((row: Row) => [row.name, Number(row.seconds)]))
    assert.deepEqual(seconds, {
      ...{ A1: 1_846_500, A2: 2_448_780, B1: 2_462_000, C1: 1_476_800, INT: 492_000, Training: 639_000 },
    })
    const entryCount = (names: readonly string[]) =>
      rows.filter((row: Row) => names.includes(row.name)).reduce((total: number, row: Row) => total + row.count, 0)
    assert.deepEqual([entryCount(['A1', 'A2', 'B1', 'C1']), entryCount(Object.keys(seconds))], [669, 1104])
    const load: Row[] = await ada.get(`/plan/load?from=${april}&to=${lastDay}&bucket=month&userGroupId=${team.id}`)
    const total = (property: string) => load.reduce((sumOf, row) => sumOf + row.buckets[0][property], 0)
    assert.deepEqual([total('firm'), total('capacity'), total('leave')], [hours(2485), hours(2836), hours(44)])
    const busy = async (bucket: string, from: string, to: string) =>
      (await ada.get(`/plan/load?from=${from}&to=${to}&bucket=${bucket}&userId=${person(7)}`))[0].buckets[0]
    const week = await busy('week', '2026-04-20', '2026-04-26')
    assert.deepEqual([week.capacity, week.firm, week.over], [hours(36), hours(35), 0])
    assert.equal((await busy('day', '2026-04-22', '2026-04-22')).over, hours(3))
  })

  test('every week of everybody is submitted and approved', async () => {
    await ada.post('/time/sheet/day', { userId: person(2), date: '2026-04-13' })
    const sheets: Row[] = await ada.get('/time/sheet?limit=200')
    assert.equal(sheets.length, 100)
    for (const verb of ['submit', 'approve']) {
      const results: Row[] = await ada.post('/time/sheet/bulk', { ids: sheets.map(each => each.id), verb })
      assert.deepEqual([...new Set(results.map(each => each.outcome))], ['updated'], verb)
    }
    const empty = await ada.post('/time/sheet/day', { userId: person(2), date: '2026-04-13' })
    assert.equal(empty.state, sheetState.approved)
  })

  test('three customers are billed', async () => {
    for (const crm of [a, b, c]) {
      const body = { crmId: crm.id, from: april, to: lastDay, groupBy: lineGroup.containerJobRole }
      const { id, skipped } = await ada.post('/finance/invoice/draft', body)
      assert.deepEqual(skipped, [])
      await ada.post(`/finance/invoice/${id}/approve`, {})
      invoices.set(crm.name, await ada.post(`/finance/invoice/${id}/issue`, { date: lastDay }))
      const second = await ada.ask('POST', '/finance/invoice/draft', { body })
      assert.equal(second.body.code, 'nothing-to-bill')
    }
    const shown = (name: string) => {
      const { lines, net, gross, taxes } = invoices.get(name) ?? {}
      return [
        ...lines.map((each: Row) => `${each.quantity} × ${each.price} = ${each.amount}`),
        net,
        taxes[0].tax,
        gross,
      ]
    }
    assert.deepEqual(shown('A'), [
      '82.0667 × 140.0000 = 11489.34',
      '430.8500 × 150.0000 = 64627.50',
      '680.2167 × 120.0000 = 81626.00',
      ...['157742.84', '29971.14', '187713.98'],
    ])
    assert.deepEqual(shown('B'), [
      '560.0000 × 110.0000 = 61600.00',
      '140.0000 × 160.0000 = 22400.00',
      ...['84000.00', '15960.00', '99960.00'],
    ])
    assert.deepEqual(shown('C'), [
      '1.0000 × 14000.0000 = 14000.00',
      '243.0000 × 120.0000 = 29160.00',
      ...['43160.00', '8200.40', '51360.40'],
    ])
    const account = await ada.get(`/finance/contract/${contract.id}/balance?at=${lastDay}`)
    assert.deepEqual([account.consumed, account.overage], [hours(165), hours(243)])
    // On 15 April 6,480 s are left. Person 15 is the first whose day is counted: 24,480 s, of which 18,000 s are beyond.
    const used = async (day: string) => {
      const { consumed, overage } = await ada.get(`/finance/contract/${contract.id}/balance?at=${day}`)
      return [consumed, overage]
    }
    const others = 24_480 + 2 * 12_240
    assert.deepEqual(await used('2026-04-14'), [hours(165) - 6480, 0])
    assert.deepEqual(await used('2026-04-15'), [hours(165), 18_000 + others])
  })

  const money = (name: string, groupBy: string[]): Promise<Row[]> => {
    const period = { startDate: `${april}T12:00:00Z`, endDate: `${lastDay}T12:00:00Z`, timezone: 'Europe/Berlin' }
    return ada.post(`/insight/report/${name}`, { ...period, groupBy })
  }
  const worked = async () => (await money('realisation', ['crm'])).map(each => each.worked)

  test('what was earned', async () => {
    const rows = await money('realisation', ['crm'])
    assert.deepEqual(await worked(), ['157742.8340', '82066.6620', '38288.3340'])
    assert.deepEqual(
      rows.map(each => each.realisation),
      [1, 1.0236, 1.1272],
    )
    const [total] = await money('profitability', [])
    assert.deepEqual(
      [total?.net, total?.cost, total?.margin, total?.marginRatio],
      ['284902.8400', '153905.8103', '130997.0297', 0.4598],
    )
  })

  test('importing the month again adds nothing to it', async () => {
    const digest = async () => {
      const month: Row[] = await ada.get(
        `/time?date[gte]=${april}&date[lte]=${lastDay}&sort=id&fields=seconds,billAmount,state`,
      )
      return JSON.stringify(month)
    }
    const before = await digest()
    const again = teams.map(([container, members]) => ({
      title: `Work on ${container.name}`,
      containerId: container.id,
      Time: entries(members),
    }))
    const results: Row[] = (await ada.ask('POST', '/item/bulk', { body: again })).body
    assert.deepEqual(
      results.map(each => [each.outcome, each.code]),
      again.map(() => ['failed', 'period-closed']),
    )
    const [first] = again
    const { status, body } = await ada.ask('POST', '/item', { body: first })
    assert.deepEqual([status, body.code], [422, 'period-closed'])
    assert.equal(await digest(), before)
  })

  test('a correction changes the next invoice, and nothing in April', async () => {
    const undone = await ada.ask('POST', `/change/${firstBooking}/undo`)
    assert.equal(undone.status, 409)
    const [entry] = await ada.get(`/time?userId=${person(6)}&date=2026-04-08&seconds=11400`)
    const { entries: made } = await ada.post(`/time/${entry.id}/correct`, { reason: 'Left early', seconds: 7800 })
    assert.deepEqual(await worked(), ['157742.8340', '82066.6620', '38288.3340'])
    const today = made[0].date
    const draft = () =>
      ada.ask('POST', '/finance/invoice/draft', {
        body: { crmId: a.id, to: today, groupBy: lineGroup.containerJobRole },
      })
    assert.deepEqual((await draft()).body.skipped, [{ reason: 'unapproved', count: 2 }])
    const sheet = await ada.post('/time/sheet/day', { userId: person(6), date: today })
    for (const verb of ['submit', 'approve']) await ada.post(`/time/sheet/${sheet.id}/${verb}`, {})
    const { body } = await draft()
    assert.deepEqual(
      body.lines.map((each: Row) => [each.quantity, each.price, each.amount]),
      [['-1.0000', '120.0000', '-120.00']],
    )
  })
})
