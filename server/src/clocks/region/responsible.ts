import { operation } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { formats, instantOf } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import type { Region } from '../calendar/calendar.ts'
import { clocks } from '../clock/clock.ts'
import { workingTimeOf } from '../working-time/hours-periods.ts'
import { type Duty, dutyAt } from './duty.ts'
import { hoursPartsOf } from './region.ts'

const regionProperties: Record<string, Schema> = {
  name: { type: 'string' },
  clockId: { type: 'string', description: 'The clock with the hours of the region.' },
  groupId: { type: 'string', description: 'The user group that works in the region; empty if there is none.' },
}

/** The schema of a region as answers name it. */
export const regionSchema: Schema = {
  type: 'object',
  title: 'ClockRegion',
  properties: regionProperties,
  required: ['name', 'clockId', 'groupId'],
}

const instant: Schema = { type: 'string', format: 'date-time' }

/** The schema of who is on duty. */
export const dutyProperties: Record<string, Schema> = {
  onDuty: {
    type: 'array',
    description: 'The regions that are open, in the order of the clock. The first one is responsible.',
    items: {
      type: 'object',
      properties: { ...regionProperties, until: { ...instant, description: 'When its shift ends.' } },
      required: ['name', 'clockId', 'groupId', 'until'],
    },
  },
  handover: {
    type: 'object',
    nullable: true,
    description: 'When another region, or nobody, is responsible; null if that does not happen within 400 days.',
    properties: {
      at: instant,
      to: { ...regionSchema, nullable: true, description: 'The region that takes over; null if none is open.' },
    },
    required: ['at', 'to'],
  },
}

export const regionBody = ({ name = '', clockId = '', groupId = '' }: Region) => ({ name, clockId, groupId })

/** Who is on duty, as it is sent. */
export function dutyBody({ onDuty, handover }: Duty) {
  const iso = (at: number) => new Date(at).toISOString()
  return {
    onDuty: onDuty.map(({ region, until }) => ({ ...regionBody(region), until: iso(until) })),
    handover: handover ? { at: iso(handover.at), to: handover.to ? regionBody(handover.to) : null } : null,
  }
}

/** The years for which a moment may be asked, as for counted time. */
const [firstYear, lastYear] = [1970, 2199]

export const responsible = operation({
  permission: clocks.permissions.read,
  mode: 'read',
  summary: 'Who is responsible on a clock',
  description:
    'The regions of the clock that are open at a moment, by its current hours, and the next hand-over. Of several open regions the first one in `regions` is responsible as long as it is open. A clock without regions has nobody on duty.',
  query: { at: { ...instant, maxLength: 40, description: 'The moment; now by default.' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'ClockDuty',
      properties: { at: instant, open: { type: 'boolean', description: 'Whether time counts.' }, ...dutyProperties },
      required: ['at', 'open', 'onDuty', 'handover'],
    },
    description: 'Who is on duty.',
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    const clock = await clocks.get(ctx, params.id ?? '')
    const at = readMoment(query.at) ?? ctx.now.getTime()
    const parts = await hoursPartsOf(ctx, clock)
    const open = workingTimeOf(parts).between(at, at + 1) > 0
    return { body: { at: new Date(at).toISOString(), open, ...dutyBody(dutyAt(parts, at)) } }
  },
})

function readMoment(given: unknown): number | undefined {
  if (given === undefined) return undefined
  const text = String(given)
  const format = formats['date-time']
  if (!format?.check(text)) throw new Invalid([fault(['at'], 'date-time', format?.says ?? '', text)])
  const year = Number(instantOf(text).slice(0, 4))
  if (!(year >= firstYear && year <= lastYear))
    throw new Invalid([fault(['at'], 'range', `must lie in the years ${firstYear} to ${lastYear}`, text)])
  return Date.parse(instantOf(text))
}
