import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Listener } from '../../../test/support/listener.ts'
import { multipart } from '../../../test/support/multipart.ts'
import { Person, serveOn, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { itemSource } from '../../items/item-codes.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { annotationKind } from '../annotation/annotation.ts'
import { roomKind } from './room-visibility.ts'

describe('chat', async () => {
  const { ada, bob, eve, person, happened, databaseUrl, dataDir } = await sharedTestService()
  const carl = await person({ name: 'Carl', email: 'carl@example.com' })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const other = await serveOn(databaseUrl, dataDir)
  const elsewhere = (who: Person) => new Person(other.base, who.key, who.id, who.tenantId)
  const status = async (who: Person, path: string) => (await who.ask('GET', path)).status
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })

  test('the same members have one direct room, also after concurrent requests of different members', async () => {
    const opened = await Promise.all([
      bob.ask('POST', '/chat', { body: { kind: roomKind.direct, members: [carl.id] } }),
      carl.ask('POST', '/chat', { body: { kind: roomKind.direct, members: [bob.id] } }),
      bob.ask('POST', '/chat', { body: { kind: roomKind.direct, members: [carl.id, bob.id] } }),
    ])
    assert.equal(new Set(opened.map(each => each.body.id)).size, 1)
    assert.deepEqual(opened.map(each => each.status).sort(), [200, 200, 201])
    const room = opened[0]?.body
    assert.deepEqual(room.members.toSorted(), [bob.id, carl.id].toSorted())
    // Nobody else sees it, not even a super admin.
    await bob.post(`/chat/${room.id}/message`, { body: 'Between us' })
    for (const path of [`/chat/${room.id}`, `/chat/${room.id}/message`]) {
      assert.equal(await status(carl, path), 200)
      for (const who of [ada, rita, eve]) assert.equal(await status(who, path), 404)
    }
    assert.ok(!JSON.stringify(await ada.get('/event?limit=1000')).includes('Between us'))
    const alone = await bob.ask('POST', '/chat', { body: { kind: roomKind.direct, members: [bob.id] } })
    assert.deepEqual([alone.status, alone.body.code], [422, 'too-few-members'])
    for (const change of [
      { members: [bob.id] },
      { kind: roomKind.team },
      { owner: ownerKind.container, ownerId: desk.id },
    ])
      assert.equal((await bob.ask('PUT', `/chat/${room.id}`, { body: change })).body.code, 'room-fixed')
    assert.equal((await bob.ask('DELETE', `/chat/${room.id}`)).body.code, 'room-fixed')
  })

  test('a room is visible with its owner; a team room is for staff, a customer room also for the requester', async () => {
    const ticket = await rita.post('/item', { title: 'Printer', containerId: desk.id })
    const team = await bob.post('/chat', { name: 'Among us', owner: ownerKind.item, ownerId: ticket.id })
    const customer = await bob.post('/chat', { kind: roomKind.customer, owner: ownerKind.item, ownerId: ticket.id })
    assert.equal(await status(rita, `/chat/${team.id}`), 404)
    assert.equal(await status(rita, `/chat/${customer.id}`), 200)
    await rita.post(`/chat/${customer.id}/message`, { body: 'Hello?' })
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const hidden = await ada.post('/chat', { name: 'Gold', owner: ownerKind.container, ownerId: vault.id })
    assert.equal(await status(bob, `/chat/${hidden.id}`), 404)
    const group = await ada.post('/user-group', { name: 'Night shift', members: [carl.id] })
    const shift = await ada.post('/chat', { name: 'Nights', owner: ownerKind.userGroup, ownerId: group.id })
    assert.deepEqual([await status(carl, `/chat/${shift.id}`), await status(bob, `/chat/${shift.id}`)], [200, 404])
    const few = await bob.post('/chat', {
      name: 'Few',
      owner: ownerKind.container,
      ownerId: desk.id,
      members: [bob.id, carl.id],
    })
    assert.deepEqual([await status(carl, `/chat/${few.id}`), await status(ada, `/chat/${few.id}`)], [200, 404])
    const guest = await person({ name: 'Guest', role: 0 })
    await ada.post('/access-control', {
      userId: guest.id,
      owner: ownerKind.container,
      ownerId: desk.id,
      role: roleCode.member,
    })
    assert.equal(await status(guest, `/chat/${team.id}`), 200)
    await guest.post(`/chat/${team.id}/message`, { body: 'I am new here' })
    assert.equal(await status(guest, `/chat/${shift.id}`), 404)
    await ada.delete(`/item/${ticket.id}`)
    assert.equal(await status(bob, `/chat/${team.id}`), 404)
  })

  test('a message that is posted twice with one client id is stored once', async () => {
    const room = await bob.post('/chat', { name: 'Once', owner: ownerKind.container, ownerId: desk.id })
    const body = { body: 'Once and for all', clientId: 'c-1' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => bob.ask('POST', `/chat/${room.id}/message`, { body })))
    assert.deepEqual(answers.map(each => each.status).sort(), [200, 200, 200, 201])
    assert.equal(new Set(answers.map(each => each.body.id)).size, 1)
    assert.equal((await carl.post(`/chat/${room.id}/message`, body)).createdBy, carl.id)
    assert.equal((await bob.get(`/chat/${room.id}/message`)).length, 2)
  })

  test('messages are paged by id, replied to, and edited and deleted by their author', async () => {
    const room = await bob.post('/chat', { name: 'Long', owner: ownerKind.container, ownerId: desk.id })
    const path = `/chat/${room.id}/message`
    const said: { id: string }[] = []
    for (let n = 0; n < 7; n++) said.push(await bob.post(path, { body: `Word ${n}` }))
    const words = async (query: string) =>
      (await bob.get(`${path}?${query}`)).map((each: { body: string }) => each.body)
    assert.deepEqual(await words('limit=2'), ['Word 6', 'Word 5'])
    assert.deepEqual(await words(`limit=2&before=${said[5]?.id}`), ['Word 4', 'Word 3'])
    assert.deepEqual(await words(`limit=2&after=${said[3]?.id}`), ['Word 4', 'Word 5'])
    assert.deepEqual(await words('before=nonsense'), [])
    const [first] = said as [{ id: string }]
    const reply = await carl.post(path, { body: 'And?', replyToId: first.id })
    assert.equal(reply.replyToId, first.id)
    const strange = await bob.post('/chat', { name: 'Strange', owner: ownerKind.container, ownerId: desk.id })
    const across = await bob.ask('POST', `/chat/${strange.id}/message`, { body: { body: 'x', replyToId: first.id } })
    assert.deepEqual([across.status, across.body.Fields[0].Pointer], [422, '/replyToId'])
    assert.equal((await bob.ask('GET', `/chat/${strange.id}/message/${first.id}`)).status, 404)
    for (const [method, options] of [
      ['PUT', { body: { body: 'Mine' } }],
      ['DELETE', {}],
    ] as const)
      assert.equal((await carl.ask(method, `${path}/${first.id}`, options)).status, 403)
    const edited = await bob.put(`${path}/${first.id}`, { body: 'Other words' })
    assert.ok(edited.editedAt)
    assert.equal((await bob.put(`${path}/${first.id}`, { body: 'Other words' })).version, edited.version)
    await bob.delete(`${path}/${first.id}`)
    const stub = await bob.get(`${path}/${first.id}?deleted=include`)
    assert.deepEqual([stub.deleted, stub.body], [true, ''])
    assert.deepEqual((await happened(2)).at(-1), 'chat.takenBack')
    for (const empty of [{ body: ' ' }, {}]) assert.equal((await bob.ask('POST', path, { body: empty })).status, 400)
    await bob.put(`/chat/${room.id}`, { archived: true })
    assert.equal((await bob.ask('POST', path, { body: { body: 'Late' } })).body.code, 'room-archived')
  })

  test('a repeated reaction is stored once; mentioned users are notified and watch the item', async () => {
    const item = await bob.post('/item', { title: 'Cable', containerId: desk.id })
    const room = await bob.post('/chat', { name: 'Cable', owner: ownerKind.item, ownerId: item.id })
    const path = `/chat/${room.id}/message`
    const message = await bob.post(path, { body: 'Ask @carl, not bob@example.com' })
    assert.deepEqual(message.mentions, [carl.id])
    assert.deepEqual(await happened(3), ['chat.message', 'user.mentioned', 'watch.created'])
    const watchers: { userId: string; reason: number }[] = await ada.get(`/item/${item.id}/watchers`)
    assert.deepEqual(
      watchers.filter(each => each.userId === carl.id).map(each => each.reason),
      [3],
    )
    await Promise.all([1, 2, 3].map(() => carl.must('PUT', `${path}/${message.id}/reaction/👍`)))
    await bob.must('PUT', `${path}/${message.id}/reaction/👍`)
    assert.deepEqual((await bob.get(`${path}/${message.id}`)).reactions, { '👍': [carl.id, bob.id] })
    await carl.delete(`${path}/${message.id}/reaction/👍`)
    assert.deepEqual((await bob.get(`${path}/${message.id}`)).reactions, { '👍': [bob.id] })
    assert.deepEqual(await happened(2), ['chat.reacted', 'chat.unreacted'])
  })

  test('unread messages are counted up to a hundred, for participants', async () => {
    const room = await bob.post('/chat', { kind: roomKind.direct, members: [carl.id, ada.id] })
    const unread = async (who: Person) =>
      (await who.get('/chat?unread=true')).find((each: { id: string }) => each.id === room.id)?.unread
    const said: { id: string }[] = []
    for (let n = 0; n < 5; n++) said.push(await bob.post(`/chat/${room.id}/message`, { body: `Word ${n}` }))
    assert.deepEqual([await unread(carl), await unread(ada), await unread(bob)], [5, 5, undefined])
    const marked = await carl.put(`/chat/${room.id}/read`, { messageId: said[2]?.id })
    assert.deepEqual([marked.messageId, marked.unread], [said[2]?.id, 2])
    assert.equal((await carl.put(`/chat/${room.id}/read`, { messageId: said[0]?.id })).messageId, said[2]?.id)
    assert.equal((await carl.put(`/chat/${room.id}/read`, {})).unread, 0)
    assert.equal(await unread(carl), undefined)
    await Promise.all(
      Array.from({ length: 120 }, (_, n) => bob.post(`/chat/${room.id}/message`, { body: `More ${n}` })),
    )
    assert.equal(await unread(carl), 100)
    const wrong = await carl.ask('PUT', `/chat/${room.id}/read`, { body: { messageId: carl.id } })
    assert.deepEqual([wrong.status, wrong.body.Fields[0].Pointer], [422, '/messageId'])
  })

  test('a file that is attached in a room is visible to those who see the room', async () => {
    const room = await bob.post('/chat', { kind: roomKind.direct, members: [carl.id] })
    const form = multipart({ file: 'bytes of a cable' })
    const { body: file } = await bob.ask('POST', '/file', form)
    await bob.post(`/chat/${room.id}/message`, { body: 'Look', files: [file.id] })
    assert.deepEqual([await status(carl, `/file/${file.id}`), await status(ada, `/file/${file.id}`)], [200, 404])
    assert.equal(
      (await carl.ask('POST', `/chat/${room.id}/message`, { body: { body: 'x', files: [room.id] } })).status,
      422,
    )
  })

  test('a stream of a room receives messages that were posted through another process, and can be resumed', async () => {
    const room = await bob.post('/chat', { kind: roomKind.direct, members: [carl.id] })
    const strangers = await ada.ask('GET', `/chat/${room.id}/stream`, { headers: { accept: 'text/event-stream' } })
    assert.equal(strangers.status, 404)
    const listener = await Listener.to(carl, `/chat/${room.id}/stream`)
    const everything = await Listener.to(ada, '/event/stream?entity=ChatMessage')
    const message = await elsewhere(bob).post(`/chat/${room.id}/message`, { body: 'Hear me' })
    await listener.count(1)
    assert.deepEqual(
      listener.received.map(({ data }) => [data.kind, data.message.id, data.message.body]),
      [['chat.message', message.id, 'Hear me']],
    )
    listener.hangUp()
    await bob.put(`/chat/${room.id}/message/${message.id}`, { body: 'Hear me out' })
    await bob.post(`/chat/${room.id}/message`, { body: 'Second' })
    await bob.delete(`/chat/${room.id}/message/${message.id}`)
    await bob.put(`/chat/${room.id}`, { topic: 'Hearing' })
    const again = await Listener.to(elsewhere(carl), `/chat/${room.id}/stream`, { 'last-event-id': listener.last })
    await again.count(4)
    assert.deepEqual(
      again.received.map(({ data }) => [data.kind, data.message?.body]),
      [
        ['chat.edited', ''],
        ['chat.message', 'Second'],
        ['chat.takenBack', ''],
        ['chat.updated', undefined],
      ],
    )
    again.hangUp()
    assert.deepEqual(everything.received, [])
    everything.hangUp()
  })

  test('a message can be converted to one item, or to a note on the item of its room', async () => {
    const item = await bob.post('/item', { title: 'Switch', containerId: desk.id })
    const room = await bob.post('/chat', { name: 'Switch', owner: ownerKind.item, ownerId: item.id })
    const message = await carl.post(`/chat/${room.id}/message`, { body: 'Port 7 is dead\nand so is 8' })
    const path = `/chat/${room.id}/message/${message.id}`
    const first = await bob.ask('POST', `${path}/to-item`, { body: {} })
    const second = await bob.ask('POST', `${path}/to-item`, { body: { title: 'Again' } })
    assert.deepEqual([first.status, second.status, second.body.id], [201, 200, first.body.id])
    assert.deepEqual(
      [first.body.title, first.body.containerId, first.body.source],
      ['Port 7 is dead', desk.id, itemSource.chat],
    )
    assert.equal((await bob.get(path)).itemId, first.body.id)
    const note = await bob.post(`${path}/to-annotation`, {})
    assert.deepEqual(
      [note.itemId, note.kind, note.body],
      [item.id, annotationKind.note, 'Carl: Port 7 is dead\nand so is 8'],
    )
    const direct = await bob.post('/chat', { kind: roomKind.direct, members: [carl.id] })
    const loose = await bob.post(`/chat/${direct.id}/message`, { body: 'Loose' })
    const refused = await bob.ask('POST', `/chat/${direct.id}/message/${loose.id}/to-annotation`, { body: {} })
    assert.deepEqual([refused.status, refused.body.code], [422, 'no-item'])
  })
})
