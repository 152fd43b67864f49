import { Postponed, type Task, TaskFailure } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type Outbound, openOutbound } from '../../platform/outbound/outbound.ts'
import { type Clock, clocks } from '../clock/clock.ts'
import { replaceHolidays } from '../clock/clock-change.ts'
import { type FeedResult, fetchFeed } from './feed.ts'
import { holidaysOf, withFeed } from './holiday.ts'
import { fetchStateOf, scheduleTomorrow, storeFetchState, taskName } from './refresh-schedule.ts'

const minute = 60_000
const hour = 60 * minute

/** Refreshes the holidays of a clock: when the clock is saved, and then once a day. */
export const holidayTask: Task = {
  name: taskName,
  retryDelays: [minute, 10 * minute, hour, 4 * hour],
  async run({ payload, tenantId, outbound, service, single, transaction }) {
    const early = Date.parse(String(payload.planned)) - Date.now()
    // A job that is enqueued again while it runs is claimed at once, even if its time lies ahead.
    if (early > 0) throw new Postponed(early, 'the planned time lies ahead')
    const access = { read: asService(single), write: asService(transaction), outbound, tenantId }
    const failure = await refreshHolidays(access, String(payload.clockId))
    if (failure !== undefined) throw new TaskFailure(failure)

    function asService(open: typeof single): WithContext {
      return act => open(service, act)
    }
  },
  /** The next attempt is tomorrow; until then `holidayFeedState.lastError` of the clock shows the reason. */
  async onGiveUp({ payload, service, transaction }) {
    await transaction(service, async ctx => {
      const clock = await clocks.find(ctx, String(payload.clockId))
      if (clock) await scheduleTomorrow(ctx, clock)
    })
  },
}

type WithContext = <T>(act: (ctx: Context) => Promise<T>) => Promise<T>

interface RefreshAccess {
  read: WithContext
  write: WithContext
  outbound: Outbound
  tenantId: Id
}

/** Refreshes the holidays and returns the reason of a failure. No database connection is held while the feed is fetched. */
async function refreshHolidays(
  { read, write, outbound, tenantId }: RefreshAccess,
  clockId: Id,
): Promise<string | undefined> {
  const found = await read(async ctx => {
    const clock = await clocks.find(ctx, clockId)
    return clock && { clock, state: await fetchStateOf(ctx, clockId), now: ctx.now }
  })
  if (!found) return undefined
  const { clock, state, now } = found
  const url = clock.holidayFeed
  const fetched = url === '' ? undefined : await fetchFeed({ outbound, tenantId, url, state, now })
  return await write(ctx => storeHolidays(ctx, clock, fetched))
}

async function storeHolidays(ctx: Context, read: Clock, fetched: FeedResult | undefined): Promise<string | undefined> {
  const clock = await clocks.find(ctx, read.id, { lock: true })
  // The update that set another feed has enqueued a refresh of its own.
  if (!clock || clock.holidayFeed !== read.holidayFeed) return undefined
  const known = await holidaysOf(clock, clock.holidays, ctx.now)
  const refusal = await refusalOf(ctx, clock, fetched?.outcome === 'days' ? withFeed(known, fetched.days) : known)
  const result: FeedResult | undefined = refusal === undefined ? fetched : { outcome: 'failed', why: refusal }
  if (result && clock.holidayFeed !== '') await storeFetchState(ctx, clock.id, result)
  if (result?.outcome === 'failed') return result.why
  await scheduleTomorrow(ctx, clock)
  return undefined
}

/** Replaces the holidays and returns the reason of a refusal: a clock must have open hours left. */
async function refusalOf(ctx: Context, clock: Clock, holidays: Clock['holidays']): Promise<string | undefined> {
  try {
    await replaceHolidays(ctx, clock, holidays)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

export const refresh = operation({
  permission: clocks.permissions.update,
  mode: 'write',
  summary: 'Refresh the holidays of a clock',
  description:
    'Fetches `holidayFeed` at once and computes the holidays of `holidayCountry`. Changed holidays count from now on, as after any change of hours. If the feed cannot be read, its previous holidays stay and `holidayFeedState.lastError` gives the reason.',
  reply: { status: 200, schema: clocks.schema, description: 'The clock with its current holidays.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await clocks.get(ctx, params.id ?? '')
    // The reply is a stream, because a streamed operation holds no database connection while the feed is fetched.
    return {
      async *stream(reopen) {
        const outbound = openOutbound(ctx.services.outboundRules)
        const access = {
          read: <T>(act: (inner: Context) => Promise<T>) => reopen(act),
          write: <T>(act: (inner: Context) => Promise<T>) => reopen(act, 'transaction'),
          outbound,
          tenantId: ctx.caller.tenantId,
        }
        try {
          await refreshHolidays(access, id)
        } finally {
          await outbound.close()
        }
        const clock = await reopen(async inner => await withCheck(inner, await clocks.get(inner, id), clocks.findings))
        yield JSON.stringify(clock)
      },
    }
  },
})
