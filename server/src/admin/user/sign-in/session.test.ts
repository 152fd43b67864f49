import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person, sharedTestService } from '../../../../test/support/people.ts'
import { clientOf } from '../../../identity/oauth/test-client.ts'
import { password } from '../../../identity/oauth/test-service.ts'
import { roleCode } from '../../../kernel/access.ts'
import { newId } from '../../../kernel/id.ts'
import { TestBrowser } from '../../entra-meta/sign-on/test-browser.ts'

const { ada, bob, base, person, happened } = await sharedTestService()
const { refresh } = clientOf(base)
const boss = await person({ name: 'Boss', role: roleCode.admin })

async function newcomer() {
  const email = `${newId()}@example.com`
  const one = await person({ name: 'Newcomer', email })
  await ada.post(`/user/${one.id}/password`, { password })
  return { id: one.id, key: one, email }
}

/** Signs in and returns the session as a caller, whether its access token works, and whether it can be renewed. */
async function signIn({ id, email }: Awaited<ReturnType<typeof newcomer>>) {
  const browser = new TestBrowser(base)
  const { url } = await browser.login()
  const tokens = await browser.tokens(await browser.submit(url, { email, password }))
  const caller = new Person(base, tokens.access_token ?? '', id, ada.tenantId)
  let renewal = tokens.refresh_token
  return {
    caller,
    works: async () => (await caller.ask('GET', '/user/me')).status === 200,
    renews: async () => {
      const { status, body } = await refresh(renewal)
      renewal = body.refresh_token ?? renewal
      return status === 200
    },
  }
}

test('users list their sessions and end one of them: its tokens stop at once, and others go on', async () => {
  const carl = await newcomer()
  const [first, second] = [await signIn(carl), await signIn(carl)]
  const sessions = await first.caller.get('/user/me/session')
  assert.equal(sessions.length, 2)
  const [mine, other] = [true, false].map(current =>
    sessions.find((each: { current: boolean }) => each.current === current),
  )
  assert.deepEqual([mine.client, mine.address, other.userAgent], ['gantry-cli', '127.0.0.1', 'node'])
  assert.ok(Date.parse(mine.created) <= Date.parse(mine.lastUsed))
  assert.equal((await bob.ask('DELETE', `/user/${carl.id}/session/${other.id}`)).status, 403)
  assert.equal((await bob.ask('DELETE', `/user/me/session/${other.id}`)).status, 404)
  assert.equal((await first.caller.ask('DELETE', `/user/me/session/${other.id}?dryRun=true`)).status, 200)
  assert.ok(await second.works())

  await first.caller.delete(`/user/me/session/${other.id}`)
  assert.deepEqual(await happened(1), ['user.sessionEnded'])
  assert.deepEqual([await second.works(), await second.renews()], [false, false])
  assert.deepEqual([await first.works(), await first.renews()], [true, true])
  assert.deepEqual(
    (await first.caller.get('/user/me/session')).map((each: { id: string }) => each.id),
    [mine.id],
  )
  assert.equal((await first.caller.ask('DELETE', `/user/me/session/${other.id}`)).status, 404)
})

test('all other sessions end at once, by the user or by an admin; the session of the request goes on', async () => {
  const dora = await newcomer()
  const [first, second] = [await signIn(dora), await signIn(dora)]
  await first.caller.delete('/user/me/session')
  assert.deepEqual([await first.works(), await first.renews()], [true, true])
  assert.deepEqual([await second.works(), await second.renews()], [false, false])
  assert.equal((await dora.key.get('/user/me')).id, dora.id, 'API keys are no sessions')
  const third = await signIn(dora)
  assert.equal((await boss.get(`/user/${dora.id}/session`)).length, 2)
  for (const target of [`/user/${ada.id}/session`, `/user/${ada.id}/session/${newId()}`])
    assert.equal((await boss.ask('DELETE', target)).status, 403)
  await boss.delete(`/user/${dora.id}/session`)
  assert.deepEqual(await happened(1), ['user.sessionsEnded'])
  for (const each of [first, third]) assert.deepEqual([await each.works(), await each.renews()], [false, false])
  assert.deepEqual(await boss.get(`/user/${dora.id}/session`), [])
})

test('a new password ends the other sessions, and the session of its user goes on', async () => {
  const emil = await newcomer()
  const [first, second] = [await signIn(emil), await signIn(emil)]
  await first.caller.post('/user/me/password', { current: password, password: 'quite another pass phrase' })
  assert.deepEqual([await first.works(), await first.renews()], [true, true])
  assert.deepEqual([await second.works(), await second.renews()], [false, false])
  await first.caller.post('/user/me/password', { current: 'quite another pass phrase', password })
  assert.ok(await first.works(), 'also after a second change')
  await ada.post(`/user/${emil.id}/password`, { password: 'quite another pass phrase' })
  assert.deepEqual([await first.works(), await first.renews()], [false, false])
})
