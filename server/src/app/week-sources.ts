import { subjectDays } from '../plan/allocation/subject-days.ts'
import { capacities, daysBetween } from '../plan/capacity/capacity.ts'
import { ofUsers, plannedIn, secondsOf } from '../plan/load/planned.ts'
import type { WeekSources } from '../time/week/week.ts'

/** What the plan knows of the week of a user: what they can work, and what is firmly planned for items and codes. */
export const weekSources: WeekSources = {
  async capacity(ctx, userId, days) {
    const found = await capacities(ctx, [userId], daysBetween(days[0] ?? '', days.at(-1) ?? ''))
    return found.get(userId) ?? []
  },
  async planned(ctx, userId, days) {
    const week = { from: days[0] ?? '', to: days.at(-1) ?? '' }
    const works = (await plannedIn(ctx, week, ofUsers([userId]))).filter(
      ({ firm, itemId, nonBillable }) => firm && (itemId !== '' || nonBillable !== ''),
    )
    if (works.length === 0) return []
    const known = await subjectDays(ctx, works)
    return works.flatMap(work =>
      secondsOf(work, known, week).map(([date, seconds]) => ({
        itemId: work.itemId,
        nonBillable: work.nonBillable,
        date,
        seconds,
      })),
    )
  },
}
