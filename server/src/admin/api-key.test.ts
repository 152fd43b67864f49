import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, sharedTestService } from '../../test/support/people.ts'
import { noRole, roleCode } from '../kernel/access.ts'

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()

describe('what a limited key may do to credentials', async () => {
  const { ada, bob, base } = await sharedTestService()

  /** A key of Ada with these limits, and the person who uses it. */
  async function limited(limits: object) {
    const { RawKey, ...key } = await ada.post('/admin/api-key', { name: 'Limited', ...limits })
    return { key, by: new Person(base, RawKey, ada.id, ada.tenantId) }
  }

  for (const scope of ['*:write', 'apiKey:write', '*:admin', '*:*'])
    test(`a key with the scope ${scope} changes no keys, not even itself`, async () => {
      const { key, by } = await limited({ scopes: [scope], allowedIps: ['127.0.0.1'], expiresAt: days(1) })
      const other = await ada.post('/admin/api-key', { name: 'Other' })
      const wider = { scopes: [], allowedIps: [], expiresAt: null }
      for (const { id } of [key, other]) {
        assert.equal((await by.ask('PATCH', `/admin/api-key/${id}`, { body: wider })).status, 403)
        assert.equal((await by.ask('PUT', `/admin/api-key/${id}`, { body: { name: 'Mine' } })).status, 403)
        assert.equal((await by.ask('PUT', '/admin/api-key', { body: { id, ...wider } })).status, 403)
        assert.equal((await by.ask('DELETE', `/admin/api-key/${id}`)).status, 403)
      }
      const minting = await by.ask('POST', '/admin/api-key', { body: { name: 'Wider' } })
      assert.equal(minting.status, 403)
      assert.match(minting.body.detail, /scopes/)
      const { scopes, allowedIps, version } = await ada.get(`/admin/api-key/${key.id}`)
      assert.deepEqual([scopes, allowedIps, version], [[scope], ['127.0.0.1'], 1])
      assert.equal((await by.ask('GET', `/admin/api-key/${key.id}`)).status, 200)
    })

  test('a key with scopes gives nobody a password, an identity, an invitation, a role or a provider', async () => {
    const { by } = await limited({ scopes: ['*:write'] })
    const attempts: [string, string, object?][] = [
      ['POST', '/user/me/password', { password: 'correct horse battery staple' }],
      ['POST', `/user/${bob.id}/password`, { password: 'correct horse battery staple' }],
      ['POST', `/user/${bob.id}/invite`],
      ['PUT', `/user/${bob.id}/identity`, { issuer: 'https://id.example.com', subject: 'mallory' }],
      ['POST', '/user-identity', { userId: ada.id, issuer: 'https://id.example.com', subject: 'mallory' }],
      ['POST', '/entra-meta', { name: 'Mine', provider: 'oidc', issuer: 'https://id.example.com' }],
      ['PUT', `/user/${bob.id}`, { superAdmin: true }],
      ['PUT', `/user/${bob.id}`, { role: roleCode.admin }],
      ['POST', '/user', { name: 'Mallory', email: 'mallory@example.com', superAdmin: true, role: noRole }],
      ['POST', '/user', { name: 'Mallory', email: 'mallory@example.com', role: roleCode.admin }],
      ['POST', '/access-control', { userId: bob.id, role: roleCode.admin }],
      ['POST', '/access-control/role', { name: 'Boss', role: roleCode.admin }],
    ]
    for (const [method, path, body] of attempts) {
      const answer = await by.ask(method, path, body ? { body } : {})
      assert.equal(answer.status, 403, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    }
    const renamed = await by.ask('PUT', `/user/${bob.id}`, { body: { name: 'Robert' } })
    assert.equal(renamed.status, 200, 'what gives no rights stays possible')
    const made = await by.ask('POST', '/user', { body: { name: 'Nell', email: 'nell@example.com', role: noRole } })
    assert.equal(made.status, 201)
  })

  test('a key that expires or is bound to addresses makes no key beyond that', async () => {
    const expiring = await limited({ expiresAt: days(2) })
    const ask = (by: Person, body: object) => by.ask('POST', '/admin/api-key', { body: { name: 'Next', ...body } })
    assert.equal((await ask(expiring.by, {})).status, 403)
    assert.equal((await ask(expiring.by, { expiresAt: days(3) })).status, 403)
    assert.equal((await ask(expiring.by, { expiresAt: days(1) })).status, 200)
    const self = `/admin/api-key/${expiring.key.id}`
    assert.equal((await expiring.by.ask('PATCH', self, { body: { expiresAt: null } })).status, 403)
    assert.equal((await expiring.by.ask('PATCH', self, { body: { name: 'Renamed' } })).status, 200)
    assert.equal((await expiring.by.ask('PATCH', self, { body: { expiresAt: days(1) } })).status, 200)

    const bound = await limited({ allowedIps: ['127.0.0.0/8', '2001:db8::/32'] })
    for (const allowedIps of [[], ['0.0.0.0/0'], ['127.0.0.0/7'], ['127.0.0.1', '192.0.2.1'], ['2001:db8::/31']])
      assert.equal((await ask(bound.by, { allowedIps })).status, 403, allowedIps.join())
    for (const allowedIps of [['127.0.0.1'], ['127.1.0.0/16', '127.0.0.0/8'], ['2001:db8:1::/48', '2001:db8::7']])
      assert.equal((await ask(bound.by, { allowedIps })).status, 200, allowedIps.join())
    const cleared = await bound.by.ask('PATCH', `/admin/api-key/${bound.key.id}`, { body: { allowedIps: [] } })
    assert.equal(cleared.status, 403)
    assert.equal((await ada.ask('PATCH', `/admin/api-key/${bound.key.id}`, { body: { allowedIps: [] } })).status, 200)
  })
})
