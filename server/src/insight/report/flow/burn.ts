import { cycles } from '../../../containers/cycle/cycle.ts'
import { statusCategory } from '../../../items/status.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { fault, Invalid } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { raw, sql } from '../../../kernel/sql.ts'
import { burndownOf } from '../../../planning/cycle/cycle.ts'
import { sources } from '../../query/source.ts'
import { type FlowAmount, type FlowDay, flowOf } from '../../summary/flow.ts'
import { readPeriod } from '../period.ts'
import { computedReport } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common, dates, rowOf } from '../report-schema.ts'
import { staysAtEnd } from './cumulative-flow.ts'

interface BurnInput extends ReportInput {
  cycleId?: Id
}

const { timezone = {}, containerIds = {}, conditionGroup = {} } = common
const amount: Schema = {
  type: 'object',
  title: 'CycleAmount',
  properties: { count: { type: 'number' }, points: { type: 'number' }, minutes: { type: 'number' } },
}

/** Work that is left, day by day: of a cycle, or of containers. */
export const burn = computedReport<BurnInput>('burn', {
  about:
    'The scope, the done and the remaining work at the end of each day, in items, points and estimated minutes. With `cycleId` it is the burndown of the cycle, which is the same for everybody and has an ideal line; without, it is that of the containers in the period, with the points and minutes that the items have now. Cancelled items are out of scope.',
  source: sources.Item,
  reveals: ['status', 'statusCategory', 'created'],
  body: bodyWith<BurnInput>(
    { ...dates, cycleId: { type: 'string', maxLength: 36 }, timezone, containerIds, conditionGroup },
    { dated: false, example: { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T23:59:59Z' } },
  ),
  row: rowOf(
    'burn',
    {
      date: { type: 'string', format: 'date' },
      scope: amount,
      done: amount,
      inProgress: amount,
      remaining: amount,
      ideal: amount,
    },
    ['date'],
  ),
  refusals: [404],
  async rows(ctx, input) {
    if (input.cycleId !== undefined) return await ofCycle(ctx, input.cycleId)
    const days = await flowOf(ctx, readPeriod(ctx, dated(input), 366), input, 'items and estimates')
    return days.map(day => ({ text: JSON.stringify(tally(day)), key: day.date }))
  },
  async records(ctx, input, key) {
    return await staysAtEnd(ctx, input, key, sql`s.category <> ${raw(String(statusCategory.cancelled))}`)
  },
})

function dated(input: BurnInput): BurnInput {
  const faults = (['startDate', 'endDate'] as const)
    .filter(each => input[each] === undefined)
    .map(each => fault([each], 'required', 'is required without cycleId'))
  if (faults.length > 0) throw new Invalid(faults)
  return input
}

/** The days of a cycle have no records of their own: the log tells what was in it. */
async function ofCycle(ctx: Context, cycleId: Id) {
  const { days } = await burndownOf(ctx, await cycles.get(ctx, cycleId))
  return days.map(day => ({ text: JSON.stringify(day), key: null }))
}

function tally({ date, categories }: FlowDay) {
  const sum = (...some: number[]) =>
    some.reduce<FlowAmount>(
      (total, category) => {
        const { count = 0, points = 0, minutes = 0 } = categories.get(category) ?? {}
        return { count: total.count + count, points: total.points + points, minutes: total.minutes + minutes }
      },
      { count: 0, points: 0, minutes: 0 },
    )
  const { backlog, unstarted, started, waiting, done } = statusCategory
  return {
    date,
    scope: sum(backlog, unstarted, started, waiting, done),
    done: sum(done),
    inProgress: sum(started, waiting),
    remaining: sum(backlog, unstarted, started, waiting),
  }
}
