import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DetailedError, Upload } from 'tus-js-client'
import { asOwner } from '../../../../test/support/database/database.ts'
import { multipart } from '../../../../test/support/multipart.ts'
import { Person, startTestService } from '../../../../test/support/people.ts'
import { eventually, until } from '../../../../test/support/until.ts'
import { roleCode } from '../../../kernel/access.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { fileState } from '../file-state.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { tusMedia } from './tus-protocol.ts'

const limit = 32 * 1024 * 1024
const service = await startTestService({ FILE_LIMIT_BYTES: String(limit) })
const { ada, bob, eve, nobody, person, happened, database, dataDir } = service

const base64 = (text: string) => Buffer.from(text).toString('base64')
const metadataOf = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',')
const tus = { 'tus-resumable': '1.0.0' }

function begin(who: Person, length: number, values: Record<string, string> = { filename: 'a.bin' }) {
  return who.ask('POST', '/file/upload', {
    headers: { ...tus, 'upload-length': String(length), 'upload-metadata': metadataOf(values) },
  })
}

/** The id of a new upload. */
async function begun(who: Person, length: number, values?: Record<string, string>): Promise<string> {
  const { status, body } = await begin(who, length, values)
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

function append(who: Person, id: string, offset: number, bytes: Buffer | string, more: Record<string, string> = {}) {
  return who.ask('PATCH', `/file/upload/${id}`, {
    body: Buffer.from(bytes),
    headers: { ...tus, 'content-type': tusMedia, 'upload-offset': String(offset), ...more },
  })
}

const offsetOf = async (who: Person, id: string) =>
  Number((await who.ask('HEAD', `/file/upload/${id}`, { headers: tus })).headers.get('upload-offset'))

const folderOf = (id: string) => join(dataDir, 'uploads', bob.tenantId, id)
const partsOf = (id: string) => (existsSync(folderOf(id)) ? readdirSync(folderOf(id)) : [])

async function downloaded(who: Person, id: string): Promise<Buffer> {
  const response = await fetch(`${who.base}/api/file/download/${id}`, {
    headers: { authorization: `Bearer ${who.key}` },
  })
  return Buffer.from(await response.arrayBuffer())
}

/** Sends some bytes of a longer body, and loses the connection when `lost` holds. */
async function interrupted(who: Person, id: string, bytes: Buffer, length: number, lost: () => Promise<boolean>) {
  const sent = request(`${who.base}/api/file/upload/${id}`, {
    method: 'PATCH',
    headers: {
      ...tus,
      authorization: `Bearer ${who.key}`,
      'content-type': tusMedia,
      'content-length': String(length),
      'upload-offset': '0',
    },
  })
  sent.on('error', () => {})
  sent.write(bytes)
  await until(lost)
  sent.destroy()
}

describe('an upload in several requests', () => {
  test('tells what is supported', async () => {
    const { status, headers } = await bob.ask('OPTIONS', '/file/upload')
    assert.equal(status, 204)
    assert.deepEqual(
      ['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'tus-checksum-algorithm'].map(name =>
        headers.get(name),
      ),
      [
        '1.0.0',
        '1.0.0',
        'creation,creation-with-upload,termination,checksum,expiration',
        String(limit),
        'sha1,sha256,sha512,md5',
      ],
    )
  })

  test('becomes a file like any other', async () => {
    const desk = await ada.post('/container', { name: 'Desk' })
    const item = await bob.post('/item', { containerId: desk.id, title: 'Broken' })
    const created = await begin(bob, 10, {
      filename: 'über.txt',
      filetype: 'image/png',
      owner: String(ownerKind.item),
      ownerId: item.id,
      description: 'a log',
    })
    const { id } = created.body
    assert.equal(created.headers.get('location'), `/api/file/upload/${id}`)
    assert.ok(Date.parse(created.headers.get('upload-expires') ?? '') > Date.now())
    const first = await append(bob, id, 0, 'hello')
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '5'])
    assert.equal((await bob.ask('GET', `/file/${id}`)).status, 404)
    const last = await append(bob, id, 5, 'world')
    assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, '10'])
    const { name, size, mime, sha256, owner, ownerId, state, description, createdBy } = await bob.get(`/file/${id}`)
    assert.deepEqual(
      { name, size, mime, sha256, owner, ownerId, state, description, createdBy },
      {
        name: 'über.txt',
        size: 10,
        mime: 'text/plain',
        sha256: createHash('sha256').update('helloworld').digest('hex'),
        owner: ownerKind.item,
        ownerId: item.id,
        state: fileState.ready,
        description: 'a log',
        createdBy: bob.id,
      },
    )
    assert.deepEqual((await happened(1)).at(-1), 'file.created')
    assert.equal((await downloaded(bob, id)).toString(), 'helloworld')
    assert.deepEqual(partsOf(id), [])
    const { headers } = await bob.ask('HEAD', `/file/upload/${id}`, { headers: tus })
    assert.deepEqual(
      ['upload-offset', 'upload-length', 'cache-control', 'tus-resumable'].map(each => headers.get(each)),
      ['10', '10', 'no-store', '1.0.0'],
    )
    assert.match(headers.get('upload-metadata') ?? '', /^filename w7xiZXIudHh0,/)
    assert.equal((await bob.get(`/file/upload/${id}`)).finished, true)
  })

  test('may begin with bytes, have all of them at once, or none at all', async () => {
    const beginWith = (length: number, body: string, more: Record<string, string> = {}) =>
      bob.ask('POST', '/file/upload', {
        body: Buffer.from(body),
        headers: { ...tus, 'content-type': tusMedia, 'upload-length': String(length), ...more },
      })
    const part = await beginWith(8, 'half')
    assert.deepEqual([part.status, part.headers.get('upload-offset'), part.body.finished], [201, '4', false])
    assert.equal((await append(bob, part.body.id, 4, 'half')).status, 204)
    assert.equal((await downloaded(bob, part.body.id)).toString(), 'halfhalf')
    const all = await beginWith(5, 'whole')
    assert.deepEqual([all.body.offset, all.body.finished], [5, true])
    assert.equal((await bob.get(`/file/${all.body.id}`)).size, 5)
    const none = await begin(bob, 0)
    assert.deepEqual([none.body.finished, (await bob.get(`/file/${none.body.id}`)).size], [true, 0])
    const key = { 'idempotency-key': 'again' }
    const again = [await beginWith(5, 'twice', key), await beginWith(5, 'twice', key)]
    assert.equal(again[0]?.body.id, again[1]?.body.id)
    assert.equal((await beginWith(5, 'other', key)).status, 422)
    assert.equal((await beginWith(2, 'more')).status, 413)
  })

  test('refuses bytes at another offset, and tells the right one', async () => {
    const id = await begun(bob, 6)
    await append(bob, id, 0, 'abc')
    for (const offset of [0, 2, 6]) {
      const { status, body, headers } = await append(bob, id, offset, 'def')
      assert.deepEqual([status, body.code, headers.get('upload-offset')], [409, 'wrong-offset', '3'])
    }
    assert.equal((await append(bob, id, 3, 'defg')).status, 413)
    assert.equal(await offsetOf(bob, id), 3)
  })

  test('stores none of the bytes whose checksum is wrong', async () => {
    const id = await begun(bob, 6)
    const checksum = (text: string, algorithm = 'sha1') => ({
      'upload-checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`,
    })
    const wrong = await append(bob, id, 0, 'abc', checksum('abd'))
    assert.deepEqual([wrong.status, wrong.body.code], [460, 'checksum-mismatch'])
    assert.deepEqual([await offsetOf(bob, id), partsOf(id)], [0, []])
    assert.equal((await append(bob, id, 0, 'abc', { 'upload-checksum': 'crc32 AAAA' })).status, 400)
    assert.equal((await append(bob, id, 0, 'abc', checksum('abc'))).status, 204)
    assert.equal((await append(bob, id, 3, 'def', checksum('def', 'sha256'))).status, 204)
    assert.equal((await downloaded(bob, id)).toString(), 'abcdef')
  })

  test('keeps what had arrived when the connection was lost', async () => {
    const bytes = randomBytes(12 * 1024 * 1024)
    const id = await begun(bob, bytes.length)
    const some = bytes.subarray(0, 10 * 1024 * 1024)
    const onDisk = () => partsOf(id).reduce((sum, part) => sum + statSync(join(folderOf(id), part)).size, 0)
    await interrupted(bob, id, some, bytes.length, async () => onDisk() === some.length)
    const offset = await eventually(
      () => offsetOf(bob, id),
      stored => stored === some.length,
    )
    assert.equal((await append(bob, id, offset, bytes.subarray(offset))).status, 204)
    assert.ok((await downloaded(bob, id)).equals(bytes))
  })

  test('has one winner of two requests at once', async () => {
    const id = await begun(bob, 6)
    const answers = await Promise.all(['abc', 'xyz'].map(bytes => append(bob, id, 0, bytes)))
    assert.deepEqual(answers.map(each => each.status).sort(), [204, 409])
    const winner = answers[0]?.status === 204 ? 'abc' : 'xyz'
    const ends = await Promise.all(['def', 'uvw'].map(bytes => append(bob, id, 3, bytes)))
    assert.deepEqual(ends.map(each => each.status).sort(), [204, 409])
    assert.equal((await downloaded(bob, id)).toString(), winner + (ends[0]?.status === 204 ? 'def' : 'uvw'))
  })

  test('can be ended by its user', async () => {
    const id = await begun(bob, 6)
    await append(bob, id, 0, 'abc')
    assert.equal((await bob.ask('DELETE', `/file/upload/${id}`, { headers: tus })).status, 204)
    assert.deepEqual(partsOf(id), [])
    assert.equal((await append(bob, id, 3, 'def')).status, 404)
    assert.equal((await bob.ask('DELETE', `/file/upload/${id}`)).status, 404)
  })

  test('is absent for everybody else', async () => {
    const id = await begun(bob, 6)
    const absent = '01890000-0000-7000-8000-000000000000'
    const asked = async (who: Person, which: string) => {
      const answers = [
        await who.ask('GET', `/file/upload/${which}`),
        await append(who, which, 0, 'abc'),
        await who.ask('DELETE', `/file/upload/${which}`),
      ]
      return answers.map(({ status, body }) => [status, body.code, body.detail, body.Fields])
    }
    for (const who of [ada, eve]) {
      assert.deepEqual(await asked(who, id), await asked(who, absent))
      assert.equal((await who.ask('GET', `/file/upload/${id}`)).status, 404)
    }
    assert.equal((await nobody.ask('HEAD', `/file/upload/${id}`)).status, 401)
    assert.equal(await offsetOf(bob, id), 0)
  })

  test('changes nothing in a dry run', async () => {
    const id = await begun(bob, 6)
    const { status } = await bob.ask('PATCH', `/file/upload/${id}?dryRun=true`, {
      body: Buffer.from('abcdef'),
      headers: { ...tus, 'content-type': tusMedia, 'upload-offset': '0' },
    })
    assert.equal(status, 200)
    assert.deepEqual([await offsetOf(bob, id), (await bob.ask('GET', `/file/${id}`)).status], [0, 404])
  })

  test('refuses what it cannot read', async () => {
    const answers = [
      await bob.ask('POST', '/file/upload', { headers: tus }),
      await bob.ask('POST', '/file/upload', { headers: { ...tus, 'upload-length': '-1' } }),
      await bob.ask('POST', '/file/upload', { headers: { ...tus, 'upload-defer-length': '1' } }),
      await begin(bob, 1, { filename: 'a', colour: 'red' }),
      await begin(bob, 1, { owner: 'many' }),
      await bob.ask('POST', '/file/upload', {
        headers: { ...tus, 'upload-length': '1', 'upload-metadata': 'name ***' },
      }),
    ]
    assert.deepEqual(
      answers.map(each => each.status),
      [400, 400, 400, 400, 400, 400],
    )
    for (const { body } of answers) assert.ok(body.Fields.length > 0)
    assert.equal((await begin(bob, limit + 1)).status, 413)
    const other = await bob.ask('POST', '/file/upload', { headers: { 'tus-resumable': '0.2.2', 'upload-length': '1' } })
    assert.deepEqual([other.status, other.headers.get('tus-version')], [412, '1.0.0'])
    const id = await begun(bob, 3)
    const untyped = { ...tus, 'content-type': 'text/plain', 'upload-offset': '0' }
    assert.equal((await bob.ask('PATCH', `/file/upload/${id}`, { body: 'abc', headers: untyped })).status, 415)
    assert.equal(
      (await bob.ask('PATCH', '/file/upload/x', { body: 'abc', headers: { ...untyped, 'content-type': tusMedia } }))
        .status,
      404,
    )
  })
})

describe('uploads are bounded', () => {
  test('by the rights at their owner, at the beginning and at the end', async () => {
    const desk = await ada.post('/container', { name: 'Closed', private: true })
    const item = await ada.post('/item', { containerId: desk.id, title: 'Secret' })
    const values = { owner: String(ownerKind.item), ownerId: item.id }
    const carl = await person({ name: 'Carl', role: roleCode.member })
    const refused = await begin(carl, 1, values)
    const vera = await person({ name: 'Vera', role: roleCode.readOnly })
    assert.equal((await begin(vera, 1)).status, 403)
    assert.ok([403, 404, 422].includes(refused.status), String(refused.status))
    const id = await begun(ada, 6, values)
    await append(ada, id, 0, 'abc')
    await ada.delete(`/item/${item.id}`)
    assert.equal((await append(ada, id, 3, 'def')).status, 422)
    assert.equal(await offsetOf(ada, id), 3)
  })

  test('by the quota, which they reserve', async () => {
    await asOwner(service.databaseUrl, undefined, 'update tenant set operating = true where id = $1', [ada.tenantId])
    const { tenant, RawKey, userId } = await ada.post('/tenant', {
      name: 'Small',
      email: 'small@example.com',
      startHere: false,
    })
    await ada.must('PATCH', `/tenant/${tenant.id}`, { body: { quotas: { storageBytes: 10 } } })
    const sam = new Person(ada.base, RawKey, userId, tenant.id)
    const id = await begun(sam, 8)
    const more = [await begin(sam, 3), await sam.ask('POST', '/file', multipart({ file: '123' }))]
    assert.deepEqual(
      more.map(({ status, body }) => [status, body.quota, body.used]),
      [
        [422, 'storageBytes', 8],
        [422, 'storageBytes', 8],
      ],
    )
    assert.equal((await append(sam, id, 0, '12345678')).status, 204)
    const ended = await begun(sam, 2)
    await sam.delete(`/file/upload/${ended}`)
    await begun(sam, 2)
    assert.equal((await sam.get('/tenant/usage')).storageBytes, 8)
  })

  test('by their number', async () => {
    const dora = await person({ name: 'Dora', role: roleCode.member })
    for (let each = 0; each < 20; each++) await begun(dora, 1)
    const { status, body } = await begin(dora, 1)
    assert.deepEqual([status, body.code], [422, 'too-many-uploads'])
  })

  test('by a day without bytes, after which their parts are removed', async () => {
    const kept = await begun(bob, 6)
    const id = await begun(bob, 6)
    await append(bob, id, 0, 'abc')
    const later = (ms: number) =>
      sweepUploads(database, () => new Date(Date.now() + ms)).run(new AbortController().signal)
    await later(0)
    assert.equal(partsOf(id).length, 1)
    await later(25 * 3_600_000)
    assert.deepEqual(partsOf(id), [])
    for (const each of [id, kept]) assert.equal((await bob.ask('GET', `/file/upload/${each}`)).status, 404)
  })

  test('and one whose parts are lost with the disk begins again', async () => {
    const id = await begun(bob, 6)
    await append(bob, id, 0, 'abc')
    rmSync(folderOf(id), { recursive: true })
    assert.equal((await bob.ask('HEAD', `/file/upload/${id}`)).status, 404)
    assert.equal((await append(bob, id, 3, 'def')).status, 404)
  })
})

describe('tus-js-client', () => {
  const headers = { authorization: `Bearer ${bob.key}` }
  const endpoint = `${bob.base}/api/file/upload`

  test('sends a file in chunks', async () => {
    const bytes = randomBytes(3_000_000)
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint,
        headers,
        chunkSize: 1_000_000,
        uploadDataDuringCreation: true,
        metadata: { filename: 'big.bin', filetype: 'application/octet-stream' },
        onError: reject,
        onSuccess: () => resolve(upload.url ?? ''),
      })
      upload.start()
    })
    assert.ok((await downloaded(bob, url.split('/').at(-1) ?? '')).equals(bytes))
  })

  test('goes on with an upload that was aborted, and ends one', async () => {
    const bytes = randomBytes(2_000_000)
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint,
        headers,
        chunkSize: 500_000,
        onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? '')),
        onError: reject,
      })
      upload.start()
    })
    const id = url.split('/').at(-1) ?? ''
    assert.ok((await offsetOf(bob, id)) > 0)
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, { uploadUrl: url, headers, onError: reject, onSuccess: () => resolve() }).start()
    })
    assert.ok((await downloaded(bob, id)).equals(bytes))
    const other = await begun(bob, 6)
    await Upload.terminate(`${endpoint}/${other}`, { headers })
    assert.equal((await bob.ask('GET', `/file/upload/${other}`)).status, 404)
  })

  test('hears what is wrong', async () => {
    const error = await new Promise<unknown>(resolve => {
      const metadata = { owner: 'many' }
      const onSuccess = () => resolve(undefined)
      new Upload(Buffer.from('abc'), { endpoint, headers, metadata, onSuccess, onError: resolve }).start()
    })
    assert.ok(error instanceof DetailedError)
    assert.equal(error.originalResponse?.getStatus(), 400)
  })
})
