import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden, fault, Invalid, NotFound, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { instantOf } from '../../kernel/schema/formats.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { createParts, type WrittenTime } from '../entry/entry.ts'
import { maxSeconds } from '../time-entry.ts'
import { timeSource, type timeState } from '../time-state.ts'
import { findTimer, type Timer, type TimerValues, timers } from './timer.ts'
import { nextLook } from './timer-age.ts'

/** What a caller may say about a timer. */
export type TimerInput = Partial<Pick<TimerValues, 'itemId' | 'nonBillable' | 'note' | 'billable' | 'startedAt'>>

/** What a caller may say when a timer is stopped. */
export interface Ending {
  at?: string | null
  note?: string | null
}

/** Starts the timer of the caller. One that runs already is not touched. */
export async function startTimer(ctx: Context, input: TimerInput): Promise<Timer> {
  const { userId } = ctx.caller
  await oneAtATime(ctx)
  const current = await findTimer(ctx, userId)
  if (current) throw new Refusal(409, 'timer-running', 'a timer is running', { extra: { current } })
  const startedAt = startIn(ctx, input.startedAt)
  const timer = await timers.create(
    ctx,
    { ...input, userId, startedAt },
    { verb: 'started', own: { look_at: sql`${await nextLook(ctx, { startedAt, overdue: false })}::timestamptz` } },
  )
  if (input.startedAt) await refuseUnbookable(ctx, timer)
  return timer
}

/** Changes the running timer. A start can be moved where the time could be booked if the timer was stopped now. */
export async function changeTimer(ctx: Context, input: TimerInput): Promise<Timer> {
  const before = await runningTimer(ctx)
  if (!input.startedAt) {
    const { startedAt: _startedAt, ...rest } = input
    return await timers.update(ctx, before.id, rest)
  }
  const startedAt = startIn(ctx, input.startedAt)
  if (before.stoppedAt && startedAt > before.stoppedAt)
    throw new Invalid([fault(['startedAt'], 'range', 'must not be after stoppedAt', input.startedAt)])
  const look: Sql = sql`${await nextLook(ctx, { startedAt, overdue: before.overdue })}::timestamptz`
  const own = { columns: { look_at: look }, changes: {} }
  const timer = await timers.update(ctx, before.id, { ...input, startedAt }, { own })
  await refuseUnbookable(ctx, timer)
  return timer
}

/** Two requests of a person at once do not see each other's timer, so that they are serialized. */
async function oneAtATime(ctx: Context): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`timer of ${ctx.caller.userId}`}, 0))`
}

/** Stops the timer of the caller, if one is running, and starts the next at the same moment. */
export async function switchTimer(
  ctx: Context,
  input: TimerInput,
  isDryRun: boolean,
): Promise<{ entries: WrittenTime[]; timer: Timer }> {
  await oneAtATime(ctx)
  const at = momentIn(ctx, input.startedAt, 'startedAt')
  const entries = await stopOrHold(ctx, { at }, isDryRun)
  return { entries: entries ?? [], timer: await startTimer(ctx, { ...input, startedAt: at }) }
}

/** Stops the timer of the caller and books its time; undefined if no timer is running. */
async function stopTimer(ctx: Context, { at, note }: Ending): Promise<WrittenTime[] | undefined> {
  const timer = await findTimer(ctx, ctx.caller.userId, { lock: true })
  if (!timer) return undefined
  const end = at ? momentIn(ctx, at, 'at') : (timer.stoppedAt ?? momentIn(ctx, null, 'at'))
  if (end < String(timer.startedAt)) throw new Invalid([fault(['at'], 'range', 'must not be before startedAt', at)])
  return await endTimer(ctx, { ...timer, note: note ?? timer.note }, end)
}

/**
 * Does the same. If the time is refused, the timer keeps the moment although the request fails: the attempt is taken back first,
 * which releases the timer, and the moment is committed by itself.
 */
export async function stopOrHold(ctx: Context, ending: Ending, isDryRun: boolean): Promise<WrittenTime[] | undefined> {
  await ctx.sql`savepoint attempt`
  try {
    return await stopTimer(ctx, ending)
  } catch (error) {
    if (!(error instanceof RuleBroken || error instanceof Forbidden) || isDryRun) throw error
    await ctx.sql`rollback to savepoint attempt`
    await ctx.apart(apart => holdTimer(apart, momentIn(ctx, ending.at, 'at')))
    throw error
  }
}

/** Ends a timer at a moment: books its time, and deletes it with the event that it was stopped. */
export async function endTimer(
  ctx: Context,
  timer: Timer,
  end: string,
  state?: typeof timeState.draft,
): Promise<WrittenTime[]> {
  const own = { columns: { deleted: sql`true` }, changes: { deleted: { from: false, to: true } } }
  await timers.update(ctx, timer.id, { stoppedAt: end }, { verb: 'stopped', own })
  return await bookTimer(ctx, timer, end, state)
}

async function bookTimer(ctx: Context, timer: Timer, end: string, state?: number): Promise<WrittenTime[]> {
  const { userId, itemId, nonBillable, note, billable, startedAt: start } = timer
  if (start === null || start >= end) return []
  const target = { userId, itemId, nonBillable, note, billable, source: timeSource.timer }
  return await createParts(ctx, { ...target, ...(state === undefined ? {} : { state }) }, start, end)
}

/** Refuses a timer whose time could not be booked if it was stopped now; nothing of the attempt stays. */
async function refuseUnbookable(ctx: Context, timer: Timer): Promise<void> {
  await ctx.sql`savepoint attempt`
  await bookTimer(ctx, timer, timer.stoppedAt ?? momentIn(ctx, null, ''))
  await ctx.sql`rollback to savepoint attempt`
}

export async function discardTimer(ctx: Context): Promise<void> {
  await timers.remove(ctx, (await runningTimer(ctx)).id)
}

async function runningTimer(ctx: Context): Promise<Timer> {
  const timer = await findTimer(ctx, ctx.caller.userId, { lock: true })
  if (!timer) throw new NotFound('timer')
  return timer
}

/** Stops the growth of a timer whose time could not be booked. */
export async function holdTimer(ctx: Context, stoppedAt: string, userId: Id = ctx.caller.userId): Promise<void> {
  const timer = await findTimer(ctx, userId)
  if (!timer || timer.stoppedAt) return
  await timers.update(ctx, timer.id, { stoppedAt }, { own: { columns: { look_at: sql`null` }, changes: {} } })
}

/** A start is as long ago as an entry can be long: an earlier one is a typing error. */
function startIn(ctx: Context, given: string | null | undefined): string {
  const startedAt = momentIn(ctx, given, 'startedAt')
  if (ctx.now.getTime() - Date.parse(startedAt) > maxSeconds * 1000)
    throw new Invalid([fault(['startedAt'], 'range', 'must not be more than 31 days ago', given)])
  return startedAt
}

/** A moment to the second, by default now; the future is refused. */
function momentIn({ now }: Context, given: string | null | undefined, property: string): string {
  const moment = given ? instantOf(given) : now.toISOString()
  if (moment > now.toISOString()) throw new Invalid([fault([property], 'range', 'must not be in the future', given)])
  return moment.replace(/\.\d+Z$/, '.000Z')
}
