import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datedFaults, entryOn } from '../../records/dated.ts'
import { absenceFaults, capacityFaults } from './dated-entries.ts'

const week = [480, 480, 480, 480, 480, 0, 0]
const codes = (faults: { Field: string; Code: string }[]) => faults.map(({ Field, Code }) => `${Field} ${Code}`)

test('all faults of dated entries are reported at once', () => {
  assert.deepEqual(codes(capacityFaults([{ from: '2026-01-01', minutesPerWeekday: week }])), [])
  assert.deepEqual(
    codes(
      capacityFaults([
        { from: '2026-06-01', to: '2026-05-01', minutesPerWeekday: [480] },
        { from: '2026-01-01', to: '2026-06-01', clockId: 'x' },
        { from: '2027-01-01' },
      ]),
    ),
    [
      'capacity.0.minutesPerWeekday week',
      'capacity.2.minutesPerWeekday required',
      'capacity.0.to range',
      'capacity.0.from overlap',
    ],
  )
})

test('an entry without an end lasts until the next one, an absence without an end lasts indefinitely', () => {
  const entries = [{ from: '2026-01-01' }, { from: '2026-03-01' }]
  const rateFaults = (rates: object[]) => datedFaults('rates', rates, 'until the next')
  assert.deepEqual(codes(rateFaults(entries)), [])
  assert.deepEqual(codes(rateFaults([...entries, { from: '2026-03-01' }])), ['rates.2.from overlap'])
  assert.deepEqual(codes(absenceFaults(entries)), ['absence.1.from overlap'])
  assert.deepEqual(codes(absenceFaults([{ from: '2026-01-01', to: '2026-02-28' }, { from: '2026-03-01' }])), [])
})

test('the latest entry that has begun applies, unless it has ended', () => {
  const entries = [{ from: '2026-03-01', to: '2026-04-30' }, { from: '2026-01-01' }]
  const on = (date: string) => entryOn(entries, date)?.from
  assert.deepEqual(['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01', '2026-04-30', '2026-05-01'].map(on), [
    undefined,
    '2026-01-01',
    '2026-01-01',
    '2026-03-01',
    '2026-03-01',
    undefined,
  ])
})
