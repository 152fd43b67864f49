import assert from 'node:assert/strict'
import { constants, getPriority } from 'node:os'
import { after, describe, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database/database.ts'
import { until } from '../../../test/support/until.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { ContextOptions } from '../../kernel/context.ts'
import { openDatabase } from '../../kernel/database.ts'
import { newId } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { openAdmission } from './admission.ts'
import { openSlowPool } from './slow-pool.ts'
import { openSlowSlots } from './slow-slots.ts'
import { openSlowTime } from './slow-time.ts'

const [flooding, other] = [tenantCaller(newId()), tenantCaller(newId())]
const search = { mode: 'read' } as const

/** A database with four connections, whose clock the test moves; requests end when the test says so. */
async function open() {
  let clock = 0
  const admission = openAdmission({
    connections: 4,
    queueSize: 100,
    slowSlots: openSlowSlots(2),
    maxWait: 600_000,
    now: () => clock,
  })
  const database = openDatabase({
    url: await freshDatabase(),
    poolSize: 4,
    queueSize: 100,
    statementTimeout: 600_000,
    connectTimeout: 600_000,
    admission,
  })
  after(() => database.close())
  const running: { tenant: string; end: () => void }[] = []
  const order: string[] = []
  /** Sends a request that holds its connection until it is ended. */
  function send(caller: typeof flooding, operation?: typeof search): Promise<void> {
    return database.single(
      caller,
      async ctx => {
        await ctx.sql`select 1`
        order.push(caller === flooding ? 'flooding' : 'other')
        await new Promise<void>(end => running.push({ tenant: caller.tenantId, end }))
      },
      { operation },
    )
  }
  const endNext = () => running.shift()?.end()
  /** Ends these requests as they run, until none is left. */
  async function endAll(requests: readonly Promise<void>[]): Promise<void> {
    let isDone = false
    const all = Promise.all(requests).finally(() => (isDone = true))
    await until(() => {
      endNext()
      return isDone
    })
    await all
  }
  return { database, send, running, order, endNext, endAll, wait: (ms: number) => (clock += ms) }
}

describe('one tenant among others', async () => {
  const { database, send, running, order, endNext, endAll } = await open()

  test('has never all connections, so that a request of another tenant runs at once', async () => {
    const flood = Array.from({ length: 10 }, () => send(flooding))
    await until(() => running.length === 3)
    assert.deepEqual(await database.single(other, ctx => ctx.sql`select 'answered' as other`), [{ other: 'answered' }])
    assert.deepEqual([running.length, database.stats().waiting], [3, 7])

    // Those who wait get connections in turn, whoever came first.
    const others = [1, 2, 3].map(() => send(other))
    await until(() => running.length === 4)
    order.length = 0
    while (order.length < 6) {
      const before = order.length
      endNext()
      await until(() => order.length > before)
    }
    assert.deepEqual(order.filter(each => each === 'other').length, 2)
    await endAll([...flood, ...others])
  })
})

describe('slow requests', async () => {
  const { database, send, running, endNext, endAll, wait } = await open()

  test('of unknown cost start alone, and then take turns in slots that leave room for others', async () => {
    const flood = Array.from({ length: 8 }, () => send(flooding, search))
    await until(() => running.length === 1)
    wait(1000)
    endNext()
    // One slot of two is the share of a tenant that is not alone.
    for (let left = 7; left > 0; left--) {
      await until(() => running.length === 1)
      assert.deepEqual(await database.single(flooding, ctx => ctx.sql`select 1 as quick`), [{ quick: 1 }])
      wait(1000)
      endNext()
    }
    await Promise.all(flood)
  })

  test('do not make the same operation slow for another tenant', async () => {
    const flood = [1, 2].map(() => send(flooding, search))
    await until(() => running.length === 1)
    const first = send(other, search)
    await until(() => running.length === 2)
    running.pop()?.end()
    await first
    const others = [1, 2].map(() => send(other, search))
    await until(() => running.length === 3)
    await endAll([...flood, ...others])
  })
})

test('slow requests that come among quick ones use up the time of a tenant, which comes back with the clock', () => {
  let clock = 0
  const slowTime = openSlowTime(() => clock)
  const tenantId = newId()
  for (let i = 0; i < 1000; i++) slowTime.add(tenantId, 40)
  assert.equal(slowTime.isExceeded(tenantId), false, 'these were quick')
  slowTime.add(tenantId, 3000)
  assert.equal(slowTime.isExceeded(tenantId), false)
  slowTime.add(tenantId, 3000)
  assert.deepEqual([slowTime.isExceeded(tenantId), slowTime.isExceeded(newId())], [true, false])
  clock += 10_000
  assert.equal(slowTime.isExceeded(tenantId), false)
})

test('those who wait too long are told to come again, as the fault of the tenant or of all', async () => {
  const admission = openAdmission({ connections: 2, queueSize: 1, slowSlots: openSlowSlots(1) })
  const database = openDatabase({
    url: await freshDatabase(),
    poolSize: 2,
    queueSize: 100,
    statementTimeout: 600_000,
    admission,
  })
  after(() => database.close())
  const held = Promise.withResolvers<void>()
  const hold = () => database.single(flooding, () => held.promise)
  const all = [hold(), hold()]
  await assert.rejects(
    hold(),
    error => error instanceof Refusal && error.status === 429 && error.headers['retry-after'] === '5',
  )
  const others = database.single(other, () => held.promise)
  await assert.rejects(
    database.single(other, async () => {}),
    error => error instanceof Refusal && error.status === 429,
  )
  await assert.rejects(
    database.single(tenantCaller(newId()), async () => {}),
    error => error instanceof Refusal && error.status === 503,
  )
  held.resolve()
  await Promise.all([...all, others])
})

test('slow requests that only read are served with a lower priority, all others as usual', async () => {
  let clock = 0
  const url = await freshDatabase()
  const slowPool = openSlowPool({ url, statementTimeout: 600_000 }, 1)
  const slowSlots = openSlowSlots(1)
  const admission = openAdmission({ connections: 2, queueSize: 100, slowSlots, slowPool, now: () => clock })
  const database = openDatabase({ url, poolSize: 2, queueSize: 100, statementTimeout: 600_000, admission })
  after(() => Promise.all([database.close(), slowPool.end()]))
  const [reads, writes] = [{ mode: 'read' }, { mode: 'write' }] as const
  /** Sends a request that takes so long, and returns the priority of the process that served it. */
  const send = (operation: ContextOptions['operation'], ms: number) =>
    database.single(
      flooding,
      async ctx => {
        const [row] = await ctx.sql<{ pid: number }>`select pg_backend_pid() as pid`
        clock += ms
        return getPriority(row?.pid)
      },
      { operation },
    )
  for (const operation of [reads, writes]) assert.equal(await send(operation, 1000), 0)
  assert.deepEqual([await send(reads, 1), await send(writes, 1)], [constants.priority.PRIORITY_BELOW_NORMAL, 0])
  assert.equal(await send({ mode: 'read' }, 1), 0)
})
