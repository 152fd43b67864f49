import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../../test/support/people.ts'
import { roleCode } from '../../../kernel/access.ts'
import { timeBillable } from '../../time-state.ts'

// Entries that are stored with their item are priced by the statement that stores them, or by the trigger that prices all others.
describe('the price of time entries that come with their item', async () => {
  const { ada, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const [plain, consultant, charged] = await Promise.all(['Pia', 'Cid', 'Kim'].map(name => person({ name })))
  assert.ok(plain && consultant && charged)
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  await ada.post('/finance/cost-center', { name: 'Workshop', code: 'W1' })
  await ada.post('/finance/job-role', { name: 'Consultant', code: 'CON' })
  await ada.put(`/user/${consultant.id}`, { jobRole: 'con' })
  await ada.put(`/user/${charged.id}`, { costCenter: 'W1' })
  const crm = await ada.post('/finance/crm', { name: 'Acme' })
  const other = await ada.post('/finance/crm', { name: 'Globex' })
  const code = await ada.post('/finance/non-billable', { name: 'Travel', code: 'TRV' })
  const places = [
    { name: 'Plain' },
    { name: 'Unbilled', billable: false },
    { name: 'Of a customer', crmId: crm.id },
    { name: 'Charged', costCenter: 'W1' },
  ]
  const containers = await Promise.all(places.map(body => ada.post('/container', body)))
  const users = [plain, consultant, charged]
  const kinds = [
    ...Object.values(timeBillable).map(billable => ({ billable })),
    { nonBillable: code.id },
    { billRate: 150 },
  ]
  const money = (entry: Record<string, unknown>) =>
    [
      'crmId',
      'jobRoleId',
      'billRate',
      'billAmount',
      'currency',
      'rateSource',
      'multiplier',
      'costRate',
      'costAmount',
      'costSource',
      'costCenterId',
      'costCenterSource',
      'shares',
    ] //
      .map(property => [property, entry[property]])

  const cases = containers.flatMap(({ id, name }) =>
    ['', other.id].flatMap(crmId => users.flatMap(user => kinds.map(kind => ({ id, name, crmId, user, kind })))),
  )

  async function compareAll() {
    const seen = new Set<string>()
    for (const [containerId, group] of Map.groupBy(cases, each => each.id))
      for (const [crmId, some] of Map.groupBy(group, each => each.crmId)) {
        const Time = some.map(({ user, kind }, i) => ({
          date: '2026-04-08',
          minutes: 1,
          note: `n${i}`,
          userId: user.id,
          ...kind,
        }))
        const body = { title: 'Work', containerId, crmId }
        const whole = await meg.post('/item', { ...body, Time })
        const later = await meg.post('/item', body)
        await meg.ask('PATCH', `/item/${later.id}`, { body: { Time } })
        const [bulk] = await meg.post('/item/bulk', [{ ...body, Time }])
        const stored = async (id: string) =>
          new Map<string, Record<string, unknown>>(
            (await meg.get(`/time?itemId=${id}&limit=100`)).map((each: { note: string }) => [each.note, each]),
          )
        const ways = [await stored(whole.id), await stored(later.id), await stored(bulk.id)]
        for (const [i, entry] of Time.entries()) {
          const alone = await meg.post('/time', { ...entry, itemId: later.id })
          for (const way of ways)
            assert.deepEqual(money(way.get(`n${i}`) ?? {}), money(alone), JSON.stringify({ containerId, entry }))
          seen.add(`${alone.rateSource} ${alone.costSource}`)
        }
      }
    return [...seen].sort()
  }

  test('it is that of an entry that comes alone, where nothing has a rate', async () => {
    assert.deepEqual(await compareAll(), ['entry missing', 'missing missing', 'none missing'])
  })

  test('it is that of an entry that comes alone, where something has', async () => {
    await meg.post('/finance/rate', { from: '2026-01-01', crmId: crm.id, bill: 80 })
    await meg.post('/finance/rate', { from: '2026-01-01', cost: 20 })
    assert.deepEqual(await compareAll(), ['crm tenant', 'entry tenant', 'missing tenant', 'none tenant'])
  })
})
