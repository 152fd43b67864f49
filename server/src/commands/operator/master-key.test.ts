import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/people.ts'
import { sealedTables } from '../../app/reseal.ts'
import { sealTenant } from '../../engine/audit-chain/audit-chain.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { openSecrets, readSecret, storeSecret } from '../../platform/secrets.ts'
import { readSettings } from '../../platform/settings.ts'
import { dropMasterKeys, rotateMasterKey } from './master-key-commands.ts'

const { ada, database, databaseUrl, dataDir } = await startTestService()
const settings = readSettings({ DATA_DIR: dataDir })
const input = { settings, url: databaseUrl, words: [] }
const file = join(dataDir, 'master.key')
const lines = () => readFileSync(file, 'utf8').trim().split('\n')
const { tenantId } = ada

const inTenant = <T>(work: Parameters<typeof database.single<T>>[1]) => database.single(tenantCaller(tenantId), work)

test('the master key is rotated while the service runs, and nothing needs the old one afterwards', async () => {
  const hook = await ada.post('/hook', { name: 'H', url: 'https://example.com/in', headers: ['X-Key: canary'] })
  await inTenant(ctx => storeSecret(ctx, hook.id, 'before', 'kept'))
  await sealTenant(database, tenantId)
  const [old = ''] = lines()

  // The service that runs writes secrets all the time.
  let stop = false
  const written: string[] = []
  const writer = (async () => {
    for (let i = 0; !stop; i++) {
      await inTenant(ctx => storeSecret(ctx, hook.id, `n${i}`, `v${i}`))
      written.push(`n${i}`)
    }
  })()
  const said = await rotateMasterKey(input)
  stop = true
  await writer
  assert.match(said, /\d+ values are sealed with the new key now\nthe old key is still in master.key/)
  assert.equal(lines().length, 2)
  assert.equal(lines()[1], old)
  assert.equal(statSync(file).mode & 0o777, 0o600)

  assert.match(await dropMasterKeys(input), /the older keys are dropped/)
  assert.equal(lines().length, 1)
  assert.notEqual(lines()[0], old)

  // A process that starts now knows only the new key, and opens everything; one that has only the old key opens nothing.
  const fresh = openSecrets(settings)
  const known = database.serving({ secrets: fresh })
  for (const name of ['before', ...written.slice(-3)])
    assert.ok(await known.single(tenantCaller(tenantId), ctx => readSecret(ctx, hook.id, name)), name)
  const former = openSecrets({ masterKey: old, dataDir })
  const rows = await inTenant(
    ctx =>
      ctx.sql<{
        name: string
        owner: string
        sealed: Buffer
      }>`select name, owner_id as owner, sealed from secret where tenant_id = ${tenantId}`,
  )
  assert.ok(rows.length > 2)
  for (const row of rows) assert.throws(() => former.openFor(tenantId, row.owner, row.name, row.sealed))
  const [chain] = await inTenant(
    ctx => ctx.sql<{ head: string }>`select head from audit_chain where tenant_id = ${tenantId}`,
  )
  assert.ok(fresh.openText('audit-chain', chain?.head ?? ''))
  const stored = await database.crossTenantSql<{
    value: { keys: { sealed: string }[]; secret: string }
  }>`select value from installation where key = 'signing-keys'`
  for (const sealed of stored.flatMap(({ value }) => [value.secret, ...value.keys.map(each => each.sealed)]))
    assert.ok(fresh.openText('signing-keys', sealed))

  // The service goes on without a restart.
  assert.equal((await ada.ask('PATCH', `/hook/${hook.id}`, { body: { headers: ['X-Key: another'] } })).status, 200)
  assert.equal(await dropMasterKeys(input), 'there is only one key')
})

test('an interrupted rotation is resumed with the key that it began with', async () => {
  const owner = tenantId
  await inTenant(ctx => storeSecret(ctx, owner, 'x', 'kept'))
  const [old = ''] = lines()
  // Interrupted after the new key was written and before anything was sealed with it.
  writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64')}\n${old}\n`)
  await assert.rejects(dropMasterKeys(input), /values are sealed with an older key; run master-key rotate first/)
  await rotateMasterKey(input)
  assert.deepEqual(lines(), [Buffer.alloc(32, 7).toString('base64'), old])
  assert.match(await rotateMasterKey(input), /^0 values/)
  assert.equal(await inTenant(ctx => readSecret(ctx, owner, 'x')), 'kept')
})

test('keys from the environment are rotated by adding one, moving it to the front and dropping the other', async () => {
  const [one, two] = ['1', '2'].map(digit => digit.repeat(64))
  const at = (masterKey: string) => openSecrets({ masterKey, dataDir })
  const sealed = at(`${one}`).sealText('x', 'kept')
  assert.equal(at(`${one},${two}`).openText('x', sealed), 'kept')
  const resealed = at(`${two},${one}`).sealText('x', 'kept')
  assert.equal(at(`${one},${two}`).openText('x', resealed), 'kept')
  assert.equal(at(`${two}`).openText('x', resealed), 'kept')
  assert.throws(() => at(`${two}`).openText('x', sealed))
})

test('every column with sealed values is part of a rotation', async () => {
  const rows = await database.crossTenantSql<{
    table: string
  }>`select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and a.attname = 'sealed' and c.relkind = 'r' order by 1`
  assert.deepEqual(
    rows.map(({ table }) => table),
    sealedTables.map(({ table }) => table).sort(),
  )
})
