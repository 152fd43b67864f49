import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Person, startTestService } from '../../../../test/support/people.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { roleCode } from '../../../kernel/access.ts'
import { buttonOn, TestBrowser } from './test-browser.ts'
import { freePorts, TestProvider } from './test-provider.ts'

const directory = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const [plainPort = 0, entraPort = 0] = await freePorts(2)
const { ada, bob, eve, base, nobody, database, person } = await startTestService({
  OUTBOUND_HTTP: 'true',
  OUTBOUND_ALLOW: `127.0.0.1:${plainPort},127.0.0.1:${entraPort}`,
})
const harbour = new TestProvider(plainPort)
const contoso = new TestProvider(entraPort, `/${directory}/v2.0`)
let harbourMeta = { id: '' }
let contosoMeta = { id: '' }

before(async () => {
  harbourMeta = await ada.post('/entra-meta', {
    name: 'Harbour',
    provider: 'oidc',
    issuer: harbour.issuer,
    clientId: 'gantry',
    clientSecret: 'a secret of the harbour',
    jitProvisioning: true,
    allowedDomains: ['Harbour.example'],
    active: true,
  })
  contosoMeta = await ada.post('/entra-meta', {
    name: 'Contoso',
    entraTenantId: directory.toUpperCase(),
    authority: `http://127.0.0.1:${entraPort}/organizations/v2.0`,
    clientId: 'gantry',
    clientSecret: 'a secret of contoso',
    jitProvisioning: true,
    allowedDomains: ['contoso.com'],
    active: true,
  })
  for (const [provider, meta, secret] of [
    [harbour, harbourMeta, 'a secret of the harbour'],
    [contoso, contosoMeta, 'a secret of contoso'],
  ] as const) {
    const redirect = `http://gantry.localhost/oauth/callback/${meta.id}`
    provider.clients.push({ client_id: 'gantry', client_secret: secret, redirect_uris: [redirect] })
    await provider.rekey()
  }
})

/** Signs on from the sign-in page through the provider to the token. */
async function signOn(name: string, traveller = new TestBrowser(base)) {
  const login = await traveller.login({ tenant: 'acme' })
  const end = await traveller.go(buttonOn(login, name))
  const token = await traveller.redeem(end)
  return { end, token, me: token === undefined ? undefined : await new Person(base, token, '', '').get('/user/me') }
}

test('a person whom a provider authenticates signs in as the same user each time', async () => {
  harbour.who = { sub: 'h-1', name: 'Grace Hopper', email: 'grace@harbour.example', email_verified: true }
  const first = await signOn('Harbour')
  assert.equal(first.end.status, 0, first.end.text)
  const { name, email, role, superAdmin, initials } = first.me
  assert.deepEqual(
    [name, email, role, superAdmin, initials],
    ['Grace Hopper', 'grace@harbour.example', 2, false, 'GH'],
    'somebody new is what everybody is at the least',
  )
  harbour.who = { sub: 'h-1', name: 'Somebody Else', email: 'other@harbour.example', email_verified: true }
  const second = await signOn('Harbour')
  assert.equal(second.me.id, first.me.id, 'name and address do not identify the user')
  assert.equal(second.me.email, 'grace@harbour.example')
  const [identity] = await ada.get(`/user-identity?userId=${first.me.id}`)
  assert.deepEqual([identity.issuer, identity.subject], [harbour.issuer, 'h-1'])
  assert.ok(identity.lastUsed)
  assert.ok((await ada.get(`/entra-meta/${harbourMeta.id}`)).lastSignOn)
})

test('two concurrent first sign-ons create one user', async () => {
  harbour.who = { sub: 'h-2', name: 'Twice', email: 'twice@harbour.example', email_verified: true }
  const both = await Promise.all([signOn('Harbour'), signOn('Harbour')])
  assert.equal(both[0]?.me.id, both[1]?.me.id)
})

test('the mail address of an existing user does not give access to their account', async () => {
  for (const email of ['ada@example.com', 'bob@example.com', 'Grace@Harbour.example']) {
    harbour.who = { sub: `thief of ${email}`, name: 'Ada', email, email_verified: true }
    const { end, token } = await signOn('Harbour')
    assert.deepEqual([end.status, token], [403, undefined])
    assert.match(end.text, /no account here is linked with it/)
    assert.match(end.text, /Sign in another way/)
  }
  const identities = await ada.get('/user-identity')
  assert.ok(identities.every((each: { subject: string }) => !each.subject.startsWith('thief')))
  await ada.put(`/entra-meta/${harbourMeta.id}`, { allowedDomains: ['harbour.example', 'example.com'] })
  harbour.who = { sub: 'thief', name: 'Ada', email: 'ADA@example.com', email_verified: true }
  assert.equal((await signOn('Harbour')).end.status, 403, 'also if the domain is allowed')
  await ada.put(`/entra-meta/${harbourMeta.id}`, { allowedDomains: ['harbour.example'] })
})

test('a user is created only with a verified address in an allowed domain', async () => {
  for (const claims of [
    { email: 'new@harbour.example', email_verified: false },
    { email: 'new@harbour.example' },
    { email_verified: true },
    { email: 'new@evil.example', email_verified: true },
    { email: 'new@sub.harbour.example', email_verified: true },
    { email: 'new@evil.example@harbour.example', email_verified: true },
    { email: 'new\u0000@harbour.example', email_verified: true },
  ]) {
    harbour.who = { sub: 'newcomer', name: 'New', ...claims }
    assert.equal((await signOn('Harbour')).end.status, 403, JSON.stringify(claims))
  }
  await ada.put(`/entra-meta/${harbourMeta.id}`, { jitProvisioning: false })
  harbour.who = { sub: 'newcomer', name: 'New', email: 'new@harbour.example', email_verified: true }
  assert.equal((await signOn('Harbour')).end.status, 403, 'also if users are not created at all')
  await ada.put(`/entra-meta/${harbourMeta.id}`, { jitProvisioning: true })
})

test('an Entra directory is identified by its issuer, and people by their object id', async () => {
  const shown = await ada.get(`/entra-meta/${contosoMeta.id}`)
  assert.equal(shown.issuer, `http://127.0.0.1:${entraPort}/${directory}/v2.0`)
  contoso.who = { sub: 'pairwise', oid: 'o-1', tid: directory, name: 'Lin', preferred_username: 'lin@contoso.com' }
  const first = await signOn('Contoso')
  assert.equal(first.me.email, 'lin@contoso.com')
  const [identity] = await ada.get(`/user-identity?userId=${first.me.id}`)
  assert.deepEqual([identity.issuer, identity.subject], [shown.issuer, 'o-1'])
  for (const [claims, why] of [
    [{ tid: crypto.randomUUID() }, 'another directory'],
    [{ tid: undefined }, 'no directory'],
    [{ oid: undefined }, 'nobody in particular'],
    [{ oid: 'o-2', preferred_username: 'x', email: 'guest@contoso.com' }, 'an address that anybody may enter'],
    [{ oid: 'o-2', preferred_username: 'ann_evil.example#EXT#@contoso.com' }, 'a guest'],
  ] as const) {
    contoso.who = { sub: 'p', oid: 'o-1', tid: directory, preferred_username: 'lin@contoso.com', ...claims }
    assert.equal((await signOn('Contoso')).end.status, 403, why)
  }
})

test('mapped groups and roles follow the provider', async () => {
  const [crew, office, own] = await Promise.all(
    ['Crew', 'Office', 'Own'].map(name => ada.post('/user-group', { name, members: [bob.id] })),
  )
  await ada.put(`/entra-meta/${contosoMeta.id}`, {
    groupMappings: [
      { externalGroupId: 'g-crew', userGroupId: crew.id },
      { externalGroupId: 'g-mates', userGroupId: crew.id, role: roleCode.member },
      { externalGroupId: 'g-office', userGroupId: office.id, role: roleCode.manager },
    ],
  })
  const come = async (more: object) => {
    contoso.who = { sub: 'g', oid: 'o-g', tid: directory, name: 'Gil', preferred_username: 'gil@contoso.com', ...more }
    const { me, end } = await signOn('Contoso')
    assert.ok(me, end.text)
    const groups = await ada.get('/user-group')
    const mine = groups.filter((group: { members: string[] }) => group.members.includes(me.id))
    return { id: me.id, role: me.role, groups: mine.map((group: { name: string }) => group.name).sort() }
  }
  const { id, ...first } = await come({ groups: ['g-crew', 'g-unknown'] })
  assert.deepEqual(first, { role: roleCode.requester, groups: ['Crew'] })
  await ada.put(`/user-group/${own.id}`, { members: [bob.id, id] })
  const { id: _, ...more } = await come({ groups: ['g-mates', 'g-office'] })
  assert.deepEqual(more, { role: roleCode.manager, groups: ['Crew', 'Office', 'Own'] })
  const kept = await come({ hasgroups: true })
  assert.deepEqual(
    kept,
    { id, role: roleCode.manager, groups: ['Crew', 'Office', 'Own'] },
    'groups are not updated if there are too many for the token',
  )
  const check = await ada.get(`/entra-meta/${contosoMeta.id}/check`)
  assert.deepEqual(
    check.map((each: { code: string }) => each.code),
    ['group-overage'],
  )
  const named = await come({ _claim_names: { groups: 'src1' } })
  assert.equal(named.role, roleCode.manager)
  const fewer = await come({ groups: 'g-mates' })
  assert.deepEqual(fewer, { id, role: roleCode.member, groups: ['Crew', 'Own'] })
  assert.deepEqual(await ada.get(`/entra-meta/${contosoMeta.id}/check`), [])
  assert.deepEqual(
    await come({}),
    { id, role: roleCode.requester, groups: ['Own'] },
    'the role from the provider is removed',
  )
  await ada.put(`/user/${id}`, { role: roleCode.member })
  assert.deepEqual(await come({}), { id, role: roleCode.member, groups: ['Own'] }, 'the role that was set here stays')
  assert.deepEqual((await ada.get(`/user-group/${crew.id}`)).members, [bob.id], 'other members stay')
})

test('a changed key of the provider is accepted at once', async () => {
  harbour.who = { sub: 'h-1', name: 'Grace', email: 'grace@harbour.example', email_verified: true }
  const { me } = await signOn('Harbour')
  const old = harbour.kid
  await harbour.rekey()
  assert.notEqual(harbour.kid, old)
  assert.equal((await signOn('Harbour')).me?.id, me.id)
})

test('deactivated, locked and deleted users cannot sign on, nor can users of a suspended workspace', async () => {
  harbour.who = { sub: 'h-3', name: 'Ken', email: 'ken@harbour.example', email_verified: true }
  const { me } = await signOn('Harbour')
  for (const [shut, open] of [
    [{ active: false }, { active: true }],
    [{ locked: '2999-01-01T00:00:00Z' }, { locked: null }],
  ]) {
    await ada.put(`/user/${me.id}`, shut)
    const { end } = await signOn('Harbour')
    assert.equal(end.status, 403)
    assert.match(end.text, /not active or is locked/)
    await ada.put(`/user/${me.id}`, open)
    assert.equal((await signOn('Harbour')).me?.id, me.id)
  }
  await ada.delete(`/user/${me.id}`)
  assert.equal((await signOn('Harbour')).end.status, 403, 'no second user is created')

  harbour.who = { sub: 'h-1', name: 'Grace', email: 'grace@harbour.example', email_verified: true }
  const traveller = new TestBrowser(base)
  const login = await traveller.login({ tenant: 'acme' })
  const back = await traveller.go(buttonOn(login, 'Harbour'), url => url.pathname.startsWith('/oauth/callback/'))
  const suspend = (status: number) =>
    database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update tenant set status = ${status} where tenant_id = ${ada.tenantId}`,
    )
  await suspend(1)
  assert.equal((await traveller.go(back.url.href)).status, 403)
  assert.equal(buttonOn(await new TestBrowser(base).login({ tenant: 'acme' }), 'Harbour'), '')
  assert.deepEqual(await nobody.get('/entra/meta?tenant=acme'), [])
  await suspend(0)
})

test('the sign-in page offers the providers of the workspace, and asks for the workspace', async () => {
  const traveller = new TestBrowser(base)
  const page = await traveller.login()
  assert.equal(buttonOn(page, 'Harbour'), '')
  assert.match(page.text, /Use the sign-in of my workspace/)
  const none = await traveller.submit(page.url, { answer: 'elsewhere', workspace: '' })
  assert.match(none.text, /Enter the name of your workspace/)
  const asked = await traveller.submit(page.url, { answer: 'elsewhere', workspace: ' Acme ', email: 'a@example.com' })
  assert.match(asked.text, /value="a@example.com"/)
  harbour.who = { sub: 'h-1' }
  const end = await traveller.go(buttonOn(asked, 'Harbour'))
  assert.ok(await traveller.redeem(end), end.text)
  for (const workspace of ['nowhere', 'evil', "acme' or 1=1 --", 'a'.repeat(500), '../acme', '\u0000'])
    assert.equal(buttonOn(await new TestBrowser(base).login({ tenant: workspace }), 'Harbour'), '', workspace)
})

test('the providers of a workspace are public, their secrets are not', async () => {
  const offered = await nobody.get('/entra/meta?tenant=acme')
  assert.deepEqual(offered.map((each: { name: string }) => each.name).sort(), ['Contoso', 'Harbour'])
  assert.deepEqual(Object.keys(offered[0]).sort(), ['authority', 'clientId', 'entraTenantId', 'id', 'name', 'provider'])
  for (const query of ['', '?tenant=', '?tenant=evil'])
    assert.deepEqual(await nobody.get(`/entra/meta${query}`), [], query)
  for (const query of ['?tenant=a&tenant=b', '?tenant=%00', '?tennant=acme'])
    assert.equal((await nobody.ask('GET', `/entra/meta${query}`)).status, 400, query)
  await ada.put(`/entra-meta/${contosoMeta.id}`, { active: false })
  assert.equal((await nobody.get('/entra/meta?tenant=acme')).length, 1)
  await ada.put(`/entra-meta/${contosoMeta.id}`, { active: true })
})

test('signed-in users link their own account; a ticket alone links nothing', async () => {
  const dora = await person({ name: 'Dora', email: 'dora@example.com' })
  await ada.post(`/user/${dora.id}/password`, { password: 'a long enough password' })
  const start = async (who = dora) =>
    (await who.post('/user/me/identity/start', { entraMetaId: harbourMeta.id })).path as string
  const linked = async () => (await ada.get(`/user-identity?userId=${dora.id}`)).length
  harbour.who = { sub: 'd-1', name: 'Dora', email: 'dora@example.com', email_verified: true }

  const stranger = await new TestBrowser(base).go(`http://gantry.localhost${await start()}`)
  assert.deepEqual([stranger.status, await linked()], [403, 0], 'a browser without a session')
  const signIn = async (email: string, password: string) => {
    const traveller = new TestBrowser(base)
    const page = await traveller.login()
    assert.ok(await traveller.redeem(await traveller.submit(page.url, { email, password })))
    return traveller
  }
  await ada.post(`/user/${bob.id}/password`, { password: 'another long password' })
  const bobs = await signIn('bob@example.com', 'another long password')
  assert.equal((await bobs.go(`http://gantry.localhost${await start()}`)).status, 403, 'another’s browser')

  const doras = await signIn('dora@example.com', 'a long enough password')
  const begun = await doras.go(`http://gantry.localhost${await start()}`, url => url.pathname.includes('/callback/'))
  const stolen = await bobs.go(begun.url.href)
  assert.deepEqual([stolen.status, await linked()], [403, 0], 'the callback in the browser of another user')
  const again = await doras.go(begun.url.href)
  assert.deepEqual([again.status, await linked()], [403, 0], 'a callback can be used once')

  const done = await doras.go(`http://gantry.localhost${await start()}`)
  assert.match(done.text, /Linked/)
  assert.equal((await signOn('Harbour')).me?.id, dora.id)
  const mallory = await doras.go(`http://gantry.localhost${await start()}x`)
  assert.equal(mallory.status, 403)
  const taken = await bobs.go(`http://gantry.localhost${await start(bob)}`)
  assert.match(taken.text, /already linked with another user/)
  const foreign = await eve.ask('POST', '/user/me/identity/start', { body: { entraMetaId: harbourMeta.id } })
  assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown-reference'])
})

test('a super admin links a user with an identity; removing the link ends their sessions', async () => {
  const fay = await person({ name: 'Fay', email: 'fay@example.com' })
  const admin = await person({ name: 'Ann', role: roleCode.admin })
  const input = { issuer: `${harbour.issuer}/`, subject: 'f-1' }
  for (const who of [bob, admin])
    assert.equal((await who.ask('PUT', `/user/${ada.id}/identity`, { body: input })).status, 403)
  const identity = await ada.put(`/user/${fay.id}/identity`, input)
  assert.equal(
    (await ada.put(`/user/${fay.id}/identity`, input)).id,
    identity.id,
    'linking the same identity again changes nothing',
  )
  const other = await ada.ask('PUT', `/user/${bob.id}/identity`, { body: input })
  assert.deepEqual([other.status, other.body.code, other.body.Fields[0].Pointer], [422, 'already-taken', '/subject'])
  harbour.who = { sub: 'f-1', email: 'who@ever.example' }
  const { token, me } = await signOn('Harbour')
  assert.equal(me?.id, fay.id)
  assert.equal((await bob.ask('DELETE', `/user-identity/${identity.id}`)).status, 404)
  assert.deepEqual(await bob.get('/user-identity'), [])
  await ada.delete(`/user-identity/${identity.id}`)
  assert.equal((await new Person(base, token ?? '', '', '').ask('GET', '/user/me')).status, 401)
  assert.equal((await signOn('Harbour')).end.status, 403)
})

test('a required new authentication is requested from the provider', async () => {
  const traveller = new TestBrowser(base)
  const login = await traveller.login({ tenant: 'acme', prompt: 'login', login_hint: 'grace@harbour.example' })
  const there = await traveller.go(buttonOn(login, 'Harbour'), url => url.port === String(plainPort))
  const { searchParams: asked } = there.url
  assert.deepEqual([asked.get('prompt'), asked.get('login_hint')], ['login', 'grace@harbour.example'])
  assert.deepEqual(
    [asked.get('code_challenge_method'), asked.get('scope'), asked.get('response_type')],
    ['S256', 'openid profile email', 'code'],
  )
  assert.ok((asked.get('nonce')?.length ?? 0) > 40 && (asked.get('state')?.length ?? 0) > 40)
})
