import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CrashSetup, crashRound, openCrashSetup } from '../../bench/crash/round.ts'
import { undetectedDamages } from '../../bench/crash/self-test.ts'
import { isLong } from './support/form.ts'

// The short form of `npm run crash`: the service and its database are each killed once, in the middle of an import.

// `npm run crash` measures the time to recover, because it has the machine to itself.
const withoutTimeLimits = { rows: isLong ? 150 : 50, maxRecovery: Number.POSITIVE_INFINITY, maxDeliveryDelay: 600_000 }

describe('what was acknowledged survives a crash, whole and once', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-crash-'))
  let setup: CrashSetup
  before(async () => {
    setup = await openCrashSetup(dataDir)
    if (!isLong) setup.env.WORKERS = '1' // of the service that is started after the kill
  })
  after(async () => {
    await setup.service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('of the service', async () => {
    const { violations } = await crashRound(setup, {
      run: 'a',
      victim: 'service',
      mode: 'external',
      ...withoutTimeLimits,
    })
    assert.deepEqual(violations, [])
  })

  test('of the database, which comes back by itself', async () => {
    const { violations } = await crashRound(setup, {
      run: 'b',
      victim: 'database',
      mode: 'key',
      ...withoutTimeLimits,
    })
    assert.deepEqual(violations, [])
  })

  test('and the check detects a lost write', async () => {
    assert.deepEqual(await undetectedDamages(setup), [])
  })
})
