import type { Seed } from './seed.ts'

const timer: Seed = async b => ({
  itemId: (await b.one('Item')).id,
  nonBillable: undefined,
  startedAt: undefined,
})

/** The seeds of timers, calendars, timesheets and delegations; see `seeds`. */
export const timesheetSeeds: Record<string, Seed> = {
  '/time/timer/start': timer,
  '/time/timer/switch': timer,
  '/time/timer': timer,
  '/time/timer/stop': () => ({ at: undefined }),
  TimeCalendar: (_b, all) => (all ? { kind: 3, dates: ['2990-01-01', '2990-02-01'] } : {}),
}
