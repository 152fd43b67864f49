import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ordinaryCost } from '../../../test/support/database/quick-passwords.ts'
import { hashPassword, passwordCost, verifyPassword } from './password.ts'

const inTests = { ...passwordCost }
before(() => void Object.assign(passwordCost, ordinaryCost))
after(() => void Object.assign(passwordCost, inTests))

test('a password verifies against its own hash only', async () => {
  const hash = await hashPassword('correct horse battery')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(hash, await hashPassword('correct horse battery'))
  assert.equal(await verifyPassword(hash, 'correct horse battery'), true)
  assert.equal(await verifyPassword(hash, 'correct horse batterx'), false)
  assert.equal(await verifyPassword(undefined, 'correct horse battery'), false)
  assert.equal(await verifyPassword(null, ''), false)
  assert.equal(await verifyPassword('not a hash', 'correct horse battery'), false)
})

// The test measures processor time, because other programs do not affect it.
test('verifying a password without a hash costs as much as with one', async () => {
  const hash = await hashPassword('correct horse battery')
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let i = 0; i < 9; i++) {
    for (const who of ['known', 'unknown'] as const) {
      const before = process.cpuUsage()
      await verifyPassword(who === 'known' ? hash : undefined, 'wrong horse battery')
      const { user, system } = process.cpuUsage(before)
      times[who].push((user + system) / 1000)
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[4] ?? 0
  const [known, unknown] = [median(times.known), median(times.unknown)]
  assert.ok(unknown > known / 3 && unknown < known * 3, `${known} ms and ${unknown} ms`)
})
