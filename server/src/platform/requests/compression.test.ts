import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { request } from 'undici'
import { sharedTestService } from '../../../test/support/people.ts'

const decoders: Record<string, (content: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
}

describe('compression of answers', async () => {
  const { ada } = await sharedTestService()
  for (let i = 0; i < 5; i++)
    await ada.post('/item', { title: `Item ${i}`, description: 'The same words. '.repeat(40) })

  async function ask(path: string, accept: string | undefined, method: 'GET' | 'HEAD' = 'GET') {
    const { statusCode, headers, body } = await request(`${ada.base}${path}`, {
      method,
      headers: { authorization: `Bearer ${ada.key}`, ...(accept === undefined ? {} : { 'accept-encoding': accept }) },
    })
    const bytes = Buffer.from(await body.arrayBuffer())
    const encoding = headers['content-encoding']
    const decode = decoders[String(encoding)]
    return { status: statusCode, headers, encoding, bytes, text: String(decode ? await decode(bytes) : bytes) }
  }

  test('a list, a page and a record come as brotli or gzip, with the same content', async () => {
    const [{ id }] = await ada.get('/item?limit=1')
    for (const path of ['/api/item', '/api/item?limit=3', `/api/item/${id}`]) {
      const plain = await ask(path, undefined)
      assert.deepEqual(
        [plain.status, plain.encoding, plain.headers.vary],
        [200, undefined, 'origin, accept-encoding, prefer'],
        path,
      )
      for (const [accept, expected] of [
        ['gzip, deflate, br', 'br'],
        ['gzip;q=0.8, deflate', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
      ] as const) {
        const { encoding, text, bytes, headers } = await ask(path, accept)
        assert.equal(encoding, expected, `${path} ${accept}`)
        assert.ok(text === plain.text, path)
        assert.ok(bytes.length < plain.bytes.length)
        assert.equal(headers.etag, plain.headers.etag)
      }
    }
  })

  test('what is short, unwanted, a stream or a file comes as it is', async () => {
    assert.equal((await ask('/api/item/NO-1', 'br')).encoding, undefined, 'a short refusal')
    for (const accept of ['identity', 'br;q=0, gzip;q=0.0', 'compress'])
      assert.equal((await ask('/api/item', accept)).encoding, undefined, accept)
    assert.equal((await ask('/api/item', 'br', 'HEAD')).encoding, undefined)
    const events = await ask('/api/event/stream?limit=100', 'br')
    assert.deepEqual([events.status, events.encoding], [200, undefined])
    const file = await ada.must('POST', '/file', {
      body: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${'a;b\n'.repeat(2000)}\r\n--x--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    assert.equal((await ask(`/api/file/download/${file.id}`, 'br')).bytes.length, file.size)
  })
})
