import { nonBillables } from '../finance/non-billable.ts'
import { type Caller, everyone, managers, may, members, type Permission, permission } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import { kind } from '../kernel/kinds.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Stored, Values } from '../kernel/record/record.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Code, Count, Instant, LocalDate, LongText, Ref, Text, Timezone } from '../kernel/schema/values.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { history } from '../records/history.ts'
import { lockRecords, updateRecords } from '../records/rewrite.ts'
import { withHours } from './hours.ts'
import { maxMinutes, readTimeSpan } from './time-entry.ts'
import { refuseViolations } from './time-limits.ts'
import { lockedStates, timeBillable, timeState } from './time-state.ts'

const shape = {
  userId: Ref('User'),
  itemId: Ref('Item'),
  nonBillable: Ref('NonBillable'),
  containerId: Ref('Container'),
  date: LocalDate,
  start: Instant,
  end: Instant,
  minutes: Count(maxMinutes),
  note: LongText(10_000),
  billable: Code({ default: timeBillable.asContainer }),
  state: Code({ default: timeState.logged }),
  externalId: Text(200),
  timezone: Timezone,
  source: Code({ default: 1 }),
}

export type Time = Stored<typeof shape>
type TimeValues = Values<typeof shape>

/** The permission to book, change and read the time of others. */
export const othersTime: Permission = permission('time.others', managers)

/** Time that a user spent on an item or on a non-billable code. */
export const times = resource('Time', {
  about: 'Time that a user spent on an item or on a non-billable code. `date` is the day in the user’s time zone.',
  shape,
  required: [],
  serverSet: ['containerId', 'timezone', 'source', 'state'],
  may: { read: everyone, create: members, update: members, delete: members },
  visible: visibleTimes,
  check: checkTime,
  order: 'date,created',
  example: {
    itemId: '01890000-0000-7000-8000-000000000000',
    date: '2026-03-31',
    minutes: 45,
    note: 'Looked for the cable',
  },
})

/** Everybody sees their own time; managers also see the time in their containers, on items that they see. */
export function visibleTimes(caller: Caller, t: Sql): Sql {
  const { authority, userId } = caller
  if (authority.unrestricted) return raw('true')
  const managed = [...authority.places.container]
    .filter(([, held]) => othersTime.roles.some(role => held.has(role)))
    .map(([id]) => id)
  const own = sql`${t}.user_id = ${userId}`
  const reach = may(caller, othersTime) ? raw('true') : sql`${t}.container_id = any(${managed}::uuid[])`
  if (!may(caller, othersTime) && managed.length === 0) return own
  const item = raw('timed')
  // The note of an entry speaks of the item, so it is as confidential as the item.
  const ofVisible = sql`exists (select 1 from item timed where timed.tenant_id = ${ownTenant} and timed.id = ${t}.item_id and ${kind('Item').visible(caller, item)})`
  return or([own, and([reach, or([sql`${t}.item_id is null`, ofVisible])])])
}

async function checkTime(ctx: Context, entry: TimeValues, before: Time | undefined): Promise<void> {
  refuseLocked(before)
  if (entry.itemId === '' && entry.nonBillable === '') {
    const message = 'time needs an item or a non-billable code'
    throw new RuleBroken('time-target', message, [fault(['itemId'], 'time-target', message)])
  }
  demandBooking(ctx, entry.userId, entry.containerId)
  if (before) demandBooking(ctx, before.userId, before.containerId)
  if (entry.nonBillable && entry.nonBillable !== before?.nonBillable) await refuseCode(ctx, entry)
}

/** An inactive code accepts no new time, and a code with groups only that of their members. */
async function refuseCode(ctx: Context, { nonBillable, userId }: TimeValues): Promise<void> {
  const { active, group } = await nonBillables.get(ctx, nonBillable)
  const refuse = (code: string, message: string) => {
    throw new RuleBroken(code, `the non-billable code ${message}`, [fault(['nonBillable'], code, message, nonBillable)])
  }
  if (!active) refuse('code-inactive', 'is not active')
  if (
    group.length === 0 ||
    (userId === ctx.caller.userId && group.some(id => ctx.caller.authority.groups.includes(id)))
  )
    return
  const [member] = await ctx.sql`with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${ctx.caller.tenantId} and g.id = any(${group}::uuid[]) and not g.deleted
      union select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${ctx.caller.tenantId} and not g.deleted)
    select 1 from inside where ${userId}::uuid = any(inside.members)`
  if (!member) refuse('code-not-for-user', 'is limited to groups that the user does not belong to')
}

function refuseLocked(entry: { state: number } | undefined): void {
  if (entry && lockedStates.includes(entry.state))
    throw new RuleBroken('time-locked', 'this entry is approved, invoiced or locked and cannot be changed')
}

/** Everybody may book their own time; that of others needs the permission. */
export function demandBooking({ caller }: Context, userId: Id, containerId: Id | ''): void {
  if (userId !== caller.userId && !may(caller, othersTime, containerId ? { containerId } : {}))
    throw new Forbidden(`booking time for others needs the permission ${othersTime.name}`)
}

/** `hours` is another unit for the length, in requests only. */
type TimeBody = Partial<TimeValues> & { hours?: number | null }

/** The length is given as minutes or hours, or as a start and an end; the day follows from the start. */
async function completedTime(
  ctx: Context,
  { hours: inHours, ...values }: TimeBody,
  before?: Time,
): Promise<Partial<TimeValues>> {
  const isLong = typeof values.minutes === 'number' || typeof inHours === 'number'
  const userId = (values.userId || before?.userId || ctx.caller.userId).toLowerCase()
  const timezone = await timezoneOf(ctx, userId)
  const moved =
    before !== undefined &&
    (values.start !== undefined || values.end !== undefined) &&
    values.minutes === undefined &&
    !isLong
  const span = readTimeSpan(
    {
      date: values.date ?? (before && values.start === undefined ? before.date : null),
      start: values.start === undefined ? (before?.start ?? null) : values.start,
      end: values.end === undefined ? (before?.end ?? null) : values.end,
      minutes: values.minutes ?? (moved || isLong || before === undefined ? null : before.minutes),
      hours: inHours ?? null,
    },
    { timezone, now: ctx.now },
  )
  if (Array.isArray(span)) throw new Invalid(span)
  const itemId = values.itemId ?? before?.itemId ?? ''
  return { ...values, ...span, userId, timezone, containerId: itemId ? await containerOf(ctx, itemId) : '' }
}

async function timezoneOf(ctx: Context, userId: Id): Promise<string> {
  const [row] = await ctx.sql<{
    timezone: string
  }>`select coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone
    from "user" u join tenant t on t.tenant_id = u.tenant_id where u.tenant_id = ${ctx.caller.tenantId} and u.id::text = ${userId}`
  return row?.timezone ?? 'UTC'
}

async function containerOf(ctx: Context, itemId: Id): Promise<Id | ''> {
  const [row] = await ctx.sql<{
    id: Id
    archived: boolean
  }>`select c.id, c.archived from item i join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id::text = ${itemId.toLowerCase()}`
  if (row?.archived) throw new RuleBroken('container-archived', 'an archived container can only be read')
  return row?.id ?? ''
}

async function createTime(ctx: Context, values: TimeBody): Promise<Time> {
  const entry = await times.create(ctx, await completedTime(ctx, values))
  await refuseViolations(ctx, [entry.id])
  return entry
}

async function changeTime(ctx: Context, id: Id, values: TimeBody, more: object): Promise<Time> {
  const before = await times.get(ctx, id)
  const entry = await times.update(ctx, id, await completedTime(ctx, values, before), more)
  if (entry.version !== before.version) await refuseViolations(ctx, [entry.id])
  return entry
}

async function removeTime(ctx: Context, id: Id, more: object): Promise<Time> {
  const entry = await times.get(ctx, id)
  demandBooking(ctx, entry.userId, entry.containerId)
  refuseLocked(entry)
  return await times.remove(ctx, id, more)
}

/** Inserts entries within the statement that creates their item: `entries` selects rows of these columns. */
export function insertTimes(entries: Sql): Sql {
  return sql`insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, non_billable, container_id, date, start, "end", minutes, note, billable, external_id, timezone, source)
    ${entries} returning *`
}

/** Time follows its item to another container. This is part of the item’s change and writes no event of its own. */
export async function moveTimes(ctx: Context, itemIds: readonly Id[], containerId: Id): Promise<void> {
  await ctx.sql`update time set container_id = ${containerId} where tenant_id = ${ctx.caller.tenantId} and item_id = any(${itemIds}::uuid[])`
}

/** Moves entries to another item, except locked ones. Returns the ids of the moved entries. */
export async function rebookTimes(
  ctx: Context,
  where: Sql,
  { itemId, containerId }: { itemId: Id; containerId: Id },
): Promise<Id[]> {
  const found = await lockRecords(ctx, times, sql`${where} and t.state <> all(${lockedStates}::int[])`)
  await updateRecords(
    ctx,
    times,
    found.map(entry => [entry, { itemId, containerId }] as const),
  )
  return found.map(entry => entry.id)
}

const changing = withHours(update(times, changeTime), times.updateSchema, times.serverSet)

export const routes: Routes = {
  'GET /time': list(times),
  'POST /time': withHours(create(times, createTime), times.createSchema, times.serverSet),
  'PUT /time': changing,
  'GET /time/:id': get(times),
  'PUT /time/:id': changing,
  'PATCH /time/:id': changing,
  'DELETE /time/:id': remove(times, removeTime),
  'POST /time/:id/restore': restore(times),
  'GET /time/:id/history': history(times),
}
