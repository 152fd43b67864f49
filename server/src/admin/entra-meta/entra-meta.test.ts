import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { startTestService } from '../../../test/support/people.ts'
import { noRole, roleCode } from '../../kernel/access.ts'
import { personIn } from './sign-on/claims.ts'
import { issuerOf, normalizedDomain } from './sign-on/issuer.ts'
import { freePorts, TestProvider } from './sign-on/test-provider.ts'

const directory = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const [port = 0, entraPort = 0, odd = 0, dead = 0] = await freePorts(4)
const { ada, bob, person, databaseUrl } = await startTestService({
  OUTBOUND_HTTP: 'true',
  OUTBOUND_ALLOW: [port, entraPort, odd, dead].map(each => `127.0.0.1:${each}`).join(),
})
const harbour = new TestProvider(port)
const contoso = new TestProvider(entraPort, `/${directory}/v2.0`)
const secret = 'a-canary-that-nobody-must-see'

before(async () => {
  await harbour.rekey()
  await contoso.rekey()
})

const codes = (findings: { code: string }[]) => findings.map(each => each.code).sort()

test('the client secret is never returned, and is never sent to another issuer', async () => {
  const meta = await ada.post('/entra-meta', {
    name: 'Harbour',
    provider: 'oidc',
    issuer: harbour.issuer,
    clientId: 'gantry',
    clientSecret: secret,
  })
  assert.deepEqual([meta.clientSecret, meta.redirectPath], ['***', `/oauth/callback/${meta.id}`])
  const path = `/entra-meta/${meta.id}`
  assert.equal(
    (await ada.put(path, { ...meta, name: 'The harbour' })).version,
    2,
    'a mask that is sent back keeps the secret',
  )
  const moved = await ada.ask('PUT', path, { body: { issuer: 'https://evil.example' } })
  assert.deepEqual([moved.status, moved.body.Fields[0].Code], [400, 'other-issuer'])
  const became = await ada.ask('PUT', path, { body: { provider: 'entra', entraTenantId: directory } })
  assert.deepEqual([became.status, became.body.Fields[0].Code], [400, 'other-issuer'])
  assert.equal((await ada.put(path, { issuer: 'https://good.example', clientSecret: 'another' })).version, 3)
  assert.equal((await ada.put(path, { clientSecret: 'a third' })).version, 4, 'a new secret is a change')
  const history = await ada.get(`${path}/history`)
  assert.deepEqual(history.at(-1).changes, { clientSecret: { from: '***', to: '***' } })
  assert.equal((await ada.put(path, { clientSecret: '' })).clientSecret, '')
  const mask = await ada.ask('PUT', path, { body: { clientSecret: '***' } })
  assert.deepEqual([mask.status, mask.body.Fields[0].Code], [400, 'no-value'])
  const made = await ada.ask('POST', '/entra-meta', { body: { name: 'X', clientSecret: '***' } })
  assert.equal(made.status, 400)
  const long = await ada.ask('PUT', path, { body: { clientSecret: secret.repeat(100) } })
  assert.deepEqual(
    [long.status, JSON.stringify(long.body).includes(secret)],
    [400, false],
    'a refusal does not contain the secret',
  )
  await ada.put(path, { clientSecret: secret })
  for (const table of ['entra_meta', 'event', 'secret']) {
    const rows = await asOwner<{ text: string }>(databaseUrl, undefined, `select t::text as text from ${table} t`)
    assert.ok(!rows.some(({ text }) => text.includes(secret)), table)
  }
})

test('properties without effect are reported', async () => {
  const bare = await ada.post('/entra-meta', { name: 'Bare', active: true })
  assert.deepEqual([bare.provider, bare.issuer, codes(bare.check)], ['entra', '', ['no-client', 'no-directory']])
  const group = await ada.post('/user-group', { name: 'Crew' })
  const common = await ada.put(`/entra-meta/${bare.id}`, {
    authority: 'https://login.microsoftonline.com/common/v2.0',
    clientId: 'x',
    jitProvisioning: true,
    groupMappings: [{ externalGroupId: 'g', userGroupId: group.id, role: 99 }],
  })
  assert.deepEqual(codes(common.check), ['no-directory', 'no-domain', 'unknown-code'])
  const whole = await ada.put(`/entra-meta/${bare.id}`, {
    entraTenantId: directory.toUpperCase(),
    allowedDomains: ['Contoso.COM.', 'münchen.example'],
    groupMappings: [{ externalGroupId: 'g', userGroupId: group.id }],
  })
  assert.deepEqual(whole.check, [])
  assert.equal(whole.issuer, `https://login.microsoftonline.com/${directory}/v2.0`)
  assert.deepEqual(whole.allowedDomains, ['contoso.com', 'xn--mnchen-3ya.example'])
  assert.deepEqual(whole.groupMappings, [{ externalGroupId: 'g', userGroupId: group.id, role: noRole }])
  assert.deepEqual(codes((await ada.put(`/entra-meta/${bare.id}`, { provider: 'saml' })).check), ['unknown-provider'])
  assert.equal((await ada.ask('DELETE', `/user-group/${group.id}`)).status, 409, 'a mapped group is in use')
})

test('all invalid properties are refused at once', async () => {
  const { status, body } = await ada.ask('POST', '/entra-meta', {
    body: {
      name: 'X',
      provider: 'oidc',
      entraTenantId: 'contoso.onmicrosoft.com',
      issuer: 'http://169.254.169.254/latest',
      scopes: ['openid', 'a b'],
      allowedDomains: ['example.com', 'a@b.example', 'nowhere', '10.0.0.1', 'x/y.example'],
    },
  })
  assert.equal(status, 400)
  assert.deepEqual(body.Fields.map((each: { Pointer: string }) => each.Pointer).sort(), [
    '/allowedDomains/1',
    '/allowedDomains/2',
    '/allowedDomains/3',
    '/allowedDomains/4',
    '/entraTenantId',
    '/issuer',
    '/scopes/1',
  ])
  const inner = await ada.ask('POST', '/entra-meta', {
    body: { name: 'X', entraTenantId: directory, authority: 'http://127.0.0.1:1' },
  })
  assert.deepEqual([inner.status, inner.body.Fields[0].Pointer], [400, '/authority'])
})

test('admins manage providers, and only super admins let them create users', async () => {
  const admin = await person({ name: 'Ann', role: roleCode.admin })
  const input = { name: 'Ann’s', provider: 'oidc', issuer: harbour.issuer, clientId: 'x' }
  assert.equal((await bob.ask('GET', '/entra-meta')).status, 403)
  const meta = await admin.post('/entra-meta', input)
  assert.equal((await admin.ask('PUT', `/entra-meta/${meta.id}`, { body: { jitProvisioning: true } })).status, 403)
  await ada.put(`/entra-meta/${meta.id}`, { jitProvisioning: true, allowedDomains: ['example.com'] })
  for (const change of [{ allowedDomains: ['evil.example'] }, { issuer: 'https://evil.example' }])
    assert.equal((await admin.ask('PUT', `/entra-meta/${meta.id}`, { body: change })).status, 403)
  await admin.put(`/entra-meta/${meta.id}`, { jitProvisioning: false })
})

test('a connection test reports what is wrong with a provider', async () => {
  const server = createServer((request, response) => {
    const html = request.url?.startsWith('/html')
    response.writeHead(request.url?.startsWith('/away') ? 302 : 200, {
      'content-type': html ? 'text/html' : 'application/json',
      location: 'http://127.0.0.1:1/',
    })
    const issuer = `http://127.0.0.1:${odd}/${request.url?.split('/')[1]}`
    const keyless = {
      issuer,
      authorization_endpoint: `${issuer}/a`,
      token_endpoint: `${issuer}/t`,
      jwks_uri: `${issuer}/k`,
    }
    const bodies: Record<string, unknown> = {
      keyless: request.url?.endsWith('/k') ? { keys: [] } : keyless,
      bare: { issuer },
      other: { ...keyless, issuer: 'https://other.example' },
    }
    response.end(html ? '<p>hello</p>' : JSON.stringify(bodies[request.url?.split('/')[1] ?? ''] ?? {}))
  }).listen(odd, '127.0.0.1')
  after(() => new Promise(resolve => server.close(resolve)))

  const attempt = async (more: object) => {
    const { id } = await ada.post('/entra-meta', { name: 'Trial', provider: 'oidc', clientId: 'gantry', ...more })
    const { status, body } = await ada.ask('POST', `/entra-meta/${id}/test`)
    assert.equal(status, 200, JSON.stringify(body))
    return {
      ...body,
      said: body.findings.map((each: { code: string; message: string }) => `${each.code}: ${each.message}`).join('\n'),
    }
  }
  const good = await attempt({ issuer: `${harbour.issuer}/` })
  assert.deepEqual([good.ok, good.issuer, good.findings], [true, harbour.issuer, []])
  assert.deepEqual(
    [(await attempt({ provider: 'entra', entraTenantId: directory, authority: `http://127.0.0.1:${entraPort}` })).ok],
    [true],
  )
  assert.match((await attempt({ provider: 'entra' })).said, /^no-directory/)
  const cases: [string, RegExp][] = [
    [`http://127.0.0.1:${dead}`, /no-configuration: .*cannot be reached/],
    [`http://127.0.0.1:${odd}/html`, /no-configuration: .*there is no OpenID Connect provider at this address/],
    [`http://127.0.0.1:${odd}/nothing`, /no-configuration: /],
    [`http://127.0.0.1:${odd}/away`, /no-configuration: .*there is no OpenID Connect provider/],
    [`http://127.0.0.1:${odd}/other`, /no-configuration: .*another issuer|its issuer is https:\/\/other.example/],
    [`http://127.0.0.1:${odd}/keyless`, /no-keys: the provider publishes no keys/],
    [
      `http://127.0.0.1:${odd}/bare`,
      /incomplete-configuration: .*authorization_endpoint[\s\S]*token_endpoint[\s\S]*jwks_uri/,
    ],
    ['https://sign-on.invalid', /no-configuration: .*there is no such host/],
  ]
  for (const [issuer, says] of cases) {
    const { ok, said } = await attempt({ issuer })
    assert.equal(ok, false, issuer)
    assert.match(said, says)
  }
})

test('an Entra issuer belongs to one directory', () => {
  const of = (more: object) =>
    issuerOf({ provider: 'entra', entraTenantId: directory, authority: '', issuer: 'x', ...more })
  const public_ = `https://login.microsoftonline.com/${directory}/v2.0`
  assert.equal(of({}), public_)
  for (const path of ['', '/', '/common', '/common/v2.0', '/organizations', `/${crypto.randomUUID()}/v2.0`])
    assert.equal(of({ authority: `https://login.microsoftonline.com${path}` }), public_)
  assert.equal(of({ authority: 'https://login.microsoftonline.us' }), public_.replace('.com', '.us'))
  assert.equal(of({ entraTenantId: '' }), '')
  assert.equal(of({ provider: 'oidc' }), 'x')
  assert.deepEqual(['Example.COM.', 'localhost', '127.0.0.1', 'a b.example', ''].map(normalizedDomain), [
    'example.com',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a token identifies a person, or is refused', () => {
  const entra = { provider: 'entra', entraTenantId: directory, groupClaim: '' }
  const oidc = { provider: 'oidc', entraTenantId: '', groupClaim: 'roles' }
  const claims = { iss: 'https://a.example/', sub: 's', oid: 'o', tid: directory, name: 'Ann' }
  const mail = (meta: typeof entra, more: object) => personIn(meta, { ...claims, ...more })?.email
  assert.deepEqual(personIn(entra, claims), {
    issuer: 'https://a.example',
    subject: 'o',
    name: 'Ann',
    email: undefined,
    groups: new Set(),
  })
  assert.equal(personIn(oidc, claims)?.subject, 's')
  assert.equal(personIn(oidc, { ...claims, sub: 'x'.repeat(256) }), undefined)
  assert.equal(personIn(oidc, { ...claims, sub: 'x\0' }), undefined)
  assert.equal(personIn(oidc, { ...claims, name: ' ' })?.name, 's')
  assert.equal(mail(entra, { email: 'a@b.example' }), undefined)
  assert.equal(mail(entra, { email: 'a@b.example', xms_edov: true }), 'a@b.example')
  assert.equal(mail(entra, { email: 'a@b.example', preferred_username: 'u@c.example' }), 'u@c.example')
  assert.equal(mail(entra, { email: 'a@b.example', email_verified: true }), undefined, 'Entra says no such thing')
  assert.equal(mail(oidc, { email: 'a@b.example', email_verified: 'true' }), 'a@b.example')
  assert.equal(mail(oidc, { preferred_username: 'u@c.example', xms_edov: true }), undefined)
  const groups = (more: object) => personIn(oidc, { ...claims, ...more })?.groups
  assert.deepEqual(groups({ roles: ['a', 1, '', 'b'] }), new Set(['a', 'b']))
  assert.deepEqual(groups({ roles: 'a' }), new Set(['a']))
  assert.deepEqual(groups({ groups: ['a'] }), new Set())
  assert.equal(groups({ _claim_names: { roles: 'src1' } }), undefined)
  assert.deepEqual(groups({ _claim_names: { groups: 'src1' } }), new Set())
})
