import { visibilityFor } from '../../desk/watch/watch.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { estimateBody, estimateSchema, type MessageCounts, totalOf } from '../noise/noise.ts'
import { type Anchor, nextRunAfter } from './cadence.ts'
import { hasGained, type KnownItem, limitMatches } from './limiter.ts'
import { anchorOf } from './next-run.ts'
import type { Notification } from './notification.ts'
import { interval as intervalCode, limiter as limiterCode } from './notification-codes.ts'
import { matchingItems, type TimedItem } from './query-run.ts'
import type { NotificationRecipient } from './recipients.ts'

const minute = 60_000
const day = 86_400_000
/** A notification is tried on the last four weeks; one that runs more often than this in them, on the last week. */
const [longPeriod, shortPeriod, maxRuns] = [28 * day, 7 * day, 700]
/** At most so many of its users and of the newest matching items are looked at. */
const estimateLimits = { readers: 100, items: 1000 } as const

export const notificationEstimateSchema = estimateSchema(
  `The messages that users of the groups would have got in the last four weeks, or in the last week if it runs often. The runs of that time are tried with the items that match now and that the caller sees, each from its creation on; it is changed once, at its last change. The first ${estimateLimits.readers} users and the newest ${estimateLimits.items} items are tried.`,
  'Never null.',
)

/** Tells how many messages a notification would have sent, by trying the runs of the last weeks. */
export async function estimateMessages(
  ctx: Context,
  owner: Caller,
  notification: Notification,
  recipients: readonly NotificationRecipient[],
) {
  const readers = recipients.flatMap(({ kind, to }) => (kind === 'user' ? [to] : [])).slice(0, estimateLimits.readers)
  const isReport = notification.savedReportId !== ''
  const items = isReport ? [] : await itemsSeen(ctx, owner, notification)
  const { since, runs } = await runsOf(ctx, notification, items)
  const { timezone } = await anchorOf(ctx, notification)
  const reported = reportedIn(runs, items, { ...notification, since, timezone: notification.timezone || timezone })
  const sees = await visibilityFor(
    ctx,
    'Item',
    readers.flatMap(userId => items.map(({ id }): [Id, Id] => [userId, id])),
  )
  // A saved report is computed for each of its readers at the time of a run, so each run counts.
  const countFor = (userId: Id) =>
    isReport ? runs.length : reported.filter(ids => ids.some(id => sees(userId, id))).length
  const counts: MessageCounts = Object.fromEntries(
    readers.map(userId => [userId, countFor(userId)] as const).filter(([, count]) => count > 0),
  )
  return estimateBody(totalOf(counts), counts, { since, until: ctx.now })
}

/** The newest items that match now and that the caller sees, too, in the order of their creation. */
async function itemsSeen(ctx: Context, owner: Caller, notification: Notification): Promise<TimedItem[]> {
  const matches = (await matchingItems(ctx.derive({ caller: owner }), notification)).slice(-estimateLimits.items)
  const { userId } = ctx.caller
  const sees = await visibilityFor(
    ctx,
    'Item',
    matches.map(({ id }) => [userId, id]),
  )
  return matches.filter(({ id }) => sees(userId, id))
}

/** The times at which the notification would have run. */
async function runsOf(
  ctx: Context,
  notification: Notification,
  items: readonly TimedItem[],
): Promise<{ since: Date; runs: Date[] }> {
  const start = (period: number) => new Date(ctx.now.getTime() - period)
  const since = start(longPeriod)
  const created = new Date(Math.min(Date.parse(notification.created), since.getTime()))
  const anchor = { ...(await anchorOf(ctx, notification)), created }
  const runs =
    notification.schedule === '' && notification.interval === intervalCode.onGain
      ? gains(items, since)
      : plannedRuns({ ...notification, active: true }, anchor, since, ctx.now)
  if (runs.length <= maxRuns) return { since, runs }
  const week = start(shortPeriod)
  return { since: week, runs: runs.filter(at => at > week) }
}

function plannedRuns(notification: Notification, anchor: Anchor, since: Date, until: Date): Date[] {
  const runs: Date[] = []
  for (
    let at = nextRunAfter(notification, anchor, since);
    at && at <= until;
    at = nextRunAfter(notification, anchor, at)
  )
    runs.push(at)
  return runs
}

/** A notification of new matches runs within a minute of each. */
function gains(items: readonly TimedItem[], since: Date): Date[] {
  const times = items.map(({ created }) => Math.ceil(created.getTime() / minute) * minute)
  return [...new Set(times)]
    .filter(at => at > since.getTime())
    .sort((a, b) => a - b)
    .map(at => new Date(at))
}

/** Returns the items that each of the runs would have reported. What matched before the first of them counts as reported. */
export function reportedIn(
  runs: readonly Date[],
  items: readonly TimedItem[],
  { limiter, interval, since, timezone }: { limiter: number; interval: number; since: Date; timezone: string },
): Id[][] {
  const known = new Map<Id, KnownItem>()
  let lastRun: Date | null = null
  let lastList = ''
  const run = (now: Date): Id[] => {
    const matches = items
      .filter(({ created }) => created <= now)
      .map(({ id, created, updated }) =>
        updated <= now ? { id, updated, version: 2 } : { id, updated: created, version: 1 },
      )
    const isNothingNew = interval === intervalCode.onGain && !hasGained(matches, known)
    const found = isNothingNew ? [] : limitMatches(limiter, matches, { now, timezone, lastRun, known })
    const ids = limiter === limiterCode.ifDifferent && found.join() === lastList ? [] : found
    const told = new Set(ids)
    for (const { id, version } of matches)
      known.set(id, { notifiedAt: told.has(id) ? now : (known.get(id)?.notifiedAt ?? null), matching: true, version })
    if (ids.length > 0) lastList = ids.join()
    lastRun = now
    return ids
  }
  run(since)
  return runs.map(run)
}
