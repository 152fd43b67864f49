import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { guestLink, guestLinkInMail } from '../../desk/guest/guest.ts'
import { getTicket } from '../../desk/ticket/read-ticket.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'

describe('an address that nobody has proven', async () => {
  const { ada, bob, nobody, person, database } = await startTestService()
  const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
  const acme = await ada.post('/finance/crm', { name: 'Acme', domains: ['acme.example'] })
  const email = 'vera@acme.example'
  const vera = await person({ name: 'Vera', email, role: roleCode.requester, kind: userKind.requester })
  const open = (requester: object = { name: 'Vera', email, unproven: true }) =>
    ada.post('/ticket', { title: 'No light', containerId: desk.id, requester })
  const inTenant = tenantCaller(ada.tenantId)
  const tokenIn = (url = '') => new URL(url).pathname.split('/').at(-1) ?? ''
  const mailed = async (id: string, to = email) =>
    tokenIn((await database.transaction(inTenant, ctx => guestLinkInMail(ctx, id, [to])))?.url)
  const visitors = async (id: string) =>
    tokenIn(
      (await database.transaction(inTenant, async ctx => guestLink(ctx, await getTicket(ctx, id), 'toVisitor')))?.url,
    )
  const reads = async (token: string) => (await nobody.ask('GET', `/guest/${token}`)).status
  const writes = (token: string) => nobody.ask('POST', `/guest/${token}/message`, { body: { body: 'It is me' } })

  test('names no user and no customer, and gives its user nothing to read', async () => {
    const { id } = await open()
    const ticket = await ada.get(`/ticket/${id}`)
    assert.deepEqual([ticket.requesterId, ticket.crmId, ticket.requester.unproven], ['', '', true])
    assert.equal((await vera.ask('GET', `/ticket/${id}`)).status, 404)
    // A client that sends back what it has read changes nothing.
    const kept = await ada.put(`/ticket/${id}`, { requester: ticket.requester })
    assert.deepEqual([kept.requesterId, kept.requester], ['', ticket.requester])
    // Whoever names a user knows who it is.
    const named = await ada.put(`/ticket/${id}`, { requester: { userId: vera.id, email, unproven: true } })
    assert.deepEqual([named.requesterId, named.requester.unproven], [vera.id, undefined])
  })

  test('is proven by writing with a link from a mail, and not by reading; the link of the visitor ends then', async () => {
    const { id } = await open()
    const [early, late] = [await visitors(id), await mailed(id)]
    assert.equal((await writes(early)).status, 200)
    const [message] = await bob.get(`/annotation?itemId=${id}`)
    assert.match(message.mail.headers.warning, /not proven/)
    assert.equal(message.authorId, '')
    assert.equal(await reads(late), 200)
    assert.equal((await ada.get(`/ticket/${id}`)).requesterId, '')
    assert.equal((await writes(late)).status, 200)
    const ticket = await ada.get(`/ticket/${id}`)
    assert.deepEqual([ticket.requesterId, ticket.crmId, ticket.requester.unproven ?? false], [vera.id, acme.id, false])
    assert.deepEqual([await reads(early), await reads(late)], [404, 200])
    assert.equal((await writes(early)).status, 404)
    assert.equal((await vera.ask('GET', `/ticket/${id}`)).status, 200)
    const [last] = await bob.get(`/annotation?itemId=${id}&sort=-created`)
    assert.deepEqual([last.authorId, last.mail.headers?.warning], [vera.id, undefined])
  })

  test('that belongs to no user ends the link of the visitor, too, when it is proven', async () => {
    const unknown = 'walt@elsewhere.example'
    const { id } = await open({ name: 'Walt', email: unknown, unproven: true })
    const [early, late] = [await visitors(id), await mailed(id, unknown)]
    assert.deepEqual([await reads(early), (await writes(late)).status], [200, 200])
    assert.deepEqual([await reads(early), await reads(late)], [404, 200])
    const { requesterId, requester } = await ada.get(`/ticket/${id}`)
    assert.deepEqual([requesterId, requester], ['', { name: 'Walt', email: unknown }])
  })

  test('loses the link of the visitor when staff say whose it is', async () => {
    const { id } = await open()
    const [early, given] = [await visitors(id), tokenIn((await bob.post(`/ticket/${id}/guest-link`, undefined)).url)]
    // What staff give away is no proof.
    assert.equal((await writes(given)).status, 200)
    assert.equal((await ada.get(`/ticket/${id}`)).requesterId, '')
    await ada.put(`/ticket/${id}`, { requester: { email } })
    assert.equal((await ada.get(`/ticket/${id}`)).requesterId, vera.id)
    assert.deepEqual([await reads(early), await reads(given)], [404, 404])
  })

  test('leads nobody to the ticket that theirs is merged into', async () => {
    const { id } = await open()
    const own = await vera.post('/ticket', { title: 'My own', containerId: desk.id })
    const links = [await visitors(id), tokenIn((await bob.post(`/ticket/${id}/guest-link`, undefined)).url)]
    await ada.post(`/item/${id}/merge`, { into: own.id })
    for (const each of links) assert.equal(await reads(each), 404)
  })
})
