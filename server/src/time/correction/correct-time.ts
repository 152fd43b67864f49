import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { Conflict, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { refuseClosed } from '../closed/closed.ts'
import { closedUntil } from '../closed/closing.ts'
import { isCorrected } from '../corrected.ts'
import { containerOf, timezoneOf } from '../entry/entry.ts'
import { othersTime } from '../permissions.ts'
import { refuseCode, type Time, times } from '../time.ts'
import { localDay, readTimeSpan } from '../time-entry.ts'
import { lockedStates, timeSource } from '../time-state.ts'
import type { CorrectionInput } from './correction-body.ts'

/** What the right entry says. */
type Replacement = Pick<Time, 'itemId' | 'containerId' | 'nonBillable' | 'billable' | 'seconds' | 'note'>

/**
 * Corrects an entry that cannot change any more: a counter-entry takes it back, and a replacement says what is right. Both are
 * booked today, so that closed periods keep their sums; `effectiveDate` is the day of the work, by which it is billed.
 */
export async function correctTime(ctx: Context, id: Id, input: CorrectionInput): Promise<Time[]> {
  const seen = await times.get(ctx, id)
  demand(ctx.caller, othersTime, seen.containerId ? { containerId: seen.containerId } : {})
  const timezone = await timezoneOf(ctx, seen.userId)
  const replacement = await replacementOf(ctx, seen, input, timezone)
  const place = { userId: seen.userId, date: localDay(ctx.now, timezone) }
  await refuseClosed(
    ctx,
    [seen, replacement].map(({ containerId }) => ({ ...place, containerId })),
  )
  const original = await lockLast(ctx, id)
  const chain = { ...place, effectiveDate: original.effectiveDate, correctsId: original.correctsId || original.id }
  const counter = { ...original, seconds: -original.seconds, note: input.reason, reversesId: original.id }
  const rows = [counter, ...(replacement.seconds === 0 ? [] : [{ ...replacement, reversesId: '' }])].map(
    ({ itemId, containerId, nonBillable, reversesId, billable, seconds, note }) => ({
      id: newId(),
      ...chain,
      itemId: itemId || null,
      containerId: containerId || null,
      nonBillable: nonBillable || null,
      reversesId: reversesId || null,
      ...{ billable, seconds, note, timezone, source: timeSource.correction },
    }),
  )
  await store(ctx, rows, original.id)
  return await Promise.all(rows.map(row => times.get(ctx, row.id)))
}

/** Returns the right entry, whose item and code must be known where they are new. */
async function replacementOf(
  ctx: Context,
  original: Time,
  input: CorrectionInput,
  timezone: string,
): Promise<Replacement> {
  const itemId = (input.itemId ?? original.itemId).toLowerCase()
  const nonBillable = (input.nonBillable ?? original.nonBillable).toLowerCase()
  if (itemId === '' && nonBillable === '') {
    const message = 'time needs an item or a non-billable code'
    throw new RuleBroken('time-target', message, [fault(['itemId'], 'time-target', message)])
  }
  const moved = itemId !== original.itemId
  const recoded = nonBillable !== '' && nonBillable !== original.nonBillable
  await refuseUnknown(ctx, [
    ...(moved && itemId !== '' ? [{ entity: 'Item', id: itemId, path: ['itemId'] }] : []),
    ...(recoded ? [{ entity: 'NonBillable', id: nonBillable, path: ['nonBillable'] }] : []),
  ])
  if (recoded) await refuseCode(ctx, { nonBillable, userId: original.userId })
  const movedTo = itemId === '' ? '' : await (moved ? containerOf(ctx, itemId) : original.containerId)
  const right = {
    itemId,
    nonBillable,
    containerId: movedTo,
    billable: input.billable ?? original.billable,
    seconds: lengthOf(ctx, original, input, timezone),
    note: input.note ?? original.note,
  }
  const same = (['itemId', 'nonBillable', 'billable', 'seconds', 'note'] as const).every(
    property => right[property] === original[property],
  )
  if (same) throw new RuleBroken('nothing-corrected', 'the correction changes nothing')
  if (movedTo !== original.containerId) demand(ctx.caller, othersTime, movedTo ? { containerId: movedTo } : {})
  return right
}

function lengthOf(
  { now }: Context,
  original: Time,
  { seconds, minutes, hours }: CorrectionInput,
  timezone: string,
): number {
  if (seconds === undefined && minutes === undefined && hours === undefined) return original.seconds
  const length = { seconds: seconds ?? null, minutes: minutes ?? null, hours: hours ?? null }
  const span = readTimeSpan({ ...length, date: original.date }, { timezone, now })
  if (Array.isArray(span)) throw new Invalid(span)
  return span.seconds
}

/** Locks and returns the entry, which must be closed and the last one of its chain. */
async function lockLast(ctx: Context, id: Id): Promise<Time> {
  const entry = await times.get(ctx, id, { lock: true })
  const [corrected] =
    await ctx.sql`select 1 from time t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} and ${isCorrected(raw('t'))}`
  if (corrected)
    throw new Conflict(
      'already-corrected',
      'this entry is corrected already: correct the last entry of its corrections',
    )
  // A correction cannot be changed, so that it can be corrected while its period is open.
  const until = await closedUntil(ctx)
  const isClosed = lockedStates.includes(entry.state) || (until !== null && (entry.date ?? '') <= until)
  if (entry.correctsId === '' && !isClosed)
    throw new RuleBroken('time-open', 'this entry is not approved, invoiced or locked: change it instead')
  return entry
}

interface CorrectionRow extends Record<string, unknown> {
  id: Id
}

/**
 * Stores both entries with their events. The counter-entry has all rates and the cost centres of the original, and the replacement only the
 * customer of the same item, and a price and a cost centre that were given for the entry itself. Limits of a day do not apply, because the work was on another one.
 */
async function store(ctx: Context, rows: readonly CorrectionRow[], originalId: Id): Promise<void> {
  const { tenantId, userId } = ctx.caller
  await ctx.sql`insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, non_billable, container_id, date, corrected_date, seconds, note, billable, timezone, source, corrects_id, reverses_id,
      job_role_id, sku_id, budget_reason_id, crm_id, bill_rate, currency, rate_source, multiplier, multiplier_id, cost_rate, cost_source, cost_multiplier, cost_multiplier_id, cost_center_id, cost_center_source, shares)
    select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, e."userId", e."itemId", e."nonBillable", e."containerId", e.date, e."effectiveDate", e.seconds, e.note, e.billable, e.timezone, e.source, e."correctsId", e."reversesId",
      o.job_role_id, o.sku_id, o.budget_reason_id, case when e."itemId" is not distinct from o.item_id then o.crm_id end,
      case when k.keeps then o.bill_rate end, case when k.keeps then o.currency else '' end, case when k.keeps then o.rate_source else '' end,
      case when k.keeps then o.multiplier else 1 end, case when k.keeps then o.multiplier_id end,
      case when e."reversesId" is not null then o.cost_rate end, case when e."reversesId" is not null then o.cost_source else '' end,
      case when e."reversesId" is not null then o.cost_multiplier else 1 end, case when e."reversesId" is not null then o.cost_multiplier_id end,
      case when k.charged then o.cost_center_id end, case when k.charged then o.cost_center_source else '' end, case when k.charged then o.shares else '[]' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, "userId" uuid, "itemId" uuid, "nonBillable" uuid, "containerId" uuid, date date, "effectiveDate" date, seconds int, note text, billable int, timezone text, source int, "correctsId" uuid, "reversesId" uuid)
      join time o on o.tenant_id = ${tenantId} and o.id = ${originalId}
      cross join lateral (select e."reversesId" is not null or o.rate_source = 'entry' as keeps, e."reversesId" is not null or o.cost_center_source = 'entry' as charged) k
    returning 1`
  await appendEvents(
    ctx,
    rows.map(({ id, ...values }) => ({
      kind: 'time.created',
      entity: 'Time',
      recordId: id,
      changes: Object.fromEntries(
        Object.entries(values)
          .filter(([, to]) => to !== null)
          .map(([property, to]) => [property, { to }]),
      ),
    })),
  )
}
