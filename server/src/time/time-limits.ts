import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { remembered } from '../kernel/memory.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { ownerKind } from '../records/owner.ts'

// Constraints can limit time: no overlaps, or a maximum per day or week. They belong to a later room, which this one
// must not import, and apply to every way of booking time; so they are read from the database here.

/** A limit on time: `minutes` is the maximum per day or week; undefined forbids overlaps. */
interface TimeLimit {
  id: Id
  name: string
  message: string
  severity: number
  owner: number
  ownerId: string
  minutes: number | undefined
  per: 'day' | 'week'
}

const kinds = { noOverlap: 7, maximum: 8 }
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
        const minutes = minutesIn(value)
        if (kind === kinds.noOverlap) return [{ ...limit, minutes: undefined, per: 'day' }]
        return kind === kinds.maximum && minutes !== undefined ? [{ ...limit, minutes, per: periodIn(value) }] : []
      }),
    )
  })
  return found ?? []
}

/** `480`, `"480"` and `{"minutes": 480, "per": "day"}` are eight hours a day. */
export function minutesIn(value: unknown): number | undefined {
  const given = value !== null && typeof value === 'object' ? Reflect.get(value, 'minutes') : value
  const minutes = typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : given
  return typeof minutes === 'number' && minutes >= 0 ? minutes : undefined
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
  // Two concurrent bookings for the same user would not see each other, so that they are serialized.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended('time of ' || u.user_id, 0)) from (
    select distinct a.user_id from time a where a.tenant_id = ${tenantId} and ${which} order by a.user_id offset 0) u`
  const found: LimitViolation[] = []
  for (const limit of limits) {
    const rows = await ctx.sql<{ id: Id; itemId: Id | null }>`select a.id, a.item_id as "itemId" from time a
      where a.tenant_id = ${tenantId} and not a.deleted and ${which} and ${within(limit, raw('a'))} and ${broken(limit)} order by a.id`
    found.push(...rows.map(row => ({ limit, ...row })))
  }
  return found
}

function within({ owner, ownerId }: TimeLimit, entry: Sql): Sql {
  if (owner === ownerKind.tenant) return raw('true')
  return isId(ownerId) ? sql`${entry}.container_id = ${ownerId}::uuid` : raw('false')
}

function broken(limit: TimeLimit): Sql {
  const others = sql`from time b where b.tenant_id = ${ownTenant} and b.user_id = a.user_id and not b.deleted`
  if (limit.minutes === undefined)
    return sql`exists (select 1 ${others} and b.id <> a.id and b.date between a.date - 1 and a.date + 1 and b.start < a."end" and a.start < b."end")`
  const period =
    limit.per === 'day'
      ? raw('b.date = a.date')
      : raw("b.date between date_trunc('week', a.date)::date and date_trunc('week', a.date)::date + 6")
  return sql`(select coalesce(sum(b.seconds), 0) ${others} and ${period} and ${within(limit, raw('b'))}) > ${limit.minutes}::numeric * 60`
}

/** Refuses entries that were just stored and violate a limit. */
export async function refuseViolations(ctx: Context, ids: readonly Id[]): Promise<void> {
  const found = await limitViolations(ctx, sql`a.id = any(${ids}::uuid[])`)
  const blocking = found.filter(({ limit }) => limit.severity === severities.refuse)
  if (blocking.length > 0) throw timeLimitBroken(blocking, [])
}

export function timeLimitBroken(found: readonly LimitViolation[], path: readonly string[]): RuleBroken {
  const limits = [...new Map(found.map(({ limit }) => [limit.id, limit])).values()]
  const message = limits.length === 1 ? '1 constraint is broken' : `${limits.length} constraints are broken`
  const faults = limits.map(limit => {
    const [code, property] = limit.minutes === undefined ? ['overlap', 'start'] : ['maximum', 'minutes']
    return fault(path.length > 0 ? path : [property ?? ''], code ?? '', limitMessage(limit))
  })
  return new RuleBroken('constraint-broken', message, faults, {
    constraints: limits.map(({ id, name }) => ({ id, name })),
  })
}

export function limitMessage({ message, minutes, per }: TimeLimit): string {
  if (message) return message
  return minutes === undefined ? 'overlaps other time of the same user' : `is more than ${minutes} minutes a ${per}`
}
