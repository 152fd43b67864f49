import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { timeState } from '../../time/time-state.ts'
import { invoiceState } from '../invoice/invoice-record.ts'

describe('customers', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()

  test('every contact gets an id and defaults for absent properties', async () => {
    const { contacts } = await ada.post('/finance/crm', {
      name: 'Initech',
      contacts: [{ name: 'Bill' }, { id: 'milton', email: 'milton@initech.example' }],
    })
    assert.match(contacts[0].id, /^[0-9a-f-]{36}$/)
    assert.deepEqual({ ...contacts[0], id: '' }, { id: '', name: 'Bill', email: '', phone: '', lead: false })
    assert.deepEqual(contacts[1], { id: 'milton', name: '', email: 'milton@initech.example', phone: '', lead: false })
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

  test('the primary domain is the first of the domains, whichever of them is written', async () => {
    const made = await ada.post('/finance/crm', { name: 'Acme', domain: 'Acme.example' })
    assert.deepEqual([made.domain, made.domains], ['Acme.example', ['acme.example']])
    const path = `/finance/crm/${made.id}`
    const more = await ada.put(path, { domains: ['@acme.example', 'münchen.example.'] })
    assert.deepEqual([more.domain, more.domains], ['Acme.example', ['acme.example', 'xn--mnchen-3ya.example']])
    const renamed = await ada.put(path, { ...more, domain: 'acme.test' })
    assert.deepEqual(renamed.domains, ['acme.test', 'xn--mnchen-3ya.example'])
    const swapped = await ada.put(path, { domains: ['other.example'] })
    assert.deepEqual([swapped.domain, swapped.domains], ['other.example', ['other.example']])
    const none = await ada.put(path, { domains: null })
    assert.deepEqual([none.domain, none.domains], ['', []])
  })

  test('what is no domain is refused in the list, and reported as the primary one; so is a domain of everybody', async () => {
    const wrong = await ada.ask('POST', '/finance/crm', { body: { name: 'W', domains: ['ok.example', 'no domain'] } })
    assert.deepEqual([wrong.status, wrong.body.Fields[0].Pointer], [400, '/domains/1'])
    const { check } = await ada.post('/finance/crm', { name: 'W', domain: 'none', domains: ['gmail.com'] })
    assert.deepEqual(
      check.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['/domains/0', 'public-domain'],
        ['/domain', 'not-a-domain'],
      ],
    )
  })

  test('customers form a tree without cycles', async () => {
    const top = await ada.post('/finance/crm', { name: 'Holding' })
    const below = await ada.post('/finance/crm', { name: 'Subsidiary', parentId: top.id })
    const refused = await ada.ask('PUT', `/finance/crm/${top.id}`, { body: { parentId: below.id } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'cycle'])
    const merged = await ada.ask('POST', `/finance/crm/${top.id}/merge`, { body: { into: below.id } })
    assert.deepEqual([merged.status, merged.body.code], [422, 'cycle'])
  })

  test('a tax rate has at most four decimals, and is at most 100', async () => {
    assert.equal((await ada.post('/finance/crm', { name: 'Tax', taxRate: 8.1234, taxCategory: 'S' })).taxRate, '8.1234')
    const refused = await ada.ask('POST', '/finance/crm', { body: { name: 'Tax', taxRate: 8.12345 } })
    assert.deepEqual([refused.status, refused.body.Fields[0].Code], [400, 'precision'])
    const large = await ada.ask('POST', '/finance/crm', { body: { name: 'Tax', taxRate: 101 } })
    assert.deepEqual([large.status, large.body.Fields[0].Code], [400, 'range'])
    const unknown = await ada.ask('POST', '/finance/crm', { body: { name: 'Tax', taxCategory: 'X' } })
    assert.deepEqual([unknown.status, unknown.body.Fields[0].Field], [400, 'taxCategory'])
  })

  test('a merge moves what belongs to a customer, and its undo moves it back', async () => {
    const gone = await ada.post('/finance/crm', {
      name: 'Gone',
      code: 'GONE',
      domains: ['gone.example'],
      sku: ['gold', 'silver'],
      contacts: [
        { name: 'Gina', email: 'gina@gone.example' },
        { name: 'Both', email: 'both@kept.example' },
      ],
    })
    const kept = await ada.post('/finance/crm', {
      name: 'Kept',
      domain: 'kept.example',
      sku: ['silver'],
      contacts: [{ name: 'Both', email: 'Both@kept.example' }],
    })
    const child = await ada.post('/finance/crm', { name: 'Child', parentId: gone.id })
    const container = await ada.post('/container', { name: 'Work', crmId: gone.id })
    const item = await ada.post('/item', { title: 'Task', containerId: container.id, crmId: gone.id })
    const own = { owner: ownerKind.crm, userId: ada.id, level: 0 }
    const watches = [
      await ada.post('/watch', { ...own, ownerId: gone.id }),
      await ada.post('/watch', { ...own, ownerId: kept.id }),
    ]
    const answer = await ada.ask('POST', `/finance/crm/${gone.id}/merge`, { body: { into: kept.id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(
      [answer.body.contacts.map((each: { name: string }) => each.name), answer.body.domains, answer.body.sku],
      [
        ['Both', 'Gina'],
        ['kept.example', 'gone.example'],
        ['silver', 'gold'],
      ],
    )
    const customers = async () => [
      (await ada.get(`/item/${item.id}`)).crmId,
      (await ada.get(`/container/${container.id}`)).crmId,
      (await ada.get(`/finance/crm/${child.id}`)).parentId,
    ]
    assert.deepEqual(await customers(), [kept.id, kept.id, kept.id])
    assert.equal((await ada.ask('GET', `/finance/crm/${gone.id}`)).status, 404)
    assert.equal((await ada.get(`/finance/crm/${gone.id}?deleted=include`)).mergedInto, kept.id)
    assert.equal((await ada.ask('GET', `/watch/${watches[0].id}`)).status, 404)
    await ada.post(`/change/${answer.headers.get('change-set')}/undo`, undefined)
    assert.deepEqual(await customers(), [gone.id, gone.id, gone.id])
    const back = await ada.get(`/finance/crm/${gone.id}`)
    assert.deepEqual([back.mergedInto, back.domains], ['', ['gone.example']])
    assert.deepEqual((await ada.get(`/finance/crm/${kept.id}`)).domains, ['kept.example'])
    assert.equal((await ada.get(`/watch/${watches[0].id}`)).ownerId, gone.id)
  })

  test('closed time and issued invoices keep their customer', async () => {
    const [gone, kept] = [
      await ada.post('/finance/crm', { name: 'Gone' }),
      await ada.post('/finance/crm', { name: 'Kept' }),
    ]
    const item = await ada.post('/item', { title: 'Task', crmId: gone.id })
    const book = (date: string) => ada.post('/time', { itemId: item.id, seconds: 600, date })
    const [open, approved] = [await book('2026-04-01'), await book('2026-04-01')]
    const closed = await book('2026-03-31')
    await ada.post('/time/close', { until: '2026-03-31', reason: 'March is reported' })
    const draft = await ada.post('/finance/invoice', { crmId: gone.id, currency: 'EUR' })
    const issued = await ada.post('/finance/invoice', { crmId: gone.id, currency: 'EUR' })
    await database.single(tenantCaller(ada.tenantId), async ctx => {
      await ctx.sql`update time set state = ${timeState.approved} where tenant_id = ${ada.tenantId} and id = ${approved.id}`
      await ctx.sql`update invoice set state = ${invoiceState.issued} where tenant_id = ${ada.tenantId} and id = ${issued.id}`
    })
    await ada.post(`/finance/crm/${gone.id}/merge`, { into: kept.id })
    const customers = await Promise.all(
      [
        `/time/${open.id}`,
        `/time/${approved.id}`,
        `/time/${closed.id}`,
        `/finance/invoice/${draft.id}`,
        `/finance/invoice/${issued.id}`,
      ].map(async path => (await ada.get(path)).crmId),
    )
    assert.deepEqual(customers, [kept.id, gone.id, gone.id, kept.id, gone.id])
    await ada.post('/time/close', { until: null, reason: 'Open again' })
  })

  test('a customer is merged into another one of the tenant only', async () => {
    const { id } = await ada.post('/finance/crm', { name: 'Here' })
    const theirs = await eve.post('/finance/crm', { name: 'There' })
    const merge = (person: typeof ada, into: string) =>
      person.ask('POST', `/finance/crm/${id}/merge`, { body: { into } })
    assert.equal((await merge(ada, id)).body.Fields[0].Code, 'same')
    assert.equal((await merge(ada, theirs.id)).body.code, 'unknown-reference')
    assert.equal((await merge(eve, theirs.id)).status, 404)
    assert.equal((await merge(bob, id)).status, 403)
  })
})
