import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWorkingHours } from './working-hours.ts'

test('working hours are parsed in all supported forms', () => {
  const cases: [string, number[] | undefined][] = [
    ['40', [480, 480, 480, 480, 480, 0, 0]],
    ['38.5', [462, 462, 462, 462, 462, 0, 0]],
    ['8h', [480, 480, 480, 480, 480, 0, 0]],
    ['Mon-Fri 09:00-17:30', [510, 510, 510, 510, 510, 0, 0]],
    ['Mon-Thu 08:00-16:00, Fri 08:00-12:00', [480, 480, 480, 480, 240, 0, 0]],
    ['Sat-Mon 22:00-06:00', [480, 0, 0, 0, 0, 480, 480]],
    ['', undefined],
    ['when I please', undefined],
    ['200', undefined],
    ['Mon-Fri 25:00-26:00', undefined],
  ]
  for (const [text, expected] of cases) assert.deepEqual(readWorkingHours(text), expected, text)
})
