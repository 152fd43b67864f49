import type { Seed } from './seed.ts'

/** The seeds of customers, budgets, contracts and invoices. */
export const billingSeeds: Record<string, Seed> = {
  Crm: (b, all, path) =>
    all && !path.endsWith('/merge')
      ? {
          domain: `${b.text()}.example`,
          domains: undefined, // the service puts the primary one first
          currency: 'EUR',
          taxCategory: 'S',
          taxRate: 19.5,
          parentId: undefined,
        }
      : {},
}
