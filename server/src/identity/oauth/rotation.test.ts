import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as jose from 'jose'
import { rotateSigningKeys } from '../signing-keys/rotation.ts'
import { cli, clientOf, getJson } from './test-client.ts'
import { makeTenant, makeUser, openTestDatabase, seal, startService } from './test-service.ts'

const database = await openTestDatabase()
let time = Date.now()
const now = () => time
const service = await startService(database, { now })
// A second process of the same installation, under the same base URL.
const other = await startService(database, { now, baseUrl: service.baseUrl })
const { at, signInTo, refresh } = clientOf(service.baseUrl)
const ada = await makeUser(database, await makeTenant(database, 'harbour'), 'ada@example.com')

const kidOf = (token: string | undefined) => jose.decodeProtectedHeader(token ?? '').kid
const shownKids = async () => ((await getJson(at('jwks'))).body.keys as { kid: string }[]).map(key => key.kid)

test('a key rotation signs nobody out, refuses no token and needs no restart', async () => {
  const first = await signInTo(cli, ada)
  const kid = await rotateSigningKeys(database, seal, { now })
  time += 15_000
  assert.deepEqual(await shownKids(), [kidOf(first.access_token), kid])
  time += 45_000
  assert.deepEqual(await shownKids(), [kid, kidOf(first.access_token)])

  const { body: second } = await refresh(first.refresh_token)
  assert.equal(kidOf(second.access_token), kid)
  assert.equal(kidOf(second.id_token), kid)
  for (const { verifyAccessToken } of [service, other])
    for (const token of [first.access_token, second.access_token])
      assert.equal((await verifyAccessToken(token ?? '')).userId, ada.userId)

  const third = await signInTo(cli, ada)
  assert.equal(kidOf(third.access_token), kid)
  const leave = await fetch(`${at('logout')}?${new URLSearchParams({ id_token_hint: first.id_token ?? '' })}`)
  assert.equal(leave.status, 200, 'an ID token of the old key still identifies the user at sign-out')
})

test('revoking keys invalidates their tokens, and refresh tokens still yield new ones', async () => {
  const before = await signInTo(cli, ada)
  const kid = await rotateSigningKeys(database, seal, { now, revoke: true })
  time += 15_000
  assert.deepEqual(await shownKids(), [kid])
  await assert.rejects(other.verifyAccessToken(before.access_token ?? ''))
  const { body } = await refresh(before.refresh_token)
  assert.equal(kidOf(body.access_token), kid)
  assert.equal((await other.verifyAccessToken(body.access_token ?? '')).userId, ada.userId)
})
