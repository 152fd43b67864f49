import { Temporal } from 'temporal-polyfill'
import { isId } from '../../../kernel/id.ts'
import { isDate } from '../../../kernel/schema/formats.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { and, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { capacities, daysBetween } from '../../../plan/capacity/capacity.ts'
import { together } from '../../../records/together.ts'
import { sources } from '../../query/source.ts'
import { type Bucket, bucketOf, buckets, readPeriod } from '../period.ts'
import { computedReport } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common, rowOf } from '../report-schema.ts'
import { bookingTeamOf } from './team.ts'
import { type WorkedDay, workedBy, workedParts } from './worked-time.ts'

const { timezone = {}, userIds = {} } = common
const usual = ['user']
const names: readonly string[] = [...usual, ...buckets]
const amount = (description: string): Schema => ({ type: 'integer', description })
const maxDays = 366

/** How much of their capacity users work, and how much of it is billable. */
export const utilisation = computedReport<ReportInput>('utilisation', {
  about: `The seconds that users could work (their contract without holidays and leave), those that they worked (without drafts and absence) and those of them that are billable. \`utilisation\` is billable ÷ capacity, \`occupation\` worked ÷ capacity; null without capacity. Groups by \`groupBy\`: ${names.join(', ')}; an empty one gives the total. One’s own, or those of all staff with \`time.others\`. At most ${maxDays} days.`,
  source: sources.Time,
  body: bodyWith({
    timezone,
    userIds,
    groupBy: { type: 'array', maxItems: 3, uniqueItems: true, items: { type: 'string', enum: names } },
  }),
  row: rowOf(
    'utilisation',
    {
      user: { type: 'string' },
      userLabel: { type: 'string' },
      ...Object.fromEntries(buckets.map(each => [each, { type: 'string', format: 'date' }])),
      capacity: amount('The seconds that could be worked.'),
      worked: amount('The seconds that were worked.'),
      billable: amount('Those that are billable.'),
      utilisation: { type: ['number', 'null'] },
      occupation: { type: ['number', 'null'] },
    },
    ['capacity', 'worked', 'billable', 'utilisation', 'occupation'],
  ),
  async rows(ctx, input) {
    const period = readPeriod(ctx, input, maxDays)
    const team = await bookingTeamOf(ctx, input.userIds)
    const labels = new Map(team.map(({ id, name }) => [id, name]))
    const ids = team.map(({ id }) => id)
    const groupBy = input.groupBy ?? usual
    // The capacity of all days is computed while the database sums the entries.
    const [able, worked] = await together([
      capacities(ctx, ids, daysBetween(period.first, period.last)),
      workedParts(ctx, period, team, partOf(groupBy)),
    ])
    const groups = groupAmounts(groupBy, able, worked)
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, amounts]) => ({
        key,
        text: JSON.stringify({ ...valuesIn(key, groupBy, labels), ...withShares(amounts) }),
      }))
  },
  async records(ctx, input, key) {
    const period = readPeriod(ctx, input, maxDays)
    const values = key.split('_')
    const chosen = (input.groupBy ?? usual).map((name, i) => holds(name, values[i] ?? ''))
    return and([workedBy(ctx, period, await bookingTeamOf(ctx, input.userIds)), ...chosen])
  },
})

/** The parts of the period in which work can be summed before it is grouped; a week may lie in two months, so two buckets need days. */
function partOf(groupBy: readonly string[]): Bucket | undefined {
  const asked = buckets.filter(each => groupBy.includes(each))
  return asked.length > 1 ? 'day' : asked[0]
}

/** The seconds of a group. */
interface Amounts {
  capacity: number
  worked: number
  billable: number
}

/** Sums what users could work and what they worked, by the key of their group. */
function groupAmounts(
  groupBy: readonly string[],
  able: ReadonlyMap<string, readonly { date: string; capacity: number }[]>,
  worked: readonly WorkedDay[],
): Map<string, Amounts> {
  const groups = new Map<string, Amounts>()
  const placeOf = placeReader(groupBy)
  const groupAt = (place: string, userId: string) => {
    const key = place.replace(anyUser, userId)
    const group = groups.get(key) ?? { capacity: 0, worked: 0, billable: 0 }
    groups.set(key, group)
    return group
  }
  const capacityIn = placeSums(placeOf)
  for (const [userId, days] of able)
    for (const [place, capacity] of capacityIn(days)) groupAt(place, userId).capacity += capacity
  for (const part of worked) {
    const group = groupAt(placeOf(part.date), part.userId)
    group.worked += part.worked
    group.billable += part.billable
  }
  return groups
}

/** Sums days by their place. Users with the same contract share their days, which are summed once. */
function placeSums(placeOf: (date: string) => string) {
  type Days = readonly { date: string; capacity: number }[]
  const known = new Map<Days, ReadonlyMap<string, number>>()
  return (days: Days): ReadonlyMap<string, number> => {
    const found = known.get(days)
    if (found) return found
    const sums = new Map<string, number>()
    for (const { date, capacity } of days) {
      const place = placeOf(date)
      sums.set(place, (sums.get(place) ?? 0) + capacity)
    }
    known.set(days, sums)
    return sums
  }
}

/** Stands for the user in the key of a group. */
const anyUser = '@'

/** The keys of groups without their user. All users have the same days, so each day is looked at once. */
function placeReader(groupBy: readonly string[]): (date: string) => string {
  const known = new Map<string, string>()
  return date => {
    const found =
      known.get(date) ?? groupBy.map(name => (name === 'user' ? anyUser : firstDay(date, name as Bucket))).join('_')
    known.set(date, found)
    return found
  }
}

function valuesIn(key: string, groupBy: readonly string[], labels: ReadonlyMap<string, string>) {
  const values = key.split('_')
  return Object.fromEntries(
    groupBy.flatMap((name, i) => {
      const value = values[i] ?? ''
      return name === 'user'
        ? [
            [name, value],
            ['userLabel', labels.get(value) ?? ''],
          ]
        : [[name, value]]
    }),
  )
}

function firstDay(date: string, bucket: Bucket): string {
  const day = Temporal.PlainDate.from(date)
  const first: Record<Bucket, Temporal.PlainDate> = {
    day,
    week: day.subtract({ days: day.dayOfWeek - 1 }),
    month: day.with({ day: 1 }),
    quarter: day.with({ day: 1, month: day.month - ((day.month - 1) % 3) }),
    year: day.with({ day: 1, month: 1 }),
  }
  return first[bucket].toString()
}

function withShares({ capacity, worked, billable }: Amounts) {
  const share = (part: number) => (capacity === 0 ? null : Math.round((part / capacity) * 10_000) / 10_000)
  return { capacity, worked, billable, utilisation: share(billable), occupation: share(worked) }
}

/** The entries (`t`) with this value. */
function holds(name: string, value: string): Sql {
  if (name === 'user') return isId(value) ? sql`t.user_id = ${value}` : raw('false')
  return isDate(value) ? sql`${bucketOf(name as Bucket, 'date', raw('t.date'), '')} = ${value}::date` : raw('false')
}
