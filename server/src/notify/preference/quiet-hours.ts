import { readShifts } from '../../admin/working-hours.ts'
import type { Calendar } from '../../clocks/calendar/calendar.ts'
import { clocks } from '../../clocks/clock/clock.ts'
import { workingTime } from '../../clocks/working-time/working-time.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import type { NotifiedUser } from './preference.ts'

/** Returns when a user may be mailed: now, or at the start of their next working hours if those are known. */
export async function earliestMailTime(ctx: Context, reader: NotifiedUser): Promise<Date> {
  const calendar = reader.quietHours ? await calendarOf(ctx, reader) : undefined
  if (!calendar) return ctx.now
  try {
    return new Date(workingTime(calendar).add(ctx.now.getTime(), 0))
  } catch (error) {
    if (error instanceof RuleBroken) return ctx.now // a calendar without any working time sets no limit
    throw error
  }
}

/** Reads working hours such as `Mon-Fri 09:00-17:30`, or the id of a clock. A mere number of hours gives no calendar. */
async function calendarOf(ctx: Context, { workingHours, timezone }: NotifiedUser): Promise<Calendar | undefined> {
  if (isId(workingHours)) return await clocks.find(ctx, workingHours.toLowerCase())
  const shifts = readShifts(workingHours)
  if (!shifts) return undefined
  const schedule = shifts.flatMap(({ days, start, end }) =>
    [...days].map(day => ({ day, intervals: [{ start, end }] })),
  )
  return {
    timezone,
    dayStart: '',
    dayEnd: '',
    weekStart: '',
    weekEnd: '',
    nonWorkingDay: [],
    schedule,
    exceptions: [],
  }
}
