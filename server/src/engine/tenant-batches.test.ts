import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../kernel/id.ts'
import { openTenantBatches } from './tenant-batches.ts'

test('what arrives during a run is done by the next one, up to the limit, and tenants do not wait for each other', async () => {
  const runs: string[][] = []
  const held = Promise.withResolvers<void>()
  const batch = openTenantBatches<string, string>(3)
  const [mine, theirs] = [newId(), newId()]
  const ask = (tenantId: string, input: string) =>
    batch(tenantId, input, async inputs => {
      runs.push([...inputs])
      if (input === 'a') await held.promise
      return inputs.map(each => each.toUpperCase())
    })
  const first = ask(mine, 'a')
  await new Promise(setImmediate)
  const later = ['b', 'c', 'd', 'e'].map(each => ask(mine, each))
  assert.equal(await ask(theirs, 'z'), 'Z')
  held.resolve()
  assert.deepEqual(await Promise.all([first, ...later]), ['A', 'B', 'C', 'D', 'E'])
  assert.deepEqual(runs, [['a'], ['z'], ['b', 'c', 'd'], ['e']])
})

test('if a run of several fails, each is run by itself, and only those that fail then have failed', async () => {
  const runs: string[][] = []
  const batch = openTenantBatches<string, string>(8)
  const tenantId = newId()
  const ask = (input: string) =>
    batch(tenantId, input, async inputs => {
      runs.push([...inputs])
      if (inputs.includes('bad')) throw new Error('no')
      return inputs.map(each => each.toUpperCase())
    })
  const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map(ask))
  assert.deepEqual(
    outcomes.map(each => (each.status === 'fulfilled' ? each.value : 'failed')),
    ['A', 'failed', 'C'],
  )
  assert.deepEqual(runs, [['a', 'bad', 'c'], ['a'], ['bad'], ['c']])
})

test('of those that are run by themselves, one that waits holds up no other, nor what comes later', async () => {
  const done = Promise.withResolvers<void>()
  const batch = openTenantBatches<string, string>(8)
  const tenantId = newId()
  const ask = (input: string) =>
    batch(tenantId, input, async inputs => {
      if (inputs.includes('locked')) {
        if (inputs.length > 1) throw new Error('no lock')
        await done.promise
      }
      return inputs.map(each => each.toUpperCase())
    })
  const locked = ask('locked')
  assert.equal(await ask('beside'), 'BESIDE')
  assert.equal(await ask('later'), 'LATER')
  done.resolve()
  assert.equal(await locked, 'LOCKED')
})

test('if nothing can be gathered for a run, it fails for those who wait for it, and the next one begins', async () => {
  const failures = [new Error('no')]
  const batch = openTenantBatches<string, string>(8, async () => {
    const failure = failures.pop()
    if (failure) throw failure
  })
  const tenantId = newId()
  const ask = (input: string) => batch(tenantId, input, async inputs => inputs.map(each => each.toUpperCase()))
  await assert.rejects(ask('a'), /no/)
  await new Promise(setImmediate)
  assert.equal(await ask('b'), 'B')
})
