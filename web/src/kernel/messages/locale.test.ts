import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localeFor } from './messages.ts'

test('dates are written as where the person is, or else the browser, in the language of the texts', () => {
  assert.equal(localeFor('en', ['en-US', '', 'en-GB']), 'en-US')
  assert.equal(localeFor('en', ['en', 'de', 'en-AU', 'en']), 'en-AU')
  assert.equal(localeFor('de', ['de', '', 'en-US', 'de-AT']), 'de-AT')
  assert.equal(localeFor('en', ['en', '', 'de-DE']), 'en-GB')
  assert.equal(localeFor('en', ['en-', 'en-nonsense-!']), 'en-GB')
})
