import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../../test/support/listener.ts'
import { Person, serveOn, startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { maxWaitingPerNetwork, openChatWaiting } from './chat-waiting.ts'

describe('a visitor who waits for an answer', async () => {
  const { ada, bob, nobody, database, databaseUrl, dataDir } = await startTestService({
    TRUST_PROXY: '127.0.0.1',
    WORKERS: '1',
  })
  const other = await serveOn(databaseUrl, dataDir, { TRUST_PROXY: '127.0.0.1', WORKERS: '1' })
  const elsewhere = (who: Person) => new Person(other.base, who.key, who.id, who.tenantId)
  const { slug } = (await ada.get('/session')).tenant
  const portal = { enabled: true, visitors: true }
  const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk, portal })

  let network = '192.0.2.1'
  const ask = (method: string, path: string, body?: object, who = nobody) =>
    who.ask(method, `/portal/${slug}/chat${path}`, {
      headers: { 'x-forwarded-for': network },
      ...(body ? { body } : {}),
    })
  const begin = async (name: string) => {
    const { status, body } = await ask('POST', '', { containerId: desk.id, name, text: 'Help!' })
    assert.equal(status, 201, JSON.stringify(body))
    return { token: body.token, chatId: body.chatId, last: body.messages[0].id }
  }
  type Chat = Awaited<ReturnType<typeof begin>>
  const wait = (chat: Chat, who = nobody, seconds = 30) =>
    ask('GET', `/${chat.token}?after=${chat.last}&wait=${seconds}`, undefined, who)
  const textsOf = ({ body }: { body: { messages: { text: string }[] } }) => body.messages.map(({ text }) => text)

  test('gets it at once, whichever process stores it, and nothing of another chat; staff hear the visitors', async () => {
    const [jane, jim] = [await begin('Jane'), await begin('Jim')]
    const staff = await Listener.to(elsewhere(bob), `/chat/${jane.chatId}/stream`)
    let ofJim = 0
    const waits = [wait(jane), wait(jane, elsewhere(nobody)), wait(jim).finally(() => ofJim++)]
    const read = await ask('GET', `/${jane.token}`)
    assert.equal(read.body.messages.length, 1)
    await bob.post(`/chat/${jane.chatId}/message`, { body: 'She is new', internal: true })
    await elsewhere(bob).post(`/chat/${jane.chatId}/message`, { body: 'Which one?' })
    const [here, there] = await Promise.all(waits.slice(0, 2))
    assert.deepEqual([here && textsOf(here), there && textsOf(there)], [['Which one?'], ['Which one?']])
    assert.equal(ofJim, 0)
    await ask('POST', `/${jane.token}/message`, { text: 'The left one' })
    await staff.count(3)
    assert.deepEqual(
      staff.received.map(({ data }) => data.message.body),
      ['She is new', 'Which one?', 'The left one'],
    )
    staff.hangUp()
    await bob.post(`/chat/${jim.chatId}/message`, { body: 'Hello Jim' })
    const told = await waits[2]
    assert.deepEqual(told && textsOf(told), ['Hello Jim'])
  })

  test('is answered when there is something to read already, when the chat ends, and when the time is over', async () => {
    network = '192.0.2.2'
    const [served, ends, waits] = [await begin('Jane'), await begin('Jim'), await begin('Joe')]
    await bob.post(`/chat/${served.chatId}/message`, { body: 'Here' })
    assert.deepEqual(textsOf(await wait(served)), ['Here'])
    const ending = wait(ends)
    await bob.post(`/chat/${ends.chatId}/to-ticket`, {})
    assert.equal((await ending).body.ended, true)
    // One that has ended has nothing to wait for.
    assert.equal((await wait(ends)).body.ended, true)
    const over = await wait(waits, nobody, 1)
    assert.deepEqual([over.status, over.body.ended, over.body.messages], [200, false, []])
    for (const wrong of ['31', '-1', 'x', '1.5'])
      assert.equal((await ask('GET', `/${waits.token}?wait=${wrong}`)).status, 400, wrong)
    assert.equal((await ask('GET', `/nonsense?wait=30`)).status, 404)
  })

  test('is one of few from a network, and keeps no place afterwards', async () => {
    network = '192.0.2.3'
    const chat = await begin('Jane')
    const many = Array.from({ length: maxWaitingPerNetwork + 5 }, () => wait(chat))
    const refused = await Promise.race(many)
    assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-waiting'])
    network = '192.0.2.4'
    const another = wait(await begin('Jim'), nobody, 1)
    assert.equal((await another).status, 200)
    network = '192.0.2.3'
    await bob.post(`/chat/${chat.chatId}/message`, { body: 'Here' })
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    assert.equal(statuses.filter(status => status === 200).length, maxWaitingPerNetwork)
    assert.equal((await wait({ ...chat, last: '' })).status, 200)
  })

  test('is answered when the service stops', async () => {
    const waiting = openChatWaiting(database)
    const rooms = ['a', 'b']
    const all = rooms.map(async room => {
      const { told } = await waiting.watch(room, 30, new AbortController().signal)
      await told
      return room
    })
    await waiting.close()
    assert.deepEqual(await Promise.all(all), rooms)
    await assert.rejects(
      waiting.admit('x', async () => {}),
      /no more requests wait/,
    )
  })
})
