import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kernel/context.ts'
import { type Sql, sql, unprepared } from '../../kernel/sql.ts'
import { daysOf, type Period } from '../report/period.ts'
import { bounded } from '../report/table.ts'
import { stays } from './item-stay.ts'

// How items flow through the categories of states: what enters and what leaves on each day gives the numbers at its end.

/** An amount of items, with the points and minutes that they have now. */
export interface FlowAmount {
  count: number
  points: number
  minutes: number
}

interface Step extends FlowAmount {
  date: string
  category: number
}

/** What is in each category at the end of a day. */
export interface FlowDay {
  date: string
  categories: ReadonlyMap<number, FlowAmount>
}

/** The days of a period until today, of the stays (`s`, of the items `t`) that fulfil the condition. */
export async function flowOf(ctx: Context, period: Period, where: Sql): Promise<FlowDay[]> {
  const steps = await bounded(ctx, () => ctx.sql<Step>`${unprepared(statement(period, where))}`)
  return accumulated(period, steps, ctx.now)
}

/** What came before the period is a step of its first day. */
function statement({ timezone, first, to }: Period, where: Sql): Sql {
  const day = (moment: Sql) => sql`greatest((${moment} at time zone ${timezone}::text)::date, ${first}::date)`
  return sql`with stay as materialized (select s.category, s.from_at, s.to_at, t.points, t.estimate_minutes from ${stays} where ${where} and s.from_at < ${to}::timestamptz)
    select to_char(f.day, 'YYYY-MM-DD') as date, f.category, sum(f.n)::int as count, sum(f.n * f.points)::float8 as points, sum(f.n * f.estimate_minutes)::float8 as minutes
    from (select ${day(sql`from_at`)} as day, category, 1 as n, points, estimate_minutes from stay
      union all select ${day(sql`to_at`)}, category, -1, points, estimate_minutes from stay where to_at < ${to}::timestamptz) f
    group by 1, 2`
}

function accumulated(
  period: Pick<Period, 'first' | 'last' | 'timezone'>,
  steps: readonly Step[],
  now: Date,
): FlowDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(period.timezone).toPlainDate()
  const byDay = Map.groupBy(steps, each => each.date)
  let categories = new Map<number, FlowAmount>()
  return daysOf(period)
    .filter(day => Temporal.PlainDate.compare(day, today) <= 0)
    .map(day => {
      const date = day.toString()
      categories = new Map(categories)
      for (const step of byDay.get(date) ?? []) {
        const { count, points, minutes } = categories.get(step.category) ?? { count: 0, points: 0, minutes: 0 }
        categories.set(step.category, {
          count: count + step.count,
          points: points + step.points,
          minutes: minutes + step.minutes,
        })
      }
      return { date, categories }
    })
}
