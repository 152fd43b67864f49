import { users } from '../../admin/user/user.ts'
import { permission, staff } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { capacities } from './capacity.ts'
import { maxDays, periodOf, periodQuery } from './period.ts'

const usualDays = 28

const capacity = operation({
  permission: permission('userCapacity.read', staff),
  mode: 'read',
  summary: 'Capacity of a user',
  description: `The minutes that a user can work on each day, and what determines them: an entry of \`capacity\`, else the working hours (as a text, or a clock), else eight hours on weekdays; less the absence: leave, or time that is booked on a code of leave. The reason of an absence is not shown. At most ${maxDays} days.`,
  query: periodQuery(usualDays),
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
    const days = periodOf(ctx.now, query, usualDays)
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

export const routes: Routes = {
  'GET /user/:id/capacity': capacity,
}
