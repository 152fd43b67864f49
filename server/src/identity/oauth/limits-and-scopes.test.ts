import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountIdOf, holderOf, readAccountId } from './accounts.ts'
import { html, pageLanguage, say } from './pages/html.ts'
import { Page } from './pages/page.ts'
import { brandStyle, contrast } from './pages/page-style.ts'
import { resolveScopes } from './provider/scopes.ts'
import { openAt, sealAt } from './provider/sealed-value.ts'
import { lockDuration } from './sign-in/account-lock.ts'
import { networkOf, openAttemptLimit } from './sign-in/attempt-limit.ts'

const tenantId = '0190a000-0000-7000-8000-000000000001'
const userId = '0190a000-0000-7000-8000-00000000000a'

test('scopes are sorted, defaulted, and refused when unknown or beyond the ceiling', () => {
  const cases: [string | undefined, string[] | undefined, ReturnType<typeof resolveScopes>][] = [
    [undefined, undefined, { openid: [], api: [], refused: [] }],
    ['', undefined, { openid: [], api: [], refused: [] }],
    ['openid offline_access', undefined, { openid: ['openid', 'offline_access'], api: [], refused: [] }],
    ['openid  item:read item:read', undefined, { openid: ['openid'], api: ['item:read'], refused: [] }],
    ['item:raed', undefined, { openid: [], api: [], refused: ['item:raed'] }],
    [undefined, ['item:write'], { openid: [], api: ['item:write'], refused: [] }],
    ['Item:read', ['item:write'], { openid: [], api: ['Item:read'], refused: [] }],
    ['item:admin', ['item:write'], { openid: [], api: ['item:admin'], refused: ['item:admin'] }],
    ['item:*', ['item:admin'], { openid: [], api: ['item:*'], refused: [] }],
    ['*:read', ['item:read'], { openid: [], api: ['*:read'], refused: ['*:read'] }],
    ['clock:read', ['*:read'], { openid: [], api: ['clock:read'], refused: [] }],
    // A key for an agent passes this on, whatever is asked for; others may ask for it.
    [undefined, ['*:read', 'agent'], { openid: [], api: ['*:read', 'agent'], refused: [] }],
    ['clock:read', ['agent', '*:read'], { openid: [], api: ['clock:read', 'agent'], refused: [] }],
    ['agent', ['*:*'], { openid: [], api: ['*:*', 'agent'], refused: [] }],
    ['openid item:read agent', undefined, { openid: ['openid'], api: ['item:read', 'agent'], refused: [] }],
    ['agent', undefined, { openid: [], api: ['agent'], refused: [] }],
  ]
  for (const [asked, ceiling, settled] of cases)
    assert.deepEqual(resolveScopes(asked, ceiling && { ceiling, unnamed: ceiling }), settled, `${asked} of ${ceiling}`)
})

test('no window of one minute exceeds the limit of attempts', () => {
  let now = 0
  const attempts = openAttemptLimit(20, () => now)
  const taken: number[] = []
  for (now = 0; now < 300_000; now += 250) if (attempts.take('a')) taken.push(now)
  for (const start of taken) assert.ok(taken.filter(at => at >= start && at < start + 60_000).length <= 20)
  assert.ok(taken.length >= 50)
  assert.ok(attempts.take('b'), 'each key has its own limit')
  attempts.giveBack('b')
  assert.equal(Array.from({ length: 30 }, () => attempts.take('b')).filter(Boolean).length, 10)
})

test('addresses are counted by network', () => {
  assert.equal(networkOf('10.1.2.3'), '10.1.2.3')
  assert.equal(networkOf('::ffff:10.1.2.3'), '10.1.2.3')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(networkOf('2001:DB8::5'), '2001:db8:0:0::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
})

test('the duration of a lock doubles each time, up to a day', () => {
  assert.deepEqual(
    [0, 1, 2, 6, 7, 1000].map(lockouts => lockDuration(lockouts) / 60_000),
    [15, 30, 60, 960, 1440, 1440],
  )
})

test('values inserted into a page are escaped', () => {
  const evil = `<img src=x onerror="alert('&')">`
  assert.equal(
    html`<p title="${evil}">${[evil, html`<b>${evil}</b>`]}${undefined}</p>`.in('en').match(/<(?!\/?[pb][ >])/),
    null,
  )
  assert.equal(html`${`&<>"'`}`.in('en'), '&amp;&lt;&gt;&quot;&#39;')
  const page = new Page(say('One', 'Eins'), [html`<p>${say('a < b', 'b > a')}</p>`])
  assert.match(page.policy('com.example.app:/callback'), /form-action 'self' com\.example\.app:;/)
  assert.match(page.in('de'), /lang="de"[\s\S]*<h1>Eins<\/h1>\n<p>b &gt; a</)
})

test('an account id contains tenant, user and version, and malformed ids are rejected', () => {
  const holder = { tenantId, userId, authVersion: 3 }
  assert.deepEqual(readAccountId(accountIdOf(holder)), holder)
  for (const wrong of [
    undefined,
    7,
    '',
    tenantId,
    `${tenantId}:${userId}`,
    `${tenantId}:${userId}:x`,
    `${tenantId}:me:1`,
  ]) {
    assert.equal(readAccountId(wrong), undefined)
  }
  assert.equal(holderOf({ session: { accountId: accountIdOf(holder) } }), `${tenantId}:${userId}`)
  assert.equal(holderOf({}), undefined)
})

test('a sealed value opens only at its location and only unchanged', () => {
  const key = Buffer.alloc(32, 7)
  const sealed = sealAt(key, 'Session a', { accountId: 'ä' })
  assert.deepEqual(openAt(key, 'Session a', sealed), { accountId: 'ä' })
  assert.throws(() => openAt(key, 'Session b', sealed))
  assert.throws(() => openAt(Buffer.alloc(32, 8), 'Session a', sealed))
  assert.throws(() => openAt(key, 'Session a', `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`))
})

test('a page is in the language that the browser prefers', () => {
  for (const [header, language] of [
    ['de-AT,en;q=0.5', 'de'],
    ['en-GB,de;q=0.9', 'en'],
    ['fr,de;q=0.3', 'de'],
    ['de;q=0.2,en;q=0.8', 'en'],
    ['de;q=0', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['nds;;;,=', 'en'],
  ] as const)
    assert.equal(pageLanguage(header), language, header)
})

test('the colour of a workspace is used where it can be read, with ink that can be read on it', () => {
  assert.equal(Math.round(contrast('#000000', '#FFFFFF')), 21)
  assert.equal(brandStyle('red; } * {'), '')
  const dark = brandStyle('#123456')
  assert.match(dark, /light\) \{ :root \{ --accent: #123456; --on-accent: #FFFFFF/)
  assert.doesNotMatch(dark, /scheme: dark/)
  assert.match(
    brandStyle('#ffd400'),
    /^\n@media \(prefers-color-scheme: dark\) \{ :root \{ --accent: #ffd400; --on-accent: #0F1320/,
  )
  const brand = { name: 'Acme <b>', logoUrl: 'https://pictures.example/a.png', color: '#123456' }
  const branded = new Page(say('One', 'Eins'), [], brand)
  assert.match(branded.policy(), /img-src https:\/\/pictures\.example; form-action/)
  assert.match(branded.in('en'), /<img src="https:\/\/pictures\.example\/a\.png" alt=""> Acme &lt;b&gt;</)
  for (const logoUrl of ['javascript:alert(1)', 'http://pictures.example/a.png', 'x'])
    assert.doesNotMatch(new Page(say('One', 'Eins'), [], { ...brand, logoUrl }).policy(), /img-src/)
})
