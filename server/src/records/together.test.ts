import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freshDatabase } from '../../test/support/database/database.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import type { Context } from '../kernel/context.ts'
import { openDatabase } from '../kernel/database.ts'
import { newId } from '../kernel/id.ts'
import { sqlState } from '../kernel/postgres/sql-state.ts'
import { together } from './together.ts'

const divisionByZero = '22012'
const inFailedTransaction = '25P02'

describe('statements that run together', async () => {
  const database = openDatabase({ url: await freshDatabase(), poolSize: 1, queueSize: 10, statementTimeout: 600_000 })
  after(() => database.close())
  const caller = tenantCaller(newId())
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  after(() => process.off('unhandledRejection', note))

  const one = (ctx: Context) => ctx.sql<{ n: number }>`select 1 as n`
  const zero = 0
  const failing = (ctx: Context) => ctx.sql<{ n: number }>`select 1 / ${zero}::int as n`
  /** The connection of the pool, which has one only. */
  const backend = async () => await database.single(caller, ctx => ctx.sql`select pg_backend_pid() as pid`)

  test('answer in the order in which they were given', async () => {
    const found = await database.single(caller, ctx =>
      together([ctx.sql`select 1 as n from pg_sleep(0.05)`, 'no statement', ctx.sql`select 2 as n`]),
    )
    assert.deepEqual(found, [[{ n: 1 }], 'no statement', [{ n: 2 }]])
  })

  for (const way of ['single', 'transaction'] as const)
    test(`fail as a whole if one in the middle fails, and leave the connection usable (${way})`, async () => {
      const before = await backend()
      const ended: string[] = []
      await assert.rejects(
        database[way](caller, async ctx => {
          const reads = [one(ctx), failing(ctx), ctx.sql`select 1 as n from pg_sleep(0.1)`] as const
          reads[2].then(
            () => ended.push('ran'),
            error => ended.push(sqlState(error)),
          )
          await together(reads)
        }),
        error => sqlState(error) === divisionByZero,
      )
      // Each statement by itself is its own transaction; in one transaction the failure ends those behind it.
      assert.deepEqual(ended, [way === 'single' ? 'ran' : inFailedTransaction])
      assert.deepEqual(await database[way](caller, one), [{ n: 1 }])
      assert.deepEqual(await backend(), before, 'the same connection')
    })

  test('fail by the first failure of several, and none is unhandled', async () => {
    await assert.rejects(
      database.transaction(caller, ctx => together([failing(ctx), one(ctx), failing(ctx)])),
      error => sqlState(error) === divisionByZero,
    )
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(unhandled, [])
  })
})
