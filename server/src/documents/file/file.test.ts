import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { noRole, roleCode } from '../../kernel/access.ts'
import { openBlobs } from '../../platform/bytes/blobs.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { fileState } from './file-state.ts'
import { sweepFiles } from './sweep-files.ts'

const limit = 1024 * 1024
const { ada, bob, eve, nobody, happened, person, database, dataDir } = await startTestService({
  FILE_LIMIT_BYTES: String(limit),
})
const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
const vera = await person({ name: 'Vera', role: roleCode.readOnly })

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

type Sent = Record<string, string | Blob>

function blob(bytes: Buffer | string): Blob {
  return new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type: 'text/html' })
}

/** Sends a form as a browser would. */
async function send(
  who: Person,
  fields: Sent,
  {
    name = 'note.txt',
    headers = {},
    query = '',
  }: { name?: string; headers?: Record<string, string>; query?: string } = {},
) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields))
    typeof value === 'string' ? form.append(key, value) : form.append(key, value, name)
  const response = await fetch(`${who.base}/api/file${query}`, {
    method: 'POST',
    body: form,
    headers: { ...(who.key ? { authorization: `Bearer ${who.key}` } : {}), ...headers },
  })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}

async function upload(who: Person, bytes: Buffer | string, fields: Sent = {}, name?: string) {
  const { status, body } = await send(who, { ...fields, file: blob(bytes) }, name === undefined ? {} : { name })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function download(who: Person, id: string, headers: Record<string, string> = {}, method = 'GET', query = '') {
  const response = await fetch(`${who.base}/api/file/download/${id}${query}`, {
    method,
    headers: { authorization: `Bearer ${who.key}`, ...headers },
  })
  return {
    status: response.status,
    bytes: Buffer.from(await response.arrayBuffer()),
    header: (key: string) => response.headers.get(key),
  }
}

const place = (hash: string, tenantId = ada.tenantId) =>
  join(dataDir, 'files', tenantId, hash.slice(0, 2), hash.slice(2, 4), hash)
const arriving = () => readdirSync(join(dataDir, 'files', 'arriving'))

describe('an upload', () => {
  test('returns its record, and its bytes are stored under their hash', async () => {
    const { status, body, headers } = await send(
      bob,
      { description: 'to read', file: blob('hello') },
      { name: 'hello.txt' },
    )
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `/api/file/${body.id}`)
    const { entity, name, size, mime, owner, ownerId, state, description, createdBy } = body
    assert.deepEqual(
      { entity, name, size, mime, owner, ownerId, state, description, createdBy },
      {
        entity: 'File',
        name: 'hello.txt',
        size: 5,
        mime: 'text/plain',
        owner: ownerKind.tenant,
        ownerId: '',
        state: fileState.ready,
        description: 'to read',
        createdBy: bob.id,
      },
    )
    assert.equal(body.sha256, sha256('hello'))
    assert.equal(readFileSync(place(body.sha256), 'utf8'), 'hello')
    assert.deepEqual(await happened(1), ['file.created'])
    assert.deepEqual(arriving(), [])
  })

  test('of identical bytes is stored once, with a record for each upload', async () => {
    const [one, two] = [await upload(bob, 'twice'), await upload(ada, 'twice')]
    assert.notEqual(one.id, two.id)
    assert.equal(one.sha256, two.sha256)
    await bob.delete(`/file/${one.id}`)
    assert.equal((await download(bob, two.id)).bytes.toString(), 'twice')
    const theirs = await upload(eve, 'twice')
    assert.ok(existsSync(place(theirs.sha256, eve.tenantId)), 'each tenant has its own copy')
  })

  test('is complete for each of many concurrent clients', async () => {
    const bytes = Buffer.alloc(300_000, 'together')
    const made = await Promise.all(Array.from({ length: 8 }, () => upload(bob, bytes)))
    for (const { id } of made) assert.ok((await download(bob, id)).bytes.equals(bytes))
    assert.deepEqual(arriving(), [])
  })

  test('can be empty, or exactly as large as the limit', async () => {
    const empty = await upload(bob, '')
    assert.deepEqual(
      [
        empty.size,
        (await download(bob, empty.id)).bytes.length,
        (await download(bob, empty.id)).header('content-length'),
      ],
      [0, 0, '0'],
    )
    assert.equal((await upload(bob, Buffer.alloc(limit))).size, limit)
  })

  test('that is too large is refused, and nothing is stored', async () => {
    const { status, body } = await send(bob, { file: blob(Buffer.alloc(limit + 1)) })
    assert.deepEqual([status, body.code], [413, 'too-large'])
    assert.deepEqual(arriving(), [])
  })

  test('keeps the file name without its path and without deceptive characters', async () => {
    for (const [given, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Windows\\system32\\evil.exe', 'evil.exe'],
      ['Grüße 世界 🎉.txt', 'Grüße 世界 🎉.txt'],
      ['photo\u202Egnp.exe', 'photognp.exe'],
      ['..', 'file'],
      [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ] as const) {
      assert.equal((await upload(bob, 'x', {}, given)).name, kept)
    }
    assert.deepEqual(readdirSync(join(dataDir, 'files')).sort(), [ada.tenantId, eve.tenantId, 'arriving'].sort())
  })

  test('has the media type of its bytes, not the one that the client declares', async () => {
    assert.equal((await upload(bob, png, {}, 'picture.html')).mime, 'image/png')
    assert.equal((await upload(bob, '<!DOCTYPE html><script>alert(1)</script>', {}, 'picture.png')).mime, 'text/html')
    assert.equal(
      (await upload(bob, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', {}, 'picture.png')).mime,
      'image/svg+xml',
    )
  })

  test('reports all faults of the form', async () => {
    const faults = async (fields: Sent) => {
      const { status, body } = await send(bob, fields)
      return [status, body.Fields.map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`)]
    }
    assert.deepEqual(await faults({ owner: '0' }), [400, ['file required']])
    assert.deepEqual(await faults({ file: blob('a'), more: blob('b') }), [400, ['file maxItems']])
    assert.deepEqual(await faults({ file: blob('a'), owner: 'three', descripton: 'x' }), [
      400,
      ['descripton unknown', 'owner type'],
    ])
    assert.deepEqual(await faults({ file: blob('a'), owner: '3', ownerId: crypto.randomUUID() }), [
      422,
      ['ownerId unknown-reference'],
    ])
    const nul = await send(bob, { file: blob('a'), description: 'a\u0000b' })
    assert.deepEqual([nul.status, nul.body.code], [400, 'unstorable-text'])
    assert.deepEqual(arriving(), [])
  })

  test('must be a form from a caller with permission', async () => {
    assert.deepEqual(
      [(await bob.ask('POST', '/file', { body: { name: 'x' } })).status, (await bob.ask('POST', '/file')).status],
      [415, 415],
    )
    assert.equal(
      (await bob.ask('POST', '/clock', { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }))
        .status,
      415,
    )
    assert.equal((await send(nobody, { file: blob('x') })).status, 401)
    assert.equal((await send(vera, { file: blob('x') })).status, 403)
    const broken = await bob.ask('POST', '/file', {
      body: '--x\r\nnonsense',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    assert.deepEqual([broken.status, broken.body.code], [400, 'malformed-form'])
  })

  test('is stored once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'upload-1' }
    const first = await send(bob, { file: blob('once') }, { headers })
    const again = await send(bob, { file: blob('once') }, { headers })
    assert.deepEqual(
      [again.status, again.body.id, again.headers.get('idempotency-replayed')],
      [201, first.body.id, 'true'],
    )
    assert.equal((await send(bob, { file: blob('other') }, { headers })).status, 422)
    assert.deepEqual(arriving(), [])
  })

  test('as a dry run stores no record', async () => {
    const { status, body } = await send(bob, { file: blob('never stored') }, { query: '?dryRun=true' })
    assert.deepEqual([status, body.would.size], [200, 12])
    assert.equal((await bob.ask('GET', `/file/${body.would.id}`)).status, 404)
  })

  test('that is interrupted leaves nothing', async () => {
    await new Promise<void>(resolve => {
      const sending = request(`${bob.base}/api/file`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bob.key}`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': '500000',
        },
      })
      sending.on('error', () => resolve())
      sending.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n')
      sending.write('x'.repeat(100_000))
      setTimeout(() => sending.destroy(new Error('gone')), 100)
    })
    await until(() => arriving().length === 0, arriving)
  })
})

describe('bytes and rows', () => {
  test('a row that cannot be written leaves bytes without a row, never a row without bytes', async () => {
    const rows = (hash: string) =>
      database.single(
        tenantCaller(ada.tenantId),
        ctx => ctx.sql`select 1 from file where tenant_id = ${ada.tenantId} and sha256 = ${hash}`,
      )
    const blobs = openBlobs({ dataDir, fileLimit: limit })
    const { storeFile } = await import('./file.ts')
    const arrived = await blobs.arrive(
      (async function* () {
        yield Buffer.from('unlucky')
      })(),
    )
    const values = { name: 'x', mime: 'text/plain', owner: ownerKind.tenant, ownerId: '', description: '' }
    const failing = database.transaction(tenantCaller(ada.tenantId), async ctx => {
      await storeFile(ctx, { ...values, arrived })
      throw new Error('the commit did not come through')
    })
    await assert.rejects(failing)
    assert.deepEqual([existsSync(place(arrived.sha256)), (await rows(arrived.sha256)).length], [true, 0])

    // In the opposite case, if the bytes cannot be stored, there is no row.
    const lost = await blobs.arrive(
      (async function* () {
        yield Buffer.from('never there')
      })(),
    )
    unlinkSync(lost.path)
    await assert.rejects(
      database.transaction(tenantCaller(ada.tenantId), ctx => storeFile(ctx, { ...values, arrived: lost })),
    )
    assert.equal((await rows(lost.sha256)).length, 0)
  })

  test('an upload to a full disk is refused, and leaves nothing', async () => {
    const blobs = openBlobs({ dataDir, fileLimit: limit, minFreeBytes: Number.MAX_SAFE_INTEGER })
    const before = arriving()
    await assert.rejects(blobs.arrive(Readable.from([Buffer.from('too much')])), { code: 'ENOSPC' })
    assert.deepEqual(arriving(), before)
  })

  test('bytes without a row are removed after a day, those of a deleted file stay', async () => {
    const orphan = sha256('unlucky')
    const { id, sha256: kept } = await upload(bob, 'deleted, and can come back')
    await bob.delete(`/file/${id}`)
    writeFileSync(join(dataDir, 'files', 'arriving', 'left'), 'x')
    const sweep = () => sweepFiles(database).run(new AbortController().signal)
    await sweep()
    assert.ok(existsSync(place(orphan)), 'too young')
    const old = new Date(Date.now() - 25 * 3_600_000)
    for (const path of [place(orphan), place(kept), join(dataDir, 'files', 'arriving', 'left')])
      utimesSync(path, old, old)
    await sweep()
    assert.deepEqual([existsSync(place(orphan)), existsSync(place(kept)), arriving()], [false, true, []])
    await bob.must('POST', `/file/${id}/restore`)
    assert.equal((await download(bob, id)).status, 200)
  })
})

describe('a download', () => {
  test('is saved under its name, cannot run as a page, and is not cached by proxies', async () => {
    const { id, sha256: hash } = await upload(bob, '<html><script>alert(1)</script>', {}, 'Grüße "a".html')
    const { status, bytes, header } = await download(bob, id)
    assert.deepEqual(
      [status, bytes.toString(), header('content-length'), header('content-type')],
      [200, '<html><script>alert(1)</script>', '31', 'text/html; charset=utf-8'],
    )
    assert.equal(
      header('content-disposition'),
      `attachment; filename="Grue _a_.html"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22a%22.html`,
    )
    assert.deepEqual(
      [
        'etag',
        'x-content-type-options',
        'content-security-policy',
        'cache-control',
        'accept-ranges',
        'cross-origin-resource-policy',
      ].map(header),
      [`"${hash}"`, 'nosniff', "sandbox; default-src 'none'", 'private, no-store', 'bytes', 'same-origin'],
    )
  })

  test('is shown inline only if it is an image of a safe type', async () => {
    const picture = await upload(bob, png, {}, 'dot.png')
    const page = await upload(bob, '<svg onload="alert(1)"/>', {}, 'dot.png')
    const shown = async (id: string, query: string) =>
      (await download(bob, id, {}, 'GET', query)).header('content-disposition')?.split(';')[0]
    assert.deepEqual(
      [await shown(picture.id, ''), await shown(picture.id, '?inline=true'), await shown(page.id, '?inline=true')],
      ['attachment', 'inline', 'attachment'],
    )
  })

  test('returns the requested range', async () => {
    const { id } = await upload(bob, '0123456789')
    const stretch = async (range: string, more = {}) => {
      const { status, bytes, header } = await download(bob, id, { range, ...more })
      return [status, bytes.toString(), header('content-range')]
    }
    assert.deepEqual(await stretch('bytes=2-4'), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await stretch('bytes=8-'), [206, '89', 'bytes 8-9/10'])
    assert.deepEqual(await stretch('bytes=-3'), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await stretch('bytes=0-999'), [206, '0123456789', 'bytes 0-9/10'])
    assert.deepEqual(await stretch('bytes=0-1,4-5'), [200, '0123456789', null])
    assert.deepEqual(await stretch('lines=1-2'), [200, '0123456789', null])
    const beyond = await download(bob, id, { range: 'bytes=10-' })
    assert.deepEqual(
      [
        beyond.status,
        beyond.header('content-range'),
        beyond.header('content-type'),
        JSON.parse(beyond.bytes.toString()).code,
      ],
      [416, 'bytes */10', 'application/problem+json; charset=utf-8', 'no-such-range'],
    )
  })

  test('confirms a cached copy', async () => {
    const { id, sha256: hash } = await upload(bob, 'cached')
    assert.equal((await download(bob, id, { 'if-none-match': `"${hash}"` })).status, 304)
    assert.equal((await download(bob, id, { 'if-none-match': `"v1", W/"${hash}"` })).status, 304)
    assert.equal((await download(bob, id, { 'if-none-match': '"other"' })).status, 200)
    assert.equal((await download(bob, id, { range: 'bytes=0-0', 'if-range': `"${hash}"` })).status, 206)
    assert.equal((await download(bob, id, { range: 'bytes=0-0', 'if-range': '"other"' })).status, 200)
  })

  test('HEAD returns only the headers', async () => {
    const { id } = await upload(bob, 'headers')
    const { status, bytes, header } = await download(bob, id, {}, 'HEAD')
    assert.deepEqual(
      [status, bytes.length, header('content-length'), header('content-type')],
      [200, 0, '7', 'text/plain; charset=utf-8'],
    )
  })

  test('in quarantine is refused with its reason', async () => {
    const { id } = await upload(bob, 'virus')
    await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update file set state = ${fileState.quarantined} where tenant_id = ${ada.tenantId} and id = ${id}`,
    )
    const { status, bytes } = await download(bob, id)
    assert.deepEqual([status, JSON.parse(bytes.toString()).code], [403, 'quarantined'])
  })

  test('absent, deleted, foreign and invisible files get the same reply', async () => {
    const gone = await upload(bob, 'gone')
    await bob.delete(`/file/${gone.id}`)
    const theirs = await upload(eve, 'theirs')
    const hidden = await ada.post('/docs/doc', {
      name: 'Hidden',
      context: [
        { owner: ownerKind.container, ownerId: (await ada.post('/container', { name: 'Vault', private: true })).id },
      ],
    })
    const unseen = await upload(ada, 'unseen', { owner: '10', ownerId: hidden.id })
    const answers = await Promise.all(
      [crypto.randomUUID(), 'nonsense', gone.id, theirs.id, unseen.id].map(async id => {
        const { status, bytes } = await download(bob, id)
        const { traceId, instance, ...rest } = JSON.parse(bytes.toString())
        return JSON.stringify([status, rest])
      }),
    )
    assert.equal(new Set(answers).size, 1, answers.join('\n'))
    assert.match(answers[0] ?? '', /^\[404/)
  })
})

describe('the visibility of a file', () => {
  test('follows the record that it belongs to', async () => {
    const desk = await ada.post('/container', { name: 'Desk' })
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const open = await upload(ada, 'open', { owner: '1', ownerId: desk.id })
    const shut = await upload(ada, 'shut', { owner: '1', ownerId: vault.id })
    assert.deepEqual(
      [
        (await download(bob, open.id)).status,
        (await download(bob, shut.id)).status,
        (await download(ada, shut.id)).status,
      ],
      [200, 404, 200],
    )
    assert.deepEqual(
      [
        (await bob.ask('GET', `/file/${shut.id}`)).status,
        (await bob.get(`/file?ownerId=${vault.id}`)).length,
        (await bob.get(`/file?ownerId=${desk.id}`)).length,
      ],
      [404, 0, 1],
    )
    assert.equal((await send(bob, { file: blob('x'), owner: '1', ownerId: vault.id })).status, 422)
    await ada.delete(`/container/${desk.id}`)
    assert.equal((await download(ada, open.id)).status, 404, 'a file is removed together with its owner')
  })

  test('files of a document follow the document in every operation', async () => {
    const mine = await bob.post('/docs/doc', { name: 'Mine' })
    const { id } = await upload(bob, 'attached', { owner: '10', ownerId: mine.id })
    assert.deepEqual([(await download(vera, id)).status, (await download(rita, id)).status], [200, 404])
    await bob.delete(`/docs/doc/${mine.id}`)
    assert.equal((await download(ada, id)).status, 404)
  })

  test('of an annotation or a room follows the owner of these, and the folders that it is in', async () => {
    const nobody = await ada.post('/user-group', { name: 'Nobody', members: [] })
    const closed = await ada.post('/docs/folder', { name: 'Closed', restrictedTo: [nobody.id] })
    const folders = {
      open: await ada.post('/docs/folder', { name: 'Open' }),
      shut: await ada.post('/docs/folder', { name: 'Shut', parentId: closed.id }),
    }
    for (const [name, folder] of Object.entries(folders)) {
      const document = await ada.post('/docs/doc', { name, folderId: folder.id })
      for (const [owner, { id }] of [
        [ownerKind.document, document],
        [ownerKind.folder, folder],
      ] as const) {
        const about = { owner, ownerId: id }
        const note = await ada.post('/annotation', { ...about, body: 'See the file.' })
        const room = await ada.post('/chat', { ...about, name: `${name} ${owner}` })
        const seen = [
          about,
          { owner: ownerKind.annotation, ownerId: note.id },
          { owner: ownerKind.chatRoom, ownerId: room.id },
        ]
        for (const at of seen) {
          const file = await upload(ada, `${name} ${at.owner}`, { owner: String(at.owner), ownerId: at.ownerId })
          const status = name === 'open' ? 200 : 404
          assert.equal((await download(bob, file.id)).status, status, `${name}: a file of ${at.owner} at ${owner}`)
          assert.equal((await bob.get(`/file?ownerId=${at.ownerId}`)).length, name === 'open' ? 1 : 0)
          assert.equal((await download(ada, file.id)).status, 200)
        }
      }
    }
  })

  test('a requester sees the files of their own tickets, and can add files', async () => {
    const sam = await person({ name: 'Sam', role: roleCode.requester, kind: userKind.requester })
    const desk = await ada.post('/container', { name: 'Help' })
    const ticket = await ada.post('/item', { title: 'Broken screen', containerId: desk.id, requesterId: rita.id })
    const answer = await upload(bob, 'turn it off and on', { owner: '3', ownerId: ticket.id })
    const photo = await upload(rita, png, { owner: '3', ownerId: ticket.id }, 'screen.png')
    for (const { id } of [answer, photo]) {
      assert.deepEqual(
        [(await download(rita, id)).status, (await download(bob, id)).status, (await download(sam, id)).status],
        [200, 200, 404],
      )
    }
    assert.equal((await send(sam, { file: blob('x'), owner: '3', ownerId: ticket.id })).status, 422)
    assert.equal((await rita.ask('DELETE', `/file/${answer.id}`)).status, 403)
    assert.equal((await rita.ask('DELETE', `/file/${photo.id}`)).status, 204)
  })

  test('a role in one container applies to the files there, and to no others', async () => {
    const hired = await person({ name: 'Hana', role: noRole })
    const site = await ada.post('/container', { name: 'Site' })
    const other = await ada.post('/container', { name: 'Other' })
    await ada.post('/access-control', {
      userId: hired.id,
      owner: ownerKind.container,
      ownerId: site.id,
      role: roleCode.member,
    })
    const task = await ada.post('/item', { title: 'Paint it', containerId: site.id })
    const plan = await upload(ada, 'plan', { owner: '3', ownerId: task.id })
    const sketch = await upload(hired, 'sketch', { owner: '3', ownerId: task.id })
    assert.deepEqual([(await download(hired, plan.id)).status, (await download(hired, sketch.id)).status], [200, 200])
    assert.equal((await hired.ask('PUT', `/file/${plan.id}`, { body: { description: 'seen' } })).status, 200)
    assert.deepEqual(
      (await hired.get('/file')).map((each: { id: string }) => each.id),
      [plan.id, sketch.id],
    )
    assert.equal((await send(hired, { file: blob('x'), owner: '1', ownerId: other.id })).status, 403)
    assert.equal((await send(hired, { file: blob('x') })).status, 403)
  })

  test('files of the tenant are visible to its staff, and to the user who uploaded them', async () => {
    const { id } = await upload(bob, 'for all')
    const own = await upload(rita, 'from outside')
    assert.deepEqual(
      [(await download(vera, id)).status, (await download(rita, id)).status, (await download(rita, own.id)).status],
      [200, 404, 200],
    )
  })

  test('a requester changes only files that they uploaded', async () => {
    const own = await upload(rita, 'my own')
    assert.equal((await rita.ask('PUT', `/file/${own.id}`, { body: { name: 'renamed.txt' } })).status, 200)
    assert.equal((await rita.ask('DELETE', `/file/${own.id}`)).status, 204)
    assert.equal((await vera.ask('PUT', `/file/${own.id}`, { body: { name: 'x' } })).status, 403)
  })
})

describe('the record of a file', () => {
  test('can change its name and description, but not what its bytes determine', async () => {
    const made = await upload(bob, 'facts')
    const changed = await bob.put('/file', {
      ...made,
      name: '../new\u0007name.txt',
      description: 'described',
      size: 7,
      sha256: 'x',
      mime: 'text/html',
      owner: ownerKind.item,
      state: fileState.quarantined,
    })
    assert.deepEqual(
      [changed.name, changed.description, changed.size, changed.sha256, changed.mime, changed.owner, changed.state],
      ['newname.txt', 'described', 5, made.sha256, 'text/plain', ownerKind.tenant, fileState.ready],
    )
    assert.equal((await bob.ask('PUT', `/file/${made.id}`, { body: { name: '///' } })).status, 400)
    const history = await bob.get(`/file/${made.id}/history`)
    assert.deepEqual(
      history.map((event: { type: string }) => event.type),
      ['file.created', 'file.updated'],
    )
  })
})
