import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multipart } from '../../../test/support/multipart.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { annotationKind } from './annotation.ts'
import { parseMentions } from './mentions.ts'

interface Said {
  id: string
  body: string
  deleted: boolean
}

const bodies = (list: Said[]) => list.map(each => each.body)

test('a text mentions users by id, by full name and by name, but not by an address', () => {
  const id = '01890000-0000-7000-8000-000000000000'
  assert.deepEqual(parseMentions(`@bob, @[Ada Lovelace] and @[${id}]. Ask eve@example.com or @grace.hopper.`), {
    ids: [id],
    names: ['bob', 'ada lovelace', 'grace.hopper'],
  })
  assert.deepEqual(parseMentions('nothing @ all, a@b.c'), { ids: [], names: [] })
})

describe('annotations', async () => {
  const { ada, bob, eve, happened, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const rita = await person({
    name: 'Rita',
    email: 'rita@example.com',
    role: roleCode.requester,
    kind: userKind.requester,
  })
  const mona = await person({ name: 'Mona', role: roleCode.manager })
  const ask = (title = 'No light') => ada.post('/item', { title, containerId: desk.id, requesterId: rita.id })
  /** Events of watches are left out; other tests cover them. */
  const told = async (count: number) =>
    (await happened(count + 5)).filter(kind => !kind.startsWith('watch.')).slice(-count)
  const said = (who: Person, itemId: string, more: object) => who.post('/annotation', { itemId, ...more })

  test('a requester reads public annotations by every path, and never a note, a decision or a system message', async () => {
    const item = await ask()
    const unknownKind = 77
    const { note, reply, system, decision, resolution, update } = annotationKind
    const internal: number[] = [note, system, decision, unknownKind]
    const kinds = [note, reply, system, decision, resolution, update, unknownKind]
    for (const kind of kinds) await said(bob, item.id, { kind, body: `kind ${kind}` })
    const open = [`kind ${reply}`, `kind ${resolution}`, `kind ${update}`]
    assert.deepEqual(bodies(await rita.get(`/item/${item.id}/annotations`)), open)
    assert.deepEqual(bodies(await rita.get(`/annotation?itemId=${item.id}`)), open)
    assert.deepEqual(bodies(await rita.get('/annotation?deleted=include')), open)
    assert.equal((await bob.get(`/item/${item.id}/annotations`)).length, kinds.length)
    for (const { id, kind } of await bob.get(`/annotation?itemId=${item.id}`)) {
      const hidden = internal.includes(kind)
      assert.equal((await rita.ask('GET', `/annotation/${id}`)).status, hidden ? 404 : 200)
      assert.equal((await rita.ask('PUT', `/annotation/${id}/reaction/👍`)).status, hidden ? 404 : 200)
      for (const way of ['history', 'versions']) {
        const { status, body } = await rita.ask('GET', `/annotation/${id}/${way}`)
        const needed = 'this needs one of the roles readOnly, member, manager, admin, or a grant of annotation.read'
        assert.deepEqual([status, body.detail], [403, needed])
      }
      const answer = await rita.ask('POST', '/annotation', { body: { itemId: item.id, body: 'What?', replyToId: id } })
      assert.equal(answer.status, hidden ? 422 : 201)
    }
    const [begin] = await ada.get('/event?limit=1')
    for (const way of [
      `/item/${item.id}/history`,
      `/ticket/${item.id}/history`,
      `/item/${item.id}/timeline`,
      `/event/stream?after=${begin.seq}`,
      '/search?q=kind',
    ])
      for (const kind of internal)
        assert.ok(!JSON.stringify(await rita.get(way)).includes(`kind ${kind}`), `kind ${kind} by ${way}`)
    assert.ok(JSON.stringify(await bob.get(`/event/stream?after=${begin.seq}`)).includes(`kind ${note}`))
    assert.equal((await rita.ask('GET', '/event')).status, 403)
  })

  test('an annotation by a requester is a message, visible to everybody who sees the item', async () => {
    const item = await ask()
    const { kind, restrictedTo, id } = await said(rita, item.id, { body: 'Help' })
    assert.deepEqual([kind, restrictedTo], [annotationKind.message, []])
    assert.deepEqual(await happened(1), ['ticket.updated'])
    assert.equal((await bob.get(`/annotation/${id}`)).body, 'Help')
    const others = await ada.post('/item', { title: 'Not hers', containerId: desk.id })
    const { status, body } = await rita.ask('POST', '/annotation', { body: { itemId: others.id, body: 'Hello?' } })
    assert.deepEqual([status, body.code], [422, 'unknown-reference'])
  })

  test('an internal note does not become public by an update, and a reply to it stays internal', async () => {
    const item = await ask()
    const note = await said(bob, item.id, { body: 'They forgot to pay' })
    assert.equal(note.kind, annotationKind.note)
    for (const method of ['PUT', 'PATCH']) {
      const { status, body } = await bob.ask(method, `/annotation/${note.id}`, { body: { kind: annotationKind.reply } })
      assert.deepEqual([status, body.code, body.Fields[0].Pointer], [422, 'kind-fixed', '/kind'])
    }
    const reply = await bob.ask('POST', '/annotation', {
      body: { itemId: item.id, kind: annotationKind.reply, body: 'Public', replyToId: note.id },
    })
    assert.deepEqual([reply.status, reply.body.code], [422, 'reply-internal'])
    assert.equal((await said(ada, item.id, { body: 'Indeed', replyToId: note.id })).kind, annotationKind.note)
    assert.deepEqual(await rita.get(`/item/${item.id}/annotations`), [])
  })

  test('publishing needs a confirmation and the author, hides earlier versions, and writes an event', async () => {
    const item = await ask()
    const begin = (await ada.get('/event?limit=1000')).at(-1)
    const note = await said(bob, item.id, { body: 'The fool pulled the plug' })
    await bob.put(`/annotation/${note.id}`, { body: 'The plug was out' })
    const publish = (who: Person, confirm: boolean) =>
      who.ask('POST', `/annotation/${note.id}/publish`, { body: { confirm } })
    assert.equal((await publish(bob, false)).body.code, 'confirm-required')
    const clara = await person({ name: 'Clara' })
    assert.equal((await publish(clara, true)).status, 403)
    assert.equal((await publish(bob, true)).body.kind, annotationKind.reply)
    assert.deepEqual(await told(3), ['annotation.updated', 'annotation.replied', 'ticket.updated'])
    assert.equal((await publish(bob, true)).body.code, 'already-public')
    const heard = await rita.get(`/annotation/${note.id}`)
    assert.deepEqual([heard.body, heard.edited.length], ['The plug was out', 1])
    for (const way of ['versions', 'history'])
      assert.equal((await rita.ask('GET', `/annotation/${note.id}/${way}`)).status, 403)
    assert.ok(!JSON.stringify(await rita.get(`/event/stream?after=${begin.seq}`)).includes('fool'))
    assert.deepEqual(bodies(await bob.get(`/annotation/${note.id}/versions`)), [
      'The fool pulled the plug',
      'The plug was out',
    ])
  })

  test('a note that is restricted to groups is visible to them, to its author and to admins', async () => {
    const item = await ask()
    const group = await ada.post('/user-group', { name: 'Security', members: [mona.id] })
    const clara = await person({ name: 'Clara' })
    const { id } = await said(bob, item.id, { body: 'Secret', restrictedTo: [group.id] })
    const sees = async (who: Person) => (await who.ask('GET', `/annotation/${id}`)).status
    assert.deepEqual(await Promise.all([bob, mona, ada, clara, rita, eve].map(sees)), [200, 200, 200, 404, 404, 404])
    const reply = await said(mona, item.id, { body: 'Quite', replyToId: id })
    assert.deepEqual(reply.restrictedTo, [group.id])
    const refused = await bob.ask('POST', `/annotation/${id}/publish`, { body: { confirm: true } })
    assert.equal(refused.body.code, 'restricted')
  })

  test('only the author and managers edit an annotation; its author and its item cannot change', async () => {
    const item = await ask()
    const other = await ask()
    const { id } = await said(bob, item.id, { body: 'One' })
    const clara = await person({ name: 'Clara' })
    assert.equal((await clara.ask('PUT', `/annotation/${id}`, { body: { body: 'Two' } })).status, 403)
    assert.equal((await clara.ask('DELETE', `/annotation/${id}`)).status, 403)
    assert.equal((await mona.put(`/annotation/${id}`, { body: 'Two' })).edited.length, 1)
    const { body } = await bob.ask('PUT', `/annotation/${id}`, {
      body: { itemId: other.id, authorId: mona.id, replyToId: id },
    })
    assert.deepEqual(
      body.Fields.map((each: { Code: string }) => each.Code),
      ['owner-fixed', 'author-fixed', 'reply-fixed'],
    )
    assert.equal(
      (await bob.ask('POST', '/annotation', { body: { itemId: item.id, body: 'x', authorId: ada.id } })).status,
      403,
    )
    assert.equal((await said(mona, item.id, { body: 'From the old desk', authorId: bob.id })).authorId, bob.id)
  })

  test('a deleted annotation stays in the conversation without its text', async () => {
    const item = await ask()
    const { id } = await said(bob, item.id, { kind: annotationKind.reply, body: 'Wrong ticket, sorry' })
    await said(bob, item.id, { kind: annotationKind.reply, body: 'Hello Rita' })
    await bob.delete(`/annotation/${id}`)
    for (const who of [bob, rita]) {
      const stream: Said[] = await who.get(`/item/${item.id}/annotations`)
      assert.deepEqual(
        stream.map(each => [each.deleted, each.body]),
        [
          [true, ''],
          [false, 'Hello Rita'],
        ],
      )
    }
    assert.equal((await rita.ask('GET', `/annotation/${id}?deleted=include`)).status, 404)
    await bob.post(`/annotation/${id}/restore`, undefined)
    assert.equal((await rita.get(`/annotation/${id}`)).body, 'Wrong ticket, sorry')
  })

  test('mentioned users are notified, and the author is warned of those who cannot read the annotation', async () => {
    const item = await ask()
    const note = await said(ada, item.id, { body: 'Ask @bob, @Rita and @nobody' })
    assert.deepEqual(new Set(note.mentions), new Set([bob.id, rita.id]))
    assert.deepEqual(note.warnings, ['Rita is mentioned and cannot see this'])
    assert.deepEqual(await told(3), ['annotation.created', 'user.mentioned', 'user.mentioned'])
    const reply = await said(ada, item.id, { kind: annotationKind.reply, body: `Dear @[${rita.id}]` })
    assert.deepEqual([reply.mentions, reply.warnings], [[rita.id], []])
    const later = await ada.put(`/annotation/${note.id}`, { body: 'Ask @mona' })
    assert.deepEqual(later.mentions, [mona.id])
    assert.deepEqual(await told(2), ['annotation.updated', 'user.mentioned'])
  })

  test('adding and removing reactions, pins and resolved marks is idempotent', async () => {
    const item = await ask()
    const { id } = await said(bob, item.id, { body: 'Ship it' })
    const thumb = `/annotation/${id}/reaction/${encodeURIComponent('👍')}`
    await Promise.all([ada, ada, bob, mona].map(who => who.put(thumb, undefined)))
    const { reactions } = await ada.get(`/annotation/${id}`)
    assert.deepEqual(new Set(reactions['👍']), new Set([ada.id, bob.id, mona.id]))
    for (let i = 0; i < 2; i++) assert.equal((await ada.ask('DELETE', thumb)).status, 204)
    assert.equal((await bob.get(`/annotation/${id}`)).reactions['👍'].length, 2)
    assert.equal((await ada.ask('PUT', `/annotation/${id}/reaction/two%20words`)).status, 400)
    assert.equal((await bob.post(`/annotation/${id}/pin`, undefined)).pinned, true)
    const { resolvedAt } = await bob.post(`/annotation/${id}/resolve`, undefined)
    assert.equal((await bob.post(`/annotation/${id}/resolve`, undefined)).resolvedAt, resolvedAt)
    assert.equal((await bob.post(`/annotation/${id}/unresolve`, undefined)).resolvedAt, null)
  })

  test('the twenty-first reaction of one user to one annotation is refused and not stored', async () => {
    const item = await ask()
    const { id } = await said(bob, item.id, { body: 'Ship it' })
    for (let i = 1; i <= 20; i++) await ada.put(`/annotation/${id}/reaction/e${i}`, undefined)
    const refused = await ada.ask('PUT', `/annotation/${id}/reaction/e21`)
    assert.deepEqual([refused.status, refused.body.code], [422, 'too-many-reactions'])
    assert.equal(Object.keys((await ada.get(`/annotation/${id}`)).reactions).length, 20)
  })

  test('the requester sees the file of a reply, but not the file of a note', async () => {
    const item = await ask()
    const upload = async (who: Person) => {
      const form = multipart({ owner: '3', ownerId: item.id, file: 'bytes' })
      return (await who.ask('POST', '/file', { body: form.body, headers: form.headers })).body.id
    }
    const [inside, outside] = [await upload(bob), await upload(bob)]
    await said(bob, item.id, { body: 'See file', attachments: [inside] })
    await said(bob, item.id, { kind: annotationKind.reply, body: 'See file', attachments: [outside] })
    const sees = async (who: Person, id: string) => [
      (await who.ask('GET', `/file/${id}`)).status,
      (await who.ask('GET', `/file/download/${id}`)).status,
    ]
    assert.deepEqual(
      [await sees(rita, inside), await sees(rita, outside)],
      [
        [404, 404],
        [200, 200],
      ],
    )
    assert.deepEqual(await sees(bob, inside), [200, 200])
    assert.deepEqual(
      (await rita.get('/file')).map((each: Said) => each.id),
      [outside],
    )
  })

  test('an annotation of a document has a position in its text, and is visible to those who read the document', async () => {
    const document = await ada.post('/docs/doc', { name: 'Manual' })
    await ada.must('PUT', `/docs/content/${document.id}`, {
      body: { body: 'It always works.' },
      headers: { 'if-match': '*' },
    })
    const note = await bob.post('/annotation', {
      owner: ownerKind.document,
      ownerId: document.id,
      body: 'Is this so?',
      anchor: { from: 3, to: 9 },
    })
    assert.deepEqual([note.itemId, note.anchor.quote], ['', 'always'])
    assert.equal((await mona.get(`/annotation?ownerId=${document.id}`)).length, 1)
    assert.deepEqual(await rita.get(`/annotation?ownerId=${document.id}`), [])
    const nowhere = await bob.ask('POST', '/annotation', { body: { body: 'To whom?' } })
    assert.deepEqual([nowhere.status, nowhere.body.Fields[0].Field], [400, 'itemId'])
    const blank = await bob.ask('POST', '/annotation', {
      body: { owner: ownerKind.document, ownerId: document.id, body: ' ' },
    })
    assert.equal(blank.body.code, 'annotation-empty')
  })

  test('a draft is visible to its author only, and deleted when the annotation is posted', async () => {
    const item = await ask()
    assert.equal((await bob.get(`/item/${item.id}/draft`)).updated, null)
    await bob.put(`/item/${item.id}/draft`, { body: 'Dear' })
    await bob.put(`/item/${item.id}/draft`, { body: 'Dear Rita', kind: annotationKind.reply })
    assert.deepEqual((await bob.get(`/item/${item.id}/draft`)).body, 'Dear Rita')
    assert.equal((await ada.get(`/item/${item.id}/draft`)).body, '')
    await said(bob, item.id, { kind: annotationKind.reply, body: 'Dear Rita,' })
    assert.equal((await bob.get(`/item/${item.id}/draft`)).body, '')
  })

  test('texts are rendered as sanitised HTML', async () => {
    const item = await ask()
    await said(bob, item.id, { body: '**bold** <script>alert(1)</script>' })
    await said(bob, item.id, { body: '<b onclick="x()">hi</b><script>x()</script>', bodyFormat: 'html' })
    await said(bob, item.id, { body: '1 < 2\nand', bodyFormat: 'text' })
    const html = (await bob.get(`/item/${item.id}/annotations?render=html`)).map(
      (each: { bodyHtml: string }) => each.bodyHtml,
    )
    assert.match(html[0], /<strong>bold<\/strong>/)
    assert.deepEqual(html.slice(1), ['<b>hi</b>', '<p>1 &lt; 2<br />and</p>'])
    assert.ok(!html.join().includes('<script'))
    assert.equal((await bob.get(`/annotation?itemId=${item.id}&render=html&limit=1`))[0].bodyHtml, html[0])
  })
})
