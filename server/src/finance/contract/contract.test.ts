import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { roundingMode, roundingPer } from '../rounding.ts'
import { contractRollover } from './contract-balance.ts'
import { contractPeriod } from './contract-period.ts'
import { contractOverage } from './contract-record.ts'

describe('contracts', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person } = home
  const running = await engines(home)
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const today = new Date().toISOString().slice(0, 10)

  async function customer(more: object = {}) {
    const crm = await ada.post('/finance/crm', { name: 'Customer', ...more })
    const container = await ada.post('/container', { name: 'Desk', crmId: crm.id })
    const item = await ada.post('/item', { title: 'Task', containerId: container.id })
    return { crm, container, item }
  }
  const contract = (crmId: string, more: object = {}) =>
    meg.post('/finance/contract', {
      crmId,
      name: 'Support',
      from: '2026-04-01',
      period: contractPeriod.month,
      includedMinutes: 600,
      ...more,
    })
  const book = (itemId: string, seconds: number, date: string, more: object = {}) =>
    ada.post('/time', { itemId, seconds, date, ...more })
  const balance = (id: string, at: string) => meg.get(`/finance/contract/${id}/balance?at=${at}`)

  test('billable work uses a contract up, and the rest is carried over', async () => {
    const { crm, item } = await customer()
    const { id } = await contract(crm.id, { rollover: contractRollover.capped, rolloverMaxMinutes: 120 })
    await book(item.id, 18_000, '2026-04-10')
    await book(item.id, 3600, '2026-04-11', { billable: 0 })
    await book(item.id, 36_000, '2026-05-01')
    await book(item.id, 7200, '2026-03-31')
    const april = await balance(id, '2026-04-30')
    assert.deepEqual([april.granted, april.consumed, april.remaining, april.overage], [36_000, 18_000, 18_000, 0])
    assert.deepEqual(april.lots, [{ from: '2026-04-01', expires: '2026-05-31', granted: 36_000, remaining: 18_000 }])
    const may = await balance(id, '2026-05-31')
    assert.deepEqual([may.carried, may.expired, may.consumed, may.remaining], [18_000, 10_800, 36_000, 7200])
    assert.equal((await balance(id, '2026-05-31')).from, '2026-05-01')
  })

  test('work is rounded as it is billed', async () => {
    const { crm, item } = await customer({
      rounding: { mode: roundingMode.up, stepSeconds: 900, per: roundingPer.day },
    })
    const { id } = await contract(crm.id)
    await book(item.id, 449, '2026-04-10')
    await book(item.id, 452, '2026-04-10')
    await book(item.id, 1, '2026-04-11')
    assert.equal((await balance(id, '2026-04-30')).consumed, 1800 + 900)
  })

  test('a contract covers its containers, and contracts are used in their order', async () => {
    const { crm, container, item } = await customer()
    const elsewhere = await ada.post('/container', { name: 'Other', crmId: crm.id })
    const other = await ada.post('/item', { title: 'Other', containerId: elsewhere.id })
    const general = await contract(crm.id, { order: 2, includedMinutes: 60 })
    const special = await contract(crm.id, { order: 1, includedMinutes: 60, containerIds: [container.id] })
    await book(item.id, 5400, '2026-04-01')
    await book(other.id, 3600, '2026-04-02')
    const of = async (id: string) => {
      const { consumed, overage } = await balance(id, '2026-04-30')
      return [consumed, overage]
    }
    assert.deepEqual(
      [await of(special.id), await of(general.id)],
      [
        [3600, 0],
        [3600, 1800],
      ],
    )
  })

  test('a contract that runs low is told once in a period', async () => {
    const { crm, item } = await customer()
    const { id } = await contract(crm.id, {
      from: `${today.slice(0, 4)}-01-01`,
      period: contractPeriod.year,
      includedMinutes: 100,
    })
    const told = async () => {
      await running.settle()
      const events = await meg.get(`/finance/contract/${id}/history`)
      return events
        .filter((each: { type: string }) => each.type === 'contract.low')
        .map((each: { changes: { threshold: { to: number } } }) => each.changes.threshold.to)
    }
    await book(item.id, 79 * 60, today)
    assert.deepEqual(await told(), [])
    const entry = await book(item.id, 60, today)
    assert.deepEqual(await told(), [80])
    await ada.delete(`/time/${entry.id}`)
    await book(item.id, 21 * 60, today)
    assert.deepEqual(await told(), [80, 100])
    await book(item.id, 21 * 60, today)
    assert.deepEqual(await told(), [80, 100])
  })

  test('a contract follows its customer into a merge', async () => {
    const [gone, kept] = [await customer(), await customer()]
    const { id } = await contract(gone.crm.id)
    await book(kept.item.id, 600, '2026-04-02')
    await ada.post(`/finance/crm/${gone.crm.id}/merge`, { into: kept.crm.id })
    assert.equal((await meg.get(`/finance/contract/${id}`)).crmId, kept.crm.id)
    assert.equal((await balance(id, '2026-04-30')).consumed, 600)
  })

  test('what contradicts itself is refused, and members see no contracts', async () => {
    const { crm } = await customer()
    const post = (more: object) =>
      meg.ask('POST', '/finance/contract', { body: { crmId: crm.id, name: 'C', from: '2026-04-01', ...more } })
    assert.equal((await post({ to: '2026-03-31' })).body.Fields[0].Code, 'range')
    assert.equal((await post({ overage: contractOverage.ownRate })).body.code, 'overage-rate')
    assert.equal((await post({ from: null })).status, 400)
    assert.equal((await post({ price: -1 })).body.Fields[0].Code, 'range')
    assert.equal((await post({ rolloverPeriods: 0 })).status, 400)
    const strange = await post({ period: 77 })
    assert.equal(strange.body.check[0].path, '/period')
    assert.equal((await bob.ask('GET', '/finance/contract')).status, 403)
    assert.equal((await eve.ask('GET', `/finance/contract/${strange.body.id}/balance`)).status, 404)
  })
})
