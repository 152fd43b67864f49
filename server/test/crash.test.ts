import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crashRound, openScene, type Scene } from '../../bench/crash/round.ts'
import { missedDamages } from '../../bench/crash/self-test.ts'

// The short form of `npm run crash`: the service and its database are each killed once, in the middle of an import.

// The time to recover is measured by `npm run crash`, which has the machine to itself.
const slowly = { rows: 150, longestRest: Number.POSITIVE_INFINITY, longestTelling: 600_000 }

describe('what was acknowledged survives a crash, whole and once', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-crash-'))
  let scene: Scene
  before(async () => {
    scene = await openScene(dataDir)
  })
  after(async () => {
    await scene.service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('of the service', async () => {
    const { violations } = await crashRound(scene, {
      run: 'a',
      victim: 'service',
      mode: 'external',
      ...slowly,
    })
    assert.deepEqual(violations, [])
  })

  test('of the database, which comes back by itself', async () => {
    const { violations } = await crashRound(scene, {
      run: 'b',
      victim: 'database',
      mode: 'key',
      ...slowly,
    })
    assert.deepEqual(violations, [])
  })

  test('and the check detects a lost write', async () => {
    assert.deepEqual(await missedDamages(scene), [])
  })
})
