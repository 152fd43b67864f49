import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { counts } from '../minutes-spent.ts'
import { visibleTimes } from '../time.ts'
import { closedStates, timeBillable } from '../time-state.ts'
import { findTimer, type Timer } from '../timer/timer.ts'
import { weekOf } from './week-days.ts'

/** What a row of the grid is about. */
export interface Target {
  itemId: Id | ''
  nonBillable: Id | ''
  billable: number
}

/** Seconds that are planned for a user on a day. */
interface PlannedTime extends Omit<Target, 'billable'> {
  date: string
  seconds: number
}

/** What later rooms know of a week; see `app.ts`. */
export interface WeekSources {
  capacity(ctx: Context, userId: Id, days: readonly string[]): Promise<{ capacity: number; leave: number }[]>
  planned(ctx: Context, userId: Id, days: readonly string[]): Promise<PlannedTime[]>
}

interface Cell {
  seconds: number
  entries: Id[]
  editable: boolean
}

interface Row extends Target {
  key: string
  containerId: Id | ''
  label: string
  origin: 'entries' | 'plan' | 'pinned' | 'recent'
  plannedSeconds: number[]
  cells: Cell[]
}

interface Week {
  userId: Id
  from: string
  to: string
  days: {
    date: string
    capacitySeconds: number
    leaveSeconds: number
    totalSeconds: number
    correctionSeconds: number
  }[]
  timer: Timer | null
  rows: Row[]
}

const Pinned = Type.Object(
  {
    itemId: Type.Optional(Type.String({ maxLength: 36 })),
    nonBillable: Type.Optional(Type.String({ maxLength: 36 })),
    billable: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
  },
  { additionalProperties: false },
)

const pinned = setting('time.pinned', {
  schema: Type.Array(Pinned, { maxItems: 50 }),
  default: [],
  scopes: ['tenant', 'user'],
  description:
    'The items and non-billable codes that are always in the week of a user: `[{"itemId": …}, {"nonBillable": …}]`.',
})

/** Entries of this many days before the week suggest rows. */
const recentDays = 14
const maxRecent = 50

/** The week of a user that contains a day: what is booked, planned and probable, by row and day. */
export async function readWeek(ctx: Context, sources: WeekSources, userId: Id, date: string): Promise<Week> {
  const dates = await weekOf(ctx, userId, date)
  const [from = date, to = date] = [dates[0], dates.at(-1)]
  const all = await entriesOf(ctx, userId, from, to)
  // A correction is for work on another day, and its entries do not change; the cells are what can be booked.
  const entries = all.filter(each => !each.corrects)
  const planned = await sources.planned(ctx, userId, dates)
  const targets = new Map<string, { target: Target; origin: Row['origin'] }>()
  const add = (origin: Row['origin'], found: readonly Target[]) => {
    for (const { itemId, nonBillable, billable } of found) {
      const target = { itemId, nonBillable, billable }
      if (!targets.has(keyOf(target))) targets.set(keyOf(target), { target, origin })
    }
  }
  add('entries', entries)
  add('plan', planned.map(withBillable))
  add('pinned', (await settingOf(ctx, pinned, { userId })).map(completedTarget))
  add('recent', await recentTargets(ctx, userId, from))
  const names = await namesOf(
    ctx,
    [...targets.values()].map(each => each.target),
  )
  const rows = [...targets].flatMap(([key, { target, origin }]): Row[] => {
    const name = names(target)
    // What was only suggested is left out if it is gone or cannot be seen.
    if (!name.known && origin !== 'entries') return []
    const booked = entries.filter(each => keyOf(each) === key)
    const plan = planned.filter(each => keyOf(withBillable(each)) === key)
    return [
      {
        key,
        ...target,
        containerId: name.containerId,
        label: name.label,
        origin,
        plannedSeconds: dates.map(day => sum(plan.filter(each => each.date === day))),
        cells: dates.map(day => cellOf(booked.filter(each => each.date === day))),
      },
    ]
  })
  const capacity = await sources.capacity(ctx, userId, dates)
  const days = dates.map((day, i) => ({
    date: day,
    capacitySeconds: capacity[i]?.capacity ?? 0,
    leaveSeconds: capacity[i]?.leave ?? 0,
    totalSeconds: sum(entries.filter(each => each.date === day)),
    correctionSeconds: sum(all.filter(each => each.date === day && each.corrects)),
  }))
  const timer = userId === ctx.caller.userId ? ((await findTimer(ctx, userId)) ?? null) : null
  return { userId, from, to, days, timer, rows }
}

/** The key of a row: notes split no row. */
export function keyOf({ itemId, nonBillable, billable }: Target): string {
  return `${itemId}/${nonBillable}/${billable}`
}

const withBillable = ({ itemId, nonBillable }: Omit<Target, 'billable'>) => completedTarget({ itemId, nonBillable })

/** A target with the values that are not given; a code alone is not billable by its kind, whatever its entries say. */
export function completedTarget(given: { itemId?: string; nonBillable?: string; billable?: number }): Target {
  const { itemId = '', nonBillable = '', billable = timeBillable.asContainer } = given
  return { itemId: itemId.toLowerCase(), nonBillable: nonBillable.toLowerCase(), billable }
}

interface BookedTime extends Target {
  id: Id
  date: string
  seconds: number
  state: number
  corrects: boolean
}

async function entriesOf(ctx: Context, userId: Id, from: string, to: string): Promise<BookedTime[]> {
  const t = raw('t')
  return await ctx.sql<BookedTime>`select t.id, coalesce(t.item_id::text, '') as "itemId", coalesce(t.non_billable::text, '') as "nonBillable", t.billable, t.date, t.seconds, t.state, t.corrects_id is not null as corrects
    from time t where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date between ${from}::date and ${to}::date
      and ${counts(t)} and ${visibleTimes(ctx.caller, t)} order by t.date, t.created, t.id`
}

/** What the user has booked lately, the latest first. */
export async function recentTargets(ctx: Context, userId: Id, before: string): Promise<Target[]> {
  const t = raw('t')
  return await ctx.sql<Target>`select coalesce(t.item_id::text, '') as "itemId", coalesce(t.non_billable::text, '') as "nonBillable", t.billable
    from time t where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date >= ${before}::date - ${recentDays}::int and t.date < ${before}::date
      and ${counts(t)} and ${visibleTimes(ctx.caller, t)}
    group by t.item_id, t.non_billable, t.billable order by max(t.date) desc, max(t.created) desc limit ${maxRecent}`
}

interface TargetName {
  label: string
  containerId: Id | ''
  known: boolean
}

/** The labels of rows, of the items that the caller sees. */
export async function namesOf(ctx: Context, targets: readonly Target[]): Promise<(target: Target) => TargetName> {
  const { caller } = ctx
  const i = raw('i')
  const ids = (property: 'itemId' | 'nonBillable') => targets.map(each => each[property]).filter(each => each !== '')
  const rows = await ctx.sql<{ id: Id; label: string; containerId: Id | '' }>`
    select i.id, i.key || ' ' || i.title as label, i.container_id::text as "containerId" from item i
    where i.tenant_id = ${caller.tenantId} and i.id::text = any(${ids('itemId')}::text[]) and not i.deleted and ${kind('Item').visible(caller, i)}
    union all select n.id, concat_ws(' ', nullif(n.code, ''), n.name), '' from non_billable n
    where n.tenant_id = ${ownTenant} and n.id::text = any(${ids('nonBillable')}::text[]) and not n.deleted`
  const byId = new Map(rows.map(row => [row.id, row]))
  return ({ itemId, nonBillable }) => {
    const found = byId.get(itemId || nonBillable)
    return {
      label: found?.label ?? 'restricted item',
      containerId: found?.containerId ?? '',
      known: found !== undefined,
    }
  }
}

function cellOf(entries: readonly BookedTime[]): Cell {
  return {
    seconds: sum(entries),
    entries: entries.map(each => each.id),
    editable: entries.every(each => !closedStates.includes(each.state)),
  }
}

export const sum = (parts: readonly { seconds: number }[]) => parts.reduce((total, each) => total + each.seconds, 0)
