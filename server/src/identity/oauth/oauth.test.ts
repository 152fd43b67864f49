import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as jose from 'jose'
import { Unauthorized } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { revokeAccount } from './oauth.ts'
import { Browser, cli, clientOf, getJson, loopback, pkce, post } from './test-client.ts'
import { changeUser, makeKey, makeTenant, makeUser, openTestDatabase, password, startService } from './test-service.ts'

const other = {
  client_id: 'reporter',
  client_name: 'Reporter <b>& Co</b>',
  redirect_uris: ['https://reporter.example/back'],
}

const database = await openTestDatabase()
const service = await startService(database, { clients: [other] })
const { baseUrl, verifyAccessToken } = service
const { at, authUrl, getCode, redeem, refresh, signInTo, attempt } = clientOf(baseUrl)
const tenantId = await makeTenant(database, 'harbour')
const ada = await makeUser(database, tenantId, 'ada@example.com')
const web = { client_id: 'gantry-web', redirect_uri: `${baseUrl}/signed-in` }

test('discovery lists the endpoints under the configured base URL, whatever host the request names', async () => {
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
    assert.equal(body.userinfo_endpoint, at('userinfo'))
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
  const { d: _private, ...open } = (await service.signingKeys.current()).keys[0]
  assert.deepEqual(body, { keys: [open] })
  assert.equal((await fetch(at('token/introspection'), { method: 'POST' })).status, 404)
})

test('a code with PKCE becomes an access token that names user, tenant and scope', async () => {
  const tokens = await signInTo(cli, ada)
  assert.equal(tokens.token_type, 'Bearer')
  assert.equal(Number(tokens.expires_in), 600)
  const header = jose.decodeProtectedHeader(tokens.access_token ?? '')
  assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt', kid: (await service.signingKeys.current()).keys[0].kid })
  const claims = jose.decodeJwt(tokens.access_token ?? '')
  assert.equal(claims.sub, ada.userId)
  assert.equal(claims.tid, tenantId)
  assert.equal(claims.aud, `${baseUrl}/api`)
  assert.equal(claims.scope, '*:*')
  const verified = await verifyAccessToken(tokens.access_token ?? '')
  assert.deepEqual(
    { ...verified, expiresAt: 0, jti: '', signedIn: verified.signedIn?.methods },
    {
      signedIn: ['pwd'],
      tenantId,
      userId: ada.userId,
      scopes: [],
      expiresAt: 0,
      authVersion: 1,
      jti: '',
      clientId: 'gantry-cli',
      session: claims.grant,
    },
  )
  const id = jose.decodeJwt(tokens.id_token ?? '')
  assert.equal(id.sub, ada.userId)
  assert.equal(id.aud, 'gantry-cli')
})

test('the sign-in page loads no external resources and its cookies are restricted', async () => {
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
  assert.match(stranger.text, /started in another browser/)
})

test('a wrong verifier, a foreign redirect and a reused code are refused', async () => {
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

test('refresh tokens rotate, and reusing an old one revokes the whole family', async () => {
  const first = await signInTo(cli, ada)
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

test('two simultaneous uses of a refresh token revoke it for both', async () => {
  const { refresh_token: token } = await signInTo(cli, ada)
  const answers = await Promise.all([refresh(token), refresh(token), refresh(token)])
  const won = answers.filter(({ status }) => status === 200)
  assert.ok(won.length <= 1)
  for (const { body } of won) assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant')
})

test('a sign-in with narrowed scopes stays narrowed, and unknown scopes are refused', async () => {
  const tokens = await signInTo(cli, ada, { scope: 'openid offline_access clock:read item:write' })
  assert.deepEqual((await verifyAccessToken(tokens.access_token ?? '')).scopes, ['clock:read', 'item:write'])
  const again = await refresh(tokens.refresh_token, 'gantry-cli', { scope: 'openid clock:read' })
  assert.deepEqual((await verifyAccessToken(again.body.access_token ?? '')).scopes, ['clock:read'])
  const wider = await refresh(again.body.refresh_token, 'gantry-cli', { scope: 'openid *:*' })
  assert.equal(wider.body.error, 'invalid_scope')
  const dropped = await refresh(again.body.refresh_token, 'gantry-cli', { scope: 'openid' })
  assert.equal(dropped.body.error, 'invalid_scope', 'a request without API scopes does not get all of them')
  const unknown = await new Browser().open(authUrl(cli, pkce().challenge, { scope: 'openid clock:raed' }))
  assert.equal(new URL(unknown.url).searchParams.get('error'), 'invalid_scope')
  const foreign = await new Browser().open(authUrl(cli, pkce().challenge, { resource: 'https://elsewhere.example' }))
  assert.equal(new URL(foreign.url).searchParams.get('error'), 'invalid_target')
  const { code, verifier } = await getCode(new Browser(), ada, cli, { scope: '' })
  assert.equal((await redeem(cli, code, verifier)).status, 200, 'no scope at all is allowed')
})

test('a sign-in without API scopes says who somebody is, and opens nothing', async () => {
  for (const scope of ['openid profile email', '']) {
    const tokens = await signInTo(cli, ada, { scope, prompt: 'consent' })
    assert.equal(tokens.refresh_token, undefined)
    await assert.rejects(verifyAccessToken(tokens.access_token ?? ''), Unauthorized)
    const known = await getJson(at('userinfo'), { authorization: `Bearer ${tokens.access_token}` })
    assert.deepEqual([known.status, known.body.sub, known.body.tid], [200, ada.userId, tenantId])
    assert.equal(known.body.email, scope === '' ? undefined : ada.email)
  }
  const offline = await signInTo(cli, ada, { scope: 'openid offline_access' })
  const again = await refresh(offline.refresh_token)
  await assert.rejects(verifyAccessToken(again.body.access_token ?? ''), Unauthorized)
  const once = await signInTo(cli, ada, { scope: 'openid item:read' })
  assert.equal(once.refresh_token, undefined, 'a refresh token is for offline access')
  const ofApi = await getJson(at('userinfo'), { authorization: `Bearer ${once.access_token}` })
  assert.equal(ofApi.status, 401)
})

test('a session signs in to the web app silently, and to a native client only after a confirmation', async () => {
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
  assert.match(asks.text, /Allow access for Gantry command line\?/)
  assert.match(asks.text, /ada/)
  const refused = await browser.submit(asks.url, { answer: 'refuse' })
  assert.equal(new URL(refused.url).searchParams.get('error'), 'access_denied')
  const { verifier, challenge } = pkce()
  const page = await browser.open(authUrl(cli, challenge))
  const allowed = await browser.submit(page.url, { answer: 'allow' })
  const tokens = await redeem(cli, new URL(allowed.url).searchParams.get('code') ?? '', verifier)
  assert.equal(tokens.status, 200)
})

test('a third-party client needs consent, and its name is shown as untrusted text', async () => {
  const browser = new Browser()
  const client = { client_id: 'reporter', redirect_uri: 'https://reporter.example/back' }
  const { verifier, challenge } = pkce()
  const login = await browser.open(authUrl(client, challenge, { scope: 'openid item:read' }))
  const consent = await browser.submit(login.url, { email: ada.email, password })
  assert.match(consent.text, /Reporter &lt;b&gt;&amp; Co&lt;\/b&gt;/)
  assert.match(consent.text, /<li>Read items<\/li>/)
  assert.match(consent.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/reporter\.example;/)
  const end = await browser.submit(consent.url, { answer: 'allow' })
  const tokens = await redeem(client, new URL(end.url).searchParams.get('code') ?? '', verifier)
  assert.deepEqual((await verifyAccessToken(tokens.body.access_token ?? '')).scopes, ['item:read'])
})

test('a device is connected by its code', async () => {
  const start = await post(at('device/auth'), { client_id: 'gantry-cli', scope: 'openid offline_access item:read' })
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
  assert.match(wrong.text, /unknown or has expired/)
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
  assert.equal((await poll()).body.error, 'invalid_grant', 'a device code can be used once')
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

test('a client revokes its access tokens, and nobody else does', async () => {
  const [own, foreign] = [await makeKey(database, ada), await makeKey(database, ada)]
  const basic = ({ prefix, raw }: { prefix: string; raw: string }) => ({
    authorization: `Basic ${Buffer.from(`${prefix}:${raw}`).toString('base64')}`,
  })
  const fetchToken = async () =>
    (await post(at('token'), { grant_type: 'client_credentials' }, basic(own))).body.access_token ?? ''
  const revoke = (token: string, by: typeof own) => post(at('revoke'), { token }, basic(by))
  const [first, second] = [await fetchToken(), await fetchToken()]
  assert.notEqual((await revoke(first, foreign)).status, 200, 'another client revokes nothing')
  assert.equal((await verifyAccessToken(first)).keyId, own.id)
  assert.equal((await revoke(first, own)).status, 200)
  await assert.rejects(verifyAccessToken(first), { status: 401 })
  assert.equal((await revoke(first, own)).status, 200, 'revoking twice is no error')
  assert.equal((await verifyAccessToken(second)).keyId, own.id, 'other tokens of the key stay valid')
  await revoke(`${second.slice(0, -4)}AAAA`, own)
  assert.equal((await verifyAccessToken(second)).keyId, own.id, 'a forged token revokes nothing')
  const tokens = await signInTo(cli, ada)
  const signedIn = await post(at('revoke'), { token: tokens.access_token ?? '', client_id: cli.client_id })
  assert.equal(signedIn.status, 200)
  await assert.rejects(verifyAccessToken(tokens.access_token ?? ''), { status: 401 })
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
    {
      ...{
        tenantId,
        userId: ada.userId,
        keyId: all.id,
        scopes: [],
        allowedIps: [],
        expiresAt: 0,
        authVersion: 1,
        jti: '',
      },
      clientId: all.prefix,
    },
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
  assert.equal(forged.body.error, 'invalid_client', 'a header cannot forge the address of the client')
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
  await assert.rejects(
    verifyAccessToken(whole.body.access_token ?? ''),
    Unauthorized,
    'the tokens of a revoked key are refused',
  )

  const bob = await makeUser(database, tenantId, 'bob.keys@example.com')
  const his = await makeKey(database, bob)
  assert.equal((await fetchToken(his.prefix, his.raw)).status, 200)
  await changeUser(database, bob, sql`active = false`)
  assert.equal((await fetchToken(his.prefix, his.raw)).body.error, 'invalid_client')
})

test('revocation and sign-out end tokens and sessions', async () => {
  const tokens = await signInTo(cli, ada)
  const revoked = await post(at('revoke'), { client_id: 'gantry-cli', token: tokens.refresh_token ?? '' })
  assert.equal(revoked.status, 200)
  assert.equal((await refresh(tokens.refresh_token)).body.error, 'invalid_grant')
  await assert.rejects(verifyAccessToken(tokens.access_token ?? ''), Unauthorized, 'its access token is refused too')
  const kept = await signInTo(cli, ada)
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

test('deactivation and new credentials end refresh tokens and sessions', async () => {
  const cleo = await makeUser(database, tenantId, 'cleo@example.com')
  const fresh = async () => {
    const browser = new Browser()
    return { browser, tokens: await signInTo(cli, cleo, {}, browser) }
  }
  const [one, two, three] = [await fresh(), await fresh(), await fresh()]
  await changeUser(database, cleo, sql`active = false`)
  assert.equal((await refresh(one.tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await attempt(cleo.email, password)).in, false)
  await changeUser(database, cleo, sql`active = true`)
  await changeUser(database, cleo, sql`auth_version = auth_version + 1`)
  assert.equal((await refresh(two.tokens.refresh_token)).body.error, 'invalid_grant')
  const page = await two.browser.open(authUrl(web, pkce().challenge))
  assert.match(page.text, /Sign in/, 'an old session requires a new sign-in')
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

test('an internal error reveals no details', async () => {
  const broken = await startService({
    ...database,
    crossTenantSql: async (...given: Parameters<typeof database.crossTenantSql>) => {
      if (given[0].join('').includes('from oauth') || given[0].join('').includes('into oauth'))
        throw new Error('secret inner text')
      return await database.crossTenantSql(...given)
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

test('every URL contains the path prefix of the base URL', async () => {
  const deep = await startService(database, { basePath: '/gantry' })
  const { body } = await getJson(`${deep.origin}/.well-known/openid-configuration`)
  assert.equal(body.issuer, deep.baseUrl)
  assert.equal(body.token_endpoint, `${deep.baseUrl}/oauth/token`)
  const start = await fetch(authUrl(cli, pkce().challenge).replace(baseUrl, deep.origin), { redirect: 'manual' })
  assert.match(start.headers.get('location') ?? '', /^\/gantry\/oauth\/interaction\//)
})

test('cookies are bound to TLS if the base URL is https', async () => {
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

test('the content security policy permits the self-submitting forms', async () => {
  const page = await fetch(at('logout'))
  const script = /<script>([\s\S]*)<\/script>/.exec(await page.text())?.[1] ?? ''
  const allowed = `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  assert.ok(page.headers.get('content-security-policy')?.includes(allowed))
})

test('pages of the service may fetch tokens, pages of other origins may not', async () => {
  const ask = (origin: string) =>
    post(at('token'), { grant_type: 'refresh_token', client_id: 'gantry-web', refresh_token: 'x' }, { origin })
  assert.equal((await ask(new URL(baseUrl).origin)).body.error, 'invalid_grant')
  const foreign = await ask('https://evil.example')
  assert.equal(foreign.body.error, 'invalid_request')
  assert.equal(foreign.headers.get('access-control-allow-origin'), null)
})
