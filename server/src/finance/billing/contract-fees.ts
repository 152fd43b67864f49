import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { unitsOf } from '../../language/decimal.ts'
import { type ContractPeriod, contractPeriodAt } from '../contract/contract-period.ts'
import type { Contract } from '../contract/contract-record.ts'
import { lineSource } from '../invoice/invoice-record.ts'
import type { DraftRequest } from './time-to-bill.ts'

/** The fee of a contract for one of its periods. */
export interface Fee {
  contract: Contract
  period: ContractPeriod
}

/** More periods than a document can have lines are too many anyway. */
const maxPeriods = 1001

/** The fees of the periods that begin in the time of the document and that no document holds. */
export async function dueFees(ctx: Context, contracts: readonly Contract[], request: DraftRequest): Promise<Fee[]> {
  const all = contracts.filter(each => isMeant(each, request)).flatMap(contract => periodsOf(contract, request))
  const rows = await ctx.sql<{
    id: Id
    from: string
  }>`select contract_id as id, period_from::text as from from invoice_fee
    where tenant_id = ${ctx.caller.tenantId} and contract_id = any(${contracts.map(each => each.id)}::uuid[]) and not released`
  const billed = new Set(rows.map(row => `${row.id} ${row.from}`))
  return all.filter(({ contract, period }) => !billed.has(`${contract.id} ${period.from}`))
}

/** A contract costs something, and is for one of the containers if some are named. */
function isMeant({ price, containerIds }: Contract, { containerIds: asked }: DraftRequest): boolean {
  const isFor = !asked || containerIds.length === 0 || containerIds.some(id => asked.includes(id))
  return unitsOf(price) > 0n && isFor
}

function periodsOf(contract: Contract, { from, to }: DraftRequest): Fee[] {
  const found: Fee[] = []
  const terms = { ...contract, from: contract.from ?? '' }
  const last = contract.to !== null && contract.to < to ? contract.to : to
  for (let index = 0; found.length < maxPeriods; index++) {
    const period = contractPeriodAt(terms, index)
    if (period.from > last || (index > 0 && period.from === terms.from)) break
    if (!from || period.from >= from) found.push({ contract, period })
  }
  return found
}

export function periodText({ from, to }: ContractPeriod): string {
  return to === null ? `from ${from}` : `${from} – ${to}`
}

export function feeLine({ contract, period }: Fee) {
  const text = `${contract.name}, ${periodText(period)}`
  return { id: newId(), source: lineSource.fee, text, quantity: '1.0000', unit: 'C62', price: contract.price }
}
