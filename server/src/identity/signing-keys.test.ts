import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as jose from 'jose'
import { openTestDatabase, seal } from './oauth/test-service.ts'
import { openSigningKeys, rotateSigningKeys, type SigningKeys } from './signing-keys.ts'

const database = await openTestDatabase()

async function sign({ keys: [key] }: SigningKeys): Promise<string> {
  assert.ok(key)
  return await new jose.SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(await jose.importJWK(key))
}

const verify = (token: string, { findKey }: SigningKeys) => jose.jwtVerify(token, findKey)

test('whoever starts first, all end with the same keys', async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => openSigningKeys(database, seal)))
  const [first] = opened
  assert.ok(first)
  for (const each of opened) {
    assert.deepEqual(each.keys, first.keys)
    assert.deepEqual(each.derive('cookies'), first.derive('cookies'))
    await verify(await sign(each), first)
  }
  assert.equal(first.keys.length, 1)
  assert.notDeepEqual(first.derive('cookies'), first.derive('store'))
})

test('the private part lies sealed', async () => {
  const { keys } = await openSigningKeys(database, seal)
  const [row] = await database.atDoor<{
    text: string
  }>`select value::text as text from installation where key = 'signing-keys'`
  assert.ok(row?.text.includes(keys[0]?.kid ?? '?'))
  assert.ok(!row?.text.includes(keys[0]?.d ?? '?'))
  assert.ok(!row?.text.includes('"d"'))
})

test('after a rotation the newest signs and the older ones still verify', async () => {
  let now = 0
  const before = await openSigningKeys(database, seal, () => now)
  const old = await sign(before)
  const kid = await rotateSigningKeys(database, seal)
  const after = await openSigningKeys(database, seal)
  assert.equal(after.keys[0]?.kid, kid)
  assert.equal(after.keys[1]?.kid, before.keys[0]?.kid)
  assert.deepEqual(after.derive('cookies'), before.derive('cookies'))
  await verify(old, after)
  const fresh = await sign(after)
  await assert.rejects(verify(fresh, before), 'a running process has not heard of it yet')
  now += 31_000
  await verify(fresh, before)
  for (let i = 0; i < 3; i++) await rotateSigningKeys(database, seal)
  const latest = await openSigningKeys(database, seal)
  assert.equal(latest.keys.length, 3)
  assert.equal(new Set(latest.keys.map(key => key.kid)).size, 3)
  await assert.rejects(verify(old, latest), 'what is long over is forgotten')
})
