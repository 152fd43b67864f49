import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { documentState } from '../document-state.ts'

const { ada, bob, person, base } = await sharedTestService()
const mary = await person({ name: 'Mary', role: roleCode.manager })
const vera = await person({ name: 'Vera', role: roleCode.readOnly })
const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
const agent = await person({ name: 'Agent', role: roleCode.admin, kind: userKind.agent })

type Named = { id: string; name: string }
const ids = (found: readonly Named[]) => found.map(each => each.id)

/** All ways in which somebody can notice a document; 0 or 404 says that they cannot. */
async function noticed(who: Person, { id, name }: Named) {
  const counted = await who.ask('GET', `/docs/doc?name=${name}&count=exact&limit=10`)
  const found = await who.get(`/search?q=${name}&archived=include`)
  return [
    (await who.ask('GET', `/docs/doc/${id}`)).status,
    (await who.ask('GET', `/docs/content/${id}`)).status,
    counted.body.length,
    Number(counted.headers.get('x-total-count')),
    found.filter((each: Named) => each.id === id).length,
  ]
}
const fully = [200, 200, 1, 1, 1]
const notAtAll = [404, 404, 0, 0, 0]

async function write(who: Person, id: string, body: string) {
  const { headers } = await who.ask('GET', `/docs/content/${id}`)
  return await who.ask('PUT', `/docs/content/${id}`, {
    body: { body },
    headers: { 'if-match': headers.get('etag') ?? '' },
  })
}

describe('the state of a document', () => {
  test('decides who reads it: drafts for writers, internal ones for staff, public ones for requesters', async () => {
    const draft = await bob.post('/docs/doc', { name: 'Halfdone', state: documentState.draft })
    const internal = await bob.post('/docs/doc', { name: 'Ownuse' })
    const open = await mary.post('/docs/doc', { name: 'Forall', state: documentState.public })
    const unknown = await bob.post('/docs/doc', { name: 'Strange', state: 4711 })
    assert.equal(internal.state, documentState.internal)
    for (const [document, readers] of [
      [draft, [ada, bob, mary]],
      [unknown, [ada, bob, mary]],
      [internal, [ada, bob, mary, vera]],
      [open, [ada, bob, mary, vera, rita]],
    ] as const)
      for (const who of [ada, bob, mary, vera, rita] as Person[])
        assert.deepEqual(
          await noticed(who, document),
          (readers as readonly Person[]).includes(who) ? fully : notAtAll,
          document.name,
        )
  })

  test('public needs the permission to publish, for the document and for its text', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Guide' })
    const own = await bob.ask('PUT', `/docs/doc/${id}`, { body: { state: documentState.public } })
    assert.deepEqual([own.status, own.body.code], [403, 'forbidden'])
    assert.equal((await bob.ask('POST', '/docs/doc', { body: { name: 'x', state: 2 } })).status, 403)
    await mary.put(`/docs/doc/${id}`, { state: documentState.public })
    assert.equal((await bob.ask('PUT', `/docs/doc/${id}`, { body: { name: 'Other' } })).status, 403)
    assert.equal((await bob.ask('PUT', `/docs/doc/${id}`, { body: { state: documentState.draft } })).status, 403)
    assert.equal((await write(bob, id, 'unseen')).status, 403)
    assert.equal((await write(mary, id, 'seen')).status, 200)
    assert.equal((await rita.get(`/docs/content/${id}`)).body, 'seen')
    await mary.put(`/docs/doc/${id}`, { state: documentState.internal })
    assert.equal((await write(bob, id, 'own use')).status, 200)
    assert.equal((await rita.ask('GET', `/docs/content/${id}`)).status, 404)
  })

  test('a restriction, a hidden record and a restricted folder narrow a public document', async () => {
    const group = (await ada.post('/user-group', { name: 'Customers', members: [rita.id] })).id
    const nobody = (await ada.post('/user-group', { name: 'Nobody', members: [] })).id
    const desk = await ada.post('/container', { name: 'Help', kind: 1 })
    const vault = await ada.post('/container', { name: 'Vault', kind: 1, private: true })
    const folder = await ada.post('/docs/folder', { name: 'Articles' })
    const closed = await ada.post('/docs/folder', { name: 'Closed', restrictedTo: [nobody] })
    const at = (ownerId: string) => [{ owner: ownerKind.container, ownerId }]
    const make = async (name: string, more: object) =>
      await ada.post('/docs/doc', { name, state: documentState.public, ...more })
    const shown = [
      await make('Ofgroup', { restrictedTo: [group] }),
      await make('Ofdesk', { context: at(desk.id) }),
      await make('Oftenant', { context: [{ owner: ownerKind.tenant }] }),
      await make('Infolder', { folderId: folder.id }),
    ]
    const hidden = [
      await make('Ofnobody', { restrictedTo: [nobody] }),
      await make('Ofvault', { context: at(vault.id) }),
      await make('Inclosed', { folderId: closed.id }),
    ]
    for (const document of shown) assert.deepEqual(await noticed(rita, document), fully, document.name)
    for (const document of hidden) assert.deepEqual(await noticed(rita, document), notAtAll, document.name)
    assert.equal((await rita.ask('GET', '/docs/folder')).status, 403)
  })

  test('requesters read neither the history of a public document nor its internal notes', async () => {
    const { id } = await ada.post('/docs/doc', { name: 'Secretpast' })
    await write(ada, id, 'what nobody should know')
    await write(ada, id, 'what everybody may know')
    await ada.put(`/docs/doc/${id}`, { state: documentState.public })
    const about = { owner: ownerKind.document, ownerId: id }
    const note = await ada.post('/annotation', { ...about, kind: annotationKind.note, body: 'not for customers' })
    for (const path of [`/docs/doc/${id}/history`, `/docs/content/${id}/history`]) {
      assert.deepEqual(await rita.get(path), [])
      assert.ok((await vera.get(path)).length > 0)
    }
    assert.equal((await rita.ask('GET', `/annotation/${note.id}`)).status, 404)
  })
})

describe('a document that is closed to assistants', () => {
  test('does not exist for an agent, even an admin, nor for a credential of scope agent', async () => {
    const key = await ada.post('/admin/api-key', { name: 'Assistant', scopes: ['*:admin', 'agent'] })
    const assistant = new Person(base, key.RawKey, ada.id, ada.tenantId)
    const closed = await ada.post('/docs/doc', { name: 'Closedtoai' })
    const opened = await ada.post('/docs/doc', { name: 'Opentoai', aiAccess: true })
    const about = { owner: ownerKind.document, ownerId: closed.id }
    const note = await ada.post('/annotation', { ...about, kind: annotationKind.note, body: 'A word about narwhals' })
    for (const who of [agent, assistant]) {
      assert.deepEqual(await noticed(who, closed), notAtAll)
      assert.deepEqual(await noticed(who, opened), fully)
      for (const path of [`/docs/doc/${closed.id}/history`, `/docs/content/${closed.id}/history`])
        assert.equal((await who.ask('GET', path)).status, 404)
      assert.equal((await who.ask('GET', `/annotation/${note.id}`)).status, 404)
      assert.equal((await who.ask('PUT', `/docs/doc/${closed.id}`, { body: { aiAccess: true } })).status, 404)
      assert.equal((await who.ask('DELETE', `/docs/doc/${closed.id}`)).status, 404)
      const events = JSON.stringify(await who.get('/event?limit=1000'))
      assert.deepEqual([events.includes(closed.id), events.includes(opened.id)], [false, true])
    }
    for (const path of ['/tenant/export', `/user/${ada.id}/export`])
      assert.equal((await assistant.ask('GET', path)).status, 403, path)
    await ada.put(`/docs/doc/${opened.id}`, { aiAccess: false })
    for (const who of [agent, assistant]) assert.deepEqual(await noticed(who, opened), notAtAll)
  })

  test('an agent opens what it creates, and closes nothing to itself', async () => {
    const made = await agent.post('/docs/doc', { name: 'Summary' })
    assert.equal(made.aiAccess, true)
    for (const refused of [
      await agent.ask('PUT', `/docs/doc/${made.id}`, { body: { aiAccess: false } }),
      await agent.ask('POST', '/docs/doc', { body: { name: 'x', aiAccess: false } }),
    ])
      assert.deepEqual([refused.status, refused.body.code, refused.body.Fields[0].Field], [422, 'lock-out', 'aiAccess'])
  })

  test('a key of scope agent alone permits nothing, and no other unknown scope is accepted', async () => {
    const key = await ada.post('/admin/api-key', { name: 'Idle', scopes: ['agent'] })
    const idle = new Person(base, key.RawKey, ada.id, ada.tenantId)
    assert.equal((await idle.ask('GET', '/docs/doc')).status, 403)
    assert.equal((await ada.ask('POST', '/admin/api-key', { body: { name: 'x', scopes: ['agents'] } })).status, 400)
  })
})

describe('an archived document', () => {
  test('leaves the lists, can still be read, and keeps its text', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Former' })
    await bob.put(`/docs/doc/${id}`, { archived: true })
    assert.deepEqual(ids(await bob.get('/docs/doc?name=Former')), [])
    assert.deepEqual(ids(await bob.get('/docs/doc?name=Former&archived=only')), [id])
    assert.deepEqual(ids(await bob.get('/docs/doc?name=Former&archived=include')), [id])
    assert.equal((await bob.get(`/docs/doc/${id}`)).archived, true)
    const refused = await write(bob, id, 'more')
    assert.deepEqual([refused.status, refused.body.code], [422, 'document-archived'])
    await bob.put(`/docs/doc/${id}`, { archived: false })
    assert.equal((await write(bob, id, 'more')).status, 200)
  })
})
