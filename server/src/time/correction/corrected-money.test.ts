import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { contractPeriod } from '../../finance/contract/contract-period.ts'
import { roundingMode, roundingPer } from '../../finance/rounding.ts'
import { roleCode } from '../../kernel/access.ts'
import { approvalMode } from '../calendar/calendar.ts'
import { timeBillable } from '../time-state.ts'

interface Entry {
  id: string
  seconds: number
  billRate: string | null
  billAmount: string | null
  costRate: string | null
  rateSource: string
  crmId: string
  date: string
}

describe('a correction', async () => {
  const { ada, bob, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const team = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
  await ada.post('/time/calendar', { name: 'Weeks', userGroups: [team.id], approval: approvalMode.none })
  const rounding = { mode: roundingMode.up, stepSeconds: 900, per: roundingPer.entry }
  const crm = await ada.post('/finance/crm', { name: 'Acme', rounding })
  const container = await ada.post('/container', { name: 'Project', crmId: crm.id })
  const item = await ada.post('/item', { title: 'Work', containerId: container.id })
  const other = await ada.post('/item', { title: 'Other work', containerId: container.id })
  const rate = await meg.post('/finance/rate', { from: '2026-04-01', to: '2026-04-30', bill: 120, cost: 55 })
  await meg.post('/finance/rate', { from: '2026-05-01', bill: 200, cost: 90 })
  const today = new Date().toISOString().slice(0, 10)

  /** The sheet of the week of a day. */
  const sheetOf = (date: string) => bob.post('/time/sheet/day', { date })
  async function approved(date: string, body: object = {}) {
    const entry = await meg.post('/time', { userId: bob.id, itemId: item.id, date, seconds: 11_400, ...body })
    await bob.post(`/time/sheet/${(await sheetOf(date)).id}/submit`, {})
    return entry
  }
  const correct = async (id: string, body: object): Promise<Entry[]> =>
    (await meg.post(`/time/${id}/correct`, { reason: 'Wrong', ...body })).entries
  const april = async () => {
    const entries: Entry[] = await meg.get('/time?date=2026-04-08&limit=100')
    return entries.map(({ id, seconds, billRate, billAmount, costRate }) => [
      id,
      seconds,
      billRate,
      billAmount,
      costRate,
    ])
  }

  test('leaves the closed month as it is, and shows in the open one with the effective date', async () => {
    const entry = await approved('2026-04-08')
    const [before, sheet, open] = [await april(), await sheetOf('2026-04-08'), await sheetOf(today)]
    const closed = (await meg.get(`/time/sheet/${sheet.id}`)).totals
    assert.deepEqual([before.length, closed.seconds], [1, 11_400])
    const [counter, right] = await correct(entry.id, { seconds: 7800 })
    assert.deepEqual(await april(), before)
    assert.deepEqual((await meg.get(`/time/sheet/${sheet.id}`)).totals, closed)
    const total = (await meg.get(`/time/sheet/${open.id}`)).totals?.seconds
    assert.equal(total, -3600)
    assert.deepEqual([counter?.date, right?.date], [today, today])
    const chain: Entry[] = await meg.get(`/time?correctsId=${entry.id}&effectiveDate=2026-04-08`)
    const sum = (of: (entry: Entry) => number) => chain.reduce((all, each) => all + of(each), 0)
    assert.deepEqual([sum(each => each.seconds), sum(each => Number(each.billAmount))], [-3600, -120])
  })

  test('takes back at the rates of the original, and prices the replacement by its day', async () => {
    const entry = await approved('2026-04-15')
    await meg.put(`/finance/rate/${rate.id}`, { bill: 130, cost: 60 })
    const rates = ({ billRate, costRate, rateSource, crmId }: Entry) => [billRate, costRate, rateSource, crmId]
    const [counter, right] = await correct(entry.id, { itemId: other.id })
    assert.ok(counter && right)
    assert.deepEqual(rates(counter), ['120.0000', '55.0000', 'tenant', crm.id])
    assert.deepEqual(rates(right), ['130.0000', '60.0000', 'tenant', crm.id])
    await meg.put(`/finance/rate/${rate.id}`, { bill: 140 })
    const priced = await meg.post('/time/reprice', { from: today, to: today, which: 'bill' })
    assert.ok(priced.skipped.corrected >= 1)
    assert.deepEqual(
      [rates(await meg.get(`/time/${counter.id}`))[0], rates(await meg.get(`/time/${right.id}`))[0]],
      ['120.0000', '140.0000'],
    )
    await meg.put(`/finance/rate/${rate.id}`, { bill: 120, cost: 55 })
  })

  test('keeps a price that was given for the entry, and what was not billable is not billed', async () => {
    const own = await approved('2026-04-22', { billRate: 300 })
    const [counter, right] = await correct(own.id, { seconds: 3600 })
    assert.deepEqual(
      [counter?.billRate, counter?.rateSource, right?.billRate, right?.rateSource],
      ['300.0000', 'entry', '300.0000', 'entry'],
    )
    const free = await approved('2026-04-29', { billable: timeBillable.no })
    const [back, paid] = await correct(free.id, { billable: timeBillable.yes })
    assert.deepEqual([back?.rateSource, back?.billAmount, paid?.billAmount], ['none', null, '380.0000'])
  })

  test('is rounded together with what it corrects, in the period of the work', async () => {
    const { id } = await meg.post('/finance/contract', {
      ...{ crmId: crm.id, name: 'Support', from: '2026-06-01', period: contractPeriod.month, includedMinutes: 600 },
    })
    const june = async () => (await meg.get(`/finance/contract/${id}/balance?at=2026-06-30`)).consumed
    const entry = await approved('2026-06-10', { seconds: 720 })
    assert.equal(await june(), 900)
    const [, right] = await correct(entry.id, { seconds: 1000 })
    assert.equal(await june(), 1800)
    await correct(right?.id ?? '', { seconds: 0 })
    assert.equal(await june(), 0)
  })

  test('follows no merge, and stays what it is when the period is opened again', async () => {
    const entry = await approved('2026-07-08')
    const [counter, right] = await correct(entry.id, { seconds: 60 })
    const target = await ada.post('/item', { title: 'Target', containerId: container.id })
    await ada.post(`/time/sheet/${(await sheetOf('2026-07-08')).id}/reopen`, { reason: 'x' })
    await ada.post(`/item/${item.id}/merge`, { into: target.id })
    const items = [entry, counter, right].map(async each => (await meg.get(`/time/${each?.id}`)).itemId)
    assert.deepEqual(await Promise.all(items), [item.id, item.id, target.id])
    const code = async (method: 'PUT' | 'DELETE', body?: object) => {
      const answer = await meg.ask(method, `/time/${entry.id}`, body ? { body } : {})
      return [answer.status, answer.body.code]
    }
    assert.deepEqual(await code('PUT', { seconds: 60 }), [422, 'correction'])
    assert.deepEqual(await code('DELETE'), [422, 'correction'])
  })
})
