import { isDeepStrictEqual } from 'node:util'
import { admins, demand, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { OwnColumns } from '../../kernel/record/record.ts'
import { Forbidden, Invalid } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { type Rate, rateEntry, rateFaults, sortedEntries } from './dated-entries.ts'

// What somebody costs is no property like the others: the log is read by more people than may see it, so an event tells
// that it changed, and never what it is.

export type RateInput = readonly Partial<Rate>[] | null

const updateRates = permission('userRate.update', admins)

/** The column that is written, and what the event tells of it. */
export function rateColumns(wish: NonNullable<RateInput>): OwnColumns {
  const faults = rateFaults(wish)
  if (faults.length > 0) throw new Invalid(faults)
  return { columns: { rates: sql`${JSON.stringify(sortedEntries(rateEntry, wish))}::jsonb` }, changes: { rates: {} } }
}

/** The same for somebody who is there; nothing, if nothing changes. */
export async function changedRates(ctx: Context, userId: Id, wish: RateInput): Promise<OwnColumns | undefined> {
  const own = rateColumns(wish ?? [])
  if (isDeepStrictEqual(await ratesOf(ctx, userId), sortedEntries(rateEntry, wish ?? []))) return undefined
  demand(ctx.caller, updateRates)
  if (userId === ctx.caller.userId && !ctx.caller.authority.superAdmin)
    throw new Forbidden('nobody says of themselves what they can do or what they cost')
  return own
}

export async function ratesOf(ctx: Context, userId: Id): Promise<Rate[]> {
  const [row] = await ctx.sql<{
    rates: Rate[]
  }>`select rates from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${userId}`
  return row?.rates ?? []
}
