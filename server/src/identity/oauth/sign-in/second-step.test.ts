import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '../../../kernel/id.ts'
import { notifyForget } from '../../../kernel/memory.ts'
import { openSecrets } from '../../../platform/secrets.ts'
import { confirmSecondFactor, newSecret, proposeSecondFactor } from '../../second-factor/second-factor.ts'
import { fromBase32, stepAt, totp } from '../../second-factor/totp.ts'
import { tenantCaller } from '../../tenant-caller.ts'
import { Browser, cli, clientOf, loopback, pkce } from '../test-client.ts'
import {
  makeKey,
  makeTenant,
  makeUser,
  openTestDatabase,
  password,
  startService,
  type TestUser,
} from '../test-service.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gantry-second-step-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))
const database = (await openTestDatabase()).serving({ secrets: openSecrets({ dataDir }) })
const { baseUrl } = await startService(database)
const { authUrl, redeem, refresh, signInTo } = clientOf(baseUrl)

const codeOf = (secret: string) => totp(fromBase32(secret), stepAt(new Date()))

/** Gives a user a second factor, none of whose codes was used. */
async function enrol({ tenantId, userId }: TestUser) {
  const secret = newSecret()
  const recovery = await database.transaction(tenantCaller(tenantId, userId), async ctx => {
    await proposeSecondFactor(ctx, userId, secret)
    return await confirmSecondFactor(ctx, userId, codeOf(secret))
  })
  assert.equal(recovery?.length, 10)
  await forgetUsedCodes(userId, tenantId)
  return { secret, recovery }
}

async function forgetUsedCodes(userId: string, tenantId: string): Promise<void> {
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update second_factor set last_step = 0 where tenant_id = ${tenantId} and user_id = ${userId}`,
  )
}

async function requireIn(tenantId: string, value: boolean): Promise<void> {
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`insert into app_setting (tenant_id, id, created, created_by, updated, updated_by, key, value)
      values (${tenantId}, ${newId()}, now(), ${tenantId}, now(), ${tenantId}, 'user.secondFactorRequired', ${JSON.stringify(value)}::jsonb)`,
  )
  await notifyForget(tenantId, false)
}

/** Opens the sign-in page and submits the right password. */
async function passPassword(user: TestUser, browser = new Browser()) {
  const { verifier, challenge } = pkce()
  const login = await browser.open(authUrl(cli, challenge))
  const page = await browser.submit(login.url, { email: user.email, password })
  return {
    page,
    submit: (form: Record<string, string>) => browser.submit(login.url, form),
    tokens: async (end: { url: string }) => {
      assert.ok(end.url.startsWith(loopback), end.url)
      return (await redeem(cli, new URL(end.url).searchParams.get('code') ?? '', verifier)).body
    },
  }
}

const tenantId = await makeTenant(database)

test('the sign-in asks for a code after the password, and each code counts once', async () => {
  const ada = await makeUser(database, tenantId, 'ada@example.com')
  const { secret, recovery } = await enrol(ada)
  const { page, submit, tokens } = await passPassword(ada)
  assert.equal(page.status, 200)
  assert.match(page.text, /Enter the code/)
  assert.match(page.headers.get('cache-control') ?? '', /no-store/)
  const code = codeOf(secret)
  const end = await submit({ step: 'code', code: `${code.slice(0, 3)} ${code.slice(3)}` })
  assert.ok((await tokens(end)).access_token)

  const replay = await passPassword(ada)
  const refused = await replay.submit({ step: 'code', code })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /was used before/)
  const [one = ''] = recovery ?? []
  assert.ok((await replay.submit({ step: 'code', code: one.toLowerCase() })).url.startsWith(loopback))
  const again = await passPassword(ada)
  assert.equal((await again.submit({ step: 'code', code: one })).status, 403)
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`select failures, cardinality(recovery) as left,
      (select array_agg(kind order by kind) from event e where e.tenant_id = ${tenantId} and e.record_id = u.id) as events
      from "user" u join second_factor f on f.tenant_id = ${tenantId} and f.user_id = u.id
      where u.tenant_id = ${tenantId} and u.id = ${ada.userId}`,
  )
  assert.deepEqual(row, { failures: 1, left: 9, events: ['user.recoveryCodeUsed', 'user.secondFactorAdded'] })
})

test('no form reaches past the code: without the password, in another browser, or by the step of the enrolment', async () => {
  const bea = await makeUser(database, tenantId, 'bea@example.com')
  const { secret } = await enrol(bea)
  const browser = new Browser()
  const login = await browser.open(authUrl(cli, pkce().challenge))
  for (const step of ['code', 'enrol', 'done']) {
    const end = await browser.submit(login.url, { step, code: codeOf(secret) })
    assert.equal(end.status, 403, step)
  }
  const { page, submit } = await passPassword(bea)
  assert.equal((await new Browser().submit(page.url, { step: 'code', code: codeOf(secret) })).status, 400)
  assert.equal((await submit({ step: 'done' })).status, 403)
  assert.ok((await submit({ step: 'code', code: codeOf(secret) })).url.startsWith(loopback))
})

test('wrong codes count like wrong passwords and lock the sign-in by password', async () => {
  const cleo = await makeUser(database, tenantId, 'cleo@example.com')
  const { secret } = await enrol(cleo)
  for (let i = 0; i < 5; i++) {
    const { submit } = await passPassword(cleo)
    for (const code of ['000000', 'AAAA-BBBB']) assert.equal((await submit({ step: 'code', code })).status, 403)
  }
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`select lockouts, password_locked > now() as locked from "user"
      where tenant_id = ${tenantId} and id = ${cleo.userId}`,
  )
  assert.deepEqual(row, { lockouts: 1, locked: true })
  assert.match((await passPassword(cleo)).page.text, /account is locked/)
  assert.ok(secret)
})

test('a tenant that requires it lets users without a second factor enrol before any token is issued', async () => {
  const strict = await makeTenant(database)
  const dan = await makeUser(database, strict, 'dan@example.com')
  const key = await makeKey(database, dan)
  const browser = new Browser()
  const before = await signInTo(cli, dan, {}, browser)
  await requireIn(strict, true)
  assert.equal((await refresh(before.refresh_token)).status, 400, 'a session by password alone does not go on')
  const basic = { authorization: `Basic ${Buffer.from(`${key.prefix}:${key.raw}`).toString('base64')}` }
  const byKey = await fetch(clientOf(baseUrl).at('token'), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: basic,
  })
  assert.equal(byKey.status, 200, 'API keys are not affected')

  const { page, submit, tokens } = await passPassword(dan, browser)
  assert.match(page.text, /Set up a second factor/)
  const secretIn = (text: string) => /secret=([A-Z2-7]{32})/.exec(text)?.[1] ?? ''
  const secret = secretIn(page.text)
  assert.ok(page.text.includes(secret.slice(0, 4)) && page.text.includes('otpauth://totp/'))
  const wrong = await submit({ step: 'enrol', code: '000000' })
  assert.deepEqual([wrong.status, secretIn(wrong.text)], [403, secret])
  assert.equal((await submit({ step: 'done' })).status, 403)
  const repeated = await submit({ email: dan.email, password })
  assert.equal(secretIn(repeated.text), secret, 'a page that is loaded again shows the same key')
  const shown = await submit({ step: 'enrol', code: codeOf(secret) })
  assert.equal(shown.text.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g)?.length, 10)
  const { access_token: token, refresh_token: renewal } = await tokens(await submit({ step: 'done' }))
  assert.ok(token)
  assert.equal((await refresh(renewal)).status, 200)
  await forgetUsedCodes(dan.userId, strict)
  assert.match((await passPassword(dan)).page.text, /Enter the code/)
})
