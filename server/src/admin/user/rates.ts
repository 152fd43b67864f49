import { isDeepStrictEqual } from 'node:util'
import { admins, demand, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { OwnColumns } from '../../kernel/record.ts'
import { Forbidden, Invalid } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { inOrder, type Rate, rateEntry, rateFaults } from './dated-entries.ts'

// What somebody costs is no property like the others: the log is read by more people than may see it, so an event tells
// that it changed, and never what it is.

export type RateInput = readonly Partial<Rate>[] | null

const changesRates = permission('userRate.update', admins)

/** The column that is written, and what the event tells of it. */
export function writesRates(wish: NonNullable<RateInput>): OwnColumns {
  const faults = rateFaults(wish)
  if (faults.length > 0) throw new Invalid(faults)
  return { columns: { rates: sql`${JSON.stringify(inOrder(rateEntry, wish))}::jsonb` }, changes: { rates: {} } }
}

/** The same for somebody who is there; nothing, if nothing changes. */
export async function ratesAfter(ctx: Context, userId: Id, wish: RateInput): Promise<OwnColumns | undefined> {
  const own = writesRates(wish ?? [])
  if (isDeepStrictEqual(await ratesOf(ctx, userId), inOrder(rateEntry, wish ?? []))) return undefined
  demand(ctx.caller, changesRates)
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
