import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { idForNew } from '../../records/input/own-id.ts'
import { holdPeriods, refuseClosed } from '../closed/closed.ts'
import { refuseCorrected } from '../corrected.ts'
import { demandBooking, refuseLocked, type Time, type TimeValues, times } from '../time.ts'
import { readTimeSpan } from '../time-entry.ts'
import { refuseViolations } from '../time-limits.ts'
import { timeState } from '../time-state.ts'
import { refuseFullDays } from './day-limit.ts'
import { splitAtMidnights } from './midnight.ts'
import { withCostCenter } from './price/cost-center-override.ts'
import { withOverride } from './price/rate-override.ts'

export { dayFull, fullDays, limitsDays, refuseFullDays } from './day-limit.ts'
export { insertTimes, type NewTime } from './insert-times.ts'
export { demandOverride } from './price/rate-override.ts'

// The writes of time entries. Everything that books time one entry at a time goes through these functions; the entries in the body
// of an item are stored by `insertTimes`, within the statement that stores the item.

/** The body of a time entry: `minutes` and `hours` are other units for the length; `id` is that of a new one. */
export type TimeBody = Partial<TimeValues> & { hours?: number | null; id?: Id | null | undefined }

/** A written entry, with what is unusual about it. */
export type WrittenTime = Time & { warnings?: string[] }

export async function createTime(ctx: Context, { id: own, ...values }: TimeBody): Promise<WrittenTime> {
  const id = await idForNew(ctx, own)
  const entry = await times.create(ctx, await completedTime(ctx, values), { id })
  return await judged(ctx, entry, true)
}

/** Books one entry for each local day that the span from start to end touches. */
export async function createSplit(ctx: Context, body: TimeBody): Promise<WrittenTime[]> {
  const { id, ...values } = body
  const { start, end, date: _date, minutes: _minutes, ...whole } = await completedTime(ctx, values)
  return start && end ? await createParts(ctx, { ...whole, id }, start, end) : [await createTime(ctx, body)]
}

/** Books the local days of a span, however long it is; the first entry has the given id. */
export async function createParts(ctx: Context, values: TimeBody, start: string, end: string): Promise<WrittenTime[]> {
  const timezone = await timezoneOf(ctx, values.userId || ctx.caller.userId)
  const entries: WrittenTime[] = []
  const { id, ...whole } = values
  for (const [n, part] of splitAtMidnights(start, end, timezone).entries())
    entries.push(await createTime(ctx, { ...whole, ...part, id: n === 0 ? id : null }))
  return entries
}

export async function changeTime(ctx: Context, id: Id, values: TimeBody, more: object): Promise<WrittenTime> {
  // The sheets are locked before the entry, as their verbs do it, so that the two never wait for each other.
  await holdPeriods(ctx, [await times.get(ctx, id)])
  const before = await times.get(ctx, id, { lock: true })
  await refuseCorrected(ctx, before)
  const entry = await times.update(ctx, id, await completedTime(ctx, values, before), more)
  return entry.version === before.version ? entry : await judged(ctx, entry, isMore(entry, before))
}

export async function removeTime(ctx: Context, id: Id, more: object): Promise<Time> {
  const entry = await times.get(ctx, id)
  demandBooking(ctx, entry.userId, entry.containerId)
  refuseLocked(entry)
  await refuseCorrected(ctx, entry)
  await refuseClosed(ctx, [entry])
  return await times.remove(ctx, id, more)
}

export async function restoreTime(ctx: Context, id: Id): Promise<WrittenTime> {
  const deleted = await times.get(ctx, id, { deleted: true })
  await refuseCorrected(ctx, deleted)
  await refuseClosed(ctx, [deleted])
  return await judged(ctx, await times.restore(ctx, id), true)
}

/** Refuses a stored entry that is against a limit. A day that is too long already stays, unless the entry makes it longer. */
async function judged(ctx: Context, entry: Time, isMore: boolean): Promise<WrittenTime> {
  const warnings = await refuseViolations(ctx, [entry.id])
  if (isMore) await refuseFullDays(ctx, [entry.id])
  if (entry.start && entry.end && splitAtMidnights(entry.start, entry.end, entry.timezone || 'UTC').length > 1)
    warnings.push('spans-midnight: the entry ends on another day than it starts, and counts on the first')
  return warnings.length > 0 ? { ...entry, warnings } : entry
}

function isMore(entry: Time, before: Time): boolean {
  const isSameDay = entry.date === before.date && entry.userId === before.userId && entry.state === before.state
  return !isSameDay || entry.seconds > before.seconds
}

/** Adds what follows from the given values: length and day, the user’s time zone, and the container of the item. */
async function completedTime(
  ctx: Context,
  { hours = null, ...values }: TimeBody,
  before?: Time,
): Promise<Partial<TimeValues>> {
  const userId = (values.userId || before?.userId || ctx.caller.userId).toLowerCase()
  const timezone = await timezoneOf(ctx, userId)
  const span = readTimeSpan({ ...values, hours }, { timezone, now: ctx.now, before })
  if (Array.isArray(span)) throw new Invalid(span)
  const state = stateIn(values.state, before)
  const itemId = values.itemId ?? before?.itemId ?? ''
  const priced = await withOverride(ctx, values, before)
  const containerId = itemId ? await containerOf(ctx, itemId) : ''
  return await withCostCenter(ctx, { ...priced, ...span, state, userId, timezone, containerId }, before)
}

/** An entry begins as a draft or logged, and a draft becomes logged; every other state is the result of an operation. */
function stateIn(given: number | null | undefined, before: Time | undefined): number {
  const now = before?.state ?? timeState.logged
  if (given === undefined || given === null || given === now) return now
  if (before === undefined ? given === timeState.draft : now === timeState.draft && given === timeState.logged)
    return given
  const message = 'a state other than draft and logged follows from an operation, such as an approval'
  throw new RuleBroken('state-by-verb', message, [fault(['state'], 'state-by-verb', message, given)])
}

/** The time zone of a user. */
export async function timezoneOf(ctx: Context, userId: Id): Promise<string> {
  const [row] = isId(userId)
    ? await ctx.sql<{
        timezone: string
      }>`select coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone
        from "user" u join tenant t on t.tenant_id = u.tenant_id where u.tenant_id = ${ctx.caller.tenantId} and u.id = ${userId}`
    : []
  return row?.timezone ?? 'UTC'
}

/** The container of an item, which must not be archived. */
export async function containerOf(ctx: Context, itemId: Id): Promise<Id | ''> {
  if (!isId(itemId)) return ''
  const [row] = await ctx.sql<{
    id: Id
    archived: boolean
  }>`select c.id, c.archived from item i join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${itemId}`
  if (row?.archived) throw new RuleBroken('container-archived', 'an archived container can only be read')
  return row?.id ?? ''
}
