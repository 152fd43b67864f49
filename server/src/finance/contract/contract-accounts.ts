import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { type BillableEntry, billableEntries, policies, unitKey } from '../billable-time.ts'
import { type Rounding, roundedSeconds } from '../rounding.ts'
import { type ContractTerms, type Cover, chargeContracts, type PeriodAccount, type Work } from './contract-balance.ts'
import { type Contract, contracts } from './contract-record.ts'

/** The contracts of a customer, in the order in which they are used. */
export async function contractsOf(ctx: Context, crmId: Id): Promise<Contract[]> {
  const rows = await ctx.sql<{ json: string }>`select ${contracts.json(raw('t'))} as json from contract t
    where t.tenant_id = ${ctx.caller.tenantId} and t.crm_id = ${crmId} and not t.deleted order by t."order", t."from", t.id`
  return rows.map(row => JSON.parse(row.json))
}

/** Charges all billable work of a customer until the end of a day to its contracts. */
export async function accountsOf(
  ctx: Context,
  crmId: Id,
  until: string,
): Promise<{ all: Contract[]; accounts: Map<Id, PeriodAccount>; covers: Cover[] }> {
  const all = await contractsOf(ctx, crmId)
  const first = all.map(each => each.from ?? until).sort()[0]
  const entries = first === undefined ? [] : await billableEntries(ctx, crmId, first, until)
  const policy = await policies(
    ctx,
    crmId,
    entries.map(each => each.containerId),
  )
  return { all, ...chargeContracts(all.map(termsOf), worksOf(entries, policy), until) }
}

/** The rounded units of entries, each at the place of its first entry. */
function worksOf(entries: readonly BillableEntry[], policy: (containerId: Id | '') => Rounding): Work[] {
  const units = Map.groupBy(entries, each => unitKey(each, policy(each.containerId)))
  return [...units.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const raw = others.reduce((sum, each) => sum + each.seconds, first.seconds)
    const { id, date, containerId } = first
    return [{ id, date, containerId, seconds: roundedSeconds(raw, policy(containerId)) }]
  })
}

/** The terms of a contract, in seconds. */
export function termsOf(contract: Contract): ContractTerms {
  const { id, from, to, period, rollover, rolloverPeriods, containerIds } = contract
  return {
    id,
    from: from ?? '',
    to,
    period,
    rollover,
    rolloverPeriods,
    containerIds,
    included: contract.includedMinutes * 60,
    rolloverMax: contract.rolloverMaxMinutes * 60,
    opening: contract.openingMinutes * 60,
  }
}
