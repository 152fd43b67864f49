import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { userKind } from '../identity/user-kind.ts'
import { roleCode } from '../kernel/access.ts'

describe('customers', async () => {
  const { ada, bob, person } = await sharedTestService()

  test('every contact gets an id and defaults for absent properties', async () => {
    const { contacts } = await ada.post('/finance/crm', {
      name: 'Initech',
      contacts: [{ name: 'Bill' }, { id: 'milton', email: 'milton@initech.example' }],
    })
    assert.match(contacts[0].id, /^[0-9a-f-]{36}$/)
    assert.deepEqual({ ...contacts[0], id: '' }, { id: '', name: 'Bill', email: '', phone: '' })
    assert.deepEqual(contacts[1], { id: 'milton', name: '', email: 'milton@initech.example', phone: '' })
  })

  test('a contact keeps its id when a client sends it back without the id', async () => {
    const made = await ada.post('/finance/crm', {
      name: 'Globex',
      contacts: [{ name: 'Hank', email: 'hank@globex.example' }, { name: 'Frank' }, { name: 'Gone', phone: '1' }],
    })
    const [hank, frank] = made.contacts
    const { contacts } = await ada.put('/finance/crm', {
      id: made.id,
      contacts: [
        { name: 'New', email: 'new@globex.example' },
        { name: 'Frank', phone: '2' },
        { name: 'Hank Scorpio', email: 'Hank@Globex.example' },
      ],
    })
    assert.deepEqual(
      contacts.slice(1).map((each: { id: string }) => each.id),
      [frank.id, hank.id],
    )
    assert.ok(!made.contacts.some((each: { id: string }) => each.id === contacts[0].id))
    assert.deepEqual(contacts[1], { ...frank, phone: '2' })
  })

  test('sending the same contacts again changes nothing', async () => {
    const made = await ada.post('/finance/crm', { name: 'Hooli', contacts: [{ name: 'Gavin' }, { name: 'Gavin' }] })
    const again = await ada.put(`/finance/crm/${made.id}`, { contacts: [{ name: 'Gavin' }, { name: 'Gavin' }] })
    assert.equal(again.version, 1)
    assert.deepEqual(again.contacts, made.contacts)
  })

  test('ids of contacts are unique, and their addresses must be valid', async () => {
    const twice = await ada.ask('POST', '/finance/crm', {
      body: { name: 'Twice', contacts: [{ id: 'a' }, { id: 'a' }] },
    })
    assert.equal(twice.status, 400)
    assert.deepEqual(
      twice.body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/contacts/1/id'],
    )
    const wrong = await ada.ask('POST', '/finance/crm', {
      body: { name: 'Wrong', contacts: [{ name: 'x' }, { email: 'nobody' }] },
    })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.body.Fields.map((each: { Pointer: string; Code: string }) => [each.Pointer, each.Code]),
      [['/contacts/1/email', 'email']],
    )
  })

  test('a code belongs to one customer, regardless of case; any number can have no code', async () => {
    const first = await ada.post('/finance/crm', { name: 'First', code: 'ACME' })
    const second = await ada.ask('POST', '/finance/crm', { body: { name: 'Second', code: 'acme' } })
    assert.equal(second.status, 422)
    assert.deepEqual([second.body.code, second.body.Fields[0].Field], ['already-taken', 'code'])
    await ada.delete(`/finance/crm/${first.id}`)
    await ada.post('/finance/crm', { name: 'Second', code: 'acme' })
    const back = await ada.ask('POST', `/finance/crm/${first.id}/restore`)
    assert.deepEqual([back.status, back.body.code], [422, 'already-taken'])
    await ada.post('/finance/crm', { name: 'No code' })
    await ada.post('/finance/crm', { name: 'No code either' })
  })

  test('skus are texts', async () => {
    const { sku } = await ada.post('/finance/crm', { name: 'Skus', sku: ['gold', 'silver'] })
    assert.deepEqual(sku, ['gold', 'silver'])
  })

  test('managers write, members read, requesters have no access', async () => {
    const meg = await person({ name: 'Meg', role: roleCode.manager })
    const rob = await person({ name: 'Rob', role: roleCode.requester, kind: userKind.requester })
    const { id } = await meg.post('/finance/crm', { name: 'Umbrella' })
    assert.equal((await bob.get(`/finance/crm/${id}`)).name, 'Umbrella')
    assert.equal((await bob.ask('PUT', '/finance/crm', { body: { id, name: 'Mine' } })).status, 403)
    assert.equal((await rob.ask('GET', `/finance/crm/${id}`)).status, 403)
    assert.equal((await meg.ask('DELETE', `/finance/crm/${id}`)).status, 403)
  })
})
