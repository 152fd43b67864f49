import type { Context } from '../../../kernel/context.ts'
import { isId } from '../../../kernel/id.ts'
import { fault, RuleBroken } from '../../../kernel/refusal.ts'
import type { Time, TimeValues } from '../../time.ts'

/** The source of a cost centre that was given for the entry itself. */
const ofEntry = 'entry'

/**
 * A cost centre in the body is one for this entry, and stays until it is cleared; container and user decide again then. The stored
 * one is not given when a whole record is sent back.
 */
export async function withCostCenter(
  ctx: Context,
  { costCenterId: inBody, ...values }: Partial<TimeValues>,
  before?: Time,
): Promise<Partial<TimeValues>> {
  const was = before?.costCenterId ?? ''
  const given = inBody === undefined ? was : (inBody ?? '').toLowerCase() // null clears, too
  const isGiven = given !== was
  const isOwn = isGiven ? given !== '' : before?.costCenterSource === ofEntry
  if (isOwn && (isGiven || values.date !== before?.date)) await refuseNotInForce(ctx, given, values.date ?? null)
  if (!isGiven) return values
  if (given !== '') return { ...values, costCenterId: given, costCenterSource: ofEntry, shares: [] }
  return before?.costCenterSource === ofEntry ? { ...values, ...(await resolved(ctx, values)) } : values
}

/** One that is unknown is refused as a reference. */
async function refuseNotInForce(ctx: Context, id: string, date: string | null): Promise<void> {
  const [row] = await ctx.sql<{ takes: boolean }>`select takes_time(k.tenant_id, k.id, ${date}::date) as takes
    from cost_center k where k.tenant_id = ${ctx.caller.tenantId} and k.id = ${isId(id) ? id : null}::uuid and not k.deleted`
  if (!row || row.takes) return
  const message = 'the cost centre is not active, or not valid on this day'
  throw new RuleBroken('cost-center-inactive', message, [fault(['costCenterId'], 'cost-center-inactive', message, id)])
}

/** What container and user say about the cost centre of an entry. */
async function resolved(
  ctx: Context,
  { containerId, userId, date }: Partial<TimeValues>,
): Promise<Partial<TimeValues>> {
  const [row] = await ctx.sql<{ costCenterId: string; costCenterSource: string; shares: TimeValues['shares'] }>`
    select coalesce(s.one::text, '') as "costCenterId", s.source as "costCenterSource", s.several as shares
    from cost_shares_on(${ctx.caller.tenantId}::uuid, ${containerId || null}::uuid, ${userId || null}::uuid, ${date ?? null}::date) s`
  return row ? { ...row } : {}
}
