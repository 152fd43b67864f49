import { madeOnce } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** A reason whose changes of budgets are proposed first. */
const askingReason = madeOnce(b => b.person.post('/finance/budget-reason', { name: b.text(), requiresApproval: true }))

/** The seeds of customers, budgets, contracts and invoices. */
export const billingSeeds: Record<string, Seed> = {
  Crm: (b, all, path) =>
    all && !path.endsWith('/merge')
      ? {
          domain: `${b.text()}.example`,
          domains: undefined, // the service puts the primary one first
          currency: 'EUR',
          taxCategory: 'S',
          taxRate: '19.5000',
          parentId: undefined,
        }
      : {},
  Budget: async (b, all) => ({
    name: b.text(),
    owner: 1,
    ownerId: (await b.one('Container')).id,
    ...(all ? { parentId: undefined, unit: 2, currency: 'EUR', from: '2026-01-01', to: '2026-12-31' } : {}),
  }),
  BudgetEntry: async (b, _all, path) =>
    /\/(approve|reject)$/.test(path) ? {} : { delta: '600.0000', reasonId: (await askingReason(b)).id, note: b.text() },
  Contract: (b, all) => ({
    name: b.text(),
    from: '2026-04-01',
    ...(all ? { to: '2026-12-31', currency: 'EUR', price: '100.0000', overageRate: '120.0000' } : {}),
  }),
  InvoiceSeries: () => ({ pattern: '{yyyy}-{0000}' }),
  Invoice: invoiceSeed,
}

/** The values for a document, or for one of its verbs. */
async function invoiceSeed(b: SeedBuilder, all: boolean, path: string): Promise<Body> {
  if (path.endsWith('/draft')) return await draftRequest(b, all)
  if (/\/(approve|withdraw|issue|cancel)$/.test(path)) return { date: undefined }
  if (path.endsWith('/credit')) return { lines: undefined, reason: b.text() }
  if (path.endsWith('/mark')) return {}
  await feeCustomer(b) // what later requests for drafts need is there before they are watched
  const line = { source: 0, text: b.text(), quantity: '2.0000', unit: 'HUR', price: '100.0000', amount: '200.00' }
  return {
    currency: 'EUR',
    from: '2026-04-01',
    to: '2026-04-30',
    seriesId: undefined,
    note: b.text(),
    lines: [{ id: crypto.randomUUID(), ...line, taxCategory: 'S', taxRate: '19.0000' }],
  }
}

let months = 0

/** A customer with a contract that has a fee for every month. */
const feeCustomer = madeOnce(async b => {
  const crm = await b.person.post('/finance/crm', { name: b.text(), currency: 'EUR' })
  const terms = { crmId: crm.id, name: b.text(), from: '1980-01-01', period: 1, price: '100', currency: 'EUR' }
  await b.person.post('/finance/contract', terms)
  return crm
})

/** A request for a draft, each for another month, because a fee is billed once. */
async function draftRequest(b: SeedBuilder, all: boolean): Promise<Body> {
  const { id: crmId } = await feeCustomer(b)
  const day = new Date(Date.UTC(1980, months++ % 500, 1)).toISOString().slice(0, 10)
  const containerIds = all ? { containerIds: [(await b.one('Container')).id] } : {}
  return { crmId, from: day, to: day, groupBy: 1, ...containerIds }
}

const seller = { name: 'Seller', city: 'Berlin', country: 'DE', taxId: 'DE999999999' }

/** Returns a document in the state that these verbs lead to. */
async function turnedInvoice(b: SeedBuilder, ...verbs: readonly string[]): Promise<Body> {
  const lines = [{ text: b.text(), price: '100' }]
  // In a series of its own no earlier document forbids the date.
  const { id: seriesId } = await b.person.post('/finance/invoice-series', {
    name: b.text(),
    pattern: `${b.text()}{00}`,
  })
  const { id: crmId } = await b.one('Crm')
  let invoice = await b.person.post('/finance/invoice', { crmId, seriesId, currency: 'EUR', lines })
  await b.person.ask('POST', '/admin/setting', { body: { key: 'billing.seller', value: seller } }) // may be there already
  for (const verb of verbs) invoice = await b.person.post(`/finance/invoice/${invoice.id}/${verb}`, {})
  return invoice
}

/** Documents in the state that an operation needs. By route. */
export const billingSubjects: Record<string, (builder: SeedBuilder) => Promise<Body>> = {
  'POST /finance/invoice/:id/approve': b => turnedInvoice(b),
  'POST /finance/invoice/:id/withdraw': b => turnedInvoice(b, 'approve'),
  'POST /finance/invoice/:id/issue': b => turnedInvoice(b, 'approve'),
  'POST /finance/invoice/:id/cancel': b => turnedInvoice(b),
  'POST /finance/invoice/:id/credit': b => turnedInvoice(b, 'approve', 'issue'),
  'POST /finance/invoice/:id/mark': b => turnedInvoice(b, 'approve', 'issue'),
}
