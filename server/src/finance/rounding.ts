import { Type } from 'typebox'
import { Count, Part } from '../kernel/schema/values.ts'
import { setting } from '../platform/setting.ts'
import { Code, codeTableOfCodes } from '../records/code-table.ts'

// Time is stored as it was worked. It is rounded only where it is billed, by the policy of the container, else of the customer,
// else of the tenant; the nearest policy counts whole.

/** How the seconds of a unit are rounded. */
export const roundingMode = { none: 0, nearest: 1, up: 2, down: 3 } as const

/** What is rounded: a chain of corrections, the time of a user on an item and day, or the line of an invoice. */
export const roundingPer = { entry: 0, day: 1, line: 2 } as const

/** How time is rounded for billing. */
export interface Rounding {
  mode: number
  stepSeconds: number
  minimumSeconds: number
  per: number
  quantityDecimals: number
}

const unrounded: Rounding = { mode: 0, stepSeconds: 0, minimumSeconds: 0, per: 0, quantityDecimals: 4 }
const day = 86_400

const policy = Part({
  mode: Code(codeTableOfCodes('rounding.mode', roundingMode), { description: '0 none · 1 nearest · 2 up · 3 down' }),
  stepSeconds: Count(day),
  minimumSeconds: Count(day),
  per: Code(codeTableOfCodes('rounding.per', roundingPer), {
    description: '0 entry · 1 user, item and day · 2 line of the invoice',
  }),
  quantityDecimals: Count(4, 2, { description: 'The decimals of the hours on a line, 2 to 4; 4 by default.' }),
})

/** The policy of a record; an empty one leaves the decision to the next. */
export const RoundingPolicy = Type.Unsafe<Partial<Rounding>>({
  ...policy,
  default: {},
  description:
    'How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says.',
})

export const roundingSetting = setting('billing.rounding', {
  schema: policy,
  default: {},
  scopes: ['tenant'],
  description: 'How time is rounded when it is billed, where neither the container nor the customer says.',
})

/** Returns the first policy that says something, completed; time is not rounded if none does. */
export function policyOf(nearestFirst: readonly Partial<Rounding>[]): Rounding {
  return { ...unrounded, ...nearestFirst.find(each => Object.keys(each).length > 0) }
}

/** The seconds to bill for a unit with this many seconds of work, in all invoices together. */
export function roundedSeconds(raw: number, { mode, stepSeconds: step, minimumSeconds }: Rounding): number {
  return raw > 0 ? Math.max(minimumSeconds, step > 0 ? toStep(raw, mode, step) : raw) : 0
}

/** Rounds to a multiple of the step; a tie goes up. An unknown mode does not round. */
function toStep(raw: number, mode: number, step: number): number {
  switch (mode) {
    case roundingMode.nearest:
      return Math.floor((2 * raw + step) / (2 * step)) * step
    case roundingMode.up:
      return Math.ceil(raw / step) * step
    case roundingMode.down:
      return Math.floor(raw / step) * step
  }
  return raw
}
