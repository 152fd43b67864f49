import { Temporal } from 'temporal-polyfill'
import { Type } from 'typebox'
import type { Listener, Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { weekday } from '../../kernel/schema/formats.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { type SubjectDays, subjectDays } from '../allocation/subject-days.ts'
import { type BucketName, bucketEnd, bucketNames, bucketStart, openSums } from './buckets.ts'
import { weekStartOf } from './load-subjects.ts'
import { ofUsers, type PlannedWork, plannedIn, secondsOf } from './planned.ts'

const overloadBucket = setting('plan.overloadBucket', {
  schema: Type.Unsafe<BucketName>({ type: 'string', enum: [...bucketNames] }),
  default: 'week',
  scopes: ['tenant'],
  description: 'The length of time in which a user must not be planned beyond their capacity: day, week or month.',
})

/** How far ahead overloads are looked for. */
const horizonDays = 366

const entities = ['Plan', 'Leave', 'User']

/** Looks for overloads after a change of the plan, of leave, or of the working hours of a user. */
export const overloadListener: Listener = {
  name: 'overload',
  listens: async () => true,
  accepts: ({ entity, kind }) => entities.includes(entity) && kind !== overloaded,
  async jobs(ctx, events) {
    const changed = events.filter(
      ({ entity, changes }) => entity !== 'User' || 'capacity' in changes || 'workingHours' in changes,
    )
    const owners = await usersOf(ctx, changed)
    const last = new Map(changed.flatMap(event => (owners.get(event.id) ?? []).map(id => [id, event] as const)))
    return [...last].map(([userId, event]) => ({
      event,
      task: overloadTask.name,
      lane: `overload ${userId}`,
      payload: { userId },
    }))
  },
}

interface Happened {
  id: Id
  entity: string
  recordId: Id
  changes: Record<string, { from?: unknown; to?: unknown }>
}

/** The users whom events concern, also those who were replaced, by event. */
async function usersOf(ctx: Context, events: readonly Happened[]): Promise<Map<Id, Id[]>> {
  const idsOf = (entity: string) => events.filter(each => each.entity === entity).map(each => each.recordId)
  const rows = await ctx.sql<{ id: Id; userId: Id }>`
    select p.id, p.user_id as "userId" from plan p where p.tenant_id = ${ctx.caller.tenantId} and p.id = any(${idsOf('Plan')}::uuid[]) and p.user_id is not null
    union all select l.id, l.user_id from leave l where l.tenant_id = ${ctx.caller.tenantId} and l.id = any(${idsOf('Leave')}::uuid[])`
  const users = new Map(rows.map(row => [row.id, row.userId]))
  return new Map(
    events.map(({ id, entity, recordId, changes }) => {
      const named = [entity === 'User' ? recordId : users.get(recordId), changes.userId?.from]
      return [id, [...new Set(named.map(String).filter(isId))]]
    }),
  )
}

/** Writes an event for each bucket in which a user is planned beyond their capacity. */
export const overloadTask: Task = {
  name: 'overload',
  retryDelays: [1000, 60_000, 600_000],
  async run({ payload, service, transaction }) {
    const userId = String(payload.userId)
    if (isId(userId)) await transaction(service, ctx => noteOverloads(ctx, userId))
  },
}

const overloaded = 'plan.overallocated'

/** Each bucket has one event while it is over; one that is not any more may have another later. */
export async function noteOverloads(ctx: Context, userId: Id): Promise<void> {
  const bucket = await settingOf(ctx, overloadBucket)
  const weekStart = await weekStartOf(ctx, weekday)
  const from = bucketStart(ctx.now.toISOString().slice(0, 10), bucket, weekStart)
  const to = bucketEnd(
    bucketStart(Temporal.PlainDate.from(from).add({ days: horizonDays }).toString(), bucket, weekStart),
    bucket,
  )
  const period = { from, to }
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`overload of ${userId}`}, 0))`
  const planned = await plannedIn(ctx, period, ofUsers([userId]))
  const days = await subjectDays(ctx, planned, { userIds: [userId], ...period })
  await noteCapacity(ctx, planned, days)
  const work = planned.filter(each => each.firm)
  const sums = openSums(bucket, weekStart, from)
  const latest = new Map<string, Id>()
  for (const { date, capacity } of days.users.get(userId) ?? [])
    if (date >= from && date <= to) sums.add(userId, date, { capacity })
  for (const each of work)
    for (const [date, firm] of secondsOf(each, days, period)) {
      sums.add(userId, date, { firm })
      if (firm > 0) latest.set(bucketStart(date, bucket, weekStart), each.id)
    }
  const over = [...(sums.byKey.get(userId) ?? [])].filter(([, { capacity, firm }]) => firm > capacity)
  const starts = over.map(([start]) => start)
  const { tenantId } = ctx.caller
  await ctx.sql`delete from plan_overload where tenant_id = ${tenantId} and user_id = ${userId} and bucket_from >= ${from}::date
    and not (bucket = ${bucket} and bucket_from = any(${starts}::date[]))`
  const fresh = await ctx.sql<{ start: string }>`insert into plan_overload (tenant_id, user_id, bucket, bucket_from)
    select ${tenantId}::uuid, ${userId}::uuid, ${bucket}, s from unnest(${starts}::date[]) s on conflict do nothing returning bucket_from as start`
  const isFresh = new Set(fresh.map(each => each.start))
  await appendEvents(
    ctx,
    over.flatMap(([start, { capacity, firm }]) => {
      const recordId = latest.get(start)
      if (!isFresh.has(start) || !recordId) return []
      const overload = { userId, bucket, from: start, capacity, firm, over: firm - capacity }
      return [{ kind: overloaded, entity: 'Plan', recordId, changes: { overload: { to: overload } } }]
    }),
  )
}

/** Brings `noCapacity` in line with leave and working hours that changed after the allocation. It follows from them, so that no event tells it. */
async function noteCapacity(ctx: Context, planned: readonly PlannedWork[], days: SubjectDays): Promise<void> {
  const flags = planned.map(each => days.daysOf(each).every(({ capacity }) => capacity === 0))
  await ctx.sql`update plan p set no_capacity = n.flag from unnest(${planned.map(each => each.id)}::uuid[], ${flags}::boolean[]) as n (id, flag)
    where p.tenant_id = ${ctx.caller.tenantId} and p.id = n.id and p.no_capacity <> n.flag`
}
