import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf } from './day-input.ts'
import { addDays, daysBetween, today } from './days.ts'

const zones = ['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Auckland']

test('the day is that of the person, on both sides of midnight and of the date line', () => {
  const evening = new Date('2026-11-16T10:30:00Z')
  assert.deepEqual(
    zones.map(zone => today(zone, evening)),
    ['2026-11-16', '2026-11-16', '2026-11-16', '2026-11-16'],
  )
  const late = new Date('2026-11-16T18:45:00Z')
  assert.deepEqual(
    zones.map(zone => today(zone, late)),
    ['2026-11-16', '2026-11-16', '2026-11-17', '2026-11-17'],
  )
  const early = new Date('2026-11-16T03:00:00Z')
  assert.deepEqual(
    zones.map(zone => today(zone, early)),
    ['2026-11-15', '2026-11-16', '2026-11-16', '2026-11-16'],
  )
})

test('what is typed is the same day in every zone, also over the change of the clocks', () => {
  // Los Angeles changes on 1 November and 8 March, Auckland on 27 September and 5 April.
  for (const now of ['2026-10-31', '2026-11-01', '2027-03-13', '2027-03-14', '2026-09-26', '2026-09-27', '2027-04-03'])
    for (const zone of zones) {
      const noon = new Date(`${now}T12:00:00Z`)
      const here = today(zone, noon)
      assert.equal(dayOf('today', here), here)
      assert.equal(daysBetween(here, dayOf('tomorrow', here) ?? ''), 1)
      assert.equal(daysBetween(here, dayOf('+2w', here) ?? ''), 14)
      const friday = dayOf('fri', here) ?? ''
      assert.equal(new Date(`${friday}T00:00:00Z`).getUTCDay(), 5)
      assert.ok(daysBetween(here, friday) >= 1 && daysBetween(here, friday) <= 7, `${zone} ${here} ${friday}`)
      assert.match(dayOf('12.3.', here) ?? '', /^202[678]-03-12$/)
      assert.equal(addDays(addDays(here, 30), -30), here)
    }
})

test('a day of no year is the next one, and a day that does not exist is none', () => {
  assert.equal(dayOf('12.3.', '2026-03-12'), '2026-03-12')
  assert.equal(dayOf('12.3.', '2026-03-13'), '2027-03-12')
  assert.equal(dayOf('31.2.', '2026-03-13'), undefined)
  assert.equal(dayOf('29.2.2028', '2026-03-13'), '2028-02-29')
})
