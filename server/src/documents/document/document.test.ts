import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, happened, person, database } = await sharedTestService()
const carol = await person({ name: 'Carol' })
const vera = await person({ name: 'Vera', role: roleCode.readOnly })
const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })

async function group(name: string, members: string[], parentId = ''): Promise<string> {
  return (await ada.post('/user-group', { name, members, parentId })).id
}

const codes = (answer: { body: { Fields: { Field: string; Code: string }[] } }) =>
  answer.body.Fields.map(({ Field, Code }) => `${Field} ${Code}`)

describe('a document', () => {
  test('is created with empty content in one change set', async () => {
    const { status, body, headers } = await bob.ask('POST', '/docs/doc', { body: { name: 'Runbook' } })
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `/api/docs/doc/${body.id}`)
    assert.deepEqual(await happened(2), ['document.created', 'documentContent.created'])
    const { entity, author, createdBy, aiAccess, archived, folderId, context, restrictedTo } = body
    assert.deepEqual(
      { entity, author, createdBy, aiAccess, archived, folderId, context, restrictedTo },
      {
        entity: 'Document',
        author: 'Bob',
        createdBy: bob.id,
        aiAccess: false,
        archived: false,
        folderId: '',
        context: [],
        restrictedTo: [],
      },
    )
    const content = await bob.get(`/docs/content/${body.id}`)
    assert.deepEqual(
      [content.entity, content.id, content.docId, content.body, content.format, content.version],
      ['DocumentContent', body.id, body.id, '', 'markdown', 1],
    )
  })

  test('can name another author, and still records who created it', async () => {
    const made = await bob.post('/docs/doc', { name: 'Speech', author: 'Ada', createdBy: ada.id })
    assert.deepEqual([made.author, made.createdBy], ['Ada', bob.id])
  })

  test('that cannot be stored leaves no content', async () => {
    const before = await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`select count(*) from document_content where tenant_id = ${ada.tenantId}`,
    )
    const { status } = await bob.ask('POST', '/docs/doc', { body: { name: 'Lost', folderId: crypto.randomUUID() } })
    assert.equal(status, 422)
    assert.deepEqual(
      await database.single(
        tenantCaller(ada.tenantId),
        ctx => ctx.sql`select count(*) from document_content where tenant_id = ${ada.tenantId}`,
      ),
      before,
    )
  })

  test('is found by the container that it belongs to', async () => {
    const [desk, other] = [
      await ada.post('/container', { name: 'One' }),
      await ada.post('/container', { name: 'Other' }),
    ]
    const context = [{ owner: ownerKind.container, ownerId: desk.id }]
    const { id } = await bob.post('/docs/doc', { name: 'Of one', context })
    const found = async (containerId: string) =>
      (await bob.get(`/docs/doc?containerId=${containerId}`)).map((each: { id: string }) => each.id)
    assert.deepEqual([await found(desk.id), await found(other.id)], [[id], []])
  })

  test('belongs to existing records; every invalid context is reported', async () => {
    const desk = await ada.post('/container', { name: 'Desk' })
    const foreign = await eve.post('/container', { name: 'Elsewhere' })
    const made = await bob.post('/docs/doc', {
      name: 'Guide',
      context: [
        { owner: ownerKind.container, ownerId: desk.id },
        { owner: ownerKind.tenant },
        { owner: 4711, ownerId: 'x' },
      ],
    })
    assert.deepEqual(made.context, [
      { owner: ownerKind.container, ownerId: desk.id },
      { owner: ownerKind.tenant, ownerId: '' },
      { owner: 4711, ownerId: 'x' },
    ])
    const refused = await bob.ask('POST', '/docs/doc', {
      body: {
        name: 'Guide',
        context: [
          { owner: ownerKind.container, ownerId: foreign.id },
          { owner: ownerKind.container, ownerId: desk.id },
          { owner: ownerKind.tenant, ownerId: eve.tenantId },
          { owner: ownerKind.item, ownerId: 'nonsense' },
        ],
      },
    })
    assert.equal(refused.status, 422)
    assert.deepEqual(codes(refused), [
      'context.0.ownerId unknown-reference',
      'context.2.ownerId unknown-reference',
      'context.3.ownerId unknown-reference',
    ])
  })

  test('is deleted and restored together with its content', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Draft' })
    await bob.must('PUT', `/docs/content/${id}`, { body: { body: 'a first line' }, headers: { 'if-match': '"v1"' } })
    await bob.delete(`/docs/doc/${id}`)
    assert.deepEqual(
      [(await bob.ask('GET', `/docs/doc/${id}`)).status, (await bob.ask('GET', `/docs/content/${id}`)).status],
      [404, 404],
    )
    await bob.must('POST', `/docs/doc/${id}/restore`)
    assert.equal((await bob.get(`/docs/content/${id}`)).body, 'a first line')
    assert.deepEqual(await happened(4), [
      'document.deleted',
      'documentContent.deleted',
      'document.restored',
      'documentContent.restored',
    ])
  })

  test('can be written by members and read by staff, but not by requesters', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Handbook' })
    assert.equal((await vera.ask('POST', '/docs/doc', { body: { name: 'No' } })).status, 403)
    assert.equal((await vera.ask('GET', `/docs/doc/${id}`)).status, 200)
    assert.equal(
      (await vera.ask('PUT', `/docs/content/${id}`, { body: { body: 'no' }, headers: { 'if-match': '"v1"' } })).status,
      403,
    )
    assert.equal((await rita.ask('GET', `/docs/doc/${id}`)).status, 404)
    assert.equal((await rita.ask('GET', `/docs/content/${id}`)).status, 404)
    assert.equal((await rita.ask('POST', '/docs/doc', { body: { name: 'No' } })).status, 403)
  })
})

describe('content', () => {
  test('is never overwritten without having been read', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Shared' })
    const { headers } = await bob.ask('GET', `/docs/content/${id}`)
    assert.equal(headers.get('etag'), '"v1"')
    const blind = await bob.ask('PUT', `/docs/content/${id}`, { body: { body: 'mine' } })
    assert.deepEqual([blind.status, blind.body.code], [428, 'if-match-required'])
    const first = await bob.ask('PUT', `/docs/content/${id}`, {
      body: { body: 'mine' },
      headers: { 'if-match': '"v1"' },
    })
    assert.deepEqual([first.status, first.headers.get('etag'), first.body.body], [200, '"v2"', 'mine'])
    const late = await ada.ask('PUT', `/docs/content/${id}`, {
      body: { body: 'theirs' },
      headers: { 'if-match': '"v1"' },
    })
    assert.deepEqual([late.status, late.body.current.body], [412, 'mine'])
    assert.equal(
      (
        await ada.ask('PUT', `/docs/content/${id}`, {
          body: { ...late.body.current, body: 'both' },
          headers: { 'if-match': '"v2"' },
        })
      ).status,
      200,
    )
    const history = await bob.get(`/docs/content/${id}/history`)
    assert.deepEqual(
      history.slice(1).map((event: { changes: { body: unknown } }) => event.changes.body),
      [
        { from: '', to: 'mine' },
        { from: 'mine', to: 'both' },
      ],
    )
  })

  test('of two concurrent writes one succeeds and the other is refused', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Race' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        bob.ask('PUT', `/docs/content/${id}`, { body: { body: `text ${i}` }, headers: { 'if-match': '"v1"' } }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)])
  })

  test('has at most one megabyte', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Long' })
    const write = (body: string, version: number) =>
      bob.ask('PUT', `/docs/content/${id}`, { body: { body }, headers: { 'if-match': `"v${version}"` } })
    assert.equal((await write('x'.repeat(1024 * 1024), 1)).status, 200)
    const wide = await write('é'.repeat(600_000), 2)
    assert.deepEqual([wide.status, codes(wide)], [400, ['body maxBytes']])
    assert.equal((await write('x'.repeat(1024 * 1024 + 1), 2)).status, 400)
    assert.equal((await write('x'.repeat(3 * 1024 * 1024), 2)).status, 413)
  })

  test('of a missing document is a 404', async () => {
    const { id } = await bob.post('/docs/doc', { name: 'Ours' })
    for (const path of [`/docs/content/${id}`, `/docs/content/${id}/history`])
      assert.equal((await eve.ask('GET', path)).status, 404)
    assert.equal(
      (await eve.ask('PUT', `/docs/content/${id}`, { body: { body: 'x' }, headers: { 'if-match': '*' } })).status,
      404,
    )
    assert.equal((await ada.ask('GET', '/docs/content/nonsense')).status, 404)
  })
})

describe('a restricted document', () => {
  test('is visible to its groups, its creator and admins, in every operation', async () => {
    const parents = await group('Legal', [])
    await group('Contracts', [carol.id], parents)
    const { id } = await bob.post('/docs/doc', { name: 'Merger', restrictedTo: [parents] })
    const seen = async (who: typeof bob) => [
      (await who.ask('GET', `/docs/doc/${id}`)).status,
      (await who.ask('GET', `/docs/content/${id}`)).status,
      (await who.ask('GET', `/docs/doc/${id}/history`)).status,
      (await who.get('/docs/doc?name=Merger')).length,
      (await who.get('/docs/doc?name=Merger&deleted=include')).length,
    ]
    for (const who of [ada, bob, carol]) assert.deepEqual(await seen(who), [200, 200, 200, 1, 1])
    assert.deepEqual(await seen(vera), [404, 404, 404, 0, 0])
    const dave = await person({ name: 'Dave' })
    assert.deepEqual(await seen(dave), [404, 404, 404, 0, 0])
    assert.equal((await dave.ask('PUT', `/docs/doc/${id}`, { body: { restrictedTo: [] } })).status, 404)
    assert.equal((await dave.ask('DELETE', `/docs/doc/${id}`)).status, 404)
    assert.equal(
      (await dave.ask('PUT', `/docs/content/${id}`, { body: { body: 'x' }, headers: { 'if-match': '*' } })).status,
      404,
    )
  })

  test('nobody locks themselves out by mistake', async () => {
    const board = await group('Board', [])
    const { id } = await bob.post('/docs/doc', { name: 'Minutes' })
    const refused = await carol.ask('PUT', `/docs/doc/${id}`, { body: { restrictedTo: [board] } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'lock-out'])
    assert.equal((await bob.ask('PUT', `/docs/doc/${id}`, { body: { restrictedTo: [board] } })).status, 200)
  })

  test('without groups it is visible to users who see one of its records', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const open = await ada.post('/container', { name: 'Open' })
    const hidden = await ada.post('/docs/doc', {
      name: 'Codes',
      context: [{ owner: ownerKind.container, ownerId: vault.id }],
    })
    const both = await ada.post('/docs/doc', {
      name: 'Both',
      context: [
        { owner: ownerKind.container, ownerId: vault.id },
        { owner: ownerKind.container, ownerId: open.id },
      ],
    })
    assert.equal((await bob.ask('GET', `/docs/doc/${hidden.id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/docs/content/${hidden.id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/docs/doc/${both.id}`)).status, 200)
    assert.equal(
      (
        await bob.ask('POST', '/docs/doc', {
          body: { name: 'Probe', context: [{ owner: ownerKind.container, ownerId: vault.id }] },
        })
      ).status,
      422,
    )
  })
})

describe('folders', () => {
  test('can contain folders, but never themselves', async () => {
    const top = await bob.post('/docs/folder', { name: 'Top' })
    const middle = await bob.post('/docs/folder', { name: 'Middle', parentId: top.id })
    const low = await bob.post('/docs/folder', { name: 'Low', parentId: middle.id })
    for (const parentId of [top.id, middle.id, low.id]) {
      const refused = await bob.ask('PUT', `/docs/folder/${top.id}`, { body: { parentId } })
      assert.deepEqual([refused.status, refused.body.code], [422, 'cycle'])
    }
    assert.equal((await bob.ask('PUT', `/docs/folder/${low.id}`, { body: { parentId: top.id } })).status, 200)
  })

  test('of two concurrent moves into each other only one succeeds', async () => {
    const one = await bob.post('/docs/folder', { name: 'One' })
    const two = await bob.post('/docs/folder', { name: 'Two' })
    const answers = await Promise.all([
      bob.ask('PUT', `/docs/folder/${one.id}`, { body: { parentId: two.id } }),
      bob.ask('PUT', `/docs/folder/${two.id}`, { body: { parentId: one.id } }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  })

  test('can be nested at most 50 levels deep', async () => {
    let parentId = ''
    for (let i = 0; i < 50; i++) parentId = (await bob.post('/docs/folder', { name: `Level ${i}`, parentId })).id
    const refused = await bob.ask('POST', '/docs/folder', { body: { name: 'Too deep', parentId } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'too-deep'])
  })

  test('restrict who can read their content, at every level below', async () => {
    const staff = await group('People', [carol.id])
    const payroll = await group('Payroll', [carol.id], staff)
    const others = await group('Others', [vera.id])
    const outer = await bob.post('/docs/folder', { name: 'HR', restrictedTo: [staff] })
    const inner = await bob.post('/docs/folder', { name: 'Pay', parentId: outer.id, restrictedTo: [payroll] })
    const wider = await bob.ask('POST', '/docs/folder', {
      body: { name: 'Leak', parentId: outer.id, restrictedTo: [payroll, others] },
    })
    assert.deepEqual(
      [wider.status, wider.body.code, codes(wider)],
      [422, 'wider-than-parent', ['restrictedTo.1 wider-than-parent']],
    )
    const plain = await bob.post('/docs/folder', { name: 'Plain', parentId: inner.id })
    const paper = await bob.post('/docs/doc', { name: 'Salaries', folderId: plain.id })
    const open = await bob.post('/docs/doc', { name: 'For others', folderId: plain.id, restrictedTo: [others] })
    for (const [who, folderSeen, paperSeen] of [
      [ada, 200, 200],
      [carol, 200, 200],
      [vera, 404, 404],
    ] as const) {
      assert.deepEqual(
        [
          (await who.ask('GET', `/docs/folder/${plain.id}`)).status,
          (await who.ask('GET', `/docs/content/${paper.id}`)).status,
        ],
        [folderSeen, paperSeen],
      )
    }
    assert.equal(
      (await vera.ask('GET', `/docs/doc/${open.id}`)).status,
      404,
      'a document cannot be wider than its folder',
    )
    assert.equal((await vera.get('/docs/folder?name=HR,Pay,Plain')).length, 0)
    const dave = await person({ name: 'Dave' })
    assert.equal((await dave.ask('POST', '/docs/doc', { body: { name: 'Slip in', folderId: plain.id } })).status, 422)
  })

  test('can be deleted when empty, and a document is restored only after its folder', async () => {
    const folder = await bob.post('/docs/folder', { name: 'Old' })
    const paper = await bob.post('/docs/doc', { name: 'Paper', folderId: folder.id })
    const full = await bob.ask('DELETE', `/docs/folder/${folder.id}`)
    assert.deepEqual([full.status, full.body.code], [422, 'folder-not-empty'])
    await bob.delete(`/docs/doc/${paper.id}`)
    await bob.delete(`/docs/folder/${folder.id}`)
    const early = await bob.ask('POST', `/docs/doc/${paper.id}/restore`)
    assert.deepEqual([early.status, early.body.code], [422, 'folder-deleted'])
    await bob.must('POST', `/docs/folder/${folder.id}/restore`)
    assert.equal((await bob.ask('POST', `/docs/doc/${paper.id}/restore`)).status, 200)
  })

  test('of deleting a folder and moving a document into it concurrently only one succeeds', async () => {
    for (let i = 0; i < 5; i++) {
      const folder = await bob.post('/docs/folder', { name: 'Busy' })
      const [gone, made] = await Promise.all([
        bob.ask('DELETE', `/docs/folder/${folder.id}`),
        bob.ask('POST', '/docs/doc', { body: { name: 'In', folderId: folder.id } }),
      ])
      assert.deepEqual([gone.status, made.status].sort(), gone.status === 204 ? [204, 422] : [201, 422])
    }
  })
})
