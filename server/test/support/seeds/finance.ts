import { ownerKind } from '../../../src/records/references/owner.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

const euro = { from: '2026-01-01', amount: '120.0000', currency: 'EUR' }

let days = 0
const nextDay = () => new Date(Date.UTC(2026, 0, ++days)).toISOString().slice(0, 10)

/** The seeds of the kinds that money is made of. */
export const financeSeeds: Record<string, Seed> = {
  JobRole: (_b, all) =>
    all ? { rates: [{ from: '2026-01-01', to: null, cost: '60.0000', bill: '120.0000', currency: '' }] } : {},
  Rate: async (b, all) => ({
    itemId: undefined,
    containerId: (await b.one('Container')).id,
    crmId: undefined,
    userId: undefined,
    jobRoleId: undefined,
    // Rates of one scope follow each other, so each begins on a day of its own.
    from: nextDay(),
    to: undefined,
    bill: '120.0000',
    cost: all ? '60.0000' : undefined,
    currency: '',
  }),
  Multiplier: async (b, all) => ({
    owner: ownerKind.container,
    ownerId: (await b.one('Container')).id,
    bill: '1.5000',
    ...(all ? { from: '2026-01-01', to: '2026-12-31', weekdays: [7], cost: '1.2500' } : {}),
    ...(all ? { startTime: '22:00', endTime: '06:00' } : {}),
  }),
  Sku: (_b, all) => (all ? { price: [euro], cost: [{ ...euro, amount: '60.0000' }] } : {}),
}

/** A split that gives everything to one cost centre. */
export async function costSplit(b: SeedBuilder): Promise<Body[]> {
  const { id: costCenterId } = await b.one('CostCenter')
  return [{ from: '2026-01-01', to: null, shares: [{ costCenterId, percent: '100.0000' }] }]
}
