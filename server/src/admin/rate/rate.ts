// What an hour costs and what customers pay for it. The rooms above read and write rates through this file.

export {
  changeOwnRates,
  type OwnRates,
  ownRates,
  ownRatesSchema,
  ratesChanged,
  readOwnRates,
  readRates,
  withOwnRates,
  writeOwnRates,
} from './own-rates.ts'
export { rates, routes } from './rate-record.ts'
export { rateLevels, rateLimits } from './rate-scope.ts'
