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
}
