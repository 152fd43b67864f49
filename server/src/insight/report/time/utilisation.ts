import { Temporal } from 'temporal-polyfill'
import { isId } from '../../../kernel/id.ts'
import { isDate } from '../../../kernel/schema/formats.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { and, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { capacities, daysBetween } from '../../../plan/capacity/capacity.ts'
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
    const able = await capacities(ctx, ids, daysBetween(period.first, period.last))
    const days: DayAmounts[] = [
      ...[...able].flatMap(([userId, own]) => own.map(({ date, capacity }) => ({ userId, date, capacity }))),
      ...(await workedParts(ctx, period, team, partOf(input.groupBy ?? usual))),
    ]
    const groups = Map.groupBy(days, day => keyOf(day, input.groupBy ?? usual))
    const rows = [...groups].map(([key, some]) => ({
      key,
      ...valuesIn(key, input.groupBy ?? usual, labels),
      ...sums(some),
    }))
    return rows.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ key, ...row }) => ({ key, text: JSON.stringify(row) }))
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

/** What a user could work on a day, or what they worked on it. */
type DayAmounts = Pick<WorkedDay, 'userId' | 'date'> & Partial<WorkedDay> & { capacity?: number }

/** The values of a group; they identify it. */
function keyOf({ userId, date }: DayAmounts, groupBy: readonly string[]): string {
  return groupBy.map(name => (name === 'user' ? userId : firstDay(date, name as Bucket))).join('_')
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

function sums(days: readonly DayAmounts[]) {
  const sum = (of: 'capacity' | 'worked' | 'billable') => days.reduce((total, day) => total + (day[of] ?? 0), 0)
  const [capacity, worked, billable] = [sum('capacity'), sum('worked'), sum('billable')]
  const share = (part: number) => (capacity === 0 ? null : Math.round((part / capacity) * 10_000) / 10_000)
  return { capacity, worked, billable, utilisation: share(billable), occupation: share(worked) }
}

/** The entries (`t`) with this value. */
function holds(name: string, value: string): Sql {
  if (name === 'user') return isId(value) ? sql`t.user_id = ${value}` : raw('false')
  return isDate(value) ? sql`${bucketOf(name as Bucket, 'date', raw('t.date'), '')} = ${value}::date` : raw('false')
}
