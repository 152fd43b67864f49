import { isDeepStrictEqual } from 'node:util'
import { admins, demand, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { OwnColumns } from '../../kernel/record/record.ts'
import { Forbidden, Invalid } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { sortedEntries } from '../../records/dated.ts'
import { type Rate, rateEntry, rateFaults } from './dated-entries.ts'

// Rates are not an ordinary property: more users may read the event log than may read rates, so an event records that the
// rates changed, but not their values.

export type RateInput = readonly Partial<Rate>[] | null

const updateRates = permission('userRate.update', admins)

/** The column to write, and the entry in the event, which has no values. */
export function rateColumns(input: NonNullable<RateInput>): OwnColumns {
  const faults = rateFaults(input)
  if (faults.length > 0) throw new Invalid(faults)
  return { columns: { rates: sql`${JSON.stringify(sortedEntries(rateEntry, input))}::jsonb` }, changes: { rates: {} } }
}

/** The same for an existing user; undefined if the rates stay the same. */
export async function changedRates(ctx: Context, userId: Id, input: RateInput): Promise<OwnColumns | undefined> {
  const own = rateColumns(input ?? [])
  if (isDeepStrictEqual(await ratesOf(ctx, userId), sortedEntries(rateEntry, input ?? []))) return undefined
  demand(ctx.caller, updateRates)
  if (userId === ctx.caller.userId && !ctx.caller.authority.superAdmin)
    throw new Forbidden('users do not change their own capacity or rates')
  return own
}

export async function ratesOf(ctx: Context, userId: Id): Promise<Rate[]> {
  const [row] = await ctx.sql<{
    rates: Rate[]
  }>`select rates from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${userId}`
  return row?.rates ?? []
}
