import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as jose from 'jose'
import { Unauthorized } from '../../refusal.ts'
import { type Sql, sql } from '../../sql.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { revokeAccount } from './oauth.ts'
import {
  Browser,
  getJson,
  makeKey,
  makeTenant,
  makeUser,
  openTestDatabase,
  password,
  post,
  startService,
  type TestUser,
} from './test-service.ts'

const database = await openTestDatabase()
const other = {
  client_id: 'reporter',
  client_name: 'Reporter <b>& Co</b>',
  redirect_uris: ['https://reporter.example/back'],
}
const service = await startService(database, { clients: [other] })
const { baseUrl, verifyAccessToken } = service
const at = (path: string) => `${baseUrl}/oauth/${path}`

const tenantId = await makeTenant(database, 'harbour')
const ada = await makeUser(database, tenantId, 'ada@example.com')
const loopback = 'http://127.0.0.1:51234/callback'
const cli = { client_id: 'gantry-cli', redirect_uri: loopback }
const web = { client_id: 'gantry-web', redirect_uri: `${baseUrl}/signed-in` }

function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

function authUrl(client: Record<string, string>, challenge: string, more: Record<string, string> = {}): string {
  return `${at('auth')}?${new URLSearchParams({ response_type: 'code', scope: 'openid', state: 's1', ...client, code_challenge: challenge, code_challenge_method: 'S256', ...more })}`
}

/** From the first redirect to the code in the client's hands. */
async function getCode(
  browser: Browser,
  user: TestUser,
  client: Record<string, string>,
  more: Record<string, string> = {},
) {
  const { verifier, challenge } = pkce()
  const login = await browser.open(authUrl(client, challenge, more))
  assert.match(login.url, /\/oauth\/interaction\/[\w-]+$/)
  const end = await browser.submit(login.url, { email: user.email, password })
  const answer = new URL(end.url)
  assert.equal(`${answer.origin}${answer.pathname}`, client.redirect_uri, end.text)
  assert.equal(answer.searchParams.get('state'), 's1')
  assert.equal(answer.searchParams.get('iss'), baseUrl)
  return { code: answer.searchParams.get('code') ?? '', verifier }
}

const redeem = (client: Record<string, string>, code: string, verifier: string) =>
  post(at('token'), { grant_type: 'authorization_code', ...client, code, code_verifier: verifier })
const refresh = (token: string | undefined, client = 'gantry-cli', more: Record<string, string> = {}) =>
  post(at('token'), { grant_type: 'refresh_token', client_id: client, refresh_token: token ?? '', ...more })

async function signInTo(
  client: Record<string, string>,
  user = ada,
  more: Record<string, string> = {},
  browser = new Browser(),
) {
  const { code, verifier } = await getCode(browser, user, client, more)
  const { status, body } = await redeem(client, code, verifier)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const change = ({ tenantId, userId }: TestUser, set: Sql) =>
  database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update "user" set ${set} where tenant_id = ${tenantId} and id = ${userId}`,
  )

async function stateOf({ tenantId, userId }: TestUser) {
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{
      failures: number
      lockouts: number
      minutes: number | null
      seen: boolean
      version: number
      events: string[]
    }>`
      select failures, lockouts, round(extract(epoch from locked - now()) / 60)::int as minutes, last_seen is not null as seen, version,
        (select coalesce(array_agg(kind order by e.at), '{}') from event e where e.tenant_id = u.tenant_id and e.record_id = u.id) as events
      from "user" u where tenant_id = ${tenantId} and id = ${userId}`,
  )
  assert.ok(row)
  return row
}

/** One attempt through the form, from its first page on. */
async function attempt(email: string, given: string, workspace = '', base = baseUrl) {
  const browser = new Browser()
  const login = await browser.open(authUrl(cli, pkce().challenge).replace(baseUrl, base))
  const end = await browser.submit(login.url, { email, password: given, workspace })
  return { status: end.status, text: end.text, in: end.url.startsWith(loopback) }
}

test('discovery tells where everything is, whatever host the request names', async () => {
  for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const { status, headers, body } = await getJson(baseUrl + path, forged)
    assert.equal(status, 200)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(body.issuer, baseUrl)
    assert.equal(body.authorization_endpoint, at('auth'))
    assert.equal(body.token_endpoint, at('token'))
    assert.equal(body.jwks_uri, at('jwks'))
    assert.equal(body.revocation_endpoint, at('revoke'))
    assert.equal(body.device_authorization_endpoint, at('device/auth'))
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.deepEqual(body.id_token_signing_alg_values_supported, ['ES256'])
    assert.deepEqual(
      new Set(body.grant_types_supported as string[]),
      new Set([
        'authorization_code',
        'client_credentials',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ]),
    )
  }
  const { body } = await getJson(at('jwks'))
  const { d: _private, ...open } = service.signingKeys.keys[0] ?? {}
  assert.deepEqual(body, { keys: [open] })
  assert.equal((await fetch(at('token/introspection'), { method: 'POST' })).status, 404)
})

test('a code with PKCE becomes an access token that names user, tenant and scope', async () => {
  const tokens = await signInTo(cli)
  assert.equal(tokens.token_type, 'Bearer')
  assert.equal(Number(tokens.expires_in), 600)
  const header = jose.decodeProtectedHeader(tokens.access_token ?? '')
  assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt', kid: service.signingKeys.keys[0]?.kid })
  const claims = jose.decodeJwt(tokens.access_token ?? '')
  assert.equal(claims.sub, ada.userId)
  assert.equal(claims.tid, tenantId)
  assert.equal(claims.aud, `${baseUrl}/api`)
  assert.equal(claims.scope, '*:*')
  const verified = await verifyAccessToken(tokens.access_token ?? '')
  assert.deepEqual(
    { ...verified, expiresAt: 0, jti: '' },
    { tenantId, userId: ada.userId, scopes: [], expiresAt: 0, authVersion: 1, jti: '' },
  )
  const id = jose.decodeJwt(tokens.id_token ?? '')
  assert.equal(id.sub, ada.userId)
  assert.equal(id.aud, 'gantry-cli')
  const { seen, failures } = await stateOf(ada)
  assert.deepEqual({ seen, failures }, { seen: true, failures: 0 })
})

test('the sign-in page is safe and plain, and its cookies are closed', async () => {
  const browser = new Browser()
  const hint = '"><script>alert(1)</script>'
  const login = await browser.open(authUrl(cli, pkce().challenge, { login_hint: hint }))
  assert.equal(login.status, 200)
  assert.ok(!login.text.includes('<script'))
  assert.match(login.text, /value="&quot;&gt;&lt;script&gt;/)
  const policy = login.headers.get('content-security-policy') ?? ''
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:51234; base-uri 'none'; frame-ancestors 'none'$/,
  )
  const style = /<style>([\s\S]*)<\/style>/.exec(login.text)?.[1] ?? ''
  assert.ok(policy.includes(createHash('sha256').update(style).digest('base64')))
  assert.equal(login.headers.get('cache-control'), 'no-store')
  assert.ok(!/https?:\/\//.test(login.text), 'nothing from elsewhere')
  assert.ok(browser.cookieLines.length > 0)
  for (const line of browser.cookieLines) assert.match(line, /httponly/i)
  for (const line of browser.cookieLines) assert.match(line, /samesite=lax/i)
  const stranger = await new Browser().open(login.url)
  assert.equal(stranger.status, 400)
  assert.match(stranger.text, /begun in another browser/)
})

test('a wrong verifier, a foreign redirect and a code used twice get nothing', async () => {
  const first = await getCode(new Browser(), ada, cli)
  const wrong = await redeem(cli, first.code, pkce().verifier)
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_grant'])

  const none = await new Browser().open(authUrl(cli, '').replace(/&code_challenge[^&]*/g, ''))
  assert.equal(new URL(none.url).searchParams.get('error'), 'invalid_request')
  const plain = await new Browser().open(authUrl(cli, pkce().challenge, { code_challenge_method: 'plain' }))
  assert.equal(new URL(plain.url).searchParams.get('error'), 'invalid_request')

  for (const redirect_uri of [
    'https://evil.example/callback',
    'http://127.0.0.1:1/other',
    'http://127.0.0.1@evil.example/callback',
    `${loopback}/../x`,
  ]) {
    const refused = await new Browser().open(authUrl({ ...cli, redirect_uri }, pkce().challenge))
    assert.equal(refused.status, 400)
    assert.match(refused.text, /invalid_redirect_uri/)
    assert.ok(refused.url.startsWith(baseUrl))
  }
  for (const response_type of ['token', 'id_token', 'code id_token']) {
    const refused = await new Browser().open(authUrl(cli, pkce().challenge, { response_type, nonce: 'n' }))
    assert.match(refused.url + refused.text, /unsupported_response_type/)
  }

  const { code, verifier } = await getCode(new Browser(), ada, cli)
  const once = await redeem(cli, code, verifier)
  assert.equal(once.status, 200)
  const twice = await redeem(cli, code, verifier)
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_grant'])
  assert.equal(
    (await refresh(once.body.refresh_token)).body.error,
    'invalid_grant',
    'what the code opened is closed again',
  )

  const owner = await post(at('token'), {
    grant_type: 'password',
    client_id: 'gantry-cli',
    username: ada.email,
    password,
  })
  assert.equal(owner.body.error, 'unsupported_grant_type')
})

test('refresh tokens rotate, and one that comes back ends its whole family', async () => {
  const first = await signInTo(cli)
  const second = await refresh(first.refresh_token)
  assert.equal(second.status, 200)
  assert.notEqual(second.body.refresh_token, first.refresh_token)
  assert.equal((await verifyAccessToken(second.body.access_token ?? '')).userId, ada.userId)
  assert.equal(
    (await refresh(second.body.refresh_token, 'gantry-web')).body.error,
    'invalid_grant',
    'not for another client',
  )
  const thief = await refresh(first.refresh_token)
  assert.deepEqual([thief.status, thief.body.error], [400, 'invalid_grant'])
  assert.equal((await refresh(second.body.refresh_token)).body.error, 'invalid_grant')
})

test('of two who use a refresh token at the same moment neither keeps it', async () => {
  const { refresh_token: token } = await signInTo(cli)
  const answers = await Promise.all([refresh(token), refresh(token), refresh(token)])
  const won = answers.filter(({ status }) => status === 200)
  assert.ok(won.length <= 1)
  for (const { body } of won) assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant')
})

test('a narrowed sign-in stays narrow, and what is not known is refused', async () => {
  const tokens = await signInTo(cli, ada, { scope: 'openid clock:read item:write' })
  assert.deepEqual((await verifyAccessToken(tokens.access_token ?? '')).scopes, ['clock:read', 'item:write'])
  const again = await refresh(tokens.refresh_token, 'gantry-cli', { scope: 'openid clock:read' })
  assert.deepEqual((await verifyAccessToken(again.body.access_token ?? '')).scopes, ['clock:read'])
  const wider = await refresh(again.body.refresh_token, 'gantry-cli', { scope: 'openid *:*' })
  assert.equal(wider.body.error, 'invalid_scope')
  const dropped = await refresh(again.body.refresh_token, 'gantry-cli', { scope: 'openid' })
  assert.equal(dropped.body.error, 'invalid_scope', 'no scope of the API is not all of them')
  const unknown = await new Browser().open(authUrl(cli, pkce().challenge, { scope: 'openid clock:raed' }))
  assert.equal(new URL(unknown.url).searchParams.get('error'), 'invalid_scope')
  const foreign = await new Browser().open(authUrl(cli, pkce().challenge, { resource: 'https://elsewhere.example' }))
  assert.equal(new URL(foreign.url).searchParams.get('error'), 'invalid_target')
  const { code, verifier } = await getCode(new Browser(), ada, cli, { scope: '' })
  assert.equal((await redeem(cli, code, verifier)).status, 200, 'no scope at all is allowed')
})

test('a session signs in to the web app without a word, and to a program on the machine only with one', async () => {
  const browser = new Browser()
  const { id_token: hint = '' } = await signInTo(web, ada, {}, browser)
  for (const more of [{}, { id_token_hint: hint }, { prompt: 'none' }]) {
    const quiet = await browser.open(authUrl(web, pkce().challenge, { ...more }))
    assert.match(quiet.url, /\/signed-in\?code=/)
  }
  const none = await new Browser().open(authUrl(web, pkce().challenge, { prompt: 'none' }))
  assert.match(none.url, /error=login_required/)
  const asks = await browser.open(authUrl(cli, pkce().challenge))
  assert.equal(asks.status, 200)
  assert.match(asks.text, /Let Gantry command line in\?/)
  assert.match(asks.text, /ada/)
  const refused = await browser.submit(asks.url, { answer: 'refuse' })
  assert.equal(new URL(refused.url).searchParams.get('error'), 'access_denied')
  const { verifier, challenge } = pkce()
  const page = await browser.open(authUrl(cli, challenge))
  const allowed = await browser.submit(page.url, { answer: 'allow' })
  const tokens = await redeem(cli, new URL(allowed.url).searchParams.get('code') ?? '', verifier)
  assert.equal(tokens.status, 200)
})

test('a program of others is asked about, and named without trusting its name', async () => {
  const browser = new Browser()
  const client = { client_id: 'reporter', redirect_uri: 'https://reporter.example/back' }
  const { verifier, challenge } = pkce()
  const login = await browser.open(authUrl(client, challenge, { scope: 'openid item:read' }))
  const consent = await browser.submit(login.url, { email: ada.email, password })
  assert.match(consent.text, /Reporter &lt;b&gt;&amp; Co&lt;\/b&gt;/)
  assert.match(consent.text, /<li>Read item<\/li>/)
  assert.match(consent.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/reporter\.example;/)
  const end = await browser.submit(consent.url, { answer: 'allow' })
  const tokens = await redeem(client, new URL(end.url).searchParams.get('code') ?? '', verifier)
  assert.deepEqual((await verifyAccessToken(tokens.body.access_token ?? '')).scopes, ['item:read'])
})

test('a device is connected by its code', async () => {
  const start = await post(at('device/auth'), { client_id: 'gantry-cli', scope: 'openid item:read' })
  assert.equal(start.status, 200, start.text)
  const poll = () =>
    post(at('token'), {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'gantry-cli',
      device_code: start.body.device_code ?? '',
    })
  assert.equal((await poll()).body.error, 'authorization_pending')

  const browser = new Browser()
  const secretOf = (text: string) => /name="xsrf" value="(\w+)"/.exec(text)?.[1] ?? ''
  const page = await browser.open(start.body.verification_uri_complete ?? '')
  assert.ok(page.text.includes(`value="${start.body.user_code}"`), 'the code in the link fills the field')
  const wrong = await browser.submit(at('device'), { xsrf: secretOf(page.text), user_code: 'ZZZZ-ZZZZ' })
  assert.match(wrong.text, /not known, or not any more/)
  const confirm = await browser.submit(at('device'), {
    xsrf: secretOf(wrong.text),
    user_code: start.body.user_code?.toLowerCase().replace('-', ' ') ?? '',
  })
  assert.match(confirm.text, /Is this your device\?/)
  const forged = await browser.submit(at('device'), {
    xsrf: 'x',
    user_code: start.body.user_code ?? '',
    confirm: 'yes',
  })
  assert.ok(!forged.url.includes('/interaction/'))
  const secret = secretOf(forged.text)
  const login = await browser.submit(at('device'), {
    xsrf: secret,
    user_code: start.body.user_code ?? '',
    confirm: 'yes',
  })
  assert.match(login.text, /Sign in/)
  const done = await browser.submit(login.url, { email: ada.email, password })
  assert.match(done.text, /The device is connected/)

  const tokens = await poll()
  assert.equal(tokens.status, 200, tokens.text)
  assert.deepEqual((await verifyAccessToken(tokens.body.access_token ?? '')).scopes, ['item:read'])
  assert.equal((await refresh(tokens.body.refresh_token)).status, 200)
  assert.equal((await poll()).body.error, 'invalid_grant', 'a device code opens once')
})

test('a refused device learns that it was refused', async () => {
  const start = await post(at('device/auth'), { client_id: 'gantry-cli' })
  const browser = new Browser()
  const page = await browser.open(at('device'))
  const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? ''
  const refused = await browser.submit(at('device'), { xsrf, user_code: start.body.user_code ?? '', abort: 'yes' })
  assert.match(refused.text, /The device was refused/)
  const poll = await post(at('token'), {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'gantry-cli',
    device_code: start.body.device_code ?? '',
  })
  assert.equal(poll.body.error, 'access_denied')
})

test('an API key fetches tokens that act as its owner, within its scopes', async () => {
  const all = await makeKey(database, ada)
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const fetchToken = (id: string, secret: string, more: Record<string, string> = {}) =>
    post(at('token'), { grant_type: 'client_credentials', ...more }, basic(id, secret))

  const whole = await fetchToken(all.prefix, all.raw)
  assert.equal(whole.status, 200, whole.text)
  assert.equal(whole.body.refresh_token, undefined)
  const verified = await verifyAccessToken(whole.body.access_token ?? '')
  assert.deepEqual(
    { ...verified, expiresAt: 0, jti: '' },
    { tenantId, userId: ada.userId, keyId: all.id, scopes: [], allowedIps: [], expiresAt: 0, authVersion: 1, jti: '' },
  )
  assert.equal((await fetchToken(all.prefix.slice(4), all.raw.slice(17))).status, 200, 'the short forms work as well')
  assert.equal(
    (await post(at('token'), { grant_type: 'client_credentials', client_id: all.prefix, client_secret: all.raw }))
      .status,
    200,
  )

  const narrow = await makeKey(database, ada, { scopes: ['item:write', '*:read'] })
  const scopesOf = async (scope?: string) => {
    const { body } = await fetchToken(narrow.prefix, narrow.raw, scope === undefined ? {} : { scope })
    return body.access_token ? (await verifyAccessToken(body.access_token)).scopes : body.error
  }
  assert.deepEqual(await scopesOf(), ['item:write', '*:read'])
  assert.deepEqual(await scopesOf('clock:read item:read'), ['clock:read', 'item:read'])
  assert.equal(await scopesOf('clock:write'), 'invalid_scope')
  assert.equal(await scopesOf('*:*'), 'invalid_scope')

  const wrong = [
    await fetchToken(all.prefix, narrow.raw),
    await fetchToken(all.prefix, `${all.raw.slice(0, -7)}${all.raw.at(-7) === 'A' ? 'B' : 'A'}${all.raw.slice(-6)}`),
    await fetchToken('gty_000000000000', all.raw),
    await fetchToken(all.prefix, createHash('sha256').update(all.raw).digest('hex')),
  ]
  for (const { status, text } of wrong) assert.deepEqual([status, text], [401, wrong[0]?.text])
  assert.equal(wrong[0]?.body.error, 'invalid_client')
  const code = await post(
    at('token'),
    { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' },
    basic(all.prefix, all.raw),
  )
  assert.notEqual(code.status, 200)

  const elsewhere = await makeKey(database, ada, { allowedIps: ['10.0.0.0/8'] })
  const here = await makeKey(database, ada, { allowedIps: ['127.0.0.0/8'] })
  assert.equal((await fetchToken(elsewhere.prefix, elsewhere.raw)).body.error, 'invalid_client')
  const forged = await post(
    at('token'),
    { grant_type: 'client_credentials' },
    { ...basic(elsewhere.prefix, elsewhere.raw), 'x-forwarded-for': '10.1.1.1' },
  )
  assert.equal(forged.body.error, 'invalid_client', 'who sends is not what a header says')
  assert.equal((await fetchToken(here.prefix, here.raw)).status, 200)

  await database.single(
    tenantCaller(tenantId),
    ctx =>
      ctx.sql`update api_key set expires_at = now() - interval '1 second' where tenant_id = ${tenantId} and id = ${here.id}`,
  )
  assert.equal((await fetchToken(here.prefix, here.raw)).body.error, 'invalid_client')
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update api_key set deleted = true where tenant_id = ${tenantId} and id = ${all.id}`,
  )
  assert.equal((await fetchToken(all.prefix, all.raw)).body.error, 'invalid_client')
  await assert.rejects(verifyAccessToken(whole.body.access_token ?? ''), Unauthorized, 'its tokens die with a key')

  const bob = await makeUser(database, tenantId, 'bob.keys@example.com')
  const his = await makeKey(database, bob)
  assert.equal((await fetchToken(his.prefix, his.raw)).status, 200)
  await change(bob, sql`active = false`)
  assert.equal((await fetchToken(his.prefix, his.raw)).body.error, 'invalid_client')
})

test('revocation and sign-out end what they should', async () => {
  const tokens = await signInTo(cli)
  const revoked = await post(at('revoke'), { client_id: 'gantry-cli', token: tokens.refresh_token ?? '' })
  assert.equal(revoked.status, 200)
  assert.equal((await refresh(tokens.refresh_token)).body.error, 'invalid_grant')
  await assert.rejects(verifyAccessToken(tokens.access_token ?? ''), Unauthorized, 'its access token is refused too')
  const kept = await signInTo(cli)
  assert.equal((await post(at('revoke'), { client_id: 'gantry-web', token: kept.refresh_token ?? '' })).status, 200)
  assert.equal((await refresh(kept.refresh_token)).status, 200, 'another client revokes nothing')

  const browser = new Browser()
  const session = await signInTo(web, ada, {}, browser)
  assert.equal((await refresh(session.refresh_token, 'gantry-web')).status, 200)
  const again = await signInTo(cli, ada, {}, new Browser())
  const page = await browser.open(at('logout'))
  assert.match(page.text, /Sign out\?/)
  const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? ''
  const out = await browser.submit(at('logout/confirm'), { xsrf, logout: 'yes' })
  assert.match(out.text, /You are signed out/)
  assert.equal((await refresh(session.refresh_token, 'gantry-web')).body.error, 'invalid_grant')
  assert.equal((await refresh(again.refresh_token)).status, 200, 'the program on the machine stays signed in')
  assert.match((await browser.open(authUrl(web, pkce().challenge))).text, /Sign in/)
})

test('whoever is out loses refresh tokens and session', async () => {
  const cleo = await makeUser(database, tenantId, 'cleo@example.com')
  const fresh = async () => {
    const browser = new Browser()
    return { browser, tokens: await signInTo(cli, cleo, {}, browser) }
  }
  const [one, two, three] = [await fresh(), await fresh(), await fresh()]
  await change(cleo, sql`active = false`)
  assert.equal((await refresh(one.tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await attempt(cleo.email, password)).in, false)
  await change(cleo, sql`active = true`)
  await change(cleo, sql`auth_version = auth_version + 1`)
  assert.equal((await refresh(two.tokens.refresh_token)).body.error, 'invalid_grant')
  const page = await two.browser.open(authUrl(web, pkce().challenge))
  assert.match(page.text, /Sign in/, 'an old session must sign in anew')
  const anew = await two.browser.submit(page.url, { email: cleo.email, password })
  assert.match(anew.url, /\/signed-in\?code=/)
  const switched = await two.browser.open(authUrl(web, pkce().challenge, { prompt: 'login' }))
  const asAda = await two.browser.submit(switched.url, { email: ada.email, password })
  assert.match(asAda.url, /\/signed-in\?code=/, 'somebody else may sign in in the same browser')
  assert.equal(jose.decodeJwt((await fresh()).tokens.access_token ?? '').av, 2)

  const last = await fresh()
  await revokeAccount(database, cleo.tenantId, cleo.userId)
  assert.equal((await refresh(last.tokens.refresh_token)).body.error, 'invalid_grant')
  assert.match((await last.browser.open(authUrl(web, pkce().challenge))).text, /Sign in/)
  assert.ok(three)
})

test('ten wrong passwords close an account for a quarter of an hour, then for longer', async () => {
  const dan = await makeUser(database, tenantId, 'dan@example.com')
  for (let i = 0; i < 9; i++) assert.equal((await attempt(dan.email, 'wrong password')).status, 403)
  assert.equal((await attempt(dan.email, password)).in, true, 'nine are forgiven')
  assert.equal((await stateOf(dan)).failures, 0)
  await change(dan, sql`failures = 10, failing_since = now()`)
  assert.equal((await attempt(dan.email, password)).in, false, 'the eleventh of many at once is not looked at')
  await change(dan, sql`failures = 0`)

  await Promise.all(Array.from({ length: 14 }, () => attempt(dan.email, 'wrong password')))
  const locked = await stateOf(dan)
  assert.deepEqual([locked.lockouts, locked.minutes, locked.events, locked.version], [1, 15, ['user.locked'], 2])
  const refused = await attempt(dan.email, password)
  assert.deepEqual([refused.status, refused.in], [403, false])

  await change(dan, sql`locked = now() - interval '1 second'`)
  await Promise.all(Array.from({ length: 10 }, () => attempt(dan.email, 'wrong password')))
  assert.deepEqual([(await stateOf(dan)).lockouts, (await stateOf(dan)).minutes], [2, 30])

  await change(dan, sql`locked = now() - interval '1 second'`)
  await Promise.all(Array.from({ length: 9 }, () => attempt(dan.email, 'wrong password')))
  await change(dan, sql`failing_since = now() - interval '16 minutes'`)
  assert.equal((await attempt(dan.email, 'wrong password')).status, 403)
  assert.deepEqual([(await stateOf(dan)).failures, (await stateOf(dan)).lockouts], [1, 2], 'old failures do not count')
  assert.equal((await attempt(dan.email, password)).in, true)
  assert.deepEqual([(await stateOf(dan)).failures, (await stateOf(dan)).lockouts], [0, 0])
})

test('a stranger cannot tell an unknown address from a wrong password or a closed account', async () => {
  const gus = await makeUser(database, tenantId, 'gus@example.com')
  const off = await makeUser(database, tenantId, 'off@example.com')
  await change(off, sql`active = false`)
  const shown = async (email: string, given: string) => {
    const { status, text } = await attempt(email, given)
    return `${status} ${text.replaceAll(email, 'EMAIL')}`
  }
  const unknown = await shown('nobody@example.com', 'wrong password')
  assert.match(unknown, /^403 [\s\S]*do not go together[\s\S]*try again later[\s\S]*name the workspace/)
  assert.equal(await shown(gus.email, 'wrong password'), unknown)
  assert.equal(await shown(off.email, password), unknown)
  assert.equal(await shown('nobody\0@example.com', 'x'), unknown)
})

test('an address in several workspaces needs the workspace, and says so to everybody', async () => {
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

test('only so much is tried in a minute', async () => {
  const strict = await startService(database, { attemptsPerMinute: 8 })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++)
    statuses.push((await attempt(`spray${i}@example.com`, 'wrong password', '', strict.baseUrl)).status)
  assert.deepEqual(statuses, [403, 403, 403, 403, 429, 429])
  const page = await new Browser().open(`${strict.baseUrl}/oauth/device`)
  assert.equal(page.status, 200)
})

test('no forged token is accepted', async () => {
  const { access_token: real = '' } = await signInTo(cli)
  const claims = jose.decodeJwt(real)
  const key = service.signingKeys.keys[0]
  assert.ok(key)
  const own = await jose.importJWK(key, 'ES256')
  const { d: _private, ...open } = key
  const thief = await jose.generateKeyPair('ES256', { extractable: true })
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.kid }
  const sign = (
    payload: jose.JWTPayload,
    head: jose.JWTHeaderParameters = header,
    by: Parameters<jose.SignJWT['sign']>[0] = own,
  ) => new jose.SignJWT(payload).setProtectedHeader(head).sign(by)
  const now = Math.floor(Date.now() / 1000)
  const without = (claim: string) => Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim))
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [head = '', body = '', signature = ''] = real.split('.')
  const publicPem = await jose.exportSPKI((await jose.importJWK({ ...open, ext: true }, 'ES256')) as jose.CryptoKey)

  assert.equal((await verifyAccessToken(await sign(claims))).userId, ada.userId, 'the forger signs as we do')
  const forgeries: Record<string, string> = {
    'alg none': `${encode({ alg: 'none', typ: 'at+jwt' })}.${body}.`,
    'alg None with our kid': `${encode({ alg: 'None', typ: 'at+jwt', kid: key.kid })}.${body}.`,
    'alg none with the signature': `${encode({ alg: 'none', typ: 'at+jwt', kid: key.kid })}.${body}.${signature}`,
    'HS256 by the public key as PEM': await sign(
      claims,
      { ...header, alg: 'HS256' },
      new TextEncoder().encode(publicPem),
    ),
    'HS256 by the public key as JWK': await sign(
      claims,
      { ...header, alg: 'HS256' },
      new TextEncoder().encode(JSON.stringify(open)),
    ),
    'HS256 by x': await sign(claims, { ...header, alg: 'HS256' }, Buffer.from(open.x, 'base64url')),
    'another issuer': await sign({ ...claims, iss: 'https://evil.example' }),
    'another audience': await sign({ ...claims, aud: 'https://evil.example/api' }),
    'the client as audience': await sign({ ...claims, aud: 'gantry-cli' }),
    'typ JWT': await sign(claims, { ...header, typ: 'JWT' }),
    'no typ': await sign(claims, { alg: 'ES256', kid: key.kid }),
    expired: await sign({ ...claims, exp: now - 60 }),
    'not yet': await sign({ ...claims, nbf: now + 600 }),
    'no exp': await sign(without('exp')),
    'no sub': await sign(without('sub')),
    'no tid': await sign(without('tid')),
    'no scope': await sign(without('scope')),
    'an empty scope': await sign({ ...claims, scope: '' }),
    'a tid that is none': await sign({ ...claims, tid: "' or true --" }),
    'a sub that is none': await sign({ ...claims, sub: '*' }),
    'a key that is none': await sign({ ...claims, key: 'x' }),
    'a key of nobody': await sign({ ...claims, key: ada.userId }),
    'no source': await sign(without('grant')),
    'a grant of nobody': await sign({ ...claims, grant: 'x' }),
    'another kid': await sign(claims, { ...header, kid: 'other' }),
    'no kid': await sign(claims, { alg: 'ES256', typ: 'at+jwt' }),
    'a kid like a path': await sign(claims, { ...header, kid: '../../dev/null' }),
    'our kid by another key': await sign(claims, header, thief.privateKey),
    'an inline jwk': await sign(
      claims,
      { ...header, kid: 'inline', jwk: await jose.exportJWK(thief.publicKey) },
      thief.privateKey,
    ),
    'an inline jwk under our kid': await sign(
      claims,
      { ...header, jwk: await jose.exportJWK(thief.publicKey) },
      thief.privateKey,
    ),
    'a jku': await sign(claims, { ...header, jku: 'https://evil.example/jwks' }, thief.privateKey),
    'an x5u': await sign(claims, { ...header, x5u: 'https://evil.example/cert' }, thief.privateKey),
    'a changed payload': `${head}.${encode({ ...claims, sub: tenantId })}.${signature}`,
    'a changed header': `${encode({ ...header, typ: 'at+jwt', extra: 1 })}.${body}.${signature}`,
    'no signature': `${head}.${body}.`,
    'a zero signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'half a signature': `${head}.${body}.${signature.slice(0, 40)}`,
    'an ID token': (await signInTo(cli)).id_token ?? '',
    'an unknown critical header': await sign(claims, {
      ...header,
      crit: ['x'],
      x: 1,
    } as jose.JWTHeaderParameters).catch(() => `${encode({ ...header, crit: ['x'], x: 1 })}.${body}.${signature}`),
    'two tokens': `${real}.${real}`,
    'JSON instead of compact': JSON.stringify({ payload: body, protected: head, signature }),
    empty: '',
    words: 'not a token',
    dots: '..',
  }
  for (const [name, token] of Object.entries(forgeries)) {
    await assert.rejects(
      verifyAccessToken(token),
      (error: unknown) =>
        error instanceof Unauthorized && /error="invalid_token"/.test(error.headers['www-authenticate'] ?? ''),
      name,
    )
  }
  assert.ok(Object.keys(forgeries).length >= 40)
})

test('a copy of the database opens nothing', async () => {
  const browser = new Browser()
  const { refresh_token: token = '' } = await signInTo(cli, ada, {}, browser)
  const rows = await database.atDoor<{ all: string }>`select row_to_json(o)::text as all from oauth o`
  const dump = rows.map(row => row.all).join('\n')
  assert.ok(rows.length > 5)
  assert.ok(!dump.includes(token))
  const session = browser.cookieLines.find(line => line.startsWith('gantry-session='))?.split(/[=;]/)[1] ?? ''
  assert.ok(session.length > 20)
  assert.ok(!dump.includes(session))
  assert.ok(dump.includes(`${ada.tenantId}:${ada.userId}`), 'whose a row is can be told, to end it')
  const stolen = await database.atDoor<{ id: string }>`select id from oauth where kind = 'RefreshToken'`
  assert.equal((await refresh(stolen[0]?.id)).body.error, 'invalid_grant')
})

test('what goes wrong inside stays inside', async () => {
  const broken = await startService({
    ...database,
    atDoor: async (...given: Parameters<typeof database.atDoor>) => {
      if (given[0].join('').includes('from oauth') || given[0].join('').includes('into oauth'))
        throw new Error('secret inner text')
      return await database.atDoor(...given)
    },
  } as typeof database)
  const token = await post(`${broken.baseUrl}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: 'gantry-cli',
    refresh_token: 'x',
  })
  assert.equal(token.status, 500)
  assert.equal(token.body.error, 'server_error')
  const page = await new Browser().open(authUrl(cli, pkce().challenge).replace(baseUrl, broken.baseUrl))
  const device = await new Browser().open(`${broken.baseUrl}/oauth/device`)
  for (const text of [token.text, page.text, page.url, device.text])
    assert.ok(!/inner text|at .*\.ts|node_modules/.test(text), text)
  assert.ok(broken.lines.some(line => String(line.error).includes('secret inner text')))
  assert.equal(service.lines.length, 0, JSON.stringify(service.lines))
})

test('behind a path of its own every address has the path', async () => {
  const deep = await startService(database, { basePath: '/gantry' })
  const { body } = await getJson(`${deep.origin}/.well-known/openid-configuration`)
  assert.equal(body.issuer, deep.baseUrl)
  assert.equal(body.token_endpoint, `${deep.baseUrl}/oauth/token`)
  const start = await fetch(authUrl(cli, pkce().challenge).replace(baseUrl, deep.origin), { redirect: 'manual' })
  assert.match(start.headers.get('location') ?? '', /^\/gantry\/oauth\/interaction\//)
})

test('behind TLS the cookies are bound to it', async () => {
  const safe = await startService(database, { baseUrl: 'https://gantry.example' })
  const { body } = await getJson(`${safe.origin}/.well-known/openid-configuration`)
  assert.equal(body.token_endpoint, 'https://gantry.example/oauth/token')
  const page = await fetch(`${safe.origin}/oauth/device`)
  const start = await fetch(authUrl(cli, pkce().challenge).replace(baseUrl, safe.origin), { redirect: 'manual' })
  const cookies = [...page.headers.getSetCookie(), ...start.headers.getSetCookie()]
  assert.ok(cookies.some(line => line.startsWith('__Host-gantry-session=')))
  assert.ok(cookies.some(line => line.startsWith('__Secure-gantry-interaction=')))
  for (const line of cookies) assert.match(line, /; secure/i)
})

test('nothing that submits itself is blocked by our own policy', async () => {
  const page = await fetch(at('logout'))
  const script = /<script>([\s\S]*)<\/script>/.exec(await page.text())?.[1] ?? ''
  const allowed = `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  assert.ok(page.headers.get('content-security-policy')?.includes(allowed))
})
