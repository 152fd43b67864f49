import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { isOver } from './closed/closed.ts'
import { dayLimit } from './entry/day-limit.ts'
import { splitAtMidnights } from './entry/midnight.ts'
import { localDay } from './time-entry.ts'

/** A local day: where, when it begins in UTC, and its hours; with the days before and after it. */
const days: [timezone: string, before: string, date: string, after: string, begins: string, hours: number][] = [
  ['Europe/Berlin', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-28T23:00:00Z', 23],
  ['Europe/Berlin', '2025-10-25', '2025-10-26', '2025-10-27', '2025-10-25T22:00:00Z', 25],
  ['Asia/Kolkata', '2026-03-30', '2026-03-31', '2026-04-01', '2026-03-30T18:30:00Z', 24],
  // Clocks change at midnight, so that the day begins at one o'clock.
  ['America/Santiago', '2025-09-06', '2025-09-07', '2025-09-08', '2025-09-07T04:00:00Z', 23],
  ['Africa/Cairo', '2026-04-23', '2026-04-24', '2026-04-25', '2026-04-23T22:00:00Z', 23],
  // The last hour of the day happens twice.
  ['America/Santiago', '2026-04-03', '2026-04-04', '2026-04-05', '2026-04-04T03:00:00Z', 25],
  // Clocks change by half an hour.
  ['Australia/Lord_Howe', '2026-04-04', '2026-04-05', '2026-04-06', '2026-04-04T13:00:00Z', 24.5],
  ['Australia/Lord_Howe', '2025-10-04', '2025-10-05', '2025-10-06', '2025-10-04T13:30:00Z', 23.5],
  // Half an hour off, with summer time.
  ['America/St_Johns', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-08T03:30:00Z', 23],
]

const shifted = (instant: string, seconds: number) => new Date(Date.parse(instant) + seconds * 1000).toISOString()

describe('days in time zones', async () => {
  const { ada, database, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })

  for (const [timezone, before, date, after, begins, hours] of days) {
    const length = hours * 3600
    const ends = shifted(begins, length)
    const [start, end] = [shifted(begins, -1800), shifted(ends, 2700)]
    const expected = [
      [before, 1800],
      [date, length],
      [after, 2700],
    ]

    test(`${date} in ${timezone} has ${hours} hours`, () => {
      assert.equal(dayLimit(date, timezone, 0), length)
      const parts = splitAtMidnights(start, end, timezone).map(part => [part.date, part.seconds])
      assert.deepEqual(parts, expected)
      assert.equal(localDay(new Date(begins), timezone), date)
      assert.equal(localDay(new Date(shifted(begins, -1)), timezone), before)
    })

    test(`grace days end with ${date} in ${timezone}`, () => {
      const isClosedAt = (moment: string) => isOver(before, 1, localDay(new Date(moment), timezone))
      assert.deepEqual([isClosedAt(begins), isClosedAt(shifted(ends, -1)), isClosedAt(ends)], [false, false, true])
    })

    test(`a timer over ${date} in ${timezone} fills the day, which the week shows`, async () => {
      const zoe = await person({ name: `Zoe ${timezone} ${date}`, timezone })
      await zoe.post('/time/timer/start', { itemId: item.id })
      // The test moves the start, because a timer begins at most so long ago.
      await database.single(
        tenantCaller(zoe.tenantId),
        ctx =>
          ctx.sql`update timer set started_at = ${start}, stopped_at = ${end} where tenant_id = ${zoe.tenantId} and user_id = ${zoe.id}`,
      )
      const { entries } = await zoe.post('/time/timer/stop', {})
      assert.deepEqual(
        entries.map((each: { date: string; seconds: number }) => [each.date, each.seconds]),
        expected,
      )
      const one = await zoe.ask('POST', '/time', { body: { itemId: item.id, date, seconds: 1 } })
      assert.deepEqual([one.status, one.body.code], [422, 'day-full'])
      const week = await zoe.get(`/time/week/${date}`)
      const [day] = week.days.filter((each: { date: string }) => each.date === date)
      assert.equal(day.totalSeconds, length)
    })
  }
})
