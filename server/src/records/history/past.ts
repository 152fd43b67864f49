import type { Context } from '../../kernel/context.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'

// What records were at a moment, by the log: the old value of the first change after it, else the present value.

/** The parts of a statement that reads records (`t`) as they were at a moment. */
interface Past {
  /** Follows `from <table> t`. */
  join: Sql
  /** Whether the record existed and was not deleted. */
  existed: Sql
  /** The value of a property, whose column and SQL type are given. */
  value(property: string, column: Sql, type: 'text' | 'uuid' | 'date' | 'integer' | 'boolean' | 'numeric'): Sql
}

/** Reads the records of a kind as they were at a moment, or as they are. */
export function pastOf(
  { entity, area }: Pick<Kind, 'entity' | 'area'>,
  properties: readonly string[],
  at: Date | undefined,
): Past {
  if (at === undefined) return { join: raw(''), existed: raw('not t.deleted'), value: (_property, column) => column }
  const later = sql`e.tenant_id = ${ownTenant} and e.record_id = t.id and e.entity = ${entity} and e.at > ${at}`
  const value: Past['value'] = (property, column, type) =>
    sql`case when past.was ? ${property}::text then nullif(past.was ->> ${property}::text, '')::${raw(type)} else ${column} end`
  return {
    join: sql`left join lateral (select jsonb_object_agg(f.property, f.was) as was from (
        select distinct on (c.key) c.key as property, coalesce(c.value -> 'from', 'null') as was
        from event e cross join lateral jsonb_each(e.changes) c
        where ${later} and c.key = any(${[...properties, 'deleted']}::text[]) order by c.key, e.xact, e.id) f) past on true`,
    existed: sql`(t.created <= ${at} and not ${value('deleted', raw('t.deleted'), 'boolean')}
      and not exists (select 1 from event e where ${later} and e.kind = ${`${area}.created`}))`,
    value,
  }
}

/** Refuses a moment that is in the future, or before the first event that the log still has. */
export async function refuseUnreached(ctx: Context, at: Date): Promise<void> {
  if (at > ctx.now) throw new Invalid([fault(['at'], 'range', 'must not be in the future', at.toISOString())])
  const [first] = await ctx.sql<{ at: Date | string }>`select e.at from event e
    where e.tenant_id = ${ctx.caller.tenantId} order by e.xact, e.id limit 1`
  const since = first && new Date(first.at)
  if (since && at >= since) return
  const message = since ? `the log begins at ${since.toISOString()}` : 'the log is empty'
  throw new RuleBroken('log-too-short', message, [fault(['at'], 'log-too-short', message, at.toISOString())])
}
