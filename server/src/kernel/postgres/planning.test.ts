import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asOwner, freshDatabase } from '../../../test/support/database/database.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../context.ts'
import { openDatabase } from '../database.ts'
import { newId } from '../id.ts'
import { planned, sql } from '../sql.ts'

const url = await freshDatabase()
// The servers of tests plan all statements once.
await asOwner(url, undefined, `alter database ${new URL(url).pathname.slice(1)} set plan_cache_mode = 'auto'`)
const database = openDatabase({ url, poolSize: 1, queueSize: 10, statementTimeout: 600_000 })
after(() => database.close())

const caller = tenantCaller(newId())
const once = (ctx: Context, n: number) => ctx.sql`${planned(sql`select ${n}::int as once`, 'once')}`
const byCost = (ctx: Context, n: number) => ctx.sql`select ${n}::int as by_cost`
const eachTime = (ctx: Context, n: number) => ctx.sql`${planned(sql`select ${n}::int as each_time`, 'each time')}`

/** How often each statement was planned for any values and for its own, on the only connection of the pool. */
async function plans(): Promise<Record<string, string>> {
  const rows = await database.single(
    caller,
    ctx => ctx.sql<{ name: string; plans: string }>`select substring(statement from 'as ([a-z_]+)$') as name,
      generic_plans || ' ' || custom_plans as plans from pg_prepared_statements where statement like 'select $1::int as %'`,
  )
  return Object.fromEntries(rows.map(({ name, plans }) => [name, plans]))
}

test('a statement that is planned once is planned for any values at its first call, and only that one', async () => {
  for (const n of [1, 2])
    await database.single(caller, async ctx => {
      await once(ctx, n)
      await byCost(ctx, n)
      await eachTime(ctx, n)
    })
  assert.deepEqual(await plans(), { once: '2 0', by_cost: '0 2' })
  await database.single(caller, ctx => once(ctx, 4))
  await database.transaction(caller, ctx => byCost(ctx, 4))
  assert.deepEqual(await plans(), { once: '3 0', by_cost: '0 3' })
})

test('a transaction that is rolled back leaves the setting as it was', async () => {
  await database.single(caller, ctx => once(ctx, 5))
  await assert.rejects(database.transaction(caller, async ctx => Promise.reject(await byCost(ctx, 5))))
  await database.single(caller, ctx => byCost(ctx, 6))
  await database.single(caller, ctx => once(ctx, 6))
  await assert.rejects(database.transaction(caller, async ctx => Promise.reject(await once(ctx, 7))))
  await database.single(caller, ctx => once(ctx, 8))
  // A transaction is planned by costs, whatever its statements ask for.
  assert.deepEqual(await plans(), { once: '6 1', by_cost: '0 5' })
})
