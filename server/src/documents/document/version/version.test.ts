import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { userKind } from '../../../identity/user-kind.ts'
import { roleCode } from '../../../kernel/access.ts'
import { documentState } from '../../document-state.ts'

const { ada, bob, eve, person, database, happened } = await sharedTestService()
const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
const vera = await person({ name: 'Vera', role: roleCode.readOnly })

interface Version {
  version: number
  lastVersion: number
  savedBy: string
  restoredFrom: number | null
  size: number
  body?: string
}

async function write(who: Person, id: string, body: string) {
  const { headers } = await who.ask('GET', `/docs/content/${id}`)
  const answer = await who.ask('PUT', `/docs/content/${id}`, {
    body: { body },
    headers: { 'if-match': headers.get('etag') ?? '' },
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer
}

/** Lets all versions of a document be older by some minutes. */
async function age(id: string, minutes: number) {
  await database.single(
    tenantCaller(ada.tenantId),
    ctx => ctx.sql`update document_version set begun = begun - make_interval(mins => ${minutes}::integer)
      where tenant_id = ${ada.tenantId} and document_id = ${id}`,
  )
}

const versionsOf = async (id: string, who = bob): Promise<Version[]> => await who.get(`/docs/content/${id}/versions`)
const shown = (versions: Version[]) => versions.map(each => [each.version, each.lastVersion, each.savedBy, each.size])

describe('versions of a document', () => {
  test('the saves of one author within five minutes are one version, which holds the last text', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Plan' })
    await write(bob, id, 'one')
    await write(bob, id, 'one two')
    assert.deepEqual(shown(await versionsOf(id)), [[1, 3, bob.id, 7]])
    await write(ada, id, 'hers')
    await write(bob, id, 'his')
    await age(id, 4)
    await write(bob, id, 'his own')
    await age(id, 1)
    await write(bob, id, 'later')
    assert.deepEqual(shown(await versionsOf(id)), [
      [7, 7, bob.id, 5],
      [5, 6, bob.id, 7],
      [4, 4, ada.id, 4],
      [1, 3, bob.id, 7],
    ])
    for (const [asked, version, body] of [
      [1, 1, 'one two'],
      [3, 1, 'one two'],
      [6, 5, 'his own'],
      [99, 7, 'later'],
    ] as const) {
      const found = await bob.get(`/docs/content/${id}/versions/${asked}`)
      assert.deepEqual([found.version, found.body], [version, body])
    }
    const page = await bob.ask('GET', `/docs/content/${id}/versions?limit=2`)
    assert.deepEqual(
      page.body.map((each: Version) => each.version),
      [7, 5],
    )
    const next = /<\/api(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    const last = await bob.ask('GET', next)
    assert.deepEqual([last.body.map((each: Version) => each.version), last.headers.get('link')], [[4, 1], null])
  })

  test('a write that changes nothing makes none', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Same' })
    await write(ada, id, '')
    assert.deepEqual(shown(await versionsOf(id)), [[1, 1, bob.id, 0]])
  })

  test('a version is restored as a new one, and nothing is lost', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Text' })
    await write(bob, id, 'first')
    await write(ada, id, 'second')
    const stale = await bob.ask('POST', `/docs/content/${id}/restore`, {
      body: { version: 1 },
      headers: { 'if-match': '"v1"' },
    })
    assert.equal(stale.status, 412)
    const restored = await bob.ask('POST', `/docs/content/${id}/restore`, { body: { version: 1 } })
    assert.deepEqual([restored.status, restored.body.body, restored.headers.get('etag')], [200, 'first', '"v4"'])
    assert.deepEqual(await happened(1), ['documentContent.updated'])
    // What follows a restored version does not replace it.
    await write(bob, id, 'third')
    assert.deepEqual(
      (await versionsOf(id)).map(each => [each.version, each.restoredFrom]),
      [
        [5, null],
        [4, 1],
        [3, null],
        [1, null],
      ],
    )
    assert.equal((await bob.get(`/docs/content/${id}/versions/3`)).body, 'second')
    assert.deepEqual(
      (await bob.get('/search?q=third')).map((each: { id: string }) => each.id),
      [id],
    )
    const unknown = await bob.ask('POST', `/docs/content/${id}/restore`, { body: { version: 0 } })
    assert.equal(unknown.status, 400)
    assert.equal((await vera.ask('POST', `/docs/content/${id}/restore`, { body: { version: 1 } })).status, 403)
  })

  test('two versions are compared', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Compared' })
    await write(bob, id, 'a\nb\nc\n')
    await write(ada, id, 'a\nB\nc\n')
    await write(bob, id, 'a\nB\nc\nd\n')
    const lines = async (query: string) =>
      (await bob.get(`/docs/content/${id}/diff${query}`)).hunks.flatMap((each: { lines: string[] }) => each.lines)
    assert.deepEqual(await lines(''), [' a', ' B', ' c', '+d'])
    assert.deepEqual(await lines('?from=1'), [' a', '-b', '+B', ' c', '+d'])
    assert.deepEqual(await lines('?from=1&to=3'), [' a', '-b', '+B', ' c'])
    assert.deepEqual(await lines('?from=4&to=1'), [' a', '-B', '+b', ' c', '-d'])
    assert.deepEqual(await lines('?from=2&to=2'), [])
    const bad = await bob.ask('GET', `/docs/content/${id}/diff?from=x&to=0`)
    assert.deepEqual([bad.status, bad.body.Fields.length], [400, 2])
  })

  test('are for whoever reads the document, and not for requesters, other tenants and assistants', async () => {
    const { id } = await ada.post('/docs/doc', { name: 'Open', state: documentState.public })
    await write(ada, id, 'published')
    const robot = await person({ name: 'Robot', role: roleCode.admin, kind: userKind.agent })
    assert.equal((await rita.ask('GET', `/docs/content/${id}`)).status, 200)
    for (const who of [rita, eve, robot])
      for (const path of ['versions', 'versions/1', 'diff'])
        assert.equal((await who.ask('GET', `/docs/content/${id}/${path}`)).status, 404)
    for (const who of [eve, robot])
      assert.equal((await who.ask('POST', `/docs/content/${id}/restore`, { body: { version: 1 } })).status, 404)
    assert.equal((await versionsOf(id, vera)).length, 1)
    for (const wrong of ['0', 'x', '-1', '99999999999'])
      assert.equal((await bob.ask('GET', `/docs/content/${id}/versions/${wrong}`)).status, 404)
  })

  test('undo brings a text back as a new version, with its words and links', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Undone' })
    await write(bob, id, 'about walruses, see [[NONE-1]]')
    const { headers } = await write(ada, id, 'about penguins')
    await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
    assert.equal((await bob.get(`/docs/content/${id}`)).body, 'about walruses, see [[NONE-1]]')
    assert.equal((await bob.get(`/docs/content/${id}/versions/4`)).body, 'about walruses, see [[NONE-1]]')
    assert.deepEqual(
      (await bob.get('/search?q=walruses')).map((each: { id: string }) => each.id),
      [id],
    )
    assert.deepEqual(await bob.get('/search?q=penguins'), [])
    assert.deepEqual(await bob.get(`/docs/doc/${id}/links`), [{ target: 'NONE-1', entity: 'Item' }])
  })
})

describe('links of a document', () => {
  test('name items and documents, and are found from both ends', async () => {
    const desk = await ada.post('/container', { name: 'Dev', key: 'LINKD' })
    const vault = await ada.post('/container', { name: 'Vault', key: 'LINKV', private: true })
    const item = await ada.post('/item', { title: 'Fix it', containerId: desk.id })
    const secret = await ada.post('/item', { title: 'Hidden', containerId: vault.id })
    const guide = await bob.post('/docs/doc', { name: 'Guide' })
    const mine = await ada.post('/docs/doc', {
      name: 'Draft',
      restrictedTo: [(await ada.post('/user-group', { name: 'None', members: [] })).id],
    })
    const { id } = await bob.post('/docs/doc', { name: 'Notes' })
    await write(
      bob,
      id,
      `[[${item.key}]] [[${secret.key}]] [[GONE-9]] [g](/doc/${guide.id}) /doc/${mine.id} /doc/${id}`,
    )
    const of = (links: { target: string }[], target: string) => links.find(each => each.target === target)
    const links = await bob.get(`/docs/doc/${id}/links`)
    assert.equal(links.length, 5)
    assert.deepEqual(of(links, item.key), {
      target: item.key,
      entity: 'Item',
      id: item.id,
      key: item.key,
      title: 'Fix it',
    })
    assert.deepEqual(of(links, guide.id), { target: guide.id, entity: 'Document', id: guide.id, name: 'Guide' })
    for (const [target, entity] of [
      [secret.key, 'Item'],
      ['GONE-9', 'Item'],
      [mine.id, 'Document'],
    ])
      assert.deepEqual(of(links, target), { target, entity })
    assert.deepEqual(of(await ada.get(`/docs/doc/${id}/links`), secret.key), {
      target: secret.key,
      entity: 'Item',
      id: secret.id,
      key: secret.key,
      title: 'Hidden',
    })
    const found = async (target: string, who = bob) =>
      (await who.get(`/docs/doc?linksTo=${target}`)).map((each: { id: string }) => each.id)
    for (const target of [item.key, item.key.toLowerCase(), item.id, guide.id, 'GONE-9'])
      assert.deepEqual(await found(target), [id], target)
    assert.deepEqual([await found(secret.id), await found(secret.id, ada)], [[], [id]])
    assert.deepEqual([await found(id), await found(item.id, eve), await found("x' or 1=1")], [[], [], []])
    // A moved item has a new key, and the former one still names it.
    const other = await ada.post('/container', { name: 'Ops', key: 'LINKO' })
    await ada.post(`/item/${item.id}/move`, { containerId: other.id })
    const moved = of(await bob.get(`/docs/doc/${id}/links`), item.key) as { key?: string }
    assert.match(moved.key ?? '', /^LINKO-/)
    assert.deepEqual([await found(moved.key ?? ''), await found(item.id)], [[id], [id]])
    await write(bob, id, 'nothing')
    assert.deepEqual([await found(item.id), await bob.get(`/docs/doc/${id}/links`)], [[], []])
  })
})
