import { visibleInContainers } from '../../identity/visibility.ts'
import { managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Integer, LocalDate, Name, Ref, Refs } from '../../kernel/schema/values.ts'
import { sql } from '../../kernel/sql.ts'
import { Currency, Money, OptionalMoney } from '../../language/money.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { contractRollover } from './contract-balance.ts'
import { contractPeriod } from './contract-period.ts'

/** How work beyond a contract is billed. */
export const contractOverage = { normalRates: 0, ownRate: 1 } as const

const shape = {
  crmId: Ref('Crm'),
  skuId: Ref('Sku'),
  name: Name(200),
  from: LocalDate,
  to: LocalDate,
  period: Code(codeTableOfCodes('contract.period', contractPeriod), {
    description: '0 once · 1 month · 2 quarter · 3 year, of the calendar',
  }),
  includedMinutes: Count(undefined, undefined, {
    description: 'Granted at the start of each period, also of a shorter first one.',
  }),
  price: Money({ least: '0', description: 'The fee of a period.' }),
  currency: Currency,
  rollover: Code(codeTableOfCodes('contract.rollover', contractRollover), {
    description:
      'What becomes of unused time: 0 it expires · 1 it is carried over up to `rolloverMaxMinutes` · 2 all of it is carried over',
  }),
  rolloverMaxMinutes: Count(),
  rolloverPeriods: Count(1200, 1, { description: 'For how many periods time is carried over; 1 by default.' }),
  containerIds: Refs('Container', 1000),
  overage: Code(codeTableOfCodes('contract.overage', contractOverage), {
    description: 'Work beyond: 0 at the normal rates · 1 at `overageRate`',
  }),
  overageRate: OptionalMoney({ least: '0' }),
  openingMinutes: Count(undefined, undefined, { description: 'What was left of the period before the contract.' }),
  order: Integer({ description: 'Of several contracts of a customer, the lowest is used first.' }),
}

export type Contract = Stored<typeof shape>
type ContractValues = Values<typeof shape>

/** Time that a customer has bought in advance, once or for each period. */
export const contracts = resource('Contract', {
  about:
    'Time that a customer has bought in advance, once or for each period: billable work in its containers (if none is named, in all of the customer) uses it up, and `…/balance` says what is left.',
  shape: { ...shape, rolloverPeriods: { ...shape.rolloverPeriods, default: 1 } },
  required: ['name', 'crmId', 'from'],
  may: { read: managers, create: managers, update: managers, delete: managers },
  visible: (caller, t) => visibleInContainers(caller, sql`${t}.container_ids`),
  check: checkContract,
  findings: inertParts,
  order: 'order,from',
  remembered: true,
  example: {
    crmId: '01890000-0000-7000-8000-000000000000',
    name: 'Support Gold',
    from: '2026-04-01',
    period: contractPeriod.month,
    includedMinutes: 9600,
    price: '14000',
    currency: 'EUR',
  },
})

function checkContract(_ctx: Context, { from, to, overage, overageRate }: ContractValues): void {
  if (!from) throw new Invalid([fault(['from'], 'required', 'is required')])
  if (to && to < from) throw new Invalid([fault(['to'], 'range', 'must not be before from', to)])
  if (overage === contractOverage.ownRate && overageRate === null) {
    const message = 'overage at a rate of its own needs overageRate'
    throw new RuleBroken('overage-rate', message, [fault(['overageRate'], 'overage-rate', message)])
  }
}

function inertParts({ period, rollover, overage }: Contract): Finding[] {
  const known = { period: contractPeriod, rollover: contractRollover, overage: contractOverage }
  const given = { period, rollover, overage }
  return (['period', 'rollover', 'overage'] as const)
    .filter(each => !Object.values<number>(known[each]).includes(given[each]))
    .map(each => ({ path: `/${each}`, code: 'unknown-code', message: `is not a known code, and counts as 0` }))
}
