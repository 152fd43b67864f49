import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startTestService } from '../../../test/support/people.ts'
import { proveLogs } from '../../commands/operator/audit-command.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { readSettings } from '../../platform/settings.ts'
import { allowForgetting, sealLog, sealTenant } from './audit-chain.ts'

const { ada, database, databaseUrl, dataDir, person } = await startTestService()
const settings = readSettings({ DATA_DIR: dataDir })
const { tenantId } = ada

/** Runs work as the owner of the database, who reaches every row of a tenant, and undoes it. */
async function tampering<T>(statements: readonly string[], work: () => Promise<T>, keep = false): Promise<T> {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    await owner.query(`create schema if not exists kept; set row_security = off`)
    for (const table of saved) {
      await owner.query(`alter table ${table} no force row level security; drop table if exists kept.${table}`)
      await owner.query(`create table kept.${table} as table ${table}`)
    }
    for (const statement of statements) await owner.query(statement, statement.includes('$1') ? [tenantId] : [])
    return await work()
  } finally {
    if (!keep)
      for (const table of saved)
        await owner.query(`delete from ${table}; insert into ${table} select * from kept.${table}`)
    for (const table of saved) await owner.query(`alter table ${table} force row level security`)
    await owner.end()
  }
}
const saved = ['event', 'audit_entry', 'audit_seal', 'audit_chain']

const prove = () => proveLogs(database, settings).catch((error: Error) => error.message)
const seal = () => sealLog(database, dataDir).run(new AbortController().signal)

/** Writes a few changes and seals them: three seals with a batch each. */
for (const title of ['One', 'Two', 'Three']) {
  await ada.post('/item', { title })
  await ada.post('/access-control', { userId: (await person({ name: title })).id, role: 3 })
  await sealTenant(database, tenantId)
}
await seal()
const [endOfThree] = await database.single(tenantCaller(tenantId), async ctx =>
  (await ctx.sql<{ head: string }>`select head from audit_chain where tenant_id = ${tenantId}`).map(({ head }) => head),
)

test('an untouched log is proven, and so are later entries', async () => {
  assert.match(await prove(), /acme: \d+ rows in 3 seals, unbroken/)
  await ada.post('/item', { title: 'Four' })
  assert.match(await prove(), /rows in 3 seals, \d+ not sealed yet, unbroken/)
  await seal()
  assert.match(await prove(), /rows in 4 seals, unbroken[\s\S]*the log is unbroken/)
})

const last = (table: string) =>
  `(xact, id) = (select xact, id from ${table} where tenant_id = $1 order by xact desc, id desc limit 1)`
const first = (table: string) => last(table).replaceAll(' desc', '')

for (const [what, statements, where] of [
  [
    'a changed event',
    [
      `update event set changes = '{}' where kind = 'item.created' and ${first('event')} or tenant_id = $1 and kind = 'accessControl.created'`,
    ],
    /accessControl.created \S+ of \S+ was changed \(seal 1\)/,
  ],
  [
    'a changed audit entry',
    [`update audit_entry set address = '192.0.2.1' where tenant_id = $1 and ${last('audit_entry')}`],
    /audit \w+ \S+ of \S+ was changed \(seal \d\)/,
  ],
  [
    'a removed event',
    [`delete from event where tenant_id = $1 and kind = 'item.created'`],
    /a row after .+ was removed \(seal 1\)\n {2}a row at the beginning of seal 2 was removed/,
  ],
  [
    'an added event',
    [
      `insert into event (tenant_id, xact, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes) select tenant_id, xact, gen_random_uuid(), at, 'item.forged', entity, record_id, actor_id, actor_kind, change_set_id, '{}' from event where tenant_id = $1 and kind = 'item.created' limit 1`,
    ],
    /item.forged \S+ of \S+ was added \(seal 1\)/,
  ],
  [
    'removed last rows',
    [`delete from event where tenant_id = $1 and ${last('event')}`],
    /at the beginning of seal 4 was removed/,
  ],
  ['a removed seal', ['delete from audit_seal where tenant_id = $1 and n = 2'], /seals are missing from 2 on, of 4/],
  [
    'last rows removed with their seal',
    [
      `delete from event e using audit_seal s where e.tenant_id = $1 and s.tenant_id = $1 and s.n = 3 and (e.xact, e.id) > (s.xact, s.id)`,
      'delete from audit_seal where tenant_id = $1 and n = 4',
    ],
    /seals are missing from 4 on, of 4/,
  ],
  [
    'a removed end of the chain',
    ['delete from audit_chain where tenant_id = $1'],
    /the end of the chain is gone, and 4 seals are there/,
  ],
  [
    'the end of the chain of another tenant',
    [
      'update audit_chain set head = (select head from audit_chain c where c.tenant_id <> $1 limit 1) where tenant_id = $1',
    ],
    /the end of the chain is that of another tenant/,
  ],
] as const)
  test(`${what} shows, with its place`, async () => {
    const found = await tampering(statements, prove)
    assert.match(found, where)
    assert.match(found, /the log is BROKEN/)
  })

test('an older end of the chain with its rows and seals shows by the file outside of the database', async () => {
  const found = await tampering(
    [
      `delete from event e using audit_seal s where e.tenant_id = $1 and s.tenant_id = $1 and s.n = 3 and (e.xact, e.id) > (s.xact, s.id)`,
      'delete from audit_seal where tenant_id = $1 and n = 4',
      `update audit_chain c set head = '${endOfThree}', xact = s.xact, id = s.id from audit_seal s where c.tenant_id = $1 and s.tenant_id = $1 and s.n = 3`,
    ],
    prove,
  )
  assert.match(found, /in 3 seals\n {2}seal 4 was written and is gone: the end of the log was cut off/)
})

test('anonymising a user leaves a proven log', async () => {
  const dan = await person({ name: 'Dan', email: 'dan@example.com' })
  await seal()
  await ada.post(`/user/${dan.id}/anonymise`, {})
  await seal()
  assert.match(await prove(), /\d+ without an anonymised user, unbroken/)
})

test('retention deletes what is sealed, and the rest stays proven', async () => {
  const oldest = await database.transaction(tenantCaller(tenantId), ctx =>
    allowForgetting(ctx, new Date(Date.now() + 1000)),
  )
  assert.ok(oldest)
  await ada.post('/item', { title: 'Five' })
  await seal()
  const until = `(xact, id) <= ('${oldest.xact}'::xid8, '${oldest.id}'::uuid)`
  await tampering(
    [`delete from event where tenant_id = $1 and ${until}`],
    async () => {
      assert.match(await prove(), /acme: \d+ rows in \d+ seals, unbroken/)
    },
    true,
  )
  const broken = await tampering([`delete from event where tenant_id = $1 and kind = 'item.created'`], prove)
  assert.match(broken, /was removed/)
  const changed = await tampering(
    [`update audit_entry set address = '192.0.2.1' where tenant_id = $1 and ${first('audit_entry')}`],
    prove,
  )
  assert.match(changed, /was changed \(seal 1\)/)
})
