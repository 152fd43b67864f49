import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { asOwner, freshDatabase } from '../../test/support/database/database.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { openDatabase } from '../kernel/database.ts'
import { newId } from '../kernel/id.ts'
import {
  checkMasterKey,
  dropSecrets,
  openSecrets,
  readSecret,
  storeSecret,
  UnsealFailed,
  WrongMasterKey,
} from './secrets.ts'

const playground = mkdtempSync(join(tmpdir(), 'gantry-secrets-'))
const url = await freshDatabase()
const pools = openDatabase({ url, poolSize: 8, queueSize: 50, statementTimeout: 600_000 })

after(async () => {
  await pools.close()
  rmSync(playground, { recursive: true, force: true })
})

const key = (digit: string) => digit.repeat(64)
const secretsOf = (masterKey: string) => openSecrets({ masterKey, dataDir: playground })
const canary = 'canary-Zm9vYmFy-🗝'

test('a sealed value can be opened only for the place that it was sealed for', () => {
  const secrets = secretsOf(key('a'))
  const [tenant, owner] = [newId(), newId()]
  const sealed = secrets.sealFor(tenant, owner, 'Authorization', canary)
  assert.equal(secrets.openFor(tenant, owner, 'Authorization', sealed), canary)
  assert.equal(secrets.openFor(tenant.toUpperCase(), owner.toUpperCase(), 'Authorization', sealed), canary)
  const elsewhere: [string, string, string][] = [
    [newId(), owner, 'Authorization'],
    [tenant, newId(), 'Authorization'],
    [owner, tenant, 'Authorization'],
    [tenant, owner, 'authorization'],
    [tenant, owner, ''],
  ]
  for (const place of elsewhere) assert.throws(() => secrets.openFor(...place, sealed), UnsealFailed)
  assert.throws(() => secretsOf(key('b')).openFor(tenant, owner, 'Authorization', sealed), UnsealFailed)
  assert.throws(() => secrets.openText('Authorization', sealed.toString('base64url')), UnsealFailed)
})

test('the same text is sealed differently each time, and every changed byte is detected', () => {
  const secrets = secretsOf(key('a'))
  const [tenant, owner] = [newId(), newId()]
  const sealed = secrets.sealFor(tenant, owner, 'x', canary)
  assert.notDeepEqual(secrets.sealFor(tenant, owner, 'x', canary), sealed)
  for (let place = 0; place < sealed.length; place++) {
    const changed = Buffer.from(sealed)
    changed[place] = (changed[place] ?? 0) ^ 1
    assert.throws(() => secrets.openFor(tenant, owner, 'x', changed), UnsealFailed)
    assert.throws(() => secrets.openFor(tenant, owner, 'x', sealed.subarray(0, place)), UnsealFailed)
  }
  assert.equal(secrets.openFor(tenant, owner, 'x', secrets.sealFor(tenant, owner, 'x', '')), '')
})

test('secrets of the installation can be opened only for their purpose', () => {
  const secrets = secretsOf(key('a'))
  const sealed = secrets.sealText('signing-keys', canary)
  assert.match(sealed, /^[\w-]+$/)
  assert.equal(secrets.openText('signing-keys', sealed), canary)
  assert.throws(() => secrets.openText('cookies', sealed), UnsealFailed)
  assert.throws(() => secrets.openText('signing-keys', 'nonsense'), UnsealFailed)
})

test('a master key is 32 bytes in hex or base64, and a wrong one is not repeated in the message', () => {
  const bytes = Buffer.from(key('5'), 'hex')
  const sealed = secretsOf(key('5')).sealText('x', canary)
  for (const form of [
    key('5').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ` ${bytes.toString('base64')}\n`,
  ]) {
    assert.equal(secretsOf(form).openText('x', sealed), canary)
  }
  for (const wrong of [
    'hunter2',
    key('5').slice(1),
    `${key('5')}5`,
    `${key('5').slice(1)}!`,
    bytes.toString('base64').replace('V', '!'),
  ]) {
    assert.throws(
      () => secretsOf(wrong),
      (error: Error) =>
        error instanceof WrongMasterKey && error.message.includes('MASTER_KEY') && !error.message.includes(wrong),
    )
  }
})

test('the first start creates a key file that only its owner can read, and later starts use it', () => {
  const dataDir = join(playground, 'fresh', 'data')
  const sealed = openSecrets({ dataDir }).sealText('x', canary)
  const file = join(dataDir, 'master.key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  chmodSync(file, 0o644)
  assert.equal(openSecrets({ dataDir }).openText('x', sealed), canary)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataDir), ['master.key'])
})

test('processes that start for the first time at once agree on one key', async () => {
  const dataDir = join(playground, 'together')
  const script = `import { openSecrets } from ${JSON.stringify(new URL('./secrets.ts', import.meta.url).href)}
    console.log(openSecrets({ dataDir: ${JSON.stringify(dataDir)} }).sealText('x', 'ours'))`
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const started = await Promise.all([start(), start(), start(), start()])
  const secrets = openSecrets({ dataDir })
  assert.deepEqual(
    started.map(({ stdout }) => secrets.openText('x', stdout.trim())),
    ['ours', 'ours', 'ours', 'ours'],
  )
})

test('a stored secret is replaced, read and deleted separately for each owner', async () => {
  const database = pools.serving({ secrets: secretsOf(key('a')) })
  const [caller, hook, other] = [tenantCaller(newId()), newId(), newId()]
  const read = (ownerId: string, name: string) => database.single(caller, ctx => readSecret(ctx, ownerId, name))
  await database.transaction(caller, async ctx => {
    await storeSecret(ctx, hook, 'Authorization', 'first')
    await storeSecret(ctx, hook, 'Authorization', canary)
    await storeSecret(ctx, hook, 'X-Key', 'key')
    await storeSecret(ctx, other, 'Authorization', "the other's")
  })
  assert.equal(await read(hook, 'Authorization'), canary)
  assert.equal(await read(hook, 'X-None'), undefined)
  assert.equal(await database.single(tenantCaller(newId()), ctx => readSecret(ctx, hook, 'Authorization')), undefined)

  await database.transaction(caller, ctx => dropSecrets(ctx, hook, ['Authorization']))
  assert.equal(await read(hook, 'X-Key'), undefined)
  assert.equal(await read(hook, 'Authorization'), canary)
  await database.transaction(caller, ctx => dropSecrets(ctx, hook))
  assert.equal(await read(hook, 'Authorization'), undefined)
  assert.equal(await read(other, 'Authorization'), "the other's")
})

test('the database contains no plaintext secrets, and a row moved to another owner cannot be opened', async () => {
  const database = pools.serving({ secrets: secretsOf(key('a')) })
  const [caller, owner, thief] = [tenantCaller(newId()), newId(), newId()]
  await database.transaction(caller, ctx => storeSecret(ctx, owner, 'token', canary))
  const [row] = await asOwner<{ sealed: Buffer }>(url, undefined, 'select sealed from secret where owner_id = $1', [
    owner,
  ])
  assert.ok(row)
  for (const form of ['utf8', 'hex', 'base64', 'latin1'] as const) {
    const clear = Buffer.from(canary).toString(form)
    assert.ok(!row.sealed.toString('utf8').includes(clear) && !row.sealed.toString('latin1').includes(clear))
  }
  await asOwner(url, undefined, 'update secret set owner_id = $2 where owner_id = $1', [owner, thief])
  await assert.rejects(
    database.single(caller, ctx => readSecret(ctx, thief, 'token')),
    UnsealFailed,
  )
})

test('a wrong master key is detected at the start, however many nodes start at once', async () => {
  const check = (masterKey: string) => checkMasterKey(pools.crossTenantSql, secretsOf(masterKey))
  const keys = ['1', '2', '1', '2', '1', '2', '1', '2'].map(key)
  const outcomes = await Promise.allSettled(keys.map(check))
  const accepted = new Set(keys.filter((_, index) => outcomes[index]?.status === 'fulfilled'))
  assert.equal(accepted.size, 1)
  assert.equal(outcomes.filter(outcome => outcome.status === 'fulfilled').length, 4)
  const [ours = ''] = accepted
  await check(ours)
  await assert.rejects(
    check(key('3')),
    (error: Error) => error instanceof WrongMasterKey && /not the one.*MASTER_KEY/.test(error.message),
  )
})
