import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from './settings.ts'

test('OUTBOUND_HTTP is true or false, and anything else stops the start', () => {
  for (const [given, wanted] of [
    [undefined, false],
    ['', false],
    ['false', false],
    ['true', true],
  ] as const)
    assert.equal(readSettings({ OUTBOUND_HTTP: given }).outboundHttp, wanted)
  for (const given of ['maybe', 'TRUE', '1', 'yes'])
    assert.throws(() => readSettings({ OUTBOUND_HTTP: given }), /OUTBOUND_HTTP must be true or false/)
})
