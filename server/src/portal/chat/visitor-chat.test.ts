import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { channel } from '../../desk/channel.ts'
import { roomKind } from '../../desk/chat/chat.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { followVisitorChats } from './follow-chats.ts'
import { maxOpenPerNetwork, maxText, openOfNetwork } from './visitor-chat.ts'

const portal = { enabled: true, visitors: true }
const minutes = 60_000

describe('the chats of visitors', async () => {
  const { ada, bob, eve, nobody, person, database } = await startTestService({ TRUST_PROXY: '127.0.0.1', WORKERS: '1' })
  const slugOf = async (who: Person): Promise<string> => (await who.get('/session')).tenant.slug
  const [slug, others] = [await slugOf(ada), await slugOf(eve)]
  const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk, portal })
  await eve.post('/container', { name: 'Their help', kind: containerKind.desk, portal })
  const closed = await ada.post('/container', { name: 'Inside', kind: containerKind.desk })
  await bob.post('/watch', { userId: bob.id, owner: ownerKind.container, ownerId: desk.id })

  // Each test has a network of its own, because a network writes only so often.
  let network = '192.0.2.1'
  const ask = (method: string, path: string, body?: object, at = slug) =>
    nobody.ask(method, `/portal/${at}/chat${path}`, {
      headers: { 'x-forwarded-for': network },
      ...(body ? { body } : {}),
    })
  const begin = async (values: object = {}) => {
    const { status, body } = await ask('POST', '', { containerId: desk.id, name: 'Jane', text: 'Help!', ...values })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text)
  const conversationOf = async (itemId: string) =>
    (await ada.get(`/annotation?itemId=${itemId}&sort=created`)) as { [property: string]: never }[]
  const itemOf = async (key: string) => await ada.get(`/item/${key}`)
  const follow = (later: number) =>
    followVisitorChats(database, () => new Date(Date.now() + later)).run(new AbortController().signal)

  test('a visitor and staff talk, and the visitor leaves with a ticket that has it all', async () => {
    await ada.post('/finance/crm', { name: 'Acme', domains: ['acme.example'] })
    const { token, chatId, messages } = await begin({ text: 'The printer does not print\nat all' })
    assert.deepEqual(textsOf(messages), ['The printer does not print\nat all'])
    const room = (await bob.get('/chat?unread=true')).find((each: { id: string }) => each.id === chatId)
    assert.deepEqual([room.name, room.kind, room.unread], ['Jane', roomKind.visitor, 1])
    await bob.post(`/chat/${chatId}/message`, { body: 'Which one?' })
    await bob.post(`/chat/${chatId}/message`, { body: 'She asks every week', internal: true })
    const answered = await ask('GET', `/${token}?after=${messages[0].id}`)
    assert.equal(answered.headers.get('cache-control'), 'no-store')
    const [only, ...more] = answered.body.messages
    assert.deepEqual([only.author, only.own, only.text, more], ['Bob', false, 'Which one?', []])
    const said = await ask('POST', `/${token}/message`, { text: 'The one of @bob' })
    assert.deepEqual([said.status, said.body.own, said.body.author], [201, true, 'Jane'])
    const [last] = await bob.get(`/chat/${chatId}/message`)
    assert.deepEqual([last.createdBy, last.mentions], [chatId, []])

    const { status, body } = await ask('POST', `/${token}/leave`, { email: 'jane@acme.example' })
    assert.equal(status, 200)
    const item = await itemOf(body.ticket)
    const ticket = await ada.get(`/ticket/${item.id}`)
    assert.deepEqual(
      [ticket.title, ticket.requester.email, ticket.requester.name, ticket.channel, ticket.Meta.chatId],
      ['The printer does not print', 'jane@acme.example', 'Jane', channel.chat, chatId],
    )
    assert.deepEqual([ticket.requester.unproven, ticket.requesterId, ticket.crmId], [true, '', ''])
    const told = await conversationOf(item.id)
    const { note, reply, message } = annotationKind
    assert.deepEqual(
      told.map(({ body: text, kind, authorId }) => [text, kind, authorId]),
      [
        ['The printer does not print\nat all', message, ''],
        ['Which one?', reply, bob.id],
        ['She asks every week', note, bob.id],
        ['The one of @bob', message, ''],
      ],
    )
    assert.equal(told[3]?.created, said.body.at)
    const { from, warning } = Object(told[0]?.mail).headers
    assert.deepEqual(from, { name: 'Jane', address: 'jane@acme.example' })
    assert.match(warning, /not proven/)
    assert.equal((await ask('GET', `/${token}`)).status, 404)
    const room2 = await ada.get(`/chat/${chatId}`)
    assert.equal(room2.archived, true)
  })

  test('internal messages exist for staff only', async () => {
    const { token, chatId } = await begin()
    const kept = await bob.post(`/chat/${chatId}/message`, { body: 'Secret', internal: true })
    const { body } = await ask('GET', `/${token}`)
    assert.deepEqual(textsOf(body.messages), ['Help!'])
    assert.doesNotMatch(JSON.stringify(body), /Secret/)
    const shown = await bob.ask('PUT', `/chat/${chatId}/message/${kept.id}`, { body: { internal: false } })
    assert.deepEqual([shown.status, shown.body.code], [422, 'message-fixed'])
    const team = await bob.post('/chat', { name: 'Team' })
    const elsewhere = await bob.ask('POST', `/chat/${team.id}/message`, { body: { body: 'x', internal: true } })
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, 'visitor-room'])
    const own = await bob.ask('POST', '/chat', {
      body: { kind: roomKind.visitor, owner: ownerKind.container, ownerId: desk.id },
    })
    assert.deepEqual([own.status, own.body.code], [422, 'visitor-room'])
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    assert.equal((await rita.ask('GET', `/chat/${chatId}`)).status, 404)
    assert.equal((await rita.ask('GET', `/chat/${chatId}/message`)).status, 404)
    assert.equal((await rita.ask('POST', `/chat/${chatId}/to-ticket`, { body: {} })).status, 403)
    await bob.post(`/chat/${chatId}/to-ticket`, {})
  })

  test('staff make a ticket of a chat, once, and the visitor completes it', async () => {
    const { token, chatId } = await begin({ name: 'Jim', text: 'Hello' })
    await bob.post(`/chat/${chatId}/message`, { body: 'Good morning' })
    const made = await bob.ask('POST', `/chat/${chatId}/to-ticket`, { body: { title: 'Greeting' } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const again = await bob.ask('POST', `/chat/${chatId}/to-ticket`, { body: {} })
    assert.deepEqual([again.status, again.body.id], [200, made.body.id])
    const ticket = await ada.get(`/ticket/${made.body.id}`)
    assert.deepEqual([ticket.title, ticket.requester.name, ticket.requesterId], ['Greeting', 'Jim', ''])
    // The answer has reached the visitor in the chat, although no mail can.
    assert.notEqual(ticket.firstReplyAt, null)
    const { body } = await ask('GET', `/${token}`)
    assert.deepEqual([body.ended, body.ticket, body.messages.length], [true, ticket.key, 2])
    const late = await ask('POST', `/${token}/message`, { text: 'One more' })
    assert.deepEqual([late.status, late.body.code], [422, 'room-archived'])
    assert.equal((await ask('POST', `/${token}/leave`, { email: 'jim@example.com' })).status, 200)
    assert.equal((await ada.get(`/ticket/${made.body.id}`)).requester.email, 'jim@example.com')
    const team = await bob.post('/chat', { name: 'Team' })
    const other = await bob.ask('POST', `/chat/${team.id}/to-ticket`, { body: {} })
    assert.deepEqual([other.status, other.body.code], [422, 'visitor-room'])
    assert.equal((await eve.ask('POST', `/chat/${chatId}/to-ticket`, { body: {} })).status, 404)
  })

  test('a chat that nobody answers becomes a ticket by itself, and one that was answered does not', async () => {
    const [waits, served, noted] = [await begin(), await begin(), await begin()]
    await bob.post(`/chat/${served.chatId}/message`, { body: 'Here I am' })
    await bob.post(`/chat/${noted.chatId}/message`, { body: 'Who takes it?', internal: true })
    await follow(14 * minutes)
    assert.equal((await ask('GET', `/${waits.token}`)).body.ended, false)
    await follow(16 * minutes)
    const states = await Promise.all([waits, served, noted].map(({ token }) => ask('GET', `/${token}`)))
    assert.deepEqual(
      states.map(({ body }) => [body.ended, body.ticket !== '']),
      [
        [true, true],
        [false, false],
        [true, true],
      ],
    )
    const { requester } = await ada.get(`/ticket/${(await itemOf(states[0]?.body.ticket)).id}`)
    assert.deepEqual([requester.name, requester.email ?? ''], ['Jane', ''])
    // Nobody has written for a day.
    await follow(25 * 60 * minutes)
    assert.deepEqual((await ask('GET', `/${served.token}`)).body.ticket, '')
    assert.equal((await ada.get(`/chat/${served.chatId}`)).archived, true)
  })

  test('a token opens its own chat, at its own portal, for a day, while the desk is open', async () => {
    network = '192.0.2.2'
    const { token, chatId } = await begin()
    const away = [
      ask('GET', `/${token}`, undefined, others),
      ask('GET', '/nonsense'),
      ask('GET', `/${chatId}`),
      ask('POST', `/${token}/message`, { text: 'x' }, others),
      ask('POST', `/${token}/leave`, {}, others),
      ask('POST', '', { containerId: closed.id, name: 'Jane', text: 'x' }),
      ask('POST', '', { containerId: desk.id, name: 'Jane', text: 'x' }, others),
    ]
    for (const { status } of await Promise.all(away)) assert.equal(status, 404)
    const [foreign, unknown] = [await ask('GET', `/${token}`, undefined, others), await ask('GET', '/nonsense')]
    assert.deepEqual([foreign.body.code, foreign.body.detail], [unknown.body.code, unknown.body.detail])

    await ada.put(`/container/${desk.id}`, { portal: { enabled: true, visitors: false } })
    await ada.put(`/container/${closed.id}`, { portal })
    assert.equal((await ask('GET', `/${token}`)).status, 404)
    await ada.put(`/container/${desk.id}`, { portal })
    assert.equal((await ask('GET', `/${token}`)).status, 200)

    const caller = tenantCaller((await ada.get('/tenant')).id)
    const age = (hours: number) =>
      database.transaction(
        caller,
        ctx => ctx.sql`update chat_message set created = ${new Date(Date.now() - hours * 60 * minutes)}
          where tenant_id = ${caller.tenantId} and room_id = ${chatId}`,
      )
    await age(23)
    assert.equal((await ask('GET', `/${token}`)).status, 200)
    await age(25)
    assert.equal((await ask('GET', `/${token}`)).status, 404)
    assert.equal((await ask('POST', `/${token}/message`, { text: 'x' })).status, 404)
    const [row] = await database.single(
      caller,
      ctx => ctx.sql<{ whole: string }>`select v::text as whole from visitor_chat v
        where v.tenant_id = ${caller.tenantId} and v.room_id = ${chatId}`,
    )
    assert.ok(row && !row.whole.includes(token), 'the token is stored')
  })

  test('what is wrong is refused with its place, and a network has few open chats', async () => {
    network = '192.0.2.3'
    const wrong = await ask('POST', '', { containerId: 5, name: ' ', text: 'x'.repeat(maxText + 1), more: 1 })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.Fields.length, 4)
    assert.equal((await ask('POST', '', { containerId: 'nonsense', name: 'Jane', text: 'x' })).status, 404)
    for (let i = 0; i < maxOpenPerNetwork; i++) await begin()
    const refused = await ask('POST', '', { containerId: desk.id, name: 'Jane', text: 'x' })
    assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-chats'])
    network = '192.0.2.4'
    await begin()
  })

  test('of many that a network begins at once, as many are begun as it may have, counted by an index', async () => {
    network = '192.0.2.5'
    const body = { containerId: desk.id, name: 'Jane', text: 'x' }
    const all = await Promise.all(Array.from({ length: 20 }, () => ask('POST', '', body)))
    const begun = all.filter(({ status }) => status === 201)
    const refused = all.filter(each => each.body.code === 'too-many-chats')
    assert.deepEqual([begun.length, refused.length], [maxOpenPerNetwork, 20 - maxOpenPerNetwork])
    const plan = await database.transaction(tenantCaller(ada.tenantId), async ctx => {
      await ctx.sql`set local enable_seqscan = off`
      return await ctx.sql`explain (costs off) ${openOfNetwork(ada.tenantId, 'x')}`
    })
    assert.match(JSON.stringify(plan), /visitor_chat_of_network/)
  })
})
