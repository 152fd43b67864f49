import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import {
  newBrowser,
  openSignIn,
  signInToWeb,
  type WebUser,
  webName,
  webPassword,
} from '../../../test/support/web-user.ts'
import { sql } from '../../kernel/sql.ts'
import { tenantCaller } from '../tenant-caller.ts'

const { ada, base, database, person, nobody } = await sharedTestService()

let count = 0
async function worker(): Promise<{ who: Person; email: string }> {
  const email = `worker-${++count}-${ada.tenantId}@example.com`
  const who = await person({ name: `Worker ${count}`, email })
  await ada.post(`/user/${who.id}/password`, { password: webPassword })
  return { who, email }
}

const { who: zoe, email: zoeEmail } = await worker()
const zoeInBrowser = await signInToWeb(zoe, zoeEmail, { query: '?to=/item/OPS-1%3Fa%3D1' })

test('the browser gets a cookie instead of tokens, and lands where it wanted to go', async () => {
  assert.equal(zoeInBrowser.end, `${webName}/item/OPS-1?a=1`)
  const line = zoeInBrowser.browser.cookieLines.find(each => each.startsWith('gantry-web=')) ?? ''
  for (const part of [/; HttpOnly/, /; SameSite=Strict/, /; Path=\/(;|$)/, /; Max-Age=7776000/])
    assert.match(line, part)
  assert.ok(!/; Secure/.test(line) && !/domain/i.test(line), line)
  assert.equal((await zoeInBrowser.get('/user/me')).id, zoe.id)
  const container = await zoeInBrowser.ask('POST', '/item/search', { body: {} })
  assert.equal(container.status, 200)
})

test('over TLS the cookies are bound to host and TLS by their names', async () => {
  const { webCookies } = await import('./web-cookie.ts')
  const headers: string[] = []
  const reply = { header: (_name: string, value: string) => headers.push(value) }
  const { session, signIn } = webCookies('https://gantry.example')
  for (const cookie of [session, signIn]) cookie.set(reply as never, 'x', 5) // only `header` of the reply is used
  assert.deepEqual(headers, [
    '__Host-gantry-web=x; Max-Age=5; Path=/; HttpOnly; SameSite=Strict; Secure',
    '__Host-gantry-sign-in=x; Max-Age=5; Path=/; HttpOnly; SameSite=Lax; Secure',
  ])
})

test('neither the cookie nor a token is stored, and the code works once', async () => {
  const value = zoeInBrowser.browser.cookie('gantry-web') ?? ''
  const [row] = await database.single(
    tenantCaller(zoe.tenantId),
    ctx =>
      ctx.sql<{
        row: string
      }>`select to_jsonb(s)::text as row from user_session s where s.tenant_id = ${zoe.tenantId} and s.user_id = ${zoe.id}`,
  )
  assert.ok(row && !row.row.includes(value))
  const tokens = await database.crossTenantSql`select 1 from oauth where kind in ('AccessToken', 'RefreshToken')
    and account_id = ${`${zoe.tenantId}:${zoe.id}`}`
  assert.equal(tokens.length, 0)
})

test('a second sign-in of the same browser needs no password and replaces the cookie', async () => {
  const { who, email } = await worker()
  const user = await signInToWeb(who, email)
  const before = user.cookie
  const { url, status } = await openSignIn(who, '?to=/work', user.browser)
  assert.deepEqual([url, status], [`${webName}/work`, 404]) // there is no page yet
  assert.notEqual(user.cookie, before)
  assert.equal((await user.ask('GET', '/user/me')).status, 200)
  assert.equal((await user.get('/session/all')).length, 1)
})

test('the target of the sign-in is an own page, whatever the address says', async () => {
  for (const to of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/..//evil.example',
    '/%09/evil.example',
  ]) {
    const { url } = await openSignIn(zoe, `?to=${encodeURIComponent(to)}`, zoeInBrowser.browser)
    assert.ok(url.startsWith(`${webName}/`) && new URL(url).host === 'gantry.localhost', url)
  }
  const two = await openSignIn(zoe, '?to=/a&to=//evil.example', zoeInBrowser.browser)
  assert.equal(two.url, `${webName}/`)
})

test('a sign-in under another host goes to the base URL first, once', async () => {
  const first = await fetch(`${base}/sign-in?to=/a&tenant=acme`, { redirect: 'manual' })
  assert.equal(first.status, 303)
  assert.equal(first.headers.get('location'), `${webName}/sign-in?to=%2Fa&tenant=acme&moved=1`)
  assert.equal(first.headers.getSetCookie().length, 0)
  const second = await fetch(`${base}/sign-in?to=/a&tenant=acme&moved=1`, { redirect: 'manual' })
  const asked = new URL(second.headers.get('location') ?? '')
  assert.equal(`${asked.origin}${asked.pathname}`, `${webName}/oauth/auth`)
  assert.equal(asked.searchParams.get('tenant'), 'acme')
  assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
})

test('an answer that this browser did not ask for opens no session', async () => {
  const { who, email } = await worker()
  // Mallory signs in and keeps the address with the code for somebody else.
  const mallory = newBrowser(base)
  const login = await openSignIn(who, '', mallory)
  let response = await mallory.fetch(login.url, {
    method: 'POST',
    body: new URLSearchParams({ email, password: webPassword }),
  })
  while (!response.headers.get('location')?.includes('/signed-in?'))
    response = await mallory.fetch(new URL(response.headers.get('location') ?? '', webName).href)
  const address = response.headers.get('location') ?? ''
  const otherState = address.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`)
  assert.deepEqual([(await mallory.open(otherState)).status, mallory.cookie('gantry-web')], [400, undefined])
  const victim = newBrowser(base)
  await openSignIn(zoe, '', victim)
  for (const url of [
    address,
    `${webName}/signed-in?code=x&state=y`,
    `${webName}/signed-in`,
    `${webName}/signed-in?error=access_denied`,
  ]) {
    const page = await victim.open(url)
    assert.equal(page.status, 400)
    assert.match(page.text, /Sign in another way/)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(victim.cookie('gantry-web'), undefined)
  }
  // With the state of the browser, but a code of another sign-in, the verifier does not match.
  await victim.fetch(`${webName}/sign-in?moved=1`)
  const forged = new URL((await victim.fetch(`${webName}/sign-in?moved=1`)).headers.get('location') ?? '')
  const code = new URL(address).searchParams.get('code') ?? ''
  const mixed = await victim.open(`${webName}/signed-in?code=${code}&state=${forged.searchParams.get('state')}`)
  assert.deepEqual([mixed.status, victim.cookie('gantry-web')], [400, undefined])
})

test('a cookie counts only in requests of our own pages', async () => {
  const { cookie } = zoeInBrowser
  const ours = { cookie, origin: webName, 'x-gantry': 'web', 'sec-fetch-site': 'same-origin' }
  const { 'sec-fetch-site': _site, ...older } = ours
  const read: [Record<string, string>, number][] = [
    [{ cookie }, 200],
    [{ cookie, 'sec-fetch-site': 'same-origin' }, 200],
    [{ cookie, 'sec-fetch-site': 'none' }, 200],
    [{ cookie, 'sec-fetch-site': 'same-site' }, 403],
    [{ cookie, 'sec-fetch-site': 'cross-site' }, 403],
    [{ cookie, 'sec-fetch-site': 'Same-Origin' }, 403],
    [{ cookie, 'sec-fetch-site': 'same-origin, same-origin' }, 403],
  ]
  const write: [Record<string, string>, number][] = [
    [ours, 200],
    [older, 200],
    [{ ...ours, 'sec-fetch-site': 'none' }, 403],
    [{ ...ours, 'sec-fetch-site': 'cross-site' }, 403],
    [{ ...ours, 'sec-fetch-site': 'same-site' }, 403],
    [{ ...ours, origin: 'null' }, 403],
    [{ ...ours, origin: 'https://gantry.localhost' }, 403],
    [{ ...ours, origin: 'http://gantry.localhost.evil.example' }, 403],
    [{ ...ours, origin: `${webName}, http://evil.example` }, 403],
    [{ cookie, 'x-gantry': 'web' }, 403],
    [{ cookie, origin: webName }, 403],
    [{ ...ours, 'x-gantry': 'Web' }, 403],
    [{ cookie }, 403],
  ]
  for (const [headers, status] of read)
    for (const method of ['GET', 'HEAD'])
      assert.equal((await nobody.ask(method, '/user/me', { headers })).status, status, JSON.stringify(headers))
  for (const [headers, status] of write) {
    const answer = await nobody.ask('POST', '/item/search', { body: {}, headers })
    assert.equal(answer.status, status, JSON.stringify(headers))
    if (status === 403) assert.equal(answer.body.code, 'cross-site')
  }
  for (const [method, path] of [
    ['PUT', '/user/me'],
    ['PATCH', '/user/me'],
    ['DELETE', `/user/${zoe.id}`],
    ['POST', '/item'],
  ] as const) {
    const answer = await nobody.ask(method, path, { body: {}, headers: { cookie } })
    assert.deepEqual([answer.status, answer.body.code], [403, 'cross-site'])
  }
})

test('a named credential counts instead of the cookie', async () => {
  const { cookie } = zoeInBrowser
  const cross = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await ada.ask('GET', '/user/me', { headers: { cookie, ...cross } })).body.id, ada.id)
  assert.equal((await nobody.ask('GET', '/user/me', { headers: { cookie, 'x-api-key': ada.key } })).body.id, ada.id)
  for (const headers of [{ authorization: 'Bearer x' }, { authorization: 'Basic eDp5' }, { 'x-api-key': 'gty_x' }])
    assert.equal((await nobody.ask('GET', '/user/me', { headers: { cookie, ...headers } })).status, 401)
})

test('wrong cookies, and tokens in the place of one, are refused', async () => {
  const value = zoeInBrowser.browser.cookie('gantry-web') ?? ''
  for (const wrong of [
    '',
    'x',
    'x'.repeat(43),
    value.slice(1),
    `${value}x`,
    value.toLowerCase(),
    ada.key,
    `"${value}"`,
  ]) {
    const answer = await nobody.ask('GET', '/user/me', { headers: { cookie: `gantry-web=${wrong}` } })
    assert.equal(answer.status, 401, wrong)
  }
  for (const cookie of [`x-gantry-web=${value}`, `GANTRY-WEB=${value}`, `a=b; __Host-gantry-web=${value}`])
    assert.equal((await nobody.ask('GET', '/user/me', { headers: { cookie } })).status, 401, cookie)
  const authorization = `Bearer ${value}`
  assert.equal((await nobody.ask('GET', '/user/me', { headers: { authorization } })).status, 401)
})

/** Sets columns of the sessions of a user, as time would. */
const age = (who: Person, set: ReturnType<typeof sql>) =>
  database.single(
    tenantCaller(who.tenantId),
    ctx => ctx.sql`update user_session set ${set} where tenant_id = ${who.tenantId} and user_id = ${who.id}`,
  )

const isOut = (user: WebUser, before: () => Promise<unknown> = async () => undefined) =>
  until(async () => {
    await before()
    return (await user.ask('GET', '/user/me')).status === 401
  })

test('a session ends after two weeks without use, after 90 days, and with everything that ends a sign-in', async () => {
  const ways: [string, (who: Person, user: WebUser) => Promise<unknown>][] = [
    ['unused', who => age(who, sql`last_used = now() - interval '15 days'`)],
    ['old', who => age(who, sql`cookie_until = now() - interval '1 second'`)],
    ['a new password', who => ada.post(`/user/${who.id}/password`, { password: 'another long password' })],
    ['a lock', who => ada.put(`/user/${who.id}`, { locked: '2999-01-01T00:00:00Z' })],
    ['deactivation', who => ada.put(`/user/${who.id}`, { active: false })],
    ['deletion', who => ada.delete(`/user/${who.id}`)],
    ['the end of all sessions', who => ada.delete(`/user/${who.id}/session`)],
    ['the end of this one', async (_who, user) => user.delete(`/session/${(await user.get('/session/all'))[0].id}`)],
    [
      'sign-out at the authorisation server',
      async (_who, user) => {
        const page = await user.browser.open(`${webName}/oauth/logout`)
        const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
        await user.browser.submit(`${webName}/oauth/logout/confirm`, { xsrf, logout: 'yes' })
      },
    ],
  ]
  for (const [what, end] of ways) {
    const { who, email } = await worker()
    const user = await signInToWeb(who, email)
    assert.equal((await user.ask('GET', '/user/me')).status, 200, what)
    await end(who, user)
    // A change of any user makes the process forget whom it has recognised in the last five seconds.
    await ada.put(`/user/${ada.id}`, { phone: `+41 ${count}` })
    // A process that has not forgotten yet notes the use of an unused session, which makes it a used one.
    await isOut(user, what === 'unused' ? () => end(who, user) : undefined)
  }
})

test('an open stream ends with its session', async () => {
  const { who, email } = await worker()
  const user = await signInToWeb(who, email)
  const stream = await fetch(`${base}/api/event/stream`, {
    headers: { cookie: user.cookie, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(stream.status, 200)
  await ada.post(`/user/${who.id}/password`, { password: 'another long password' })
  for await (const _ of stream.body ?? []); // until the service ends it
})

test('the session goes on in which the user sets a new password', async () => {
  const { who, email } = await worker()
  const [here, there] = [await signInToWeb(who, email), await signInToWeb(who, email)]
  await here.post('/user/me/password', { current: webPassword, password: 'another long password' })
  assert.equal((await here.ask('GET', '/user/me')).status, 200)
  await isOut(there)
})

test('a user sees the own sessions, knows which is this one, and ends another', async () => {
  const { who, email } = await worker()
  const [here, there] = [await signInToWeb(who, email), await signInToWeb(who, email)]
  const sessions = await here.get('/session/all')
  assert.equal(sessions.length, 2)
  assert.deepEqual(
    sessions.map((each: { client: string }) => each.client),
    ['gantry-web', 'gantry-web'],
  )
  assert.deepEqual(sessions[0].methods, ['pwd'])
  const other = sessions.find((each: { current: boolean }) => !each.current)
  assert.equal((await zoeInBrowser.ask('DELETE', `/session/${other.id}`)).status, 404)
  assert.equal((await ada.ask('DELETE', `/session/${other.id}`)).status, 404)
  await here.delete(`/session/${other.id}`)
  assert.equal((await here.ask('DELETE', `/session/${other.id}`)).status, 404)
  await isOut(there)
  assert.deepEqual(
    (await here.get('/session/all')).map((each: { current: boolean }) => each.current),
    [true],
  )
})

test('signing out ends the session of the web app and of the browser, and clears what the browser keeps', async () => {
  const { who, email } = await worker()
  const user = await signInToWeb(who, email)
  const { cookie } = user
  for (const headers of [{ 'x-gantry': '' }, { origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    assert.equal((await user.ask('POST', '//sign-out', { headers })).status, 403)
    assert.equal((await user.ask('GET', '/user/me')).status, 200)
  }
  const { status, headers } = await user.ask('POST', '//sign-out')
  assert.equal(status, 204)
  assert.equal(headers.get('clear-site-data'), '"cache", "cookies", "storage"')
  assert.match(headers.get('set-cookie') ?? '', /^gantry-web=; Max-Age=0; .*HttpOnly; SameSite=Strict/)
  assert.equal((await nobody.ask('GET', '/user/me', { headers: { cookie } })).status, 401)
  const login = await openSignIn(who, '', user.browser)
  assert.match(login.url, /\/oauth\/interaction\//)
  assert.equal((await user.ask('POST', '//sign-out')).status, 204)
  const history = await ada.get(`/user/${who.id}/history`)
  assert.ok(history.some((each: { type: string }) => each.type === 'user.sessionEnded'))
})

test('a workspace that requires a second factor ends sessions by password alone', async () => {
  const { who, email } = await worker()
  const user = await signInToWeb(who, email)
  const setting = await ada.post('/admin/setting', { key: 'user.secondFactorRequired', value: true })
  await isOut(user)
  await ada.delete(`/admin/setting/${setting.id}`)
})

test('the audit log says that a cookie was used', async () => {
  const { who, email } = await worker()
  await ada.put(`/user/${who.id}`, { superAdmin: true })
  const user = await signInToWeb(who, email)
  const other = await user.post('/user', { name: 'New', email: `new-${count}@example.com` })
  const [entry] = await ada.get(`/audit?recordId=${other.id}`)
  assert.deepEqual([entry.credential, entry.client, entry.userId], ['session', 'gantry-web', who.id])
})
