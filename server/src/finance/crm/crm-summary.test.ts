import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { invoiceKind, invoiceState } from '../invoice/invoice-record.ts'

describe('the summary of a customer', async () => {
  const { ada, bob, eve, database } = await sharedTestService()
  const crm = await ada.post('/finance/crm', { name: 'Customer', currency: 'EUR' })
  const summary = (person = ada) => person.get(`/finance/crm/${crm.id}/summary?from=2026-04-01&to=2026-04-30`)

  test('it counts tickets, time, contracts and money of the period', async () => {
    await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
    const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk, crmId: crm.id })
    await ada.post('/finance/rate', {
      containerId: desk.id,
      from: '2026-01-01',
      bill: '100',
      cost: '40',
      currency: 'EUR',
    })
    const [first, second] = [
      await ada.post('/ticket', { title: 'One', containerId: desk.id }),
      await ada.post('/ticket', { title: 'Two', containerId: desk.id }),
    ]
    await ada.put(`/item/${second.id}`, { status: 'Closed' })
    await ada.post('/time', { itemId: first.id, seconds: 5400, date: '2026-04-10' })
    await ada.post('/time', { itemId: first.id, seconds: 1800, date: '2026-04-10', billable: 0 })
    await ada.post('/time', { itemId: first.id, seconds: 3600, date: '2026-05-01' })
    await ada.post('/finance/contract', {
      crmId: crm.id,
      name: 'Support',
      from: '2026-04-01',
      period: 1,
      includedMinutes: 60,
    })
    const made = async (net: string, kind: number, currency = 'EUR') => {
      const { id } = await ada.post('/finance/invoice', { crmId: crm.id, currency })
      await database.single(
        tenantCaller(ada.tenantId),
        ctx => ctx.sql`update invoice set state = ${invoiceState.issued}, kind = ${kind}, net = ${net}, date = '2026-04-30'
        where tenant_id = ${ada.tenantId} and id = ${id}`,
      )
    }
    await made('500.00', invoiceKind.invoice)
    await made('50.00', invoiceKind.creditNote)
    const found = await summary()
    assert.deepEqual([found.openTickets, found.breaches, found.slaAttainment], [1, 0, null])
    assert.deepEqual([found.seconds, found.billableSeconds], [7200, 5400])
    assert.deepEqual(found.net, [{ currency: 'EUR', amount: '450.0000' }])
    assert.deepEqual(found.unbilled, [{ currency: 'EUR', amount: '150.0000' }])
    assert.deepEqual([found.cost.amount, found.margin, found.mixedCurrency], ['80.0000', '370.0000', false])
    assert.deepEqual(
      found.contracts.map((each: { name: string; consumed: number; overage: number }) => [
        each.name,
        each.consumed,
        each.overage,
      ]),
      [['Support', 3600, 1800]],
    )
    await made('10.00', invoiceKind.invoice, 'USD')
    const mixed = await summary()
    assert.deepEqual([mixed.margin, mixed.mixedCurrency, mixed.net.length], [null, true, 2])
  })

  test('members see neither money nor contracts, and others nothing', async () => {
    const found = await summary(bob)
    assert.deepEqual(
      [found.seconds, found.net, found.cost, found.margin, found.contracts],
      [7200, undefined, undefined, undefined, undefined],
    )
    assert.equal((await eve.ask('GET', `/finance/crm/${crm.id}/summary`)).status, 404)
    assert.equal((await ada.ask('GET', `/finance/crm/${crm.id}/summary?from=2026-02-01&to=2026-01-01`)).status, 400)
  })
})
