import { Temporal } from 'temporal-polyfill'
import { seesAllItems } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { and, raw, type Sql, sql, unprepared } from '../../kernel/sql.ts'
import type { ConditionGroups } from '../../language/conditions/conditions.ts'
import { sources } from '../query/source.ts'
import { daysOf, type Period } from '../report/period.ts'
import { oneOf } from '../report/report.ts'
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

/** The stays that are counted: those of items that fulfil the conditions, in these containers. */
interface FlowInput {
  containerIds?: readonly Id[]
  conditionGroup?: ConditionGroups
}

/**
 * The days of a period until today. They come from the sums that are kept, and from the stays where these cannot tell: with conditions,
 * in another time zone, or for a caller whose rights depend on more than the container and the visibility of an item.
 */
export async function flowOf(ctx: Context, period: Period, input: FlowInput, what: FlowMeasures): Promise<FlowDay[]> {
  const steps = (await summedSteps(ctx, period, input, what)) ?? (await scannedSteps(ctx, period, input, what))
  return accumulated(period, steps, ctx.now)
}

/** The condition on the stays (`s`) of items (`t`) that are counted. */
export async function countedStays(ctx: Context, { containerIds, conditionGroup = [] }: FlowInput): Promise<Sql> {
  const { where } = await sources.Item.compile(ctx, conditionGroup)
  return and([sources.Item.rows(ctx), where, oneOf(raw('s.container_id'), containerIds)])
}

async function scannedSteps(ctx: Context, period: Period, input: FlowInput, what: FlowMeasures): Promise<Step[]> {
  const counted = staySteps(period, await countedStays(ctx, input), what)
  return await bounded(
    ctx,
    () => ctx.sql<Step>`${unprepared(sql`select ${stepColumns} from (${counted}) d group by 1, 2`)}`,
  )
}

const stepColumns = raw(
  `to_char(d.day, 'YYYY-MM-DD') as date, d.category, sum(d.items)::int as count, sum(d.points)::float8 as points, sum(d.minutes)::float8 as minutes`,
)

/** Each stay is a step into its category and, if it has ended, one out of it. What came before the period is a step of its first day. */
function staySteps({ timezone, first, to }: Period, where: Sql, what: FlowMeasures): Sql {
  const estimates =
    what === 'items'
      ? raw('0 as points, 0 as minutes')
      : raw('sum(f.n * t.points) as points, sum(f.n * t.estimate_minutes) as minutes')
  return sql`select greatest((f.at at time zone ${timezone}::text)::date, ${first}::date) as day, s.category, sum(f.n) as items, ${estimates}
    from ${stays} cross join lateral (values (s.from_at, 1), (s.to_at, -1)) f(at, n)
    where ${where} and f.at < ${to}::timestamptz group by 1, 2`
}

/** The steps as they are kept; undefined if they are not kept for such a request. */
async function summedSteps(
  ctx: Context,
  period: Period,
  { containerIds, conditionGroup = [] }: FlowInput,
  what: FlowMeasures,
): Promise<Step[] | undefined> {
  const seen = (container: string, visibility: string) => seesAllItems(ctx.caller, raw(container), raw(visibility))
  const [ofSums, ofItems] = [seen('k.home_id', 'k.visibility'), seen('t.container_id', 't.visibility')]
  if (conditionGroup.length > 0 || !ofSums || !ofItems) return undefined
  const { timezone, first, last } = period
  const kept = and([sql`k.tenant_id = ${ctx.caller.tenantId}`, ofSums, oneOf(raw('k.container_id'), containerIds)])
  const sums =
    what === 'items'
      ? raw('sum(k.items) as items, 0 as points, 0 as minutes')
      : raw('sum(k.items) as items, sum(k.points) as points, sum(k.minutes) as minutes')
  const others = and([sources.Item.rows(ctx), sql`not ${ofItems}`, oneOf(raw('s.container_id'), containerIds)])
  const found = await bounded(
    ctx,
    // A zone that is not kept has no row here, and one without any steps has a row of nulls.
    () =>
      ctx.sql<Step>`${unprepared(sql`select ${stepColumns} from flow_zone z left join lateral (
      select greatest(k.day, ${first}::date) as day, k.category, ${sums} from flow_day k
        where ${kept} and k.timezone = ${timezone}::text and k.day <= ${last}::date group by 1, 2
      union all
      select greatest((k.at at time zone ${timezone}::text)::date, ${first}::date), k.category, ${sums} from flow_step k
        where ${kept} and k.at < ${period.to}::timestamptz group by 1, 2
      union all ${staySteps(period, others, what)}) d on true
      where z.tenant_id = ${ctx.caller.tenantId} and z.timezone = ${timezone}::text group by 1, 2`)}`,
  )
  return found.length === 0 ? undefined : found.filter(step => step.date !== null)
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
