import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as jose from 'jose'
import { openTestDatabase, seal } from '../oauth/test-service.ts'
import { lifetimes } from '../token-lifetimes.ts'
import { rotateOldSigningKeys, rotateSigningKeys } from './rotation.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'

const database = await openTestDatabase()

const [second, minute, day] = [1000, 60_000, 86_400_000]
const start = Date.parse('2030-01-01T00:00:00Z')
let time = start
const now = () => time
const open = () => openSigningKeys(database, seal, now)
const rotate = (options = {}) => rotateSigningKeys(database, seal, { now, ...options })
const runJob = (days: number) => rotateOldSigningKeys(database, seal, days, now)

/** Every test begins with one key that is a year old. */
beforeEach(async () => {
  await open()
  time = start - 365 * day
  await rotate({ revoke: true })
  time = start
})

async function sign(signingKeys: SigningKeys): Promise<string> {
  const [key] = (await signingKeys.current()).keys
  return await new jose.SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(await jose.importJWK(key))
}

const verify = (token: string, { findKey }: SigningKeys) => jose.jwtVerify(token, findKey)

const kids = async (signingKeys: SigningKeys) => (await signingKeys.current()).keys.map(key => key.kid)

async function storedKeys(): Promise<{ kid: string; created?: string }[]> {
  const [row] = await database.crossTenantSql<{
    keys: { kid: string; created?: string }[]
  }>`select value->'keys' as keys from installation where key = 'signing-keys'`
  return row?.keys ?? []
}

test('processes that start at the same time share the same keys', async () => {
  const fresh = await openTestDatabase()
  const opened = await Promise.all(Array.from({ length: 5 }, () => openSigningKeys(fresh, seal, now)))
  const [first] = opened
  assert.ok(first)
  for (const each of opened) {
    assert.deepEqual(await each.current(), await first.current())
    assert.deepEqual(each.derive('cookies'), first.derive('cookies'))
    await verify(await sign(each), first)
  }
  assert.equal((await first.current()).keys.length, 1)
  assert.notDeepEqual(first.derive('cookies'), first.derive('store'))
})

test('the private part of a key is stored sealed', async () => {
  const [key] = (await (await open()).current()).keys
  const [row] = await database.crossTenantSql<{
    text: string
  }>`select value::text as text from installation where key = 'signing-keys'`
  assert.ok(row?.text.includes(key.kid))
  assert.ok(!row?.text.includes(key.d))
  assert.ok(!row?.text.includes('"d"'))
})

test('a running process publishes a new key within seconds and signs with it after a minute', async () => {
  const process = await open()
  const before = await kids(process)
  const kid = await rotate()
  time += 15 * second
  assert.deepEqual(await kids(process), [...before, kid], 'published, and the old one still signs')
  time += 45 * second
  assert.deepEqual(await kids(process), [kid, ...before])
})

test('a process verifies a token of a new key before it has read the key itself', async () => {
  const other = await open()
  await kids(other)
  await rotate({ revoke: true })
  await verify(await sign(await open()), other)
})

test('an unknown key is refused repeatedly and does not hide a new one', async () => {
  const process = await open()
  const forged = async () => {
    const { privateKey } = await jose.generateKeyPair('ES256')
    return await new jose.SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'forged' }).sign(privateKey)
  }
  for (let n = 0; n < 3; n++) await assert.rejects(verify(await forged(), process))
  await rotate({ revoke: true })
  await verify(await sign(await open()), process)
})

test('an old key verifies until its last signature has expired, and no longer', async () => {
  const process = await open()
  const token = await sign(process)
  const [old] = await kids(process)
  const kid = await rotate()
  const over = start + minute + lifetimes.session * 1000
  time = over - 1
  await verify(token, process)
  assert.deepEqual(await kids(process), [kid, old])
  await runJob(0)
  assert.equal((await storedKeys()).length, 2)
  time = over
  await assert.rejects(verify(token, process))
  assert.deepEqual(await kids(process), [kid])
  await runJob(0)
  assert.deepEqual(
    (await storedKeys()).map(key => key.kid),
    [kid],
  )
})

test('no token is refused before its expiry, whatever the number of rotations', async () => {
  const process = await open()
  const tokens: string[] = []
  for (let n = 0; n < 6; n++) {
    tokens.push(await sign(process))
    await rotate()
    time += 2 * minute
  }
  for (const token of tokens) await verify(token, process)
  assert.equal((await kids(process)).length, 7)
})

test('concurrent rotations all take effect', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => rotate()))
  const stored = (await storedKeys()).map(key => key.kid)
  assert.equal(stored.length, 5)
  assert.ok(made.every(kid => stored.includes(kid)))
})

test('secrets derived for cookies and for the store survive a rotation', async () => {
  const before = (await open()).derive('cookies')
  await rotate({ revoke: true })
  assert.deepEqual((await open()).derive('cookies'), before)
})

test('a revoked key stops verifying within seconds, and the new one signs at once', async () => {
  const process = await open()
  const token = await sign(process)
  const kid = await rotate({ revoke: true })
  time += 15 * second
  await assert.rejects(verify(token, process))
  assert.deepEqual(await kids(process), [kid])
})

test('the job rotates once when the newest key is old enough, and never with an age of 0', async () => {
  const [first] = await storedKeys()
  await runJob(0)
  assert.deepEqual(await storedKeys(), [first])
  await runJob(90)
  const rotated = await storedKeys()
  assert.equal(rotated.length, 2)
  assert.deepEqual(rotated[1], first)
  await runJob(90)
  time += 90 * day - 1
  await runJob(90)
  assert.equal((await storedKeys())[0]?.kid, rotated[0]?.kid)
  time += 1
  await Promise.all([runJob(90), runJob(90)])
  const again = await storedKeys()
  assert.deepEqual(
    again.map(key => key.kid === rotated[0]?.kid),
    [false, true],
    'one new key, and the first is long over',
  )
})

test('keys that were created before rotation existed sign, verify and are rotated', async () => {
  await database.crossTenantSql`update installation set value = jsonb_set(value, '{keys,0}', (value->'keys'->0) - 'created') where key = 'signing-keys'`
  const process = await open()
  const token = await sign(process)
  const [old] = await kids(process)
  await runJob(90)
  const [fresh] = await storedKeys()
  assert.notEqual(fresh?.kid, old)
  time += minute
  assert.deepEqual(await kids(process), [fresh?.kid, old])
  await verify(token, process)
  await verify(await sign(process), await open())
})

test('a short outage of the database does not prevent verification with cached keys', async () => {
  let away = false
  const fickle = (...given: Parameters<typeof database.crossTenantSql>) =>
    away
      ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
      : database.crossTenantSql(...given)
  const process = await openSigningKeys({ crossTenantSql: fickle as typeof database.crossTenantSql }, seal, now)
  const token = await sign(process)
  away = true
  time += minute
  await verify(token, process)
})
