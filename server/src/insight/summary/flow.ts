import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kernel/context.ts'
import { raw, type Sql, sql, unprepared } from '../../kernel/sql.ts'
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

/** What is summed: items alone, or their points and minutes too. */
type FlowMeasures = 'items' | 'items and estimates'

/** The days of a period until today, of the stays (`s`, of the items `t`) that fulfil the condition. */
export async function flowOf(ctx: Context, period: Period, where: Sql, what: FlowMeasures): Promise<FlowDay[]> {
  const steps = await bounded(ctx, () => ctx.sql<Step>`${unprepared(statement(period, where, what))}`)
  return accumulated(period, steps, ctx.now)
}

/** Each stay is a step into its category and, if it has ended, one out of it. What came before the period is a step of its first day. */
function statement({ timezone, first, to }: Period, where: Sql, what: FlowMeasures): Sql {
  const sums =
    what === 'items'
      ? raw('0 as points, 0 as minutes')
      : raw('sum(f.n * t.points)::float8 as points, sum(f.n * t.estimate_minutes)::float8 as minutes')
  return sql`select to_char(d.day, 'YYYY-MM-DD') as date, d.category, d.count, d.points, d.minutes from (
    select greatest((f.at at time zone ${timezone}::text)::date, ${first}::date) as day, s.category, sum(f.n)::int as count, ${sums}
    from ${stays} cross join lateral (values (s.from_at, 1), (s.to_at, -1)) f(at, n)
    where ${where} and f.at < ${to}::timestamptz group by 1, 2) d`
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
