import { capacities, daysBetween } from '../plan/capacity/capacity.ts'
import type { WeekSources } from '../time/week/week.ts'

/** What the plan knows of the week of a user. Nothing is planned for single days yet. */
export const weekSources: WeekSources = {
  async capacity(ctx, userId, days) {
    const found = await capacities(ctx, [userId], daysBetween(days[0] ?? '', days.at(-1) ?? ''))
    return found.get(userId) ?? []
  },
  planned: async () => [],
}
