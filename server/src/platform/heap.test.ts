import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { collectAtRest, heapOptions } from './heap.ts'

test('memory is collected once when the work has ended, and not during it', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let used = 0
  const cpu = mock.method(process, 'cpuUsage', (before?: NodeJS.CpuUsage) => ({
    user: used - (before?.user ?? 0),
    system: 0,
  }))
  const events: string[] = []
  const stop = collectAtRest(() => events.push('collected'))
  const pass = (event: string, ms: number, length = 15_000) => {
    events.push(event)
    used += ms * 1000
    mock.timers.tick(length)
  }
  try {
    for (const event of ['work', 'work']) pass(event, 5000, 3000)
    pass('rest', 20, 3000)
    pass('rest', 20)
    pass('work', 2000)
    pass('rest', 20)
    assert.deepEqual(events, ['work', 'work', 'rest', 'collected', 'rest', 'work', 'rest', 'collected'])
  } finally {
    stop()
    cpu.mock.restore()
    mock.timers.reset()
  }
})

test('a process that was not started with the means to collect can do so', async () => {
  const garbage = new WeakRef({})
  await new Promise(setImmediate) // Until then the object is kept.
  mock.timers.enable({ apis: ['setTimeout'] })
  const stop = collectAtRest()
  const cpu = mock.method(process, 'cpuUsage', () => ({ user: 0, system: 0 }))
  mock.timers.tick(15_000)
  stop()
  cpu.mock.restore()
  mock.timers.reset()
  assert.equal(garbage.deref(), undefined)
})

test('the limit of the operator is that of the heap', () => {
  assert.ok(heapOptions(700).includes('--max-old-space-size=700'))
})
