import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Instant, LongText } from '../../kernel/schema/values.ts'
import { times } from '../time.ts'
import { findTimer, timers } from './timer.ts'
import {
  changeTimer,
  discardTimer,
  type Ending,
  startTimer,
  stopOrHold,
  switchTimer,
  type TimerInput,
} from './timer-commands.ts'

const example = { itemId: '01890000-0000-7000-8000-000000000000', note: 'Looked for the cable' }
const input = {
  schema: timers.createSchema,
  read: reader<TimerInput>(timers.createSchema, { ignored: timers.serverSet }),
  example,
}
const entries: Schema = {
  type: 'array',
  items: times.schema,
  description: 'The booked time, one entry for each local day.',
}

const read: Operation = {
  permission: timers.permissions.read,
  mode: 'read',
  summary: 'The running timer of the caller',
  description: 'The timer of the caller; 204 if none is running.',
  reply: { status: 200, schema: timers.schema, description: 'The running timer.' },
  also: { 204: 'No timer is running.' },
  async run(ctx) {
    const timer = await findTimer(ctx, ctx.caller.userId)
    return timer ? { body: timer, version: timer.version } : { status: 204 }
  },
}

const start = operation<TimerInput>({
  permission: timers.permissions.create,
  mode: 'write',
  summary: 'Start the timer',
  description:
    'Starts the timer of the caller on an item or on a non-billable code, now or from `startedAt` in the past. If one is running, the answer is 409 `timer-running` with the `current` one.',
  body: input,
  reply: { status: 201, schema: timers.schema, description: 'The running timer.' },
  refusals: [409, 422],
  async run(ctx, { body }) {
    const timer = await startTimer(ctx, body)
    return { body: timer, version: timer.version, headers: { location: '/api/time/timer' } }
  },
})

const switchOver = operation<TimerInput>({
  permission: timers.permissions.create,
  mode: 'write',
  summary: 'Stop the timer and start another',
  description:
    'Stops the running timer, if there is one, and starts the next at the same instant: now, or `startedAt` of the body.',
  body: input,
  reply: {
    status: 200,
    schema: { type: 'object', properties: { entries, timer: timers.schema }, required: ['entries', 'timer'] },
    description: 'The booked time and the running timer.',
  },
  refusals: [422],
  async run(ctx, { body, query }) {
    return { body: await switchTimer(ctx, body, query.dryRun === 'true') }
  },
})

const change = operation<TimerInput>({
  permission: timers.permissions.update,
  mode: 'write',
  summary: 'Change the running timer',
  description:
    'Changes what the timer runs on, its note or its start. The start cannot be moved to the future, or to where the time could not be booked.',
  body: input,
  reply: { status: 200, schema: timers.schema, description: 'The running timer.' },
  refusals: [404, 422],
  async run(ctx, { body }) {
    const timer = await changeTimer(ctx, body)
    return { body: timer, version: timer.version }
  },
})

const ending: Schema = {
  type: 'object',
  properties: { at: { ...Instant, nullable: true }, note: { ...LongText(10_000), nullable: true } },
  additionalProperties: false,
}

const stop = operation<Ending>({
  permission: timers.permissions.update,
  mode: 'write',
  summary: 'Stop the timer',
  description:
    'Stops the timer of the caller, now or `at` a moment since its start, and books its time: one entry for each local day, none for less than a second. If the time is refused (a limit, an archived container), the timer keeps this moment as `stoppedAt`, and can be changed and stopped again.',
  body: { schema: ending, read: reader<Ending>(ending), example: { note: 'Found it' } },
  reply: {
    status: 200,
    schema: { type: 'object', properties: { entries }, required: ['entries'] },
    description: 'The booked time.',
  },
  refusals: [404, 422],
  async run(ctx, { body, query }) {
    const entries = await stopOrHold(ctx, body, query.dryRun === 'true')
    if (!entries) throw new NotFound('timer')
    return { body: { entries } }
  },
})

const discard: Operation = {
  permission: timers.permissions.delete,
  mode: 'write',
  summary: 'Discard the timer',
  description: 'Ends the timer of the caller without booking its time.',
  reply: { status: 204, description: 'The timer is gone.' },
  refusals: [404],
  async run(ctx) {
    await discardTimer(ctx)
    return {}
  },
}

export const routes: Routes = {
  'GET /time/timer': read,
  'PATCH /time/timer': change,
  'DELETE /time/timer': discard,
  'POST /time/timer/start': start,
  'POST /time/timer/switch': switchOver,
  'POST /time/timer/stop': stop,
}
