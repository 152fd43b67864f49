import { codeTable } from '../../records/code-table.ts'

/** When a notification runs; a code of 15 or more is a number of minutes. */
export const interval = {
  off: 0,
  quarterHourly: 1,
  hourly: 2,
  daily: 3,
  workingDay: 4,
  weekly: 5,
  fortnightly: 6,
  monthly: 7,
  quarterly: 8,
  onGain: 9,
} as const

/** The smallest code of `interval` that is a number of minutes. */
export const minIntervalMinutes = 15

export const intervals = codeTable(
  'interval',
  {
    off: [interval.off, 'Only when asked for'],
    quarterHourly: [interval.quarterHourly, 'Every 15 minutes'],
    hourly: [interval.hourly, 'Hourly'],
    daily: [interval.daily, 'Daily'],
    workingDay: [interval.workingDay, 'Every working day'],
    weekly: [interval.weekly, 'Weekly'],
    fortnightly: [interval.fortnightly, 'Every two weeks'],
    monthly: [interval.monthly, 'Monthly'],
    quarterly: [interval.quarterly, 'Quarterly'],
    onGain: [interval.onGain, 'When the result gains a record'],
  },
  { code: minIntervalMinutes, name: 'minutes', label: 'Every so many minutes' },
)

/** Which of the matching records a run reports; a code of 10 or more is a maximum of records in a message. */
export const limiter = {
  none: 0,
  newMatches: 1,
  oncePerRecord: 2,
  oncePerDay: 3,
  oncePerWeek: 4,
  changedOnly: 5,
  ifDifferent: 6,
} as const

/** The smallest code of `limiter` that is a maximum of records. */
export const minLimiterCap = 10

export const limiters = codeTable(
  'limiter',
  {
    none: [limiter.none, 'All matches each time'],
    newMatches: [limiter.newMatches, 'New matches only'],
    oncePerRecord: [limiter.oncePerRecord, 'Each record once'],
    oncePerDay: [limiter.oncePerDay, 'Each record once a day'],
    oncePerWeek: [limiter.oncePerWeek, 'Each record once a week'],
    changedOnly: [limiter.changedOnly, 'Records changed since the last time'],
    ifDifferent: [limiter.ifDifferent, 'Only if the list differs from the last one'],
  },
  { code: minLimiterCap, name: 'cap', label: 'At most so many records in a message' },
)
