import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { notifyForget } from '../../kernel/memory.ts'
import { sql } from '../../kernel/sql.ts'
import { openAuthentication } from '../authenticate.ts'
import { cli, clientOf, post } from '../oauth/test-client.ts'
import {
  changeUser,
  makeKey,
  makeTenant,
  makeUser,
  openTestDatabase,
  password,
  startService,
} from '../oauth/test-service.ts'
import { tenantCaller } from '../tenant-caller.ts'

const database = await openTestDatabase()
const service = await startService(database)
const { attempt, signInTo, refresh, at } = clientOf(service.baseUrl)
const tenantId = await makeTenant(database, 'harbour')
const ada = await makeUser(database, tenantId, 'ada@example.com')

/** The entries since the last call, oldest first. */
let seen = 0
async function news() {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<
      Record<string, string>
    >`select action, outcome, reason, user_id, address, credential, credential_id, client
      from audit_entry where tenant_id = ${tenantId} order by created, xact, id offset ${seen}`,
  )
  seen += rows.length
  return rows
}

test('sign-ins are in the audit log: good ones, refused ones and locked ones', async () => {
  await attempt(ada.email, password)
  await attempt(ada.email, 'wrong password')
  await attempt('stranger@example.com', 'a password', 'harbour')
  await changeUser(database, ada, sql`failures = 9, failing_since = now()`)
  await attempt(ada.email, 'wrong password')
  await attempt(ada.email, password)
  const entries = await news()
  assert.deepEqual(
    entries.map(({ action, outcome, user_id }) => [action, outcome, user_id]),
    [
      ['signIn', 'ok', ada.userId],
      ['signIn', 'refused', ada.userId],
      ['signIn', 'refused', ''],
      ['signIn', 'locked', ada.userId],
      ['signIn', 'locked', ada.userId],
    ],
  )
  for (const { address, credential, client } of entries)
    assert.deepEqual([address, credential, client], ['127.0.0.1', 'password', 'gantry-cli'])
  await changeUser(database, ada, sql`failures = 0, password_locked = null`)
})

test('a refresh token that is used twice is in the audit log', async () => {
  const { refresh_token: stolen } = await signInTo(cli, ada)
  await refresh(stolen)
  await news()
  assert.equal((await refresh(stolen)).status, 400)
  const [entry] = await news()
  assert.deepEqual(
    [entry?.action, entry?.outcome, entry?.user_id, entry?.client],
    ['token', 'refused', ada.userId, 'gantry-cli'],
  )
  assert.match(entry?.reason ?? '', /used twice/)
})

test('the first use of a key from an address on a day is in the audit log, and no other', async () => {
  const key = await makeKey(database, ada, { allowedIps: ['10.0.0.0/8'] })
  const authenticate = openAuthentication(database, service.verifyAccessToken)
  const other = openAuthentication(database, service.verifyAccessToken)
  const use = async (by: typeof authenticate, ip: string) => {
    await notifyForget(tenantId, false)
    const request = { headers: { authorization: `Bearer ${key.raw}` }, ip }
    return await by(request as Partial<FastifyRequest> as FastifyRequest).then(
      caller => caller.origin?.address,
      () => 'refused',
    )
  }
  await news()
  assert.equal(await use(authenticate, '10.0.0.1'), '10.0.0.1')
  assert.equal(await use(authenticate, '10.0.0.2'), '10.0.0.2')
  for (const by of [authenticate, other]) assert.equal(await use(by, '10.0.0.1'), '10.0.0.1')
  for (const by of [authenticate, other]) assert.equal(await use(by, '192.0.2.1'), 'refused')
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update api_key set deleted = true where tenant_id = ${tenantId} and id = ${key.id}`,
  )
  assert.equal(await use(authenticate, '10.0.0.1'), 'refused')
  assert.deepEqual(
    (await news()).map(each => [each.action, each.outcome, each.address, each.credential_id]),
    [
      ['keyUse', 'ok', '10.0.0.1', key.id],
      ['keyUse', 'ok', '10.0.0.2', key.id],
      ['keyUse', 'refused', '192.0.2.1', key.id],
      ['keyUse', 'refused', '10.0.0.1', key.id],
    ],
  )
})

test('a key that asks for tokens is in the audit log, also with a wrong secret', async () => {
  const key = await makeKey(database, ada)
  const ask = (secret: string) => {
    const authorization = `Basic ${Buffer.from(`${key.prefix}:${secret}`).toString('base64')}`
    return post(at('token'), { grant_type: 'client_credentials' }, { authorization })
  }
  await news()
  assert.equal((await ask(key.raw)).status, 200)
  assert.equal((await ask('wrong')).status, 401)
  assert.deepEqual(
    (await news()).map(each => [each.action, each.outcome, each.credential, each.credential_id]),
    [
      ['keyUse', 'ok', 'apiKey', key.id],
      ['token', 'refused', 'apiKey', key.id],
    ],
  )
})
