import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { momentCodes } from '../../containers/screen/screen.ts'
import { channel } from '../../desk/channel.ts'
import { documentState } from '../../documents/document-state.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemSource } from '../../items/item-codes.ts'
import { roleCode } from '../../kernel/access.ts'
import { sql } from '../../kernel/sql.ts'
import { filedBy, maxPerDesk, maxPerNetwork } from './visitor-ticket-limit.ts'

const portal = { enabled: true, visitors: true }

describe('the tickets of visitors', async () => {
  const { ada, bob, eve, nobody, person, database, databaseUrl } = await startTestService({
    TRUST_PROXY: '127.0.0.1',
    WORKERS: '1',
  })
  const slugOf = async (who: Person): Promise<string> => (await who.get('/session')).tenant.slug
  const [slug, others] = [await slugOf(ada), await slugOf(eve)]
  const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk, portal })
  const closed = await ada.post('/container', { name: 'Inside', kind: containerKind.desk })
  const theirs = await eve.post('/container', { name: 'Their help', kind: containerKind.desk, portal })
  const email = 'vera@acme.example'
  const vera = await person({ name: 'Vera', email, role: roleCode.requester, kind: userKind.requester })
  await ada.post('/finance/crm', { name: 'Acme', domains: ['acme.example'] })

  // Each test has a network of its own, because a network writes only so often.
  let network = '192.0.2.1'
  const ask = (body: unknown, at = slug) =>
    nobody.ask('POST', `/portal/${at}/ticket`, { headers: { 'x-forwarded-for': network }, body })
  const request = (more: object = {}) => ({ containerId: desk.id, name: 'Jane', email, title: 'No light', ...more })
  const file = async (more: object = {}) => {
    const { status, body } = await ask(request(more))
    assert.equal(status, 201, JSON.stringify(body))
    return { ...body, item: await ada.get(`/ticket/${(await ada.get(`/item/${body.ticket}`)).id}`) }
  }
  const tokenIn = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

  test('are followed by a link, and belong to nobody before the address is proven', async () => {
    const { link, item } = await file({ description: 'It is dark' })
    assert.deepEqual(
      [item.title, item.description, item.requester, item.requesterId, item.crmId, item.channel, item.source],
      ['No light', 'It is dark', { name: 'Jane', email, unproven: true }, '', '', channel.portal, itemSource.portal],
    )
    assert.notEqual(item.lastRequesterAt, null)
    assert.equal((await vera.ask('GET', `/ticket/${item.id}`)).status, 404)
    assert.deepEqual(await vera.get('/ticket'), [])
    const token = tokenIn(link.url)
    const read = await nobody.get(`/guest/${token}`)
    assert.deepEqual([read.key, read.title, read.description], [item.key, 'No light', 'It is dark'])
    await bob.post('/annotation', { itemId: item.id, kind: 1, body: 'Which one?' })
    const said = await nobody.post(`/guest/${token}/message`, { body: 'The left one' })
    assert.equal(said.messages.length, 2)
    const [message] = await bob.get(`/annotation?itemId=${item.id}&sort=-created`)
    assert.deepEqual([message.authorId, message.mail.headers.from.address], ['', email])
    assert.match(message.mail.headers.warning, /not proven/)
    // Staff recognise who it is: whoever filed it is out.
    await bob.put(`/ticket/${item.id}`, { requester: { userId: vera.id } })
    assert.equal((await vera.ask('GET', `/ticket/${item.id}`)).status, 200)
    assert.equal((await nobody.ask('GET', `/guest/${token}`)).status, 404)
  })

  test('have what the request form has, and nothing else', async () => {
    network = '192.0.2.2'
    const beyond = {
      assignees: [bob.id],
      requester: { userId: vera.id },
      requesterId: vera.id,
      cc: ['spy@example.com'],
      channel: channel.phone,
      visibility: 2,
      Meta: { source: 'x', externalId: '1' },
      id: '01890000-0000-7000-8000-000000000001',
      nonsense: 1,
    }
    for (const [property, value] of Object.entries(beyond)) {
      const { status, body } = await ask(request({ [property]: value }))
      assert.ok([400, 403].includes(status), `${property}: ${JSON.stringify(body)}`)
      assert.match(body.Fields[0].Pointer, new RegExp(`^/${property}`), JSON.stringify(body.Fields))
    }
    const wrong = await ask({ containerId: 5, name: ' ', email: 'x', title: 7 })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.body.Fields.map((each: { Pointer: string }) => each.Pointer).sort(), [
      '/containerId',
      '/email',
      '/name',
      '/title',
    ])
    assert.equal((await ask({ containerId: desk.id, name: 'Jane', title: 'x' })).body.Fields[0].Pointer, '/email')
    for (const none of [[], null, 'x', 5]) assert.equal((await ask(none === null ? 'null' : none)).status, 400)
  })

  test('are filed where visitors are let in, of the types that are offered', async () => {
    network = '192.0.2.3'
    const absent = '01890000-0000-7000-8000-000000000000'
    for (const containerId of [closed.id, theirs.id, absent, 'x'])
      assert.equal((await ask(request({ containerId }))).status, 404)
    assert.equal((await ask(request({ processId: absent }))).status, 404)
    assert.equal((await ask(request(), others)).status, 404)
    assert.equal((await ask(request(), 'nonsense')).status, 404)
    const field = await ada.post('/field', { key: 'floor', name: 'Floor', fieldType: 'text' })
    const process = await ada.post('/process', {
      name: 'Repair',
      fields: [{ fieldId: field.id, order: 0, required: false }],
    })
    const hidden = await ada.post('/process', { name: 'Hidden' })
    const typed = await ada.post('/container', {
      name: 'Repairs',
      kind: containerKind.desk,
      processIds: [process.id, hidden.id],
      defaultProcessId: process.id,
      portal: { ...portal, types: [process.id] },
    })
    const at = { containerId: typed.id }
    const sections = [{ fields: [{ fieldId: 'title' }, { fieldId: field.id }] }]
    await ada.post('/screen', { name: 'Form', containerId: typed.id, moment: momentCodes.portal, sections })
    assert.equal((await ask(request({ ...at, processId: hidden.id }))).status, 404)
    const { item } = await file({ ...at, processId: process.id, Field: [{ key: 'floor', value: '3' }] })
    assert.deepEqual([item.processId, item.Field[0].value], [process.id, '3'])
    const described = await ask(request({ ...at, description: 'Not asked for' }))
    assert.deepEqual(
      [described.status, described.body.code, described.body.Fields[0].Pointer],
      [403, 'not-on-request-form', '/description'],
    )
    const foreign = await ask(request({ ...at, Field: [{ key: 'other', value: '3' }] }))
    assert.ok([403, 422].includes(foreign.status), JSON.stringify(foreign.body))
  })

  test('are no tickets that an article has avoided', async () => {
    network = '192.0.2.4'
    const lamp = await ada.post('/docs/doc', { name: 'Quokkalamp', state: documentState.public })
    const asks = async () => {
      const { session, articles } = await nobody.post(`/portal/${slug}/suggest`, { title: 'Quokkalamp' })
      assert.equal(articles.length, 1)
      const vote = { session, helped: true }
      await nobody.ask('POST', `/portal/${slug}/article/${lamp.id}/vote`, { body: vote })
      return session
    }
    const avoided = async () => (await ada.get(`/docs/doc/${lamp.id}/usage`)).ticketsAvoided
    await asks()
    const session = await asks()
    assert.equal(await avoided(), 2)
    await file({ session: 'nonsense' })
    assert.equal(await avoided(), 2)
    await file({ session })
    assert.equal(await avoided(), 1)
  })

  test('are so many in an hour of a network and at a desk, however many come at once', async () => {
    network = '192.0.2.5'
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(request())))
    const filed = all.filter(({ status }) => status === 201)
    const refused = all.filter(({ body }) => body.code === 'too-many-tickets')
    assert.deepEqual([filed.length, refused.length], [maxPerNetwork, 20 - maxPerNetwork])
    const caller = tenantCaller(ada.tenantId)
    const age = (minutes: number) =>
      database.transaction(
        caller,
        ctx =>
          ctx.sql`update visitor_ticket set at = ${new Date(Date.now() - minutes * 60_000)} where tenant_id = ${ada.tenantId}`,
      )
    await age(61)
    await file()
    await database.transaction(
      caller,
      ctx => ctx.sql`insert into visitor_ticket (tenant_id, id, container_id, network, at)
        select ${ada.tenantId}, gen_random_uuid(), ${desk.id}, n::text, now() from generate_series(1, ${maxPerDesk}) n returning 1`,
    )
    network = '192.0.2.6'
    assert.equal((await ask(request())).body.code, 'too-many-tickets')
    await eve.post('/container', { name: 'Another', kind: containerKind.desk, portal })
    assert.equal((await ask(request({ containerId: theirs.id }), others)).status, 201)
    await asOwner(databaseUrl, undefined, 'analyze visitor_ticket')
    const plan = await database.transaction(caller, async ctx => {
      await ctx.sql`set local enable_seqscan = off`
      const where = [sql`network = ${'x'}`, sql`container_id = ${closed.id}`]
      const plans = []
      for (const each of where)
        plans.push(await ctx.sql`explain (costs off) ${filedBy(ada.tenantId, each, new Date(0), 10)}`)
      return JSON.stringify(plans)
    })
    assert.match(plan, /visitor_ticket_of_network[\s\S]*visitor_ticket_of_desk/)
  })
})
