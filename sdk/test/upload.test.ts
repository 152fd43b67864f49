import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { asOwner } from '../../server/test/support/database/database.ts'
import { startTestService } from '../../server/test/support/people.ts'
import { apiKey, codes, connect, isProblem } from '../src/sdk.ts'
import { resumeUpload, uploadFile } from '../src/upload.ts'
import { proxyBefore } from './proxy.ts'

const MiB = 1024 * 1024
const bytes = randomBytes(10 * MiB + 1)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const large = new File([bytes], 'Größe.bin')

describe('an upload', async () => {
  const { ada, databaseUrl } = await startTestService({ FILE_LIMIT_BYTES: String(16 * MiB) })
  const proxy = await proxyBefore(ada.base)
  const gantry = connect({ url: proxy.url, auth: apiKey(ada.key) })

  /** The methods of the requests since the last call, and the bytes that they had. */
  function sent() {
    const { seen, bytes: sum } = proxy
    proxy.seen = []
    proxy.bytes = 0
    return { methods: seen.map(each => each.split(' ')[0]).join(' '), sum }
  }

  test('sends a large file in parts, with its properties, and tells how far it is', async () => {
    const item = await ada.post('/item', { title: 'With a file' })
    const steps: number[] = []
    const { file, changeSet } = await uploadFile(
      gantry,
      { file: large, owner: codes.owner.item, ownerId: item.id, description: '„Groß“' },
      { onProgress: (stored, size) => steps.push(stored / size) },
    )
    assert.deepEqual([file.name, file.sha256, file.ownerId, file.description], ['Größe.bin', sha256, item.id, '„Groß“'])
    assert.deepEqual(sent(), { methods: 'POST PATCH PATCH PATCH GET', sum: large.size })
    assert.deepEqual(
      steps.map(each => Math.floor(each * 100)),
      [0, 39, 79, 100],
    )
    await ada.post(`/change/${changeSet}/undo`, {})
    assert.equal((await ada.ask('GET', `/file/${file.id}`)).status, 404)
  })

  test('sends a small file in one request', async () => {
    const { file } = await uploadFile(gantry, { file: new File(['small'], 'small.txt') })
    assert.deepEqual([file.name, file.size, sent().methods], ['small.txt', 5, 'POST'])
  })

  test('goes on after a lost connection, and sends no stored part again', async () => {
    const partBytes = 2 * MiB
    let patches = 0
    proxy.treat = method => (method === 'PATCH' && ++patches === 4 ? { cutAfter: MiB } : 'forward')
    const { file } = await uploadFile(gantry, { file: large }, { partBytes })
    assert.equal(file.sha256, sha256)
    const { methods, sum } = sent()
    assert.match(methods, /^POST PATCH PATCH PATCH PATCH GET /)
    // The part that was cut, and once more if the service was still storing it when it was asked how far it is.
    assert.ok(sum <= large.size + 2 * partBytes, `${sum} bytes`)
  })

  test('whose last reply is lost is finished', async () => {
    let patches = 0
    proxy.treat = method => (method === 'PATCH' && ++patches === 3 ? 'lose the answer' : 'forward')
    assert.equal((await uploadFile(gantry, { file: large })).file.sha256, sha256)
    assert.deepEqual(sent(), { methods: 'POST PATCH PATCH PATCH GET GET', sum: large.size })
  })

  test('is tried again as often as other requests', async () => {
    proxy.treat = method => (method === 'PATCH' ? { status: 503, headers: { 'retry-after': '0' } } : 'forward')
    await assert.rejects(uploadFile(gantry, { file: large }), error => isProblem(error) && error.status === 503)
    assert.equal(sent().methods, `POST PATCH${' GET PATCH'.repeat(4)}`)
    proxy.treat = () => 'forward'
  })

  test('that was stopped is resumed with its id, by the same file alone', async () => {
    const stop = new AbortController()
    let id = ''
    const stopped = uploadFile(
      gantry,
      { file: large },
      {
        signal: stop.signal,
        onBegin: begun => (id = begun),
        onProgress: stored => stored > 0 && stop.abort(new Error('stopped')),
      },
    )
    await assert.rejects(stopped, /stopped/)
    assert.equal((await ada.get(`/file/upload/${id}`)).offset, 4 * MiB)
    sent()
    await assert.rejects(resumeUpload(gantry, id, new Blob(['another'])), TypeError)
    const { file } = await resumeUpload(gantry, id, large)
    assert.deepEqual([file.id, file.sha256], [id, sha256])
    assert.equal(sent().sum, large.size - 4 * MiB)
    assert.deepEqual((await resumeUpload(gantry, id, large)).file, file, 'one that is finished stays so')
  })

  test('is refused before its bytes are sent: a file that is too large, and one above the quota', async () => {
    sent()
    const larger = uploadFile(gantry, { file: new Blob([bytes, bytes]) })
    await assert.rejects(larger, error => isProblem(error, 'too-large') && error.status === 413)
    await asOwner(databaseUrl, undefined, 'update tenant set operating = true where id = $1', [ada.tenantId])
    const { tenant, RawKey } = await ada.post('/tenant', { name: 'Small', email: 's@example.com', startHere: false })
    await ada.must('PATCH', `/tenant/${tenant.id}`, { body: { quotas: { storageBytes: 5 * MiB } } })
    const small = connect({ url: proxy.url, auth: apiKey(RawKey) })
    await assert.rejects(
      uploadFile(small, { file: large }),
      error => isProblem(error) && error.status === 422 && error.body.quota === 'storageBytes',
    )
    assert.deepEqual(sent(), { methods: 'POST POST', sum: 0 })
  })
})
