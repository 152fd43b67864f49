import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/database/database.ts'
import { until } from '../../../test/support/until.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { openDatabase } from '../database.ts'
import { newId } from '../id.ts'

test('a database that is closed answers those who wait for a connection, and ends', async () => {
  const database = openDatabase({ url: await freshDatabase(), poolSize: 1, queueSize: 10, statementTimeout: 600_000 })
  const caller = tenantCaller(newId())
  const held = Promise.withResolvers<void>()
  const ended: string[] = []
  const told = (name: string, work: Promise<unknown>) => void work.then(() => ended.push(name))
  told(
    'holder',
    database.single(caller, async ctx => {
      await ctx.sql`select 1`
      await held.promise
    }),
  )
  await until(() => database.stats().total === 1 && database.stats().idle === 0)
  told(
    'waiting',
    database.single(caller, ctx => ctx.sql`select 1`),
  )
  await until(() => database.stats().waiting === 1)
  told('closed', database.close())
  held.resolve()
  await until(
    () => ended.length === 3,
    () => ended,
  )
  assert.deepEqual(ended, ['holder', 'waiting', 'closed'])
})
