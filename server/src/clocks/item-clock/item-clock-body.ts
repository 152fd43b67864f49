import type { Schema } from '../../kernel/schema/shape.ts'
import { clockStates, targetKinds } from '../../records/clock-codes.ts'
import { Code } from '../../records/code-table.ts'
import type { ClockCycle } from '../cycle/cycle.ts'
import type { Duty } from '../region/duty.ts'
import { dutyBody, dutyProperties } from '../region/responsible.ts'
import { cycleDuty, type ItemClock, type ItemClocks } from './item-clock.ts'
import { iso } from './item-clock-rows.ts'

const instant: Schema = { type: 'string', format: 'date-time', nullable: true }
const seconds: Schema = { type: 'integer', description: 'Seconds of working time.' }

/** The schema of a clock of an item. */
export const itemClockSchema: Schema = {
  type: 'object',
  title: 'ItemClock',
  properties: {
    clockId: { type: 'string' },
    targetId: { type: 'string' },
    kind: Code(targetKinds, { description: 'The kind of the target.' }),
    cycle: { type: 'integer', description: 'The number of the run, from 1; a reopened item begins another.' },
    version: { type: 'integer', description: 'The version of the clock’s hours.' },
    state: Code(clockStates),
    startedAt: instant,
    elapsed: seconds,
    remaining: { ...seconds, description: 'Seconds of working time until it is due; negative if it is overdue.' },
    greenAt: { ...instant, description: 'From when on a state is shown.' },
    amberAt: instant,
    redAt: instant,
    dueAt: { ...instant, description: 'A paused clock has no due time.' },
    pausedSince: instant,
    pauses: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          from: { type: 'string', format: 'date-time' },
          to: instant,
          reason: { type: 'string' },
        },
        required: ['from', 'to', 'reason'],
      },
    },
    metAt: instant,
    breachedAt: instant,
    breachSeconds: seconds,
    ...dutyProperties,
  },
  required: ['clockId', 'targetId', 'kind', 'cycle', 'version', 'state', 'startedAt', 'elapsed', 'remaining', 'dueAt'],
}

/** A clock of an item as it is sent. */
export function itemClockBody(row: ItemClock, duty: Duty = nobody): Record<string, unknown> {
  const whole = (amount: number) => Math.floor(amount / 1000)
  return {
    clockId: row.clockId,
    targetId: row.targetId,
    kind: row.kind,
    cycle: row.cycle,
    version: row.version,
    state: row.state,
    startedAt: iso(row.startedAt),
    elapsed: whole(row.elapsed),
    remaining: whole(row.remaining),
    greenAt: iso(row.greenAt ?? null),
    amberAt: iso(row.amberAt),
    redAt: iso(row.redAt),
    dueAt: iso(row.dueAt),
    pausedSince: iso(row.pausedSince),
    pauses: row.pauses.map(({ from, to, reason }) => ({ from: iso(from), to: iso(to ?? null), reason })),
    metAt: iso(row.metAt),
    breachedAt: iso(row.breachedAt),
    breachSeconds: whole(row.breached),
    ...dutyBody(duty),
  }
}

/** Nobody is on duty for a clock that has ended, or has no regions. */
const nobody: Duty = { onDuty: [], handover: undefined }

/** All clocks of an item as they are sent. */
export function itemClockBodies({ clocks, replayed }: ItemClocks, now: number): Record<string, unknown>[] {
  const cycles = new Map<ItemClock, ClockCycle | undefined>(replayed.rows.map((row, i) => [row, replayed.cycles[i]]))
  return clocks.map(row => {
    const cycle = cycles.get(row)
    return itemClockBody(row, cycle && cycleDuty(cycle, now))
  })
}
