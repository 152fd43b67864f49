import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestService } from '../../../../test/support/people.ts'
import { verifyPassword } from '../../../identity/password/password.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { roleCode } from '../../../kernel/access.ts'
import type { Refusal } from '../../../kernel/refusal.ts'
import { openInvitations } from './invitation.ts'

const { ada, bob, eve, nobody, person, database } = await startTestService()
const password = 'a long new password'
let count = 0
const invitee = (more = {}, who = ada) =>
  who.post('/user', { name: 'New', email: `new${++count}@example.com`, active: false, ...more })
const invite = (id: string, who = ada) => who.must('POST', `/user/${id}/invite`)
const accept = (token: string, chosen = password) =>
  nobody.ask('POST', '/user/invitation/accept', { body: { token, password: chosen } })

async function stored(tenantId: string, id: string) {
  const [row] = await database.single(
    tenantCaller(tenantId),
    ctx =>
      ctx.sql<{
        password: string
        invitation: Buffer | null
        expires: Date
      }>`select password, invitation, invitation_expires as expires
        from "user" where tenant_id = ${tenantId} and id = ${id}`,
  )
  return row
}

describe('an invitation', () => {
  test('is a token that is shown once and can be used once', async () => {
    const { id } = await invitee()
    const before = Date.now()
    const { status, body, headers } = await ada.ask('POST', `/user/${id}/invite`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['token', 'url', 'expiresAt'])
    assert.equal(body.url, `http://gantry.localhost/invitation/${body.token}`)
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    const days = (Date.parse(body.expiresAt) - before) / 86_400_000
    assert.ok(days > 6.9 && days < 7.1, String(days))
    assert.ok((await ada.get(`/user/${id}`)).invitedAt)
    const everything = JSON.stringify([await ada.get(`/user/${id}`), await ada.get(`/user/${id}/history`)])
    assert.ok(!everything.includes(body.token))
    assert.equal((await accept(body.token)).status, 204)
    assert.equal((await ada.get(`/user/${id}`)).active, true)
    const now = await stored(ada.tenantId, id)
    assert.ok(await verifyPassword(now?.password, password))
    assert.equal(now?.invitation, null)
    assert.deepEqual((await ada.get(`/user/${id}/history`)).slice(-1)[0].type, 'user.invitationAccepted')
    assert.equal((await accept(body.token)).status, 422)
  })

  test('is accepted once when several requests use it at the same time', async () => {
    const { id } = await invitee()
    const { token } = await invite(id)
    const statuses = (await Promise.all([accept(token), accept(token), accept(token)])).map(each => each.status)
    assert.deepEqual(statuses.sort(), [204, 422, 422])
  })

  test('is created only by super admins, for users of their tenant who can sign in', async () => {
    const { id } = await invitee()
    const boss = await person({ name: 'Anna', role: roleCode.admin })
    for (const who of [bob, boss]) assert.equal((await who.ask('POST', `/user/${id}/invite`)).status, 403)
    assert.equal((await eve.ask('POST', `/user/${id}/invite`)).status, 404)
    const { body } = await ada.ask('POST', `/user/${(await ada.post('/user', { name: 'Mute' })).id}/invite`)
    assert.equal(body.code, 'no-email')
  })
})

test('wrong, used, replaced, expired and void invitations get the same reply', async () => {
  const old = async (who = ada) => {
    const { id } = await invitee({}, who)
    return { id, token: (await invite(id, who)).token as string }
  }
  const tokens: [string, string][] = [['wrong', 'x'.repeat(43)]]
  const replaced = await old()
  await invite(replaced.id)
  tokens.push(['replaced', replaced.token])
  const expired = await old()
  await database.single(
    tenantCaller(ada.tenantId),
    ctx =>
      ctx.sql`update "user" set invitation_expires = now() - interval '1 second' where tenant_id = ${ada.tenantId} and id = ${expired.id}`,
  )
  tokens.push(['expired', expired.token])
  const ways: [string, (id: string) => Promise<unknown>][] = [
    ['a new address', id => ada.put(`/user/${id}`, { email: `other${++count}@example.com` })],
    ['a lock', id => ada.put(`/user/${id}`, { locked: '2999-01-01T00:00:00Z' })],
    [
      'a deactivation',
      id => ada.put(`/user/${id}`, { active: true }).then(() => ada.put(`/user/${id}`, { active: false })),
    ],
    ['a password', id => ada.post(`/user/${id}/password`, { password: 'another long password' })],
    ['a deletion', id => ada.delete(`/user/${id}`)],
    ['an anonymisation', id => ada.must('POST', `/user/${id}/anonymise`)],
  ]
  for (const [what, void_] of ways) {
    const { id, token } = await old()
    await void_(id)
    tokens.push([what, token])
  }
  // Bypasses the limit of attempts, which would refuse the request.
  const take = openInvitations(database, 1000, async () => {})
  const answers = new Set<string>()
  for (const [what, token] of tokens) {
    const refusal = await take({ token, password, ip: '127.0.0.1' }).then(
      () => assert.fail(`${what} is let in`),
      (error: Refusal) => error,
    )
    answers.add(JSON.stringify([refusal.status, refusal.code, refusal.message, refusal.faults]))
  }
  assert.equal(answers.size, 1)
})

test('a weak password is refused before the token is checked, and does not use up the invitation', async () => {
  const { nobody: stranger, ada: eva } = await startTestService()
  const { id } = await eva.post('/user', { name: 'New', email: 'new.person@example.com' })
  const { token } = await eva.must('POST', `/user/${id}/invite`)
  const ask = (body: object) => stranger.ask('POST', '/user/invitation/accept', { body })
  for (const each of [token, 'nonsense']) {
    const { status, body } = await ask({ token: each, password: 'short' })
    assert.deepEqual([status, body.Fields[0].Field], [400, 'password'])
    assert.ok(!JSON.stringify(body).includes(token))
  }
  assert.equal((await ask({ token, password: 'New.Person2026' })).status, 400)
  for (const body of [{}, { token }, { token: 5, password }, { token, password, more: 1 }])
    assert.equal((await ask(body)).status, 400)
  assert.equal((await ask({ token, password })).status, 204)
})

test('too many attempts are refused with a time to wait', async () => {
  const { nobody: stranger } = await startTestService()
  const statuses: number[] = []
  for (let i = 0; i < 25; i++)
    statuses.push(
      (await stranger.ask('POST', '/user/invitation/accept', { body: { token: `t${i}`, password } })).status,
    )
  assert.ok(statuses.includes(422) && statuses.at(-1) === 429, String(statuses))
})

test('a page accepts the password, and reveals nothing about the token', async () => {
  const { nobody: stranger, ada: eva } = await startTestService()
  const { id } = await eva.post('/user', { name: '<b>New</b>', email: 'page@example.com' })
  const { token } = await eva.must('POST', `/user/${id}/invite`)
  const page = await stranger.ask('GET', `//invitation/${token}`)
  const other = await stranger.ask('GET', '//invitation/nonsense')
  assert.equal(page.status, 200)
  assert.equal(page.body, other.body)
  assert.match(page.body, /<form method="post">/)
  for (const [header, value] of [
    ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
    ['cache-control', /no-store/],
    ['referrer-policy', /no-referrer/],
    ['x-content-type-options', /nosniff/],
    ['content-type', /text\/html/],
  ] as const)
    assert.match(page.headers.get(header) ?? '', value)
  const send = (body: string) =>
    stranger.ask('POST', `//invitation/${token}`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const poor = await send('password=short')
  assert.deepEqual([poor.status, /at least 12/.test(poor.body)], [400, true])
  const done = await send(`password=${encodeURIComponent(password)}`)
  assert.deepEqual([done.status, /You are in/.test(done.body)], [200, true])
  const again = await send(`password=${encodeURIComponent(password)}`)
  assert.deepEqual([again.status, /is not valid/.test(again.body)], [422, true])
})

test('a setting limits how many days an invitation is valid', async () => {
  const { ada: eva } = await startTestService()
  await eva.post('/admin/setting', { key: 'user.invitationDays', value: 2 })
  const { id } = await eva.post('/user', { name: 'New', email: 'days@example.com' })
  const before = Date.now()
  const { expiresAt } = await eva.must('POST', `/user/${id}/invite`)
  const invited = Date.parse(expiresAt) - 2 * 86_400_000
  assert.ok(before <= invited && invited <= Date.now(), expiresAt)
})
