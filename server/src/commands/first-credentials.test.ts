import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { greet } from './first-credentials.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gantry-first-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))
const settings = { dataDir, baseUrl: 'http://127.0.0.1:3000' }
const credentials = { email: 'admin@localhost', password: 'open sesame', RawKey: 'gty_canary', token: 'ticket-canary' }

test('the first credentials go to a file that only the operator reads, and to a terminal', () => {
  const file = join(dataDir, 'first-credentials.txt')
  const shown = greet(settings, credentials, true)
  for (const value of Object.values(credentials)) assert.ok(shown.includes(value))
  const logged = greet(settings, credentials, false)
  for (const value of Object.values(credentials)) assert.ok(!logged.includes(value), value)
  assert.ok(logged.includes(file) && logged.includes('curl -s -X POST http://127.0.0.1:3000/api/item'))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const stored = readFileSync(file, 'utf8')
  assert.match(stored, /API key +gty_canary/)
  assert.match(stored, /^ *begin at +http:\/\/127\.0\.0\.1:3000\/invitation\/ticket-canary\?first\n/)
})
