import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { notifyForget } from '../../../kernel/memory.ts'
import { sql } from '../../../kernel/sql.ts'
import { openAuthentication } from '../../authenticate.ts'
import { callerForUser } from '../../authority.ts'
import { tenantCaller } from '../../tenant-caller.ts'
import { Browser, cli, clientOf, post } from '../test-client.ts'
import {
  changeUser,
  makeKey,
  makeTenant,
  makeUser,
  openTestDatabase,
  password,
  startService,
  type TestUser,
} from '../test-service.ts'

const database = await openTestDatabase()
const service = await startService(database)
const { baseUrl } = service
const { attempt } = clientOf(baseUrl)
const tenantId = await makeTenant(database, 'harbour')

async function stateOf({ tenantId, userId }: TestUser) {
  interface State {
    failures: number
    lockouts: number
    minutes: number | null
    seen: boolean
    version: number
    events: string[]
  }
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<State>`
      select failures, lockouts, round(extract(epoch from password_locked - now()) / 60)::int as minutes, last_seen is not null as seen, version,
        (select coalesce(array_agg(kind order by e.at), '{}') from event e where e.tenant_id = ${tenantId} and e.record_id = u.id) as events
      from "user" u where tenant_id = ${tenantId} and id = ${userId}`,
  )
  assert.ok(row)
  return row
}

test('ten wrong passwords lock an account for a quarter of an hour, then for longer', async () => {
  const dan = await makeUser(database, tenantId, 'dan@example.com')
  for (let i = 0; i < 9; i++) assert.equal((await attempt(dan.email, 'wrong password')).status, 403)
  assert.equal((await attempt(dan.email, password)).in, true, 'nine failures do not lock the account')
  assert.equal((await stateOf(dan)).failures, 0)
  await changeUser(database, dan, sql`failures = 10, failing_since = now()`)
  assert.equal(
    (await attempt(dan.email, password)).in,
    false,
    'the eleventh of several concurrent attempts is refused without a check',
  )
  await changeUser(database, dan, sql`failures = 0`)

  await Promise.all(Array.from({ length: 14 }, () => attempt(dan.email, 'wrong password')))
  const locked = await stateOf(dan)
  assert.deepEqual([locked.lockouts, locked.minutes, locked.events, locked.version], [1, 15, ['user.locked'], 2])
  const refused = await attempt(dan.email, password)
  assert.deepEqual([refused.status, refused.in], [403, false])

  await changeUser(database, dan, sql`password_locked = now() - interval '1 second'`)
  await Promise.all(Array.from({ length: 10 }, () => attempt(dan.email, 'wrong password')))
  assert.deepEqual([(await stateOf(dan)).lockouts, (await stateOf(dan)).minutes], [2, 30])

  await changeUser(database, dan, sql`password_locked = now() - interval '1 second'`)
  await Promise.all(Array.from({ length: 9 }, () => attempt(dan.email, 'wrong password')))
  await changeUser(database, dan, sql`failing_since = now() - interval '16 minutes'`)
  assert.equal((await attempt(dan.email, 'wrong password')).status, 403)
  assert.deepEqual([(await stateOf(dan)).failures, (await stateOf(dan)).lockouts], [1, 2], 'old failures do not count')
  assert.equal((await attempt(dan.email, password)).in, true)
  assert.deepEqual([(await stateOf(dan)).failures, (await stateOf(dan)).lockouts], [0, 0])
})

test('a lock-out stops password sign-in only; the lock of an administrator stops everything', async () => {
  const una = await makeUser(database, tenantId, 'una@example.com')
  const key = await makeKey(database, una)
  const { signInTo, refresh, at } = clientOf(baseUrl)
  const tokens = await signInTo(cli, una)
  const authenticate = openAuthentication(database, service.verifyAccessToken)
  const works = async (credential: string) => {
    const request = { headers: { authorization: `Bearer ${credential}` }, ip: '127.0.0.1' }
    return await authenticate(request as Partial<FastifyRequest> as FastifyRequest).then(
      () => true,
      () => false,
    )
  }
  const basic = { authorization: `Basic ${Buffer.from(`${key.prefix}:${key.raw}`).toString('base64')}` }
  const byKey = () => post(at('token'), { grant_type: 'client_credentials' }, basic)
  let refreshToken = tokens.refresh_token
  const left = async () => {
    await notifyForget(tenantId, false)
    const renewed = await refresh(refreshToken)
    refreshToken = renewed.body.refresh_token ?? refreshToken
    const acting = await callerForUser(database, tenantId, una.userId, [])
    return {
      password: (await attempt(una.email, password)).in,
      key: await works(key.raw),
      token: await works(tokens.access_token ?? ''),
      refresh: renewed.status === 200,
      keyToken: (await byKey()).status === 200,
      rule: acting !== undefined,
    }
  }
  const all = { password: true, key: true, token: true, refresh: true, keyToken: true, rule: true }
  assert.deepEqual(await left(), all)
  await Promise.all(Array.from({ length: 10 }, () => attempt(una.email, 'wrong password')))
  assert.deepEqual(await left(), { ...all, password: false })
  await changeUser(database, una, sql`password_locked = null`)
  assert.deepEqual(await left(), all)
  await changeUser(database, una, sql`locked = now() + interval '1 day'`)
  const none = { password: false, key: false, token: false, refresh: false, keyToken: false, rule: false }
  assert.deepEqual(await left(), none)
})

test('an unknown address, a wrong password and a closed account get the same answer', async () => {
  const gus = await makeUser(database, tenantId, 'gus@example.com')
  const off = await makeUser(database, tenantId, 'off@example.com')
  await changeUser(database, off, sql`active = false`)
  const shown = async (email: string, given: string) => {
    const { status, text } = await attempt(email, given)
    return `${status} ${text.replaceAll(email, 'EMAIL')}`
  }
  const unknown = await shown('nobody@example.com', 'wrong password')
  assert.match(unknown, /^403 [\s\S]*do not match[\s\S]*try again later[\s\S]*enter the workspace/)
  assert.equal(await shown(gus.email, 'wrong password'), unknown)
  assert.equal(await shown(off.email, password), unknown)
  assert.equal(await shown('nobody\0@example.com', 'x'), unknown)
})

test('an address in several workspaces needs the workspace, and without it gets the answer of an unknown address', async () => {
  const elsewhere = await makeTenant(database, 'lighthouse')
  await makeUser(database, tenantId, 'twice@example.com')
  const second = await makeUser(database, elsewhere, 'Twice@Example.com')
  const without = await attempt('twice@example.com', password)
  const nobody = await attempt('never@example.com', password)
  assert.equal(without.status, 403)
  assert.equal(without.text.replaceAll('twice@', ''), nobody.text.replaceAll('never@', ''))
  assert.equal((await attempt('twice@example.com', password, 'Lighthouse ')).in, true)
  assert.equal((await attempt('twice@example.com', password, 'nowhere')).in, false)
  assert.ok((await stateOf(second)).seen)
})

test('the number of attempts in a minute is limited', async () => {
  const strict = await startService(database, { attemptsPerMinute: 8 })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++)
    statuses.push((await clientOf(strict.baseUrl).attempt(`spray${i}@example.com`, 'wrong password')).status)
  assert.deepEqual(statuses, [403, 403, 403, 403, 429, 429])
  const page = await new Browser().open(`${strict.baseUrl}/oauth/device`)
  assert.equal(page.status, 200)
})
