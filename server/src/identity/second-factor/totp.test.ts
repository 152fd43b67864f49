import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, fromBase32, matchingStep, otpauthUri, stepAt, totp } from './totp.ts'

const key = Buffer.from('12345678901234567890')

test('codes are those of RFC 6238, appendix B', () => {
  for (const [seconds, code] of [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const)
    assert.equal(totp(key, stepAt(new Date(seconds * 1000)), 8), code)
})

test('a code is accepted in its step, and one step before and after it', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const step = stepAt(now)
  for (const drift of [-1, 0, 1]) assert.equal(matchingStep(key, totp(key, step + drift), now), step + drift)
  for (const drift of [-2, 2]) assert.equal(matchingStep(key, totp(key, step + drift), now), undefined)
  for (const code of ['', '12345', '1234567', 'abcdef']) assert.equal(matchingStep(key, code, now), undefined)
})

test('keys are shown in base32 and in an otpauth address', () => {
  assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI')
  assert.deepEqual(fromBase32(base32(key)), key)
  assert.equal(
    otpauthUri('MZXW6YTBOI', 'ada@example.com', 'Gantry Acme & Sons'),
    'otpauth://totp/Gantry%20Acme%20%26%20Sons%3Aada%40example.com?secret=MZXW6YTBOI&issuer=Gantry%20Acme%20%26%20Sons&algorithm=SHA1&digits=6&period=30',
  )
})
