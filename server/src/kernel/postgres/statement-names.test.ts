import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database/database.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { openDatabase } from '../database.ts'
import { newId } from '../id.ts'
import { raw, type Sql, sql, statementNames } from '../sql.ts'

const database = openDatabase({ url: await freshDatabase(), poolSize: 1, queueSize: 10, statementTimeout: 600_000 })
const ofTests = { ...statementNames }
after(async () => {
  Object.assign(statementNames, { ...ofTests, generation: statementNames.generation })
  await database.close()
})

const run = (statement: Sql) => database.single(tenantCaller(newId()), ctx => ctx.sql`${statement}`)

/** The prepared statements of the only connection of the pool. */
async function prepared(): Promise<unknown[]> {
  const rows = await run(
    sql`select statement from pg_prepared_statements where statement like '%as number%' order by 1`,
  )
  return rows.map(({ statement }) => statement)
}

test('a statement is prepared when it comes again, also after many others, which are forgotten then', async () => {
  Object.assign(statementNames, { max: 4, atOnce: true })
  // Other files of this process have named statements, too. When all names are given up, only the last of these has one.
  const { generation } = statementNames
  for (let n = 0; statementNames.generation === generation; n++) await run(sql`select ${raw(String(n))} as other`)
  statementNames.atOnce = false
  const statements = [
    sql`select 1 as number`,
    sql`select 2 as number`,
    sql`select 3 as number`,
    sql`select 4 as number`,
  ]
  for (const statement of statements) for (let time = 0; time < 3; time++) await run(statement)
  assert.deepEqual(await prepared(), ['select 4 as number'])
})
