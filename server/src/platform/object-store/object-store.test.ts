import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startS3 } from '../../../test/support/servers/s3.ts'
import { type OutboundTransfer, openOutbound } from '../outbound/outbound.ts'
import { type ObjectContent, openS3, StoreFailure, type StoreFault } from './object-store.ts'
import { refusalOf } from './store-failure.ts'

const s3 = await startS3('bytes')
const store = s3.store()

const content = (bytes: Buffer): ObjectContent => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  read: async () => Readable.from([bytes]),
})
const failure = (fault: StoreFault) => (error: unknown) => error instanceof StoreFailure && error.fault === fault

/** Lets a server play a store until the end of the test file. */
async function playing(server: Server, limits: { stall?: number } = {}) {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const outbound = openOutbound({ http: true, allow: [`127.0.0.1:${port}`], limits })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await outbound.close()
  })
  const transfer = (request: Omit<OutboundTransfer, 'tenantId'>) =>
    outbound.transfer({ ...request, tenantId: 'tenant' })
  return { endpoint: `http://127.0.0.1:${port}`, transfer }
}

test('the store of these tests refuses a wrong signature, so that the others prove something', async () => {
  await assert.rejects(s3.store({ secretKey: 'wrong' }).put('a', content(Buffer.from('a'))), failure('credentials'))
  await assert.rejects(s3.store({ secretKey: 'wrong' }).get('a'), failure('credentials'))
  assert.deepEqual(await s3.keys(), [])
})

test('what is put is read, in whole and in part, measured, listed and removed', async () => {
  const bytes = randomBytes(200_000)
  await store.put('x/one', content(bytes))
  await store.put('x/none', content(Buffer.alloc(0)))
  await store.put('y/other', content(Buffer.from('other')))
  assert.deepEqual(await buffer(await store.get('x/one')), bytes)
  assert.deepEqual(await buffer(await store.get('x/one', { start: 10, end: 19 })), bytes.subarray(10, 20))
  assert.deepEqual(
    [await store.size('x/one'), await store.size('x/none'), await store.size('x/two')],
    [200_000, 0, undefined],
  )
  assert.deepEqual(await Array.fromAsync(store.list('x/')), ['x/none', 'x/one'])
  await store.remove('x/one')
  await store.remove('x/one')
  await assert.rejects(store.get('x/one'), failure('missing'))
  await assert.rejects(s3.store({ bucket: 'nowhere' }).get('x/one'), failure('no-bucket'))
})

// The store of these tests fails at a list that does not fit into one answer, so that this one is played.
test('a list goes on with the token of the page before', async () => {
  const asked: (string | null)[] = []
  const played = createServer((request, response) => {
    const token = new URL(request.url ?? '', 'http://store').searchParams.get('continuation-token')
    asked.push(token)
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>'
    const page = token === null ? `<Contents><Key>one</Key></Contents>${more}` : '<Contents><Key>two</Key></Contents>'
    response.end(`<ListBucketResult>${page}</ListBucketResult>`)
  })
  const listed = openS3({ ...s3.settings, ...(await playing(played)), encrypted: false })
  assert.deepEqual(
    [await Array.fromAsync(listed.list('')), asked],
    [
      ['one', 'two'],
      [null, 'a&b='],
    ],
  )
})

test('large objects are sent in parts, and a broken upload leaves no object', async () => {
  const inParts = s3.store({ parts: { from: 1000, size: 400 } })
  const bytes = randomBytes(1700)
  await inParts.put('large', content(bytes))
  assert.deepEqual(await buffer(await store.get('large')), bytes)
  async function* broken() {
    yield bytes
    throw new Error('the disk is gone')
  }
  await assert.rejects(inParts.put('broken', { ...content(bytes), read: async () => broken() }), /the disk is gone/)
  assert.equal(await store.size('broken'), undefined)
})

test('a store that stops, stalls or breaks off is a failure that can be told from others', async () => {
  await s3.stop()
  await assert.rejects(store.get('x/none'), failure('unreachable'))
  await s3.start()
  assert.equal((await buffer(await store.get('x/none'))).length, 0)
  const silent = createServer(() => {}) // takes the first bytes and never reads on
  const stalling = openS3({ ...s3.settings, ...(await playing(silent, { stall: 200 })), encrypted: false })
  await assert.rejects(stalling.put('a', content(Buffer.alloc(32 * 1024 * 1024))), failure('unreachable'))
  await assert.rejects(stalling.get('a'), failure('unreachable'))
})

test('stores inside the network are not called', async () => {
  const outbound = openOutbound({ http: true })
  after(() => outbound.close())
  const inner = openS3({
    ...s3.settings,
    encrypted: false,
    transfer: request => outbound.transfer({ ...request, tenantId: 'tenant' }),
  })
  await assert.rejects(inner.get('a'), failure('unreachable'))
})

test('the errors of stores are told apart by their code, or by their status', () => {
  const told = (status: number, code = '') =>
    refusalOf(status, code && `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`).fault
  assert.deepEqual(
    [
      told(403, 'AccessDenied'),
      told(403),
      told(301, 'PermanentRedirect'),
      told(400, 'AuthorizationHeaderMalformed'),
      told(404, 'NoSuchBucket'),
      told(404),
      told(503, 'SlowDown'),
      told(500),
      told(400, 'EntityTooLarge'),
    ],
    ['denied', 'denied', 'region', 'region', 'no-bucket', 'missing', 'busy', 'busy', 'refused'],
  )
})
