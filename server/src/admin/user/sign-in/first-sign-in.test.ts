import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, startTestService } from '../../../../test/support/people.ts'
import { until } from '../../../../test/support/until.ts'
import { newBrowser, signInToWeb, WebUser, webName, webPassword } from '../../../../test/support/web-user.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { type Sql, sql } from '../../../kernel/sql.ts'
import { inviteFirstUser } from '../invitation/invitation.ts'

const { ada, base, database, person } = await startTestService({ TRUST_PROXY: '1' })

let count = 0
const newAddress = () => `person-${++count}@example.com`

async function invited(values: object = {}) {
  const email = newAddress()
  const { id } = await ada.post('/user', { name: 'New Person', email, ...values })
  const { token } = await ada.must('POST', `/user/${id}/invite`)
  return { id, email, url: `${webName}/invitation/${token}` }
}

const password = 'a quite long secret'
const ourPage = { 'sec-fetch-site': 'same-origin' }
/** Each request comes from another network, because one network may try a few times only. */
const fromElsewhere = () => ({ 'x-forwarded-for': `10.1.${++count >> 8}.${count & 255}` })

/** Sends the form of an invitation as a browser does. */
function accept(
  browser: ReturnType<typeof newBrowser>,
  url: string,
  form: object = {},
  headers: Record<string, string> = ourPage,
) {
  return browser.open(url, {
    method: 'POST',
    body: new URLSearchParams({ password, ...form }),
    headers: { ...fromElsewhere(), ...headers },
  })
}

const me = async (browser: ReturnType<typeof newBrowser>) =>
  (await new WebUser({ base, id: '', tenantId: '' }, browser).ask('GET', '/user/me')).body

const change = ({ tenantId }: Person, id: string, set: Sql) =>
  database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update "user" set ${set} where tenant_id = ${tenantId} and id = ${id}`,
  )

test('a person who accepts an invitation is signed in at once, also where somebody else was', async () => {
  const [first, second] = [await invited(), await invited()]
  const browser = newBrowser(base)
  const end = await accept(browser, first.url, {}, { ...ourPage, 'accept-language': 'de-CH,de;q=0.9' })
  assert.equal(end.url, `${webName}/`)
  const user = await me(browser)
  assert.deepEqual([user.id, user.locale], [first.id, 'de-CH'])
  await accept(browser, second.url)
  assert.equal((await me(browser)).id, second.id)
  const again = await accept(browser, second.url)
  assert.equal(again.status, 422)
})

test('a form of another site sets the password and signs nobody in', async () => {
  const { url } = await invited()
  const browser = newBrowser(base)
  const page = await accept(browser, url, {}, { 'sec-fetch-site': 'cross-site' })
  assert.deepEqual([page.status, /You are in/.test(page.text)], [200, true])
  assert.equal(browser.cookie('gantry-ticket'), undefined)
})

test('a ticket works once, in time, and only for an account that may sign in', async () => {
  const steps: [string, (id: string) => Promise<unknown>, boolean][] = [
    ['at once', async () => {}, true],
    ['after a lock', id => ada.put(`/user/${id}`, { locked: '2999-01-01T00:00:00Z' }), false],
    ['after a new password', id => ada.post(`/user/${id}/password`, { password: 'another long password' }), false],
    ['too late', () => database.crossTenantSql`update oauth set expires_at = now() where kind = 'SignInTicket'`, false],
  ]
  for (const [what, step, works] of steps) {
    const { id, url } = await invited()
    const browser = newBrowser(base)
    const sent = await browser.fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ password }),
      headers: { ...ourPage, ...fromElsewhere() },
    })
    assert.equal(sent.headers.get('location'), `${webName}/sign-in`)
    const ticket = browser.cookie('gantry-ticket') ?? ''
    assert.equal(ticket.length, 43)
    await step(id)
    const end = await browser.open(`${webName}/sign-in`)
    assert.equal(browser.cookie('gantry-web') !== undefined, works, what)
    assert.equal(/type="password"/.test(end.text), !works, what)
    // Another browser that has seen the ticket comes too late.
    const thief = newBrowser(base)
    thief.keep(`gantry-ticket=${ticket}; Path=/`)
    await thief.open(`${webName}/sign-in`)
    assert.equal(thief.cookie('gantry-web'), undefined)
  }
})

test('an invitation does not replace a second factor', async () => {
  const setting = await ada.post('/admin/setting', { key: 'user.secondFactorRequired', value: true })
  const { url } = await invited()
  const browser = newBrowser(base)
  const page = await accept(browser, url)
  assert.match(page.text, /Set up a second factor/)
  assert.equal(browser.cookie('gantry-web'), undefined)
  await ada.delete(`/admin/setting/${setting.id}`)
})

test('the first user of an installation chooses name and address, too', async () => {
  const { id } = await person({ name: 'Administrator', email: 'admin@localhost', superAdmin: true })
  const url = `${webName}/invitation/${await inviteFirstUser(database, ada.tenantId, id)}?first`
  const browser = newBrowser(base)
  assert.match((await browser.open(url)).text, /name="email"/)
  const refused: [object, RegExp][] = [
    [{ name: '', email: 'grace@example.com' }, /The name must have/],
    [{ name: 'Grace', email: 'nonsense' }, /The e-mail address must be/],
    [{ name: 'Grace', email: 'x@localhost' }, /The e-mail address must be/],
    [{ name: 'Grace <b>', email: 'grace@example.com', password: 'short' }, /value="Grace &lt;b&gt;"/],
  ]
  for (const [form, text] of refused) {
    const page = await accept(browser, url, form)
    assert.equal(page.status, 400)
    assert.match(page.text, text)
  }
  const german = { ...ourPage, 'accept-language': 'de-AT,en;q=0.5' }
  const weak = await accept(browser, url, { name: 'Grace', email: 'grace@example.com', password: 'short' }, german)
  assert.match(weak.text, /lang="de"[\s\S]*role="alert">Das Passwort braucht 12 bis 200 Zeichen/)
  const form = { name: 'Grace Hopper', email: 'grace@example.com', company: 'Navy', sample: 'yes' }
  await accept(browser, url, form, german)
  const user = await me(browser)
  assert.deepEqual([user.name, user.email, user.initials], ['Grace Hopper', 'grace@example.com', 'GH'])
  const { name, locale } = await ada.get('/tenant')
  assert.deepEqual([user.locale, locale, name], ['de-AT', 'de-AT', 'Navy'])
  const containers = await ada.get('/container')
  assert.ok(containers.some((each: { name: string }) => each.name === 'Kundensupport'))
  // Others keep the address that they were invited by.
  const other = await invited()
  const page = await accept(newBrowser(base), `${other.url}?first`, { name: 'Eve', email: 'eve@example.com' })
  assert.equal(page.status, 422)
})

/** The mails to an address, with what they say. */
const mailsTo = (email: string) =>
  database.single(
    tenantCaller(ada.tenantId),
    ctx => ctx.sql<{ text: string; id: string }>`select body_text as text, id from outbound_mail
      where tenant_id = ${ada.tenantId} and ${email} = any("to")`,
  )

async function forget(email: string, headers: Record<string, string> = fromElsewhere()) {
  const body = new URLSearchParams({ email })
  const page = await newBrowser(base).open(`${webName}/oauth/forgot`, { method: 'POST', body, headers })
  return { status: page.status, text: page.text }
}

async function member() {
  const email = newAddress()
  const who = await person({ name: 'Member', email })
  await ada.post(`/user/${who.id}/password`, { password: webPassword })
  return { who, email }
}

test('a forgotten password is replaced by a link in a mail, which ends the other sessions and signs in', async () => {
  const { who, email } = await member()
  const before = await signInToWeb(who, email)
  const login = await newBrowser(base).open(`${webName}/sign-in`)
  assert.match(login.text, /href="\/oauth\/forgot"/)
  assert.match((await newBrowser(base).open(`${webName}/oauth/forgot`)).text, /name="email"/)
  await forget(` ${email.toUpperCase()} `)
  await until(async () => (await mailsTo(email)).length === 1)
  const [mail] = await mailsTo(email)
  const url = /http:\/\/gantry\.localhost\/invitation\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
  assert.ok(!JSON.stringify(await ada.get(`/mail/outbound/${mail?.id}`)).includes(url.slice(-43)))
  assert.equal((await before.ask('GET', '/user/me')).status, 200)
  const browser = newBrowser(base)
  await accept(browser, url)
  assert.equal((await me(browser)).id, who.id)
  await until(async () => (await before.ask('GET', '/user/me')).status === 401)
  const kinds = (await ada.get(`/user/${who.id}/history`)).map((each: { type: string }) => each.type)
  assert.ok(kinds.includes('user.passwordForgotten') && kinds.includes('user.invitationAccepted'))
  const row = await database.single(
    tenantCaller(ada.tenantId),
    ctx =>
      ctx.sql<{
        open: boolean
      }>`select invitation is not null as open from "user" where tenant_id = ${ada.tenantId} and id = ${who.id}`,
  )
  assert.deepEqual(row, [{ open: false }])
})

test('a link is valid for an hour', async () => {
  const { who, email } = await member()
  await forget(email)
  await until(async () => (await mailsTo(email)).length === 1)
  const [row] = await database.single(
    tenantCaller(ada.tenantId),
    ctx =>
      ctx.sql<{
        expires: Date
      }>`select invitation_expires as expires from "user" where tenant_id = ${ada.tenantId} and id = ${who.id}`,
  )
  const minutes = ((row?.expires.getTime() ?? 0) - Date.now()) / 60_000
  assert.ok(minutes > 0 && minutes <= 60, String(minutes))
})

test('everybody gets the same answer, and only who may set a password by mail gets a link', async () => {
  const without: [string, (id: string) => Promise<unknown>][] = [
    ['a user of a provider', id => change(ada, id, sql`password = null`)],
    ['a locked user', id => ada.put(`/user/${id}`, { locked: '2999-01-01T00:00:00Z' })],
    ['a deactivated user', id => ada.put(`/user/${id}`, { active: false })],
    ['a deleted user', id => ada.delete(`/user/${id}`)],
  ]
  const answers = new Set<string>()
  const addresses: string[] = []
  for (const [, step] of without) {
    const { who, email } = await member()
    await step(who.id)
    addresses.push(email)
  }
  const open = await invited()
  addresses.push(open.email)
  const { email: known } = await member()
  for (const email of [...addresses, '', 'nobody@example.com', 'nonsense', '\0@example.com', 'x'.repeat(400), known])
    answers.add(JSON.stringify(await forget(email)))
  assert.equal(answers.size, 1)
  // The last request is served after the others, because they began before it.
  await until(async () => (await mailsTo(known)).length === 1)
  for (const email of addresses) assert.equal((await mailsTo(email)).length, 0, email)
  const browser = newBrowser(base)
  await accept(browser, open.url)
  assert.equal((await me(browser)).id, open.id, 'an invitation is still valid')
})

test('a second request soon after the first sends nothing, and too many are refused', async () => {
  const { email } = await member()
  const { email: later } = await member()
  await forget(email)
  await until(async () => (await mailsTo(email)).length === 1)
  await forget(email)
  await forget(later)
  await until(async () => (await mailsTo(later)).length === 1)
  assert.equal((await mailsTo(email)).length, 1)
  const statuses: number[] = []
  for (let i = 0; i < 30; i++)
    statuses.push((await forget(`stranger-${i}@example.com`, { 'x-forwarded-for': '10.9.9.9' })).status)
  assert.ok(statuses.includes(429), String(statuses))
})
