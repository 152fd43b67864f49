import type { Seed } from './seed.ts'

const euro = { from: '2026-01-01', amount: '120.0000', currency: 'EUR' }

/** The seeds of the kinds that money is made of. */
export const financeSeeds: Record<string, Seed> = {
  Sku: (_b, all) => (all ? { price: [euro], cost: [{ ...euro, amount: '60.0000' }] } : {}),
}
