import type { Body, Seed, SeedBuilder } from './seed.ts'

const reasons = new WeakMap<SeedBuilder, Promise<Body>>()

/** Returns a reason whose changes of budgets are proposed first; the same one each time. */
function askingReason(b: SeedBuilder): Promise<Body> {
  const made = reasons.get(b) ?? b.person.post('/finance/budget-reason', { name: b.text(), requiresApproval: true })
  reasons.set(b, made)
  return made
}

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
  Invoice: (b, _all, path) =>
    /\/(approve|withdraw|issue|cancel)$/.test(path)
      ? { date: undefined }
      : path.endsWith('/credit')
        ? { lines: undefined, reason: b.text() }
        : path.endsWith('/mark')
          ? {}
          : {
              currency: 'EUR',
              from: '2026-04-01',
              to: '2026-04-30',
              seriesId: undefined,
              note: b.text(),
              lines: [
                {
                  id: crypto.randomUUID(),
                  source: 0,
                  text: b.text(),
                  quantity: '2.0000',
                  unit: 'HUR',
                  price: '100.0000',
                  taxCategory: 'S',
                  taxRate: '19.0000',
                  amount: '200.00',
                },
              ],
            },
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
