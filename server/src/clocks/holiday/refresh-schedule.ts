import { cancel, enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Clock } from '../clock/clock.ts'
import type { FeedResult, FetchState } from './feed.ts'

/** The name of the task that refreshes the holidays of a clock. */
export const taskName = 'clock-holidays'

const day = 86_400_000

/** Enqueues a refresh of the holidays now, or cancels it for a clock without a country and a feed. */
export async function scheduleHolidays(ctx: Context, clock: Clock): Promise<void> {
  await planAt(ctx, clock, ctx.now)
}

export async function scheduleTomorrow(ctx: Context, clock: Clock): Promise<void> {
  await planAt(ctx, clock, new Date(ctx.now.getTime() + day))
}

async function planAt(ctx: Context, { id, deleted, holidayCountry, holidayFeed }: Clock, planned: Date): Promise<void> {
  if (deleted || (holidayCountry === '' && holidayFeed === '')) return await cancel(ctx, taskName, id)
  const payload = { clockId: id, planned: planned.toISOString() }
  await enqueue(ctx, { task: taskName, key: id, payload, runAt: planned })
}

export async function fetchStateOf(ctx: Context, clockId: Id): Promise<FetchState | undefined> {
  const [row] = await ctx.sql<Omit<FetchState, 'fetchedAt'> & { fetchedAt: Date | null }>`
    select fetched_at as "fetchedAt", last_error as "lastError", days, timed, etag, last_modified as "lastModified"
    from clock_feed where tenant_id = ${ctx.caller.tenantId} and clock_id = ${clockId}`
  return row && { ...row, fetchedAt: row.fetchedAt?.toISOString() ?? null }
}

/** Stores the result of a fetch. A failure keeps the time, the counts and the validators of the last success. */
export async function storeFetchState(ctx: Context, clockId: Id, fetched: FeedResult): Promise<void> {
  const { tenantId } = ctx.caller
  if (fetched.outcome === 'failed')
    await ctx.sql`insert into clock_feed (tenant_id, clock_id, last_error) values (${tenantId}, ${clockId}, ${fetched.why.slice(0, 500)})
      on conflict (tenant_id, clock_id) do update set last_error = excluded.last_error`
  else if (fetched.outcome === 'same')
    await ctx.sql`update clock_feed set fetched_at = ${ctx.now}, last_error = '' where tenant_id = ${tenantId} and clock_id = ${clockId}`
  else
    await ctx.sql`insert into clock_feed (tenant_id, clock_id, fetched_at, days, timed, etag, last_modified)
      values (${tenantId}, ${clockId}, ${ctx.now}, ${fetched.days.length}, ${fetched.timed}, ${fetched.etag}, ${fetched.lastModified})
      on conflict (tenant_id, clock_id) do update set fetched_at = excluded.fetched_at, last_error = '', days = excluded.days, timed = excluded.timed,
        etag = excluded.etag, last_modified = excluded.last_modified`
}

/** Deletes the fetch state, because it says nothing about another feed. */
export async function forgetFeed(ctx: Context, clockId: Id): Promise<void> {
  await ctx.sql`delete from clock_feed where tenant_id = ${ctx.caller.tenantId} and clock_id = ${clockId}`
}
