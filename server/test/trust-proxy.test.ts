import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../src/platform/settings.ts'
import { Person, startTestService, type TestService } from './support/people.ts'

// The client as a reverse proxy on this machine names it, and what the client itself pretends.

const client = '203.0.113.7'
const other = '203.0.113.8'

/** The status of a request by a key that is bound to the client's address, with the forwarded addresses. */
async function statusFor({ ada, base }: TestService, forwarded: string): Promise<number> {
  const { RawKey } = await ada.post('/admin/api-key', { name: 'Bound', allowedIps: [client] })
  const bound = new Person(base, RawKey, ada.id, ada.tenantId)
  return (await bound.ask('GET', '/user/me', { headers: { 'x-forwarded-for': forwarded } })).status
}

/** Sends wrong invitations until the address is refused; returns whether another address still gets through. */
async function othersGetThrough({ nobody }: TestService): Promise<boolean> {
  const attempt = async (address: string) => {
    const body = { token: 'wrong', password: 'correct horse battery staple' }
    const headers = { 'x-forwarded-for': address }
    return (await nobody.ask('POST', '/user/invitation/accept', { body, headers })).status
  }
  for (let i = 0; i < 100; i++) if ((await attempt(client)) === 429) return (await attempt(other)) !== 429
  throw new Error('no number of attempts is refused')
}

test('without TRUST_PROXY nobody names another address than that of their connection', async () => {
  const home = await startTestService()
  assert.equal(await statusFor(home, client), 401)
  assert.equal(await othersGetThrough(home), false)
})

for (const trusted of ['127.0.0.1', '10.0.0.0/8, 127.0.0.0/8,::1', '1'])
  test(`with TRUST_PROXY=${trusted} the proxy names the client, for allowedIps and for limits`, async () => {
    const home = await startTestService({ TRUST_PROXY: trusted })
    assert.equal(await statusFor(home, client), 200)
    assert.equal(await statusFor(home, `${other}, ${client}`), 200, 'the last address is the one that the proxy saw')
    assert.equal(await statusFor(home, `${client}, ${other}`), 401, 'what the client sent itself does not count')
    assert.equal(await othersGetThrough(home), true)
  })

test('a proxy that is not named is not believed; two hops are two', async () => {
  assert.equal(await statusFor(await startTestService({ TRUST_PROXY: '10.0.0.0/8' }), client), 401)
  const twice = await startTestService({ TRUST_PROXY: '2' })
  assert.equal(await statusFor(twice, `${other}, ${client}, 10.0.0.1`), 200)
  assert.equal(await statusFor(twice, `${client}, ${other}, 10.0.0.1`), 401)
})

test('TRUST_PROXY is a number of hops, or addresses and networks', () => {
  for (const wrong of ['true', '0', '33', 'proxy.example.com', '10.0.0.0/33', '10.0.0.1;10.0.0.2', '*', '1.5', '-1'])
    assert.throws(() => readSettings({ TRUST_PROXY: wrong }), /TRUST_PROXY must be/, wrong)
  assert.equal(readSettings({ TRUST_PROXY: '2' }).trustProxy, 2)
  assert.deepEqual(readSettings({ TRUST_PROXY: ' 10.0.0.1,fd00::/8 ' }).trustProxy, ['10.0.0.1', 'fd00::/8'])
  assert.equal(readSettings({}).trustProxy, undefined)
})
