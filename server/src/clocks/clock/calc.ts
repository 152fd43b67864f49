import { operation } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { instantOf } from '../../kernel/schema/formats.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { hoursPartsOf } from '../region/region.ts'
import { workingTimeOf } from '../working-time/hours-periods.ts'
import { clocks, maxMinutes } from './clock.ts'

interface Body {
  from: string
  to?: string | null
  minutes?: number | null
}

const body: Schema = {
  type: 'object',
  properties: {
    from: { type: 'string', format: 'date-time', maxLength: 40 },
    to: {
      type: 'string',
      format: 'date-time',
      maxLength: 40,
      nullable: true,
      description: 'Counts the working time between `from` and `to`.',
    },
    minutes: {
      type: 'integer',
      minimum: -maxMinutes,
      maximum: maxMinutes,
      nullable: true,
      description: 'Finds the instant that is this number of working minutes after `from`, or before it if negative.',
    },
  },
  required: ['from'],
  additionalProperties: false,
}

const answer: Schema = {
  type: 'object',
  properties: {
    from: { type: 'string', format: 'date-time' },
    to: { type: 'string', format: 'date-time' },
    minutes: { type: 'number' },
    seconds: { type: 'integer' },
  },
  required: ['from', 'to', 'minutes', 'seconds'],
}

/** The years in which time is counted. */
const [firstYear, lastYear] = [1970, 2199]

/** Counts working time on a clock, so that its hours can be checked. */
export const calc = operation<Body>({
  permission: clocks.permissions.read,
  mode: 'read',
  summary: 'Count working time on a clock',
  description:
    'With `to`: the working minutes between `from` and `to`. With `minutes`: the instant that is this number of working minutes after `from`, or before it if negative; 0 outside of the hours gives the next opening. The current hours count.',
  body: { schema: body, read: reader<Body>(body), example: { from: '2026-03-27T15:00:00Z', minutes: 240 } },
  reply: { status: 200, schema: answer, description: 'The counted time.' },
  refusals: [404, 422],
  async run(ctx, { params, body: question }) {
    const clock = await clocks.get(ctx, params.id ?? '')
    const { from, to, minutes } = readQuestion(question)
    const time = workingTimeOf(await hoursPartsOf(ctx, clock))
    const end = to ?? (minutes < 0 ? time.subtract(from, -minutes * 60_000) : time.add(from, minutes * 60_000))
    const passed = to === undefined ? minutes * 60_000 : to < from ? -time.between(to, from) : time.between(from, to)
    return {
      body: {
        from: new Date(from).toISOString(),
        to: new Date(end).toISOString(),
        minutes: passed / 60_000,
        seconds: Math.trunc(passed / 1000),
      },
    }
  },
})

function readQuestion({ from, to, minutes }: Body): { from: number; to: number | undefined; minutes: number } {
  const faults = []
  const given = [to ?? undefined, minutes ?? undefined].filter(each => each !== undefined)
  if (given.length !== 1) faults.push(fault(['to'], 'one-of', 'either `to` or `minutes` is required'))
  for (const [name, text] of [
    ['from', from],
    ['to', to],
  ] as const) {
    const year = text ? Number(instantOf(text).slice(0, 4)) : firstYear
    if (!(year >= firstYear && year <= lastYear))
      faults.push(fault([name], 'range', `must lie in the years ${firstYear} to ${lastYear}`, text))
  }
  if (faults.length > 0) throw new Invalid(faults)
  const at = (text: string) => Date.parse(instantOf(text))
  return { from: at(from), to: to ? at(to) : undefined, minutes: minutes ?? 0 }
}
