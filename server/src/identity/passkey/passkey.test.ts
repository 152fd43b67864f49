import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { Authenticator } from '../../../test/support/authenticator.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { newBrowser, signInToWeb, WebUser, webName, webPassword } from '../../../test/support/web-user.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { relyingParty } from './passkey.ts'

const { ada, eve, base, database, person } = await startTestService({ TRUST_PROXY: '1' })

let count = 0
async function worker(): Promise<{ who: Person; email: string }> {
  const email = `worker-${++count}@example.com`
  const who = await person({ name: `Worker ${count}`, email })
  await ada.post(`/user/${who.id}/password`, { password: webPassword })
  return { who, email }
}

const options = (who: Person) => who.post('/user/me/passkey/options', { password: webPassword })

/** Adds a passkey of a new device. */
async function withPasskey() {
  const { who, email } = await worker()
  const device = new Authenticator()
  const passkey = await who.post('/user/me/passkey', {
    name: 'Phone',
    response: device.create(await options(who), webName),
  })
  return { who, email, device, passkey }
}

/** Opens the sign-in page and returns what its script reads there. */
async function loginPage(browser = newBrowser(base)) {
  const page = await browser.open(`${webName}/sign-in`)
  const [, challenge = '', rpId = ''] = /data-challenge="([^"]+)" data-rp-id="([^"]+)"/.exec(page.text) ?? []
  const submit = (response: unknown) => {
    const body = new URLSearchParams({ response: typeof response === 'string' ? response : JSON.stringify(response) })
    const headers = { 'x-forwarded-for': `10.1.${++count >> 8}.${count & 255}` }
    return browser.open(`${page.url}/passkey`, { method: 'POST', body, headers })
  }
  return { browser, page, challenge, rpId, submit }
}

const me = async (browser: ReturnType<typeof newBrowser>) =>
  (await new WebUser({ base, id: '', tenantId: '' }, browser).ask('GET', '/user/me')).body

test('a passkey signs in without password, and says so', async () => {
  const { who, device, passkey } = await withPasskey()
  assert.deepEqual([passkey.name, passkey.lastUsed], ['Phone', null])
  for (let times = 0; times < 2; times++) {
    const { browser, challenge, rpId, submit } = await loginPage()
    assert.equal(rpId, 'gantry.localhost')
    const end = await submit(device.get({ challenge, rpId }, webName))
    assert.equal(end.url, `${webName}/`, end.text)
    assert.equal((await me(browser)).id, who.id)
    const [session] = await new WebUser(who, browser).get('/session/all')
    assert.deepEqual(session.methods, ['pop', 'user', 'mfa'])
  }
  assert.ok((await who.get('/user/me/passkey'))[0].lastUsed)
  const [entry] = await ada.get(`/audit?userId=${who.id}&action=signIn&sort=-created`)
  assert.deepEqual([entry.credential, entry.outcome], ['passkey', 'ok'])
})

test('the page allows the one script that it needs', async () => {
  const { page } = await loginPage()
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src http:\/\/gantry\.localhost\/oauth\/passkey\.js; style-src/,
  )
  assert.match(page.text, /autocomplete="username webauthn"/)
  const script = await newBrowser(base).open(`${webName}/oauth/passkey.js`)
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  new Function(script.text) // it compiles
})

test('no falsified answer signs in', async () => {
  const { who, device } = await withPasskey()
  const other = await withPasskey()
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const handle = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
  const lies: [string, (page: { challenge: string; rpId: string }) => unknown][] = [
    ['another key', page => device.get(page, webName, { key: stranger })],
    ['another site', page => device.get(page, 'http://evil.test')],
    ['another site’s id', page => device.get(page, webName, { rpId: 'evil.test' })],
    ['another ceremony', page => device.get(page, webName, { type: 'webauthn.create' })],
    ['no verification of the user', page => device.get(page, webName, { verified: false })],
    ['another challenge', page => device.get({ ...page, challenge: 'x'.repeat(43) }, webName)],
    ['another user', page => device.get(page, webName, { userHandle: handle(other.who.id) })],
    [
      'no user',
      page => ({
        ...device.get(page, webName),
        response: { ...device.get(page, webName).response, userHandle: undefined },
      }),
    ],
    ['a copied key', page => device.get(page, webName, { counter: 0 })],
    ['an unknown device', page => new Authenticator().get(page, webName, { userHandle: handle(who.id) })],
    [
      'the id of another device',
      page => ({
        ...device.get(page, webName),
        id: other.device.get(page, webName).id,
        rawId: other.device.get(page, webName).id,
      }),
    ],
    ['nothing', () => ''],
    ['nonsense', () => '{"id": 5}'],
    ['a list', () => '[]'],
  ]
  for (const [what, lie] of lies) {
    const { browser, challenge, rpId, submit } = await loginPage()
    const end = await submit(lie({ challenge, rpId }))
    assert.equal(end.status, 403, what)
    assert.equal(browser.cookie('gantry-web'), undefined, what)
  }
  const refused = await ada.get(`/audit?userId=${who.id}&action=signIn&outcome=refused`)
  assert.ok(refused.length > 0 && refused.every((each: { credential: string }) => each.credential === 'passkey'))
})

test('an answer counts once, and in the browser that asked', async () => {
  const { device } = await withPasskey()
  const [first, second] = [await loginPage(), await loginPage()]
  const answer = device.get({ challenge: first.challenge, rpId: first.rpId }, webName)
  assert.equal((await second.submit(answer)).status, 403)
  assert.equal((await first.submit(answer)).url, `${webName}/`)
  const again = await loginPage()
  assert.equal((await again.submit(answer)).status, 403)
})

test('locked, deactivated and deleted users, and removed passkeys, do not sign in', async () => {
  const ways: ((who: Person, id: string) => Promise<unknown>)[] = [
    who => ada.put(`/user/${who.id}`, { locked: '2999-01-01T00:00:00Z' }),
    who => ada.put(`/user/${who.id}`, { active: false }),
    who => ada.delete(`/user/${who.id}`),
    who => ada.must('POST', `/user/${who.id}/anonymise`),
    (who, id) => who.delete(`/user/me/passkey/${id}`),
  ]
  for (const way of ways) {
    const { who, device, passkey } = await withPasskey()
    await way(who, passkey.id)
    const { browser, challenge, rpId, submit } = await loginPage()
    assert.equal((await submit(device.get({ challenge, rpId }, webName))).status, 403, String(way))
    assert.equal(browser.cookie('gantry-web'), undefined)
  }
})

test('a passkey is as strong as a second factor', async () => {
  const { who, device } = await withPasskey()
  const setting = await ada.post('/admin/setting', { key: 'user.secondFactorRequired', value: true })
  const { browser, challenge, rpId, submit } = await loginPage()
  await submit(device.get({ challenge, rpId }, webName))
  assert.equal((await me(browser)).id, who.id)
  await ada.delete(`/admin/setting/${setting.id}`)
})

test('a passkey is added with the password, for the last options, by a device that answers them', async () => {
  const { who, email } = await worker()
  for (const body of [{}, { password: 'wrong password here' }]) {
    const { status, body: problem } = await who.ask('POST', '/user/me/passkey/options', { body })
    assert.deepEqual([status, problem.Fields[0].Field], [400, 'password'])
  }
  const add = (response: unknown, name = 'Key') => who.ask('POST', '/user/me/passkey', { body: { name, response } })
  const device = new Authenticator()
  const old = await options(who)
  const current = await options(who)
  assert.deepEqual(
    [current.authenticatorSelection.residentKey, current.authenticatorSelection.userVerification],
    ['required', 'required'],
  )
  const wrong = [
    device.create(old, webName),
    device.create(await options(who), 'http://evil.test'),
    device.create(await options(who), webName, { rpId: 'evil.test' }),
    device.create(await options(who), webName, { verified: false }),
    device.create(await options(who), webName, { type: 'webauthn.get' }),
  ]
  for (const response of wrong) {
    const { status, body } = await add(response)
    assert.deepEqual([status, body.Fields?.[0].Field], [400, 'response'])
    await options(who)
  }
  for (const response of [{}, 5, null, { id: 'x' }]) assert.equal((await add(response)).status, 400)
  assert.equal((await add(device.create(await options(who), webName), '')).status, 400)
  const good = device.create(await options(who), webName)
  assert.equal((await add(good)).status, 201)
  assert.deepEqual([(await add(good)).status, (await add(good)).body.code], [422, 'no-passkey-challenge'])
  assert.equal((await add(device.create(await options(who), webName))).status, 400) // the same device again
  assert.equal((await options(who)).excludeCredentials.length, 1)
  const kinds = (await ada.get(`/user/${who.id}/history`)).map((each: { type: string }) => each.type)
  assert.ok(kinds.includes('user.passkeyAdded'))
  // The cookie of the web app is a full credential; a key with scopes is not.
  const inBrowser = await signInToWeb(who, email)
  assert.equal((await inBrowser.get('/user/me/passkey')).length, 1)
  const key = await who.post('/admin/api-key', { name: 'narrow', scopes: ['user:write'] })
  const headers = { authorization: `Bearer ${key.RawKey}` }
  assert.equal((await who.ask('GET', '/user/me/passkey', { headers })).status, 403)
})

test('a user has twenty passkeys at most, and touches those of nobody else', async () => {
  const { who, passkey } = await withPasskey()
  assert.equal((await eve.ask('DELETE', `/user/me/passkey/${passkey.id}`)).status, 404)
  assert.equal((await ada.ask('DELETE', `/user/me/passkey/${passkey.id}`)).status, 404)
  await database.single(
    tenantCaller(who.tenantId),
    ctx => ctx.sql`insert into passkey (tenant_id, id, user_id, credential_id, public_key, counter, created)
      select ${who.tenantId}, gen_random_uuid(), ${who.id}, uuid_send(gen_random_uuid()), '', 0, now() from generate_series(1, 19) returning true`,
  )
  const { status, body } = await who.ask('POST', '/user/me/passkey/options', { body: { password: webPassword } })
  assert.deepEqual([status, body.code], [422, 'too-many-passkeys'])
})

test('an installation without a name has no passkeys', () => {
  assert.deepEqual(relyingParty('https://gantry.example:8443/x'), {
    id: 'gantry.example',
    origin: 'https://gantry.example:8443',
  })
  assert.deepEqual(relyingParty('http://localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' })
  for (const url of ['http://127.0.0.1:3000', 'https://[::1]:3000', 'https://10.0.0.1'])
    assert.equal(relyingParty(url), undefined)
})
