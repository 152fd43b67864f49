import { readShifts } from '../../admin/working-hours.ts'
import type { HoursPart } from '../../clocks/calendar/calendar.ts'
import { clocks } from '../../clocks/clock/clock.ts'
import { hoursPartsOf, workingTimeOf } from '../../clocks/region/region.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import type { NotifiedUser } from './preference.ts'

/** Returns when a user may be mailed: now, or at the start of their next working hours if those are known. */
export async function earliestMailTime(ctx: Context, reader: NotifiedUser): Promise<Date> {
  const hours = reader.quietHours ? await hoursOf(ctx, reader) : undefined
  if (!hours) return ctx.now
  try {
    return new Date(workingTimeOf(hours).add(ctx.now.getTime(), 0))
  } catch (error) {
    if (error instanceof RuleBroken) return ctx.now // a calendar without any working time sets no limit
    throw error
  }
}

/** Reads working hours such as `Mon-Fri 09:00-17:30`, or the id of a clock. A mere number of hours gives no calendar. */
async function hoursOf(ctx: Context, { workingHours, timezone }: NotifiedUser): Promise<HoursPart[] | undefined> {
  if (isId(workingHours)) {
    const clock = await clocks.find(ctx, workingHours.toLowerCase())
    return clock && (await hoursPartsOf(ctx, clock))
  }
  const shifts = readShifts(workingHours)
  if (!shifts) return undefined
  const schedule = shifts.flatMap(({ days, start, end }) =>
    [...days].map(day => ({ day, intervals: [{ start, end }] })),
  )
  const noOthers = { dayStart: '', dayEnd: '', weekStart: '', weekEnd: '', nonWorkingDay: [], exceptions: [] }
  return [{ calendar: { ...noOthers, timezone, schedule } }]
}
