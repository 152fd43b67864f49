import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortDurationText } from './durations.ts'

test('a short duration has minutes below ten hours, and is not rounded up', () => {
  const said = [0.9, 59.9, 90, 599.9, 600, 4450, -0.9, -90.5, -4450].map(shortDurationText)
  assert.deepEqual(said, ['0m', '59m', '1h 30m', '9h 59m', '10h', '74h', '0m', '−1h 30m', '−74h'])
})
