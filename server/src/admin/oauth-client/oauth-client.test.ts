import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { newBrowser, webName, webPassword } from '../../../test/support/web-user.ts'
import { clientKind } from '../../identity/oauth/provider/tenant-clients.ts'
import { pkce } from '../../identity/oauth/test-client.ts'
import { roleCode } from '../../kernel/access.ts'
import { callback, Program } from './test-program.ts'

const { ada, eve, base, person } = await sharedTestService()

const draft = {
  name: 'Status <board>',
  homepage: 'https://board.example',
  redirectUris: [callback],
  scopes: ['item:read'],
}
const container = await ada.post('/container', { name: 'Work' })
// An address that several tenants of the shared service know would need the name of the workspace.
const [bobEmail, eveEmail] = [`bob-${ada.tenantId}@example.com`, `eve-${ada.tenantId}@example.com`]
const bob = await worker('Bob', bobEmail, ada)
await worker('Eve', eveEmail, eve)

async function worker(name: string, email: string, admin: Person): Promise<Person> {
  const who = await person({ name, email }, admin)
  await admin.post(`/user/${who.id}/password`, { password: webPassword })
  return who
}

async function registered(more: object = {}) {
  const client = await ada.post('/oauth-client', { ...draft, ...more })
  return { client, program: new Program(base, client) }
}

const status = async (who: Person, path: string) => (await who.ask('GET', path)).status
const consentsTo = async (client: { clientId: string }) =>
  (await bob.get('/user/me/consent')).filter((each: { clientId: string }) => each.clientId === client.clientId)
const isOut = (who: Person) => until(async () => (await status(who, '/item')) === 401)

test('an admin registers, changes, deletes and restores a client, and its secret is shown once', async () => {
  const { client } = await registered({ kind: clientKind.confidential })
  assert.match(client.clientId, /^gtc_\w{20}$/)
  assert.match(client.RawSecret, /^gts_\w{43}$/)
  assert.equal(client.secretLast4, client.RawSecret.slice(-4))
  const read = await ada.get(`/oauth-client/${client.id}`)
  assert.ok(!('RawSecret' in read) && !JSON.stringify(read).includes(client.RawSecret))
  assert.equal((await ada.put(`/oauth-client/${client.id}`, { name: 'Board' })).name, 'Board')
  await ada.delete(`/oauth-client/${client.id}`)
  assert.equal(await status(ada, `/oauth-client/${client.id}`), 404)
  assert.equal((await ada.must('POST', `/oauth-client/${client.id}/restore`)).clientId, client.clientId)
  const audited = await ada.get(`/audit?recordId=${client.id}&limit=20`)
  assert.deepEqual(audited.map((each: { reason: string }) => each.reason).sort(), [
    'oauthClient.created',
    'oauthClient.deleted',
    'oauthClient.restored',
    'oauthClient.updated',
  ])
})

test('all faults of a client are named, and only admins without scopes see and write clients', async () => {
  const bad = {
    name: '',
    homepage: 'http://x',
    redirectUris: ['https://*.x.example', 'ftp://x'],
    scopes: ['item:raed'],
  }
  const { status: refused, body } = await ada.ask('POST', '/oauth-client', { body: bad })
  assert.equal(refused, 400)
  assert.ok(body.Fields.length >= 1, JSON.stringify(body))
  const named = await ada.ask('POST', '/oauth-client', { body: { ...bad, name: 'x' } })
  assert.deepEqual(named.body.Fields.map((each: { Pointer: string }) => each.Pointer).sort(), [
    '/homepage',
    '/redirectUris/0',
    '/redirectUris/1',
    '/scopes/0',
  ])
  assert.equal((await bob.ask('POST', '/oauth-client', { body: draft })).status, 403)
  assert.equal(await status(bob, '/oauth-client'), 403)
  const { client } = await registered()
  assert.equal(await status(eve, `/oauth-client/${client.id}`), 404)
  const scoped = await ada.post('/admin/api-key', { name: 'all', scopes: ['*:admin'] })
  const limited = new Program(base, client).as(ada, scoped.RawKey)
  assert.equal((await limited.ask('POST', '/oauth-client', { body: draft })).status, 403)
})

test('the page of consent names the program, the person, the tenant and what it may do, in both languages', async () => {
  const { program, client } = await registered()
  const { page, browser } = await program.ask(bobEmail, { scope: 'openid email item:read' })
  const tenant = (await ada.get('/session')).tenant.name
  for (const text of ['Status &lt;board&gt;', 'Bob', tenant, 'Read items', 'Know your e-mail address', 'board.example'])
    assert.ok(page.text.includes(text), `${text} in ${page.text}`)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const german = await browser.fetch(page.url, { headers: { 'accept-language': 'de' } })
  assert.match(await german.text(), /Vorgänge lesen/)
  const denied = await browser.submit(page.url, { answer: 'refuse' })
  assert.equal(new URL(denied.url).searchParams.get('error'), 'access_denied')
  assert.deepEqual(await consentsTo(client), [])
})

test('a token has the rights of the user within the scopes of the client, and makes no credential', async () => {
  const { program, client } = await registered({ scopes: ['*:*'] })
  const { access_token } = await program.tokens(bobEmail, { scope: 'openid *:*' })
  const acting = program.as(bob, access_token)
  assert.equal((await acting.ask('POST', '/item', { body: { title: 'x', containerId: container.id } })).status, 201)
  assert.equal(await status(acting, '/audit'), 403) // bob is no admin
  assert.equal((await acting.ask('POST', '/admin/api-key', { body: { name: 'for ever' } })).status, 403)
  await ada.put(`/oauth-client/${client.id}`, { scopes: ['item:read'] })
  await until(
    async () => (await acting.ask('POST', '/item', { body: { title: 'y', containerId: container.id } })).status === 403,
  )
  assert.equal(await status(acting, '/item'), 200)
  await ada.put(`/oauth-client/${client.id}`, { scopes: [] })
  await isOut(acting)
})

test('sessions have the name of the client, for the user and for admins', async () => {
  const { program, client } = await registered({ name: 'Wall of numbers' })
  await program.tokens(bobEmail)
  const shown = async (who: Person, path: string) =>
    (await who.get(path)).map((each: { client: string }) => each.client)
  const own = await shown(bob, '/session/all')
  assert.ok(own.includes('Wall of numbers') && !own.includes(client.clientId), own.join())
  await ada.put(`/oauth-client/${client.id}`, { name: 'Wall' })
  assert.ok((await shown(ada, `/user/${bob.id}/session`)).includes('Wall'))
  // Clients of the service itself have no other name than their id.
  assert.equal((await bob.ask('GET', '/session/all')).status, 200)
  assert.equal(await status(eve, `/user/${bob.id}/session`), 404)
})

test('a client gets no scope beyond its own', async () => {
  const { program } = await registered()
  const { page } = await program.ask(bobEmail, { scope: 'openid item:write' })
  const answer = new URL(page.url)
  assert.equal(`${answer.origin}${answer.pathname}`, callback)
  assert.equal(answer.searchParams.get('error'), 'invalid_scope')
})

test('consent is remembered for what was allowed, asked again for more, and taken back by the user', async () => {
  const { program, client } = await registered({ scopes: ['item:write'] })
  const first = await program.tokens(bobEmail)
  const again = await program.ask(bobEmail, {}, newBrowser(base))
  assert.ok(again.page.url.startsWith(callback), again.page.text)
  const more = await program.ask(bobEmail, { scope: 'openid item:write' }, newBrowser(base))
  assert.match(more.page.text, /Read and change items/)
  const asked = await program.ask(bobEmail, { prompt: 'consent' }, newBrowser(base))
  assert.match(asked.page.text, /Read items/)
  const [consent] = await consentsTo(client)
  assert.deepEqual(
    [consent.clientId, consent.name, consent.scopes],
    [client.clientId, draft.name, ['item:read', 'openid']],
  )
  const acting = program.as(bob, first.access_token)
  assert.equal(await status(acting, '/item'), 200)
  assert.equal((await eve.ask('DELETE', `/user/me/consent/${consent.id}`)).status, 404)
  await bob.delete(`/user/me/consent/${consent.id}`)
  await isOut(acting)
  assert.deepEqual(await consentsTo(client), [])
  const afterwards = await program.ask(bobEmail, {}, first.browser)
  assert.match(afterwards.page.text, /Read items/)
  const entries = await ada.get(`/audit?action=consent&recordId=${client.id}&limit=20`)
  assert.deepEqual(entries.map((each: { reason: string }) => each.reason).sort(), [
    'allowed openid item:read',
    'allowed openid item:read',
    'revoked',
  ])
  assert.ok(entries.every((each: { userId: string }) => each.userId === bob.id))
  assert.ok(entries.some((each: { client: string }) => each.client === client.clientId))
})

test('a client that is switched off or deleted, by undo too, loses its tokens for good', async () => {
  const endings = [
    (id: string) => ada.put(`/oauth-client/${id}`, { active: false }),
    (id: string) => ada.delete(`/oauth-client/${id}`),
    async (id: string) => {
      const [made] = await ada.get(`/oauth-client/${id}/history`)
      await ada.must('POST', `/change/${made.changeSetId}/undo`)
    },
  ]
  for (const end of endings) {
    const { program, client } = await registered()
    const tokens = await program.tokens(bobEmail, { scope: 'openid offline_access item:read', prompt: 'consent' })
    const acting = program.as(bob, tokens.access_token)
    assert.equal(await status(acting, '/item'), 200)
    await end(client.id)
    await isOut(acting)
    const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    assert.equal((await program.token(refreshed)).body.error, 'invalid_client')
    assert.equal((await newBrowser(base).open(program.authUrl(pkce().challenge))).status, 400)
    await ada.ask('POST', `/oauth-client/${client.id}/restore`)
    await ada.put(`/oauth-client/${client.id}`, { active: true })
    assert.equal((await program.token(refreshed)).body.error, 'invalid_grant')
    assert.equal(await status(acting, '/item'), 401)
    assert.deepEqual(await consentsTo(client), [])
    assert.match((await program.ask(bobEmail, {}, tokens.browser)).page.text, /Read items/)
  }
})

test('a user of another tenant is refused like at an unknown client, and nothing is sent to the program', async () => {
  const { program } = await registered()
  const unknown = new Program(base, { clientId: `gtc_${'x'.repeat(20)}`, RawSecret: null })
  const absent = await newBrowser(base).open(unknown.authUrl(pkce().challenge))
  const { page, browser } = await program.ask(eveEmail)
  assert.deepEqual([page.status, page.text], [absent.status, absent.text])
  assert.equal(page.status, 400)
  const forced = await browser.submit(page.url, { answer: 'allow' })
  assert.deepEqual([forced.status, forced.text], [absent.status, absent.text])
  const later = await program.ask(eveEmail, {}, browser)
  assert.deepEqual([later.page.status, later.page.text], [absent.status, absent.text])
})

test('a secret is replaced, and the old one counts as long as the admin says', async () => {
  const { program, client } = await registered({ kind: clientKind.confidential })
  const offline = { scope: 'openid offline_access item:read', prompt: 'consent' }
  let { refresh_token } = await program.tokens(bobEmail, offline)
  async function answers(secret: string) {
    const form = { grant_type: 'refresh_token', refresh_token: refresh_token, client_secret: secret }
    const { body } = await program.token(form)
    refresh_token = body.refresh_token ?? refresh_token
    return body.error ?? 'ok'
  }
  assert.equal(await answers(''), 'invalid_client')
  assert.equal(await answers('gts_wrong'), 'invalid_client')
  const second = await ada.post(`/oauth-client/${client.id}/secret`, { graceMinutes: 60 })
  assert.deepEqual([await answers(client.RawSecret), await answers(second.RawSecret)], ['ok', 'ok'])
  const third = await ada.post(`/oauth-client/${client.id}/secret`, {})
  assert.deepEqual(
    [await answers(client.RawSecret), await answers(second.RawSecret), await answers(third.RawSecret)],
    ['invalid_client', 'invalid_client', 'ok'],
  )
  const open = await registered()
  const { status: refused, body } = await ada.ask('POST', `/oauth-client/${open.client.id}/secret`, { body: {} })
  assert.deepEqual([refused, body.code], [422, 'public-client'])
})

test('a code is redeemed once, by its client, with its verifier and its address', async () => {
  const [{ program }, { program: other }] = await Promise.all([registered(), registered()])
  async function freshCode() {
    const { page, browser, verifier } = await program.ask(bobEmail, { prompt: 'consent' })
    const end = await browser.submit(page.url, { answer: 'allow' })
    assert.equal(new URL(end.url).searchParams.get('iss'), webName)
    return { code: new URL(end.url).searchParams.get('code') ?? '', verifier }
  }
  const wrong = [
    async ({ code, verifier }: { code: string; verifier: string }) => await other.redeem(code, verifier),
    async ({ code }: { code: string }) => await program.redeem(code, pkce().verifier),
    async ({ code }: { code: string }) =>
      await program.token({ grant_type: 'authorization_code', code, redirect_uri: callback }),
    async ({ code, verifier }: { code: string; verifier: string }) =>
      await program.redeem(code, verifier, { redirect_uri: 'https://evil.example/callback' }),
  ]
  for (const attempt of wrong) assert.equal((await attempt(await freshCode())).body.error, 'invalid_grant')
  const { access_token, code, verifier } = await program.tokens(bobEmail)
  const acting = program.as(bob, access_token)
  assert.equal(await status(acting, '/item'), 200)
  assert.equal((await program.redeem(code, verifier)).body.error, 'invalid_grant')
  await isOut(acting) // the first who redeemed it may have been a thief
})

test('requests without PKCE, or with an address that is not registered, lead nowhere else', async () => {
  const { program } = await registered({ redirectUris: [callback, 'http://127.0.0.1/callback'] })
  const plain = await newBrowser(base).open(program.authUrl(pkce().challenge, { code_challenge_method: 'plain' }))
  assert.equal(new URL(plain.url).searchParams.get('error'), 'invalid_request')
  const none = await newBrowser(base).open(program.authUrl('', { code_challenge: '', code_challenge_method: '' }))
  assert.equal(new URL(none.url).searchParams.get('error'), 'invalid_request')
  const foreign = [
    'https://evil.example/callback',
    `${callback}/`,
    `${callback}?x=1`,
    'https://board.example.evil.example/callback',
    'http://127.0.0.1:99/other',
    'http://localhost/callback',
  ]
  for (const redirect_uri of foreign) {
    const answer = await newBrowser(base).open(
      program.authUrl(pkce().challenge, { redirect_uri, response_type: 'bad' }),
    )
    assert.equal(answer.status, 400, redirect_uri)
    assert.ok(answer.url.startsWith(webName), answer.url)
  }
  const local = await newBrowser(base).open(
    program.authUrl(pkce().challenge, { redirect_uri: 'http://127.0.0.1:51234/callback' }),
  )
  assert.match(local.text, /name="password"/)
})

test('an answer that another site sends for the person is refused', async () => {
  const { program } = await registered()
  const { page, browser } = await program.ask(bobEmail)
  const body = () => new URLSearchParams({ answer: 'allow' })
  for (const headers of [
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://a.gantry.localhost' },
  ]) {
    const answer = await browser.open(page.url, { method: 'POST', body: body(), headers })
    assert.equal(answer.status, 403, JSON.stringify(headers))
  }
  const without = await newBrowser(base).open(page.url, { method: 'POST', body: body() })
  assert.equal(without.status, 400) // the cookie of the interaction is missing
  const own = await browser.open(page.url, {
    method: 'POST',
    body: body(),
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  assert.ok(own.url.startsWith(callback))
})

test('who manages users sees and takes back their consents, others do not', async () => {
  const { program, client } = await registered()
  const { access_token } = await program.tokens(bobEmail)
  const [consent] = await consentsTo(client)
  const seen = await ada.get(`/user/${bob.id}/consent`)
  assert.ok(seen.some((each: { id: string }) => each.id === consent.id))
  const colleague = await person({ name: 'Carl', role: roleCode.member })
  assert.equal(await status(colleague, `/user/${bob.id}/consent`), 403)
  assert.equal((await colleague.ask('DELETE', `/user/me/consent/${consent.id}`)).status, 404)
  assert.equal(await status(program.as(bob, access_token), '/user/me/consent'), 403) // no credential with scopes
  await ada.delete(`/user/${bob.id}/consent/${consent.id}`)
  await isOut(program.as(bob, access_token))
})
