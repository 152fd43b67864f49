import { Temporal } from 'temporal-polyfill'
import { users } from '../../admin/user/user.ts'
import { permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { isDate } from '../../kernel/schema/formats.ts'
import { capacities, type Day, daysBetween } from './capacity.ts'

const maxDays = 400
const usualDays = 28

const capacity = operation({
  permission: permission('userCapacity.read', staff),
  mode: 'read',
  summary: 'Capacity of a user',
  description: `The minutes that a user can work on each day, and what determines them: an entry of \`capacity\`, else the working hours (as a text, or a clock), else eight hours on weekdays; less the absence: leave, or time that is booked on a code of leave. The reason of an absence is not shown. At most ${maxDays} days.`,
  query: {
    from: { type: 'string', format: 'date', description: 'The first day; today in UTC by default.' },
    to: { type: 'string', format: 'date', description: `The last day; by default the period has ${usualDays} days.` },
  },
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'DayCapacity',
        properties: {
          date: { type: 'string', format: 'date' },
          minutes: { type: 'integer' },
          plannedMinutes: { type: 'integer', description: 'The minutes if there were no absence.' },
          source: { type: 'string', enum: ['capacity', 'workingHours', 'clock', 'default'] },
          since: { type: ['string', 'null'], description: 'The first day of the entry of `capacity` that applies.' },
          clockId: { type: 'string' },
          absence: {
            type: ['object', 'null'],
            properties: { from: { type: 'string' }, to: { type: ['string', 'null'] } },
          },
        },
        required: ['date', 'minutes', 'plannedMinutes', 'source', 'since', 'clockId', 'absence'],
      },
    },
    description: 'The days in order.',
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    const days = daysOf(ctx, query)
    const { id } = await users.get(ctx, params.id ?? '', { deleted: true })
    const found = (await capacities(ctx, [id], days)).get(id) ?? []
    return {
      body: found.map(({ date, minutes, plannedMinutes, source, since, clockId, absence }) => ({
        date,
        minutes,
        plannedMinutes,
        source,
        since,
        clockId,
        absence,
      })),
    }
  },
})

function daysOf({ now }: Context, query: Record<string, unknown>): Day[] {
  const from = String(query.from ?? now.toISOString().slice(0, 10))
  const faults = ['from', 'to'].flatMap(name =>
    query[name] === undefined || isDate(String(query[name]))
      ? []
      : [fault([name], 'date', 'must be a date', query[name])],
  )
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  const first = Temporal.PlainDate.from(from)
  const last = query.to === undefined ? first.add({ days: usualDays - 1 }) : Temporal.PlainDate.from(String(query.to))
  const count = first.until(last, { largestUnit: 'day' }).days + 1
  if (count < 1 || count > maxDays || last.year > 9999)
    throw new Invalid([fault(['to'], 'range', `must be 0 to ${maxDays - 1} days after from`, query.to)])
  return daysBetween(first.toString(), last.toString())
}

export const routes: Routes = {
  'GET /user/:id/capacity': capacity,
}
