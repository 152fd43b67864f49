import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { history } from '../../records/history/history.ts'
import { tenantToday } from '../tenant-day.ts'
import { accountsOf } from './contract-accounts.ts'
import { type PeriodAccount, remainingOf } from './contract-balance.ts'
import { contractPeriodAt } from './contract-period.ts'
import { type Contract, contracts } from './contract-record.ts'

const day: Schema = { type: ['string', 'null'], format: 'date' }
const seconds = (description: string): Schema => ({ type: 'integer', description: `${description}, in seconds.` })

const balanceSchema: Schema = {
  type: 'object',
  title: 'ContractBalance',
  properties: {
    contractId: { type: 'string' },
    from: day,
    to: day,
    granted: seconds('Granted at the start of the period'),
    carried: seconds('Left of the period before'),
    expired: seconds('The part of `carried` that did not pass into this period'),
    consumed: seconds('Billable work that the contract covers'),
    overage: seconds('Billable work beyond it'),
    remaining: seconds('Left: granted + carried − expired − consumed'),
    lots: {
      type: 'array',
      description: 'What is left, by the period in which it was granted; the first is used first.',
      items: {
        type: 'object',
        properties: { from: day, expires: day, granted: { type: 'integer' }, remaining: { type: 'integer' } },
        required: ['from', 'expires', 'granted', 'remaining'],
      },
    },
  },
  required: ['contractId', 'from', 'to', 'granted', 'carried', 'expired', 'consumed', 'overage', 'remaining', 'lots'],
}

/** The answer about an account. */
export function shownAccount(contract: Contract, account: PeriodAccount): Record<string, unknown> {
  const { from, to, granted, carried, expired, consumed, overage, lots } = account
  const terms = { period: contract.period, from: contract.from ?? '', to: contract.to }
  const lasts = contract.rollover === 0 ? 0 : contract.rolloverPeriods
  const shown = lots.map(lot => ({
    from: lot.period < 0 ? null : contractPeriodAt(terms, lot.period).from,
    expires: contractPeriodAt(terms, Math.max(0, lot.period + lasts)).to,
    granted: lot.granted,
    remaining: lot.left,
  }))
  return {
    contractId: contract.id,
    from,
    to,
    granted,
    carried,
    expired,
    consumed,
    overage,
    remaining: remainingOf(account),
    lots: shown,
  }
}

const balance = operation({
  permission: contracts.permissions.read,
  mode: 'read',
  summary: 'Say what is left of a contract',
  description:
    'The account of the period of a day, as of the end of that day: consumed + remaining + expired = granted + carried. It is computed from the billable work of the customer, rounded as it is billed, and from all contracts of the customer in their order.',
  query: { at: { type: 'string', format: 'date', description: 'Today by default.' } },
  reply: { status: 200, schema: balanceSchema, description: 'The account.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const contract = await contracts.get(ctx, params.id ?? '')
    const at = typeof query.at === 'string' ? query.at : await tenantToday(ctx)
    const account = (await accountsOf(ctx, contract.crmId, at)).accounts.get(contract.id)
    if (!account) throw new Error(`the contract ${contract.id} has no account`)
    return { body: shownAccount(contract, account) }
  },
})

export const routes: Routes = {
  'GET /finance/contract': list(contracts),
  'POST /finance/contract': create(contracts),
  'PUT /finance/contract': update(contracts),
  'GET /finance/contract/:id': get(contracts),
  'PUT /finance/contract/:id': update(contracts),
  'PATCH /finance/contract/:id': update(contracts),
  'DELETE /finance/contract/:id': remove(contracts),
  'POST /finance/contract/:id/restore': restore(contracts),
  'GET /finance/contract/:id/history': history(contracts),
  'GET /finance/contract/:id/check': check(contracts),
  'GET /finance/contract/:id/balance': balance,
}
