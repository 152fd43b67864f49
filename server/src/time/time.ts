import { Type } from 'typebox'
import { rateLevels, rateLimits } from '../admin/rate/rate.ts'
import { nonBillables } from '../finance/non-billable.ts'
import { seesWorkIn } from '../identity/visibility.ts'
import { type Caller, everyone, may, members } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { kind } from '../kernel/kinds.ts'
import type { Stored, Values } from '../kernel/record/record.ts'
import { Forbidden, fault, RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Count, Instant, LocalDate, LongText, Parts, Ref, Text, Timezone } from '../kernel/schema/values.ts'
import { and, flat, or, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { Currency, Factor, OptionalMoney, Percent } from '../language/money.ts'
import { amountsOf, withoutAmounts } from '../records/amounts.ts'
import { Code, codeTableOfCodes } from '../records/code-table.ts'
import { lockRecords, updateRecords } from '../records/history/rewrite.ts'
import { isThere } from '../records/references/is-there.ts'
import { followers, refuseClosed } from './closed/closed.ts'
import { isClosedDay } from './closed/closing.ts'
import { othersTime } from './permissions.ts'
import { maxSeconds } from './time-entry.ts'
import { billables, lockedStates, timeBillable, timeSource, timeState, timeStates } from './time-state.ts'

const shape = {
  userId: Ref('User'),
  itemId: Ref('Item'),
  nonBillable: Ref('NonBillable'),
  containerId: Ref('Container'),
  date: LocalDate,
  start: Instant,
  end: Instant,
  seconds: Count(maxSeconds, -maxSeconds, {
    description: 'The length in whole seconds.',
  }),
  minutes: Type.Integer({ readOnly: true, description: 'The length in minutes, rounded.' }),
  note: LongText(10_000),
  billable: Code(billables, { default: timeBillable.asContainer }),
  state: Code(timeStates, { default: timeState.logged }),
  externalId: Text(200),
  timezone: Timezone,
  source: Code(codeTableOfCodes('time.source', timeSource), { default: timeSource.api }),
  crmId: Ref('Crm'),
  jobRoleId: Ref('JobRole'),
  skuId: Ref('Sku'),
  budgetReasonId: Ref('BudgetReason'),
  billRate: OptionalMoney({
    ...rateLimits,
    description:
      'What the customer pays for an hour. A value in a request is for this entry only and needs `rate.override`; null lets the rates decide.',
  }),
  costRate: OptionalMoney(),
  currency: Currency,
  billAmount: OptionalMoney({ readOnly: true }),
  costAmount: OptionalMoney({ readOnly: true }),
  rateSource: Text(40, {
    description: `Where \`billRate\` comes from: ${rateLevels.map(([name]) => name).join(', ')}, none (not billable) or missing.`,
  }),
  costSource: Text(40),
  multiplier: Factor({ description: 'The factor that `billRate` contains, by the multiplier `multiplierId`.' }),
  multiplierId: Ref('Multiplier'),
  costMultiplier: Factor({ description: 'The factor that `costRate` contains, by the multiplier `costMultiplierId`.' }),
  costMultiplierId: Ref('Multiplier'),
  correctsId: Ref('Time', { description: 'The first entry of the chain of corrections that this one belongs to.' }),
  reversesId: Ref('Time', { description: 'The entry that this counter-entry takes back.' }),
  effectiveDate: Type.Unsafe<string | null>({
    ...LocalDate,
    readOnly: true,
    description: 'The day of the work, by which it is priced and billed; for a correction that of the corrected entry.',
  }),
  invoiceId: Ref('Invoice', { description: 'The invoice that bills the entry, from its draft on.' }),
  billedSeconds: Type.Unsafe<number | null>({
    type: 'integer',
    default: null,
    description: 'What an issued invoice bills of the entry, rounded by the policy of its unit.',
  }),
  costCenterId: Ref('CostCenter', {
    description:
      'The cost centre, if there is one only. A value in a request is for this entry; an empty one lets container and user decide.',
  }),
  costCenterSource: Text(40, {
    description: 'Where the cost centre comes from: entry, container or user; empty without one.',
  }),
  shares: Parts({ costCenterId: Text(36), percent: Percent() }, [], 50),
}

export { othersTime }

export type Time = Stored<typeof shape>
export type TimeValues = Values<typeof shape>

const lockedCodes = raw(lockedStates.join(', '))

const costCenterProperties = ['costCenterId', 'costCenterSource', 'shares']
const ofServer = ['containerId', 'timezone', 'source', 'correctsId', 'reversesId', 'effectiveDate'] as const

/** Time that a user spent on an item or on a non-billable code. */
export const times = resource('Time', {
  about: 'Time that a user spent on an item or on a non-billable code. `date` is the day in the user’s time zone.',
  shape,
  required: [],
  serverSet: [
    ...ofServer,
    'crmId',
    'currency',
    'costRate',
    'billAmount',
    'costAmount',
    'rateSource',
    'costSource',
    'multiplier',
    'multiplierId',
    'costMultiplier',
    'costMultiplierId',
    'invoiceId',
    'billedSeconds',
    'costCenterSource',
    'shares',
  ],
  notForAll: [...amountsOf('Time'), ...costCenterProperties],
  ofTenant: ctx => withoutAmounts(ctx, 'Time'),
  may: { read: everyone, create: members, update: members, delete: members },
  visible: visibleTimes,
  check: checkTime,
  order: 'date,created',
  derived: {
    sheetId: {
      schema: { type: 'string', description: 'The timesheet of its user and day; empty if there is none.' },
      value: t =>
        sql`coalesce((select own.id::text from timesheet own where own.tenant_id = ${ownTenant} and own.user_id = ${t}.user_id and ${t}.date between own."from" and own."to"), '')`,
    },
    locked: {
      schema: {
        type: 'boolean',
        description: 'Whether nobody can change it any more: it is approved, invoiced, locked or on a closed day.',
      },
      value: t => sql`(${t}.state in (${lockedCodes}) or ${isClosedDay(t)})`,
    },
  },
  example: {
    itemId: '01890000-0000-7000-8000-000000000000',
    date: '2026-03-31',
    minutes: 45,
    note: 'Looked for the cable',
  },
})

/** The properties of entries that requests may contain, because replies do, and that are ignored. */
export const shownOfTime: readonly string[] = [...times.serverSet, 'sheetId', 'locked']

/** Entry `s` as a part of an item or a timeline, which have readers who see neither amounts nor cost centres. */
export const embeddedTime: Sql = flat(
  times.json(
    raw('s'),
    undefined,
    Object.fromEntries([...amountsOf('Time'), ...costCenterProperties].map(property => [property, undefined])),
  ),
)

/** Everybody sees their own time; managers also see the time in their containers, on items that they see. */
export function visibleTimes(caller: Caller, t: Sql): Sql {
  const { authority, userId } = caller
  if (authority.unrestricted) return raw('true')
  const item = raw('timed')
  const isItem = sql`timed.tenant_id = ${ownTenant} and timed.id = ${t}.item_id`
  const isVisible = kind('Item').visible(caller, item)
  // The note of an entry speaks of the item, so it is as confidential as the item. Few items are hidden from a manager of all, so these
  // are read once and remembered, instead of a look at the item of each entry. The `or` keeps PostgreSQL from a join, for which it would
  // store all entries.
  if (may(caller, othersTime))
    return sql`(${t}.user_id = ${userId} or not exists (select 1 from item timed where ${isItem}
      and ${hasExceptions(caller, item)} and (${isVisible}) is not true))`
  const own = sql`${t}.user_id = ${userId}`
  const managed = [...authority.places.container]
    .filter(([, held]) => othersTime.roles.some(role => held.has(role)))
    .map(([id]) => id)
  if (managed.length === 0) return own
  const ofVisible = isThere(sql`from item timed where ${isItem} and ${isVisible}`)
  return or([own, and([sql`${t}.container_id = any(${managed}::uuid[])`, or([sql`${t}.item_id is null`, ofVisible])])])
}

/** The items of which some may be hidden from the caller: an index finds them. */
function hasExceptions(caller: Caller, item: Sql): Sql {
  const reach = seesWorkIn(caller, sql`${item}.container_id`)
  return reach ? sql`(${item}.visibility <> 0 or not ${reach})` : raw('true')
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
  await refuseClosed(ctx, before ? [before, entry] : [entry])
}

/** An inactive code accepts no new time, and a code with groups only that of their members. */
export async function refuseCode(
  ctx: Context,
  { nonBillable, userId }: Pick<TimeValues, 'nonBillable' | 'userId'>,
): Promise<void> {
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

/** Refuses changes of an entry on which others rely. */
export function refuseLocked(entry: { state: number } | undefined): void {
  if (entry && lockedStates.includes(entry.state))
    throw new RuleBroken('time-locked', 'this entry is approved, invoiced or locked and cannot be changed')
  if (entry?.state === timeState.submitted)
    throw new RuleBroken('time-submitted', 'this entry is submitted: recall the timesheet to change it')
}

/** Everybody may book their own time; that of others needs the permission. */
export function demandBooking({ caller }: Context, userId: Id, containerId: Id | ''): void {
  if (userId !== caller.userId && !may(caller, othersTime, containerId ? { containerId } : {}))
    throw new Forbidden(`booking time for others needs the permission ${othersTime.name}`)
}

/** Open time follows its item to another container. This is part of the item’s change and writes no event of its own. */
export async function moveTimes(ctx: Context, itemIds: readonly Id[], containerId: Id): Promise<void> {
  const ids = await followers(ctx, sql`e.item_id = any(${itemIds}::uuid[])`, containerId)
  await ctx.sql`update time set container_id = ${containerId} where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
}

/** Moves open entries to another item. Returns the ids of the moved entries. */
export async function rebookTimes(
  ctx: Context,
  where: (alias: Sql) => Sql,
  { itemId, containerId }: { itemId: Id; containerId: Id },
): Promise<Id[]> {
  const ids = await followers(ctx, sql`not e.deleted and ${where(raw('e'))}`, containerId)
  const found = await lockRecords(ctx, times, sql`t.id = any(${ids}::uuid[]) and ${where(raw('t'))}`)
  await updateRecords(
    ctx,
    times,
    found.map(entry => [entry, { itemId, containerId }] as const),
  )
  return found.map(entry => entry.id)
}
