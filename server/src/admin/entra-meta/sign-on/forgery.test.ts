import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as jose from 'jose'
import { startTestService } from '../../../../test/support/people.ts'
import { buttonOn, ours, type PageVisit, TestBrowser } from './test-browser.ts'
import { freePorts, TestProvider, type Twist } from './test-provider.ts'

// Grace can sign in through Harbour. Every forged or misdirected answer must have no effect: no sign-in, no link, no new
// user.

const [harbourPort = 0, islandPort = 0, deadPort = 0] = await freePorts(3)
const { ada, eve, base, database } = await startTestService({
  OUTBOUND_HTTP: 'true',
  OUTBOUND_ALLOW: `127.0.0.1:${harbourPort},127.0.0.1:${islandPort},127.0.0.1:${deadPort}`,
})
const harbour = new TestProvider(harbourPort)
const island = new TestProvider(islandPort)
const thief = await jose.generateKeyPair('ES256', { extractable: true })
let meta = { id: '' }
let islandMeta = { id: '' }
let evilMeta = { id: '' }

before(async () => {
  const input = (name: string, { issuer }: TestProvider) => ({
    name,
    provider: 'oidc',
    issuer,
    clientId: 'gantry',
    clientSecret: 'the secret of the client',
    jitProvisioning: true,
    allowedDomains: ['harbour.example'],
    active: true,
  })
  meta = await ada.post('/entra-meta', input('Harbour', harbour))
  islandMeta = await ada.post('/entra-meta', input('Island', island))
  evilMeta = await eve.post('/entra-meta', { ...input('Harbour', harbour), clientId: 'evil', jitProvisioning: false })
  const client = (client_id: string, ...ids: string[]) => ({
    client_id,
    client_secret: 'the secret of the client',
    redirect_uris: ids.map(id => `${ours}/oauth/callback/${id}`),
  })
  harbour.clients.push(client('gantry', meta.id, islandMeta.id), client('evil', evilMeta.id))
  island.clients.push(client('gantry', islandMeta.id))
  await harbour.rekey()
  await island.rekey()
  const grace = await ada.post('/user', { name: 'Grace', email: 'grace@harbour.example' })
  await ada.put(`/user/${grace.id}/identity`, { issuer: harbour.issuer, subject: 'grace' })
  harbour.who = { sub: 'grace', name: 'Grace', email: 'grace@harbour.example', email_verified: true }
  island.who = { ...harbour.who }
})

const known = async () =>
  JSON.stringify([await ada.get('/user-identity'), (await ada.get('/user')).length, await eve.get('/user-identity')])
const atCallback = (url: URL) => url.pathname.startsWith('/oauth/callback/')

async function toCallback(name = 'Harbour', traveller = new TestBrowser(base), tenant = 'acme') {
  const login = await traveller.login({ tenant })
  const back = await traveller.go(buttonOn(login, name), atCallback)
  assert.ok(atCallback(back.url), back.text)
  return { traveller, back: back.url, login }
}

/** Counts the attempts; a test checks that there were enough. */
let tried = 0

async function hasNoEffect(
  why: string,
  attempt: () => Promise<{ traveller: TestBrowser; end: PageVisit }>,
): Promise<void> {
  tried++
  const before = await known()
  const { traveller, end } = await attempt()
  assert.equal(await traveller.redeem(end), undefined, `${why}: a token`)
  assert.ok(end.status >= 400 && end.status < 500, `${why}: ${end.status} at ${end.url}`)
  assert.equal(end.url.origin, ours, why)
  const forget = (text: string) => text.replaceAll(/"lastUsed":"[^"]+"/g, '')
  assert.equal(forget(await known()), forget(before), `${why}: something is left`)
}

async function forged(why: string, twist: Twist): Promise<void> {
  await hasNoEffect(why, async () => {
    harbour.twist = twist
    try {
      const { traveller, back } = await toCallback()
      return { traveller, end: await traveller.go(back.href) }
    } finally {
      harbour.twist = undefined
    }
  })
}

test('Grace can sign in, also with a clock difference of one minute', async () => {
  const now = () => Math.floor(Date.now() / 1000)
  for (const twist of [undefined, { exp: now() - 60 }, { iat: now() + 60, nbf: now() + 60 }]) {
    harbour.twist = twist && (({ header, payload }, sign) => sign({ header, payload: { ...payload, ...twist } }))
    const { traveller, back } = await toCallback()
    const end = await traveller.go(back.href)
    harbour.twist = undefined
    assert.ok(await traveller.redeem(end), `${JSON.stringify(twist)} ${end.text}`)
  }
})

test('a token with wrong claims is refused', async () => {
  const now = Math.floor(Date.now() / 1000)
  const lies: Record<string, object> = {
    'another issuer': { iss: 'http://127.0.0.1:1' },
    'the issuer of another provider': { iss: island.issuer },
    'an issuer below it': { iss: `${harbour.issuer}/below` },
    'an issuer with a slash': { iss: `${harbour.issuer}/` },
    'no issuer': { iss: undefined },
    'an issuer that is no text': { iss: [harbour.issuer] },
    'another audience': { aud: 'evil' },
    'another audience of several': { aud: ['evil', 'other'] },
    'us among others, for another': { aud: ['gantry', 'evil'], azp: 'evil' },
    'us among others, for nobody': { aud: ['gantry', 'evil'] },
    'for another': { azp: 'evil' },
    'no audience': { aud: undefined },
    'an empty audience': { aud: [] },
    'another nonce': { nonce: 'another' },
    'no nonce': { nonce: undefined },
    'an empty nonce': { nonce: '' },
    expired: { exp: now - 600, iat: now - 1200 },
    'no end': { exp: undefined },
    'an end that is no number': { exp: 'tomorrow' },
    'no beginning': { iat: undefined },
    'not yet': { nbf: now + 600 },
    'no subject': { sub: undefined },
    'an empty subject': { sub: '' },
    'a subject that is no text': { sub: 1 },
    'another subject than elsewhere': { sub: 'ada' },
    'the subject in other letters': { sub: 'GRACE' },
  }
  for (const [why, lie] of Object.entries(lies))
    await forged(why, ({ header, payload }, sign) => sign({ header, payload: { ...payload, ...lie } }))
})

test('a token with a foreign signature or without a signature is refused', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const bare =
    (alg: string, end = ''): Twist =>
    async ({ payload }) =>
      `${part({ alg })}.${part(payload)}.${end}`
  await forged('nobody', bare('none'))
  await forged('nobody, in capitals', bare('None', 'AA'))
  await forged('nobody, by the name of a key', async ({ header, payload }) => `${part(header)}.${part(payload)}.`)
  await forged('another key of the same name', ({ header, payload }, sign) =>
    sign({ header, payload }, thief.privateKey),
  )
  await forged('another key', ({ header, payload }, sign) =>
    sign({ header: { ...header, kid: 'x' }, payload }, thief.privateKey),
  )
  await forged('a key without a name', ({ payload }, sign) => sign({ header: {}, payload }, thief.privateKey))
  const jwk = await jose.exportJWK(thief.publicKey)
  await forged('a key that it brings along', ({ header, payload }, sign) =>
    sign({ header: { ...header, kid: 'x', jwk }, payload }, thief.privateKey),
  )
  await forged('a key at an address', ({ header, payload }, sign) =>
    sign({ header: { ...header, kid: 'x', jku: `${island.issuer}/jwks` }, payload }, thief.privateKey),
  )
  for (const secret of ['the secret of the client', harbour.kid])
    await forged('a secret', ({ payload }) =>
      new jose.SignJWT(payload)
        .setProtectedHeader({ alg: 'HS256', kid: harbour.kid })
        .sign(Buffer.from(secret.padEnd(32, '\0'))),
    )
  await forged('a rule that must be understood', async ({ header, payload }, sign) => {
    const token = await sign({ header, payload })
    return [part({ ...header, crit: ['x'], x: 1 }), ...token.split('.').slice(1)].join('.')
  })
  await forged('changed afterwards', async (token, sign) => {
    const [head = '', , end = ''] = (await sign(token)).split('.')
    return `${head}.${part({ ...token.payload, name: 'Ada' })}.${end}`
  })
  for (const nonsense of ['', 'x', 'x.y', 'x.y.z', '..', 'a.b.c.d.e'])
    await forged(`nonsense: ${nonsense}`, async () => nonsense)
})

test('an answer that was changed on the way back is refused', async () => {
  const changed = async (why: string, change: (url: URL) => unknown, name = 'Harbour') =>
    await hasNoEffect(why, async () => {
      const { traveller, back } = await toCallback(name)
      const url = new URL(back)
      change(url)
      return { traveller, end: await traveller.go(url.href) }
    })
  const state = (url: URL) => url.searchParams.get('state') ?? ''
  await changed('another state', url =>
    url.searchParams.set('state', `${state(url).slice(0, -1)}${state(url).endsWith('A') ? 'B' : 'A'}`),
  )
  await changed('a shorter state', url => url.searchParams.set('state', state(url).slice(0, -1)))
  await changed('no state', url => url.searchParams.delete('state'))
  await changed('an empty state', url => url.searchParams.set('state', ''))
  await changed('two states', url => url.searchParams.append('state', 'x'))
  await changed('another way', url => url.searchParams.set('state', state(url).replace('login.', 'link.')))
  await changed('another code', url => url.searchParams.set('code', 'x'))
  await changed('no code', url => url.searchParams.delete('code'))
  await changed('two codes', url => url.searchParams.append('code', 'x'))
  await changed('another issuer', url => url.searchParams.set('iss', island.issuer))
  await changed('no issuer', url => url.searchParams.delete('iss'))
  await changed('a token beside it', url => url.searchParams.set('response', 'x.y.z'))
  await changed('an error beside it', url => url.searchParams.set('error', 'access_denied'))
  await changed('a refusal', url => {
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
  })
  await changed('the address of the other provider', url => {
    url.pathname = `/oauth/callback/${islandMeta.id}`
  })
  await changed('the address of nobody', url => {
    url.pathname = `/oauth/callback/${crypto.randomUUID()}`
  })
  await changed('the address of the other provider, and its issuer', url => {
    url.pathname = `/oauth/callback/${islandMeta.id}`
    url.searchParams.set('iss', island.issuer)
  })
})

test('an answer of one provider is never accepted as that of another', async () => {
  // A malicious provider Island redirects the browser to Harbour, so that Harbour's code comes back as Island's.
  await hasNoEffect('a code of Harbour for Island', async () => {
    const traveller = new TestBrowser(base)
    const login = await traveller.login({ tenant: 'acme' })
    const sent = await traveller.go(buttonOn(login, 'Island'), url => url.port === String(islandPort))
    const detour = new URL(sent.url.href.replace(island.issuer, harbour.issuer))
    const back = await traveller.go(detour.href, atCallback)
    return { traveller, end: await traveller.go(back.url.href) }
  })
  await hasNoEffect('the same, without its name', async () => {
    const traveller = new TestBrowser(base)
    const login = await traveller.login({ tenant: 'acme' })
    const sent = await traveller.go(buttonOn(login, 'Island'), url => url.port === String(islandPort))
    const back = await traveller.go(sent.url.href.replace(island.issuer, harbour.issuer), atCallback)
    back.url.searchParams.set('iss', island.issuer)
    return { traveller, end: await traveller.go(back.url.href) }
  })
  await hasNoEffect('the same subject at another provider', async () => {
    const { traveller, back } = await toCallback('Island')
    return { traveller, end: await traveller.go(back.href) }
  })
  await hasNoEffect('the same person in another workspace', async () => {
    const { traveller, back } = await toCallback('Harbour', undefined, 'evil')
    return { traveller, end: await traveller.go(back.href) }
  })
  for (const [workspace, id] of [
    ['evil', meta.id],
    ['acme', evilMeta.id],
    ['acme', crypto.randomUUID()],
    ['..', meta.id],
  ] as const)
    await hasNoEffect('a provider of another workspace', async () => {
      const traveller = new TestBrowser(base)
      const login = await traveller.login({ tenant: 'acme' })
      return { traveller, end: await traveller.go(`${login.url}/with/${encodeURIComponent(workspace)}/${id}`) }
    })
})

test('an answer is accepted once, from the browser that started the sign-in, until it expires', async () => {
  const { traveller, back } = await toCallback()
  await hasNoEffect('another browser', async () => {
    const other = new TestBrowser(base)
    return { traveller: other, end: await other.go(back.href) }
  })
  await hasNoEffect('another browser that is signing in as well', async () => {
    const { traveller: other } = await toCallback()
    return { traveller: other, end: await other.go(back.href) }
  })
  await hasNoEffect('another’s code in one’s own way', async () => {
    const mine = await toCallback()
    mine.back.searchParams.set('code', back.searchParams.get('code') ?? '')
    return { traveller: mine.traveller, end: await mine.traveller.go(mine.back.href) }
  })
  assert.ok(await traveller.redeem(await traveller.go(back.href)), 'the right browser can still sign in')
  await hasNoEffect('a second time', async () => ({ traveller, end: await traveller.go(back.href) }))
  await hasNoEffect('begun anew since', async () => {
    const { traveller: twice, back: old, login } = await toCallback()
    await twice.go(buttonOn(login, 'Harbour'), atCallback)
    return { traveller: twice, end: await twice.go(old.href) }
  })
  await hasNoEffect('too late', async () => {
    const late = await toCallback()
    await database.crossTenantSql`update oauth set expires_at = now() - interval '1 second' where kind = 'SignOn'`
    return { traveller: late.traveller, end: await late.traveller.go(late.back.href) }
  })
  for (const [why, shut, open] of [
    ['switched off', { active: false }, { active: true }],
    ['without a client', { clientId: '' }, { clientId: 'gantry' }],
    ['with another secret', { clientSecret: 'wrong' }, { clientSecret: 'the secret of the client' }],
    ['without its secret', { clientSecret: '' }, { clientSecret: 'the secret of the client' }],
  ] as const)
    await hasNoEffect(`a provider that is ${why}`, async () => {
      const begun = await toCallback()
      await ada.put(`/entra-meta/${meta.id}`, shut)
      const end = await begun.traveller.go(begun.back.href)
      await ada.put(`/entra-meta/${meta.id}`, open)
      return { traveller: begun.traveller, end }
    })
  const both = await toCallback()
  const ends = await Promise.all([both.traveller.go(both.back.href), both.traveller.go(both.back.href)])
  assert.equal(
    ends.filter(({ status }) => status >= 400).length >= 1,
    true,
    'of two concurrent uses at most one succeeds',
  )
})

test('no redirect leads to a foreign address', async () => {
  const random = 'x'.repeat(43)
  for (const state of [
    `login.//evil.example.${random}`,
    `login./\\evil.example.${random}`,
    `login.%2f%2fevil.example.${random}`,
    `login.@evil.example.${random}`,
    `login.\r\nlocation: https://evil.example.${random}`,
    `login...${random}`,
    `https://evil.example`,
    `link.//evil.example.${random}`,
    `link.x.${random}`,
    `login.x.${random}`,
  ])
    await hasNoEffect(state, async () => {
      const traveller = new TestBrowser(base)
      await traveller.login({ tenant: 'acme' })
      const query = new URLSearchParams({ state, code: 'x', redirect_uri: 'https://evil.example' })
      return { traveller, end: await traveller.go(`${ours}/oauth/callback/${meta.id}?${query}`) }
    })
  await hasNoEffect('an id with a way out', async () => {
    const traveller = new TestBrowser(base)
    const there = `${ours}/oauth/callback/${encodeURIComponent('..//evil.example')}?state=login.x.${random}`
    return { traveller, end: await traveller.go(there) }
  })
  await hasNoEffect('a ticket that is none', async () => {
    const traveller = new TestBrowser(base)
    return { traveller, end: await traveller.go(`${ours}/oauth/link/${'A'.repeat(100)}`) }
  })
})

test('the expected number of forgeries was tried', t => {
  t.diagnostic(`${tried} tried`)
  assert.ok(tried >= 60)
})
