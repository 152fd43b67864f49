import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOfPeriod, relativePeriods } from './relative-period.ts'

test('a relative period has the days of the calendar', () => {
  const on = (today: string) =>
    Object.fromEntries(
      relativePeriods.map(period => {
        const { first, last } = daysOfPeriod(period, today)
        return [period, `${first} ${last}`]
      }),
    )
  assert.deepEqual(on('2026-01-01'), {
    today: '2026-01-01 2026-01-01',
    yesterday: '2025-12-31 2025-12-31',
    thisWeek: '2025-12-29 2026-01-04',
    lastWeek: '2025-12-22 2025-12-28',
    thisMonth: '2026-01-01 2026-01-31',
    lastMonth: '2025-12-01 2025-12-31',
    thisQuarter: '2026-01-01 2026-03-31',
    lastQuarter: '2025-10-01 2025-12-31',
    thisYear: '2026-01-01 2026-12-31',
    lastYear: '2025-01-01 2025-12-31',
  })
  assert.deepEqual(daysOfPeriod('lastMonth', '2024-03-31'), { first: '2024-02-01', last: '2024-02-29' })
  assert.deepEqual(daysOfPeriod('lastWeek', '2026-03-01'), { first: '2026-02-16', last: '2026-02-22' })
})
