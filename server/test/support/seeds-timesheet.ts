import type { Seed } from './seed.ts'

/** The seeds of calendars, timesheets and delegations; see `seeds`. */
export const timesheetSeeds: Record<string, Seed> = {
  TimeCalendar: (_b, all) => (all ? { kind: 3, dates: ['2990-01-01', '2990-02-01'] } : {}),
}
