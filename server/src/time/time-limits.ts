import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { remembered } from '../kernel/memory.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { ownerKind } from '../records/references/owner.ts'
import { countsOnDay } from './minutes-spent.ts'

// Constraints can limit time: no overlaps, a maximum per day or week, or no days ahead. They belong to a later room, which this
// one must not import, and apply to every way of booking time; so they are read from the database here.

/** What a limit demands: no overlaps, at most so many minutes, or no entry later than so many days after the user's today. */
type TimeDemand =
  | { kind: 'overlap' }
  | { kind: 'maximum'; minutes: number; per: 'day' | 'week' }
  | { kind: 'notAfter'; days: number }

interface TimeLimit {
  id: Id
  name: string
  message: string
  severity: number
  owner: number
  ownerId: string
  demand: TimeDemand
}

const kinds = { noOverlap: 7, maximum: 8, notAfter: 11 }
const api = 1
export const severities = { refuse: 0, warn: 1 } as const

/**
 * The limits in force: those of the tenant and of containers without conditions, because conditions refer to items
 * only.
 */
export async function timeLimits(ctx: Context): Promise<readonly TimeLimit[]> {
  const found = await remembered(ctx, 'time limits', async () => {
    const rows = await ctx.sql<TimeLimit & { demands: { kind?: number; value?: unknown }[] }>`
      select c.id, c.name, c.message, c.severity, c.owner, c.owner_id as "ownerId", c."then" as demands from "constraint" c
      where c.tenant_id = ${ctx.caller.tenantId} and c.active and not c.deleted and c.severity = any(${Object.values(severities)}::int[]) and c."when" = '[]'
        and c.owner = any(${[ownerKind.tenant, ownerKind.container]}::int[]) and (c.enforce_on = '{}' or ${api} = any(c.enforce_on)) order by c.id`
    return rows.flatMap(({ demands, ...limit }) =>
      demands.flatMap(({ kind, value }): TimeLimit[] => {
        const demand = demandIn(kind, value)
        return demand ? [{ ...limit, demand }] : []
      }),
    )
  })
  return found ?? []
}

function demandIn(kind: number | undefined, value: unknown): TimeDemand | undefined {
  if (kind === kinds.noOverlap) return { kind: 'overlap' }
  const [minutes, days] = [minutesIn(value), daysIn(value)]
  if (kind === kinds.maximum && minutes !== undefined) return { kind: 'maximum', minutes, per: periodIn(value) }
  return kind === kinds.notAfter && days !== undefined ? { kind: 'notAfter', days } : undefined
}

/** `480`, `"480"` and `{"minutes": 480, "per": "day"}` are eight hours a day. */
export function minutesIn(value: unknown): number | undefined {
  return numberIn(value, 'minutes')
}

/** `0` and `{"days": 0}` allow no day after the user's today. */
export function daysIn(value: unknown): number | undefined {
  const days = numberIn(value, 'days')
  return days !== undefined && Number.isInteger(days) && days <= 3650 ? days : undefined
}

function numberIn(value: unknown, property: string): number | undefined {
  const given = value !== null && typeof value === 'object' ? Reflect.get(value, property) : value
  const number = typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : given
  return typeof number === 'number' && number >= 0 ? number : undefined
}

function periodIn(value: unknown): 'day' | 'week' {
  return value !== null && typeof value === 'object' && Reflect.get(value, 'per') === 'week' ? 'week' : 'day'
}

/** An entry that violates a limit. */
interface LimitViolation {
  limit: TimeLimit
  id: Id
  itemId: Id | null
}

/** The stored entries (`a`) that violate a limit. */
export async function limitViolations(ctx: Context, which: Sql): Promise<LimitViolation[]> {
  const limits = await timeLimits(ctx)
  if (limits.length === 0) return []
  const { tenantId } = ctx.caller
  await lockTimeOfUsers(ctx, which)
  const found: LimitViolation[] = []
  for (const limit of limits) {
    const rows = await ctx.sql<{ id: Id; itemId: Id | null }>`select a.id, a.item_id as "itemId" from time a
      where a.tenant_id = ${tenantId} and ${countsOnDay(raw('a'))} and ${which} and ${within(limit, raw('a'))} and ${broken(ctx, limit)} order by a.id`
    found.push(...rows.map(row => ({ limit, ...row })))
  }
  return found
}

/** Two concurrent bookings for the same user would not see each other, so that they are serialized. */
export async function lockTimeOfUsers(ctx: Context, which: Sql): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended('time of ' || u.user_id, 0)) from (
    select distinct a.user_id from time a where a.tenant_id = ${ctx.caller.tenantId} and ${which} order by a.user_id offset 0) u`
}

function within({ owner, ownerId }: TimeLimit, entry: Sql): Sql {
  if (owner === ownerKind.tenant) return raw('true')
  return isId(ownerId) ? sql`${entry}.container_id = ${ownerId}::uuid` : raw('false')
}

function broken({ now }: Context, limit: TimeLimit): Sql {
  const { demand } = limit
  const others = sql`from time b where b.tenant_id = ${ownTenant} and b.user_id = a.user_id and ${countsOnDay(raw('b'))}`
  if (demand.kind === 'overlap')
    return sql`exists (select 1 ${others} and b.id <> a.id and b.date between a.date - 1 and a.date + 1 and b.start < a."end" and a.start < b."end")`
  if (demand.kind === 'notAfter')
    return sql`a.date > (${now}::timestamptz at time zone ${timezoneOfUser(raw('a.user_id'))})::date + ${demand.days}::int`
  const period =
    demand.per === 'day'
      ? raw('b.date = a.date')
      : raw("b.date between date_trunc('week', a.date)::date and date_trunc('week', a.date)::date + 6")
  return sql`(select coalesce(sum(b.seconds), 0) ${others} and ${period} and ${within(limit, raw('b'))}) > ${demand.minutes}::numeric * 60`
}

/** The time zone of a user, else of their tenant. */
export function timezoneOfUser(userId: Sql): Sql {
  return sql`(select coalesce(nullif(u.timezone, ''), nullif(w.timezone, ''), 'UTC') from "user" u
    join tenant w on w.tenant_id = ${ownTenant} where u.tenant_id = ${ownTenant} and u.id = ${userId})`
}

/** Refuses entries that were just stored and violate a limit; returns the warnings of limits that only warn. */
export async function refuseViolations(ctx: Context, ids: readonly Id[]): Promise<string[]> {
  const found = await limitViolations(ctx, sql`a.id = any(${ids}::uuid[])`)
  const blocking = found.filter(({ limit }) => limit.severity === severities.refuse)
  if (blocking.length > 0) throw timeLimitBroken(blocking, [])
  return [...new Set(found.map(({ limit }) => `${limit.name}: ${limitMessage(limit)}`))]
}

export function timeLimitBroken(found: readonly LimitViolation[], path: readonly string[]): RuleBroken {
  const limits = [...new Map(found.map(({ limit }) => [limit.id, limit])).values()]
  const message = limits.length === 1 ? '1 constraint is broken' : `${limits.length} constraints are broken`
  const faults = limits.map(limit => {
    const { kind } = limit.demand
    return fault(path.length > 0 ? path : [limitedProperty[kind]], kind, limitMessage(limit))
  })
  return new RuleBroken('constraint-broken', message, faults, {
    constraints: limits.map(({ id, name }) => ({ id, name })),
  })
}

const limitedProperty = { overlap: 'start', maximum: 'minutes', notAfter: 'date' } as const

export function limitMessage({ message, demand }: TimeLimit): string {
  if (message) return message
  if (demand.kind === 'overlap') return 'overlaps other time of the same user'
  if (demand.kind === 'maximum') return `is more than ${demand.minutes} minutes a ${demand.per}`
  return demand.days === 0 ? 'is in the future' : `is more than ${demand.days} days ahead`
}
