import type { Context } from '../../kernel/database.ts'
import type { Routes } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource, type Stored, type Values } from '../../kernel/resource.ts'
import { create, get, history, list, remove, restore, update } from '../../kernel/stock.ts'
import { Count, Name, Refs, Texts, TimeOfDay, Timezone, Weekday } from '../../kernel/values.ts'
import { everOpens, horizon, isDayOff } from './calendar.ts'

const shape = {
  name: Name(120),
  container: Refs('Container'),
  timezone: Timezone,
  dayStart: TimeOfDay,
  dayEnd: TimeOfDay,
  weekStart: Weekday,
  weekEnd: Weekday,
  nonWorkingDay: Texts(1000, 40),
  tick: Count(1440),
  greenThreshold: Count(),
  amberThreshold: Count(),
  redThreshold: Count(),
}

export type Clock = Stored<typeof shape>
type ClockValues = Values<typeof shape>

/** Business hours: which minutes count when a promise to a customer is measured. */
export const clocks = resource('Clock', {
  about:
    'A business clock: which minutes count when a promise to a customer is measured. A day that ends at or before its start goes on into the next morning; days off are `2026-12-25`, every year’s `--12-25`, or `2026-12-24/2026-12-31`.',
  shape,
  check: checkClock,
})

function checkClock(ctx: Context, clock: ClockValues, before: Clock | undefined): void {
  const faults = calendarFaults(clock)
  if (faults.length > 0) throw new Invalid(faults)
  refuseTangledThresholds(clock)
  // A calendar that stays as it is has opened once, and is not refused for the time that has gone by.
  const changed =
    !before || calendarProperties.some(each => JSON.stringify(clock[each]) !== JSON.stringify(before[each]))
  if (changed && !everOpens(clock, ctx.now)) {
    throw new RuleBroken('clock-never-open', `the clock has no working minute in ${horizon} days`)
  }
}

const calendarProperties = ['timezone', 'dayStart', 'dayEnd', 'weekStart', 'weekEnd', 'nonWorkingDay'] as const

function calendarFaults({ dayStart, nonWorkingDay }: ClockValues): Fault[] {
  const faults = nonWorkingDay.flatMap((text, i) =>
    isDayOff(text)
      ? []
      : [
          fault(
            ['nonWorkingDay', i],
            'day-off',
            'must be 2026-12-25, --12-25 for every year, or 2026-12-24/2026-12-31',
            text,
          ),
        ],
  )
  if (dayStart.startsWith('24')) faults.push(fault(['dayStart'], 'time-of-day', 'a day begins before 24:00', dayStart))
  return faults
}

/** Rising thresholds are time spent, falling ones time left; 0 is not set. Anything else tells no light from another. */
function refuseTangledThresholds({ greenThreshold, amberThreshold, redThreshold }: ClockValues): void {
  const set = [greenThreshold, amberThreshold, redThreshold].filter(each => each > 0)
  const ordered = (holds: (a: number, b: number) => boolean) =>
    set.every((each, i) => i === 0 || holds(set[i - 1] ?? 0, each))
  if (ordered((a, b) => a <= b) || ordered((a, b) => a >= b)) return
  const message = 'the thresholds must rise from green to red, or fall'
  throw new RuleBroken('thresholds-tangled', message, [
    fault(['amberThreshold'], 'thresholds-tangled', message, amberThreshold),
  ])
}

export const routes: Routes = {
  'GET /clock': list(clocks),
  'POST /clock': create(clocks),
  'PUT /clock': update(clocks),
  'GET /clock/:id': get(clocks),
  'PUT /clock/:id': update(clocks),
  'PATCH /clock/:id': update(clocks),
  'DELETE /clock/:id': remove(clocks),
  'POST /clock/:id/restore': restore(clocks),
  'GET /clock/:id/history': history(clocks),
}
