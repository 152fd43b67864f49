import { Postponed, type Task, TaskFailure } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { withCheck } from '../../kernel/findings.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type Outbound, openOutbound } from '../../platform/outbound/outbound.ts'
import { type Clock, clocks } from '../clock/clock.ts'
import { replaceHolidays } from '../clock/clock-change.ts'
import { type FeedResult, fetchFeed } from './feed.ts'
import { holidaysOf, withFeed } from './holiday.ts'
import { feedStateOf, scheduleTomorrow, storeFeedState, taskName } from './refresh-schedule.ts'

const minute = 60_000
const hour = 60 * minute

/** Sees to the holidays of a clock: when it is saved, and then once a day. */
export const holidayTask: Task = {
  name: taskName,
  retryDelays: [minute, 10 * minute, hour, 4 * hour],
  async run({ payload, tenantId, outbound, service, single, transaction }) {
    const early = Date.parse(String(payload.planned)) - Date.now()
    // A wish that came while it was running is taken up at once, whenever it is for.
    if (early > 0) throw new Postponed(early, 'it is not time yet')
    const means = { read: asService(single), write: asService(transaction), outbound, tenantId }
    const wrong = await refreshHolidays(means, String(payload.clockId))
    if (wrong !== undefined) throw new TaskFailure(wrong)

    function asService(open: typeof single): Opening {
      return act => open(service, act)
    }
  },
  /** It is tried anew tomorrow; until then the clock tells what is wrong. */
  async onGiveUp({ payload, service, transaction }) {
    await transaction(service, async ctx => {
      const clock = await clocks.find(ctx, String(payload.clockId))
      if (clock) await scheduleTomorrow(ctx, clock)
    })
  },
}

type Opening = <T>(act: (ctx: Context) => Promise<T>) => Promise<T>

interface Means {
  read: Opening
  write: Opening
  outbound: Outbound
  tenantId: Id
}

/** Reads the holidays of a clock anew and keeps what came; tells what went wrong. No connection waits for the foreign host. */
async function refreshHolidays({ read, write, outbound, tenantId }: Means, clockId: Id): Promise<string | undefined> {
  const asked = await read(async ctx => {
    const clock = await clocks.find(ctx, clockId)
    return clock && { clock, state: await feedStateOf(ctx, clockId), now: ctx.now }
  })
  if (!asked) return undefined
  const { state, now } = asked
  const url = asked.clock.holidayFeed
  const fetched = url === '' ? undefined : await fetchFeed({ outbound, tenantId, url, state, now })
  return await write(ctx => keep(ctx, asked.clock, fetched))
}

async function keep(ctx: Context, asked: Clock, fetched: FeedResult | undefined): Promise<string | undefined> {
  const clock = await clocks.find(ctx, asked.id, { lock: true })
  // Who gave it another feed meanwhile has asked for that one.
  if (!clock || clock.holidayFeed !== asked.holidayFeed) return undefined
  const known = await holidaysOf(clock, clock.holidays, ctx.now)
  const outcome = await replaced(ctx, clock, fetched?.outcome === 'days' ? withFeed(known, fetched.days) : known)
  const told: FeedResult | undefined = outcome === undefined ? fetched : { outcome: 'failed', why: outcome }
  if (told && clock.holidayFeed !== '') await storeFeedState(ctx, clock.id, told)
  if (told?.outcome === 'failed') return told.why
  await scheduleTomorrow(ctx, clock)
  return undefined
}

/** Why these holidays cannot be taken, if they cannot: no clock may be closed for good. */
async function replaced(ctx: Context, clock: Clock, holidays: Clock['holidays']): Promise<string | undefined> {
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
  summary: 'Read the holidays of a clock anew',
  description:
    'Fetches `holidayFeed` at once, and looks up the holidays of `holidayCountry`. If others came, they count from now on as after any change of hours. A feed that cannot be read leaves in place what it brought before; `holidayFeedState.lastError` says why.',
  reply: { status: 200, schema: clocks.schema, description: 'The clock with its holidays as they are now.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await clocks.get(ctx, params.id ?? '')
    // Told as a stream, because then no connection to the database waits for a foreign host.
    return {
      async *stream(reopen) {
        const outbound = openOutbound(ctx.services.outboundRules)
        const means = {
          read: <T>(act: (inner: Context) => Promise<T>) => reopen(act),
          write: <T>(act: (inner: Context) => Promise<T>) => reopen(act, 'transaction'),
          outbound,
          tenantId: ctx.caller.tenantId,
        }
        try {
          await refreshHolidays(means, id)
        } finally {
          await outbound.close()
        }
        const clock = await reopen(async inner => await withCheck(inner, await clocks.get(inner, id), clocks.findings))
        yield JSON.stringify(clock)
      },
    }
  },
})
