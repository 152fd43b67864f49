import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../../test/support/people.ts'
import { fromBase32, stepAt, totp } from '../../../identity/second-factor/totp.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { roleCode } from '../../../kernel/access.ts'

const { ada, bob, database, person, happened } = await sharedTestService()
const boss = await person({ name: 'Boss', role: roleCode.admin })
const password = 'seven quiet otters'
const path = '/user/me/second-factor'
const codeOf = (secret: string) => totp(fromBase32(secret), stepAt(new Date()))

async function newcomer(name: string) {
  const one = await person({ name, email: `${name.toLowerCase()}@example.com` })
  await ada.post(`/user/${one.id}/password`, { password })
  return one
}

async function forgetUsedCodes(userId: string): Promise<void> {
  await database.single(
    tenantCaller(ada.tenantId),
    ctx => ctx.sql`update second_factor set last_step = 0 where tenant_id = ${ada.tenantId} and user_id = ${userId}`,
  )
}

test('users set up a second factor with their password and a code, and remove it with one of them', async () => {
  const carl = await newcomer('Carl')
  const wrong = await carl.ask('POST', path, { body: { password: 'something else' } })
  assert.deepEqual([wrong.status, wrong.body.Fields[0].Field], [400, 'password'])
  const { secret, uri } = await carl.post(path, { password })
  assert.match(uri, new RegExp(`^otpauth://totp/Gantry%20Acme%3Acarl%40example.com\\?secret=${secret}&`))
  const none = { active: false, since: null, recoveryCodesLeft: 0, required: false }
  assert.deepEqual(await carl.get(path), none)
  assert.equal((await carl.ask('POST', `${path}/confirm`, { body: { code: '00000' } })).status, 400)
  const { recoveryCodes } = await carl.post(`${path}/confirm`, { code: codeOf(secret) })
  assert.deepEqual(await happened(1), ['user.secondFactorAdded'])
  const { since, ...state } = await carl.get(path)
  assert.deepEqual(state, { active: true, recoveryCodesLeft: 10, required: false })
  assert.ok(since)
  assert.equal((await carl.ask('POST', path, { body: { password } })).body.code, 'second-factor-active')

  assert.equal((await carl.ask('POST', `${path}/recovery-codes`, { body: {} })).status, 400)
  await forgetUsedCodes(carl.id)
  const code = codeOf(secret)
  const renewed = await carl.post(`${path}/recovery-codes`, { code })
  assert.equal((await carl.ask('POST', `${path}/remove`, { body: { code } })).status, 400, 'a code counts once')
  assert.equal((await carl.ask('POST', `${path}/remove`, { body: { code: recoveryCodes[0] } })).status, 400)
  await carl.post(`${path}/remove`, { code: renewed.recoveryCodes[0] })
  assert.deepEqual(await carl.get(path), none)
  assert.equal((await carl.ask('POST', `${path}/remove`, { body: { password } })).body.code, 'no-second-factor')
  const [row] = await database.single(
    tenantCaller(ada.tenantId),
    ctx =>
      ctx.sql`select count(*)::int as secrets from secret where tenant_id = ${ada.tenantId} and owner_id = ${carl.id}`,
  )
  assert.deepEqual(row, { secrets: 0 })
})

test('an admin sees and resets the second factor of another user, but not that of a super admin', async () => {
  const dora = await newcomer('Dora')
  const { secret } = await dora.post(path, { password })
  await dora.post(`${path}/confirm`, { code: codeOf(secret) })
  const at = `/user/${dora.id}/second-factor`
  for (const [method, who, target] of [
    ['GET', bob, at],
    ['DELETE', bob, at],
    ['DELETE', boss, `/user/${ada.id}/second-factor`],
    ['DELETE', dora, at],
  ] as const)
    assert.equal((await who.ask(method, target)).status, 403, `${method} ${target}`)
  assert.equal((await boss.get(at)).active, true)
  await boss.delete(at)
  assert.deepEqual(await happened(1), ['user.secondFactorRemoved'])
  assert.equal((await boss.get(at)).active, false)
  await boss.delete(at)
})

test('guesses through the API lock the password, although each one is refused', async () => {
  const emil = await newcomer('Emil')
  const guess = async (where: string, body: object) => (await emil.ask('POST', where, { body })).status
  for (let i = 0; i < 4; i++) assert.equal(await guess(path, { password: 'wrong' }), 400)
  for (let i = 0; i < 3; i++) assert.equal(await guess(`${path}?dryRun=true`, { password: 'wrong' }), 400)
  for (let i = 0; i < 3; i++) assert.equal(await guess('/user/me/password', { current: 'wrong', password: 'x' }), 400)
  assert.equal(await guess(path, { password }), 422)
  assert.ok((await ada.get(`/user/${emil.id}`)).passwordLocked)
  assert.equal((await emil.ask('GET', '/user/me')).status, 200)
})
