import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { userKind } from '../../../identity/user-kind.ts'
import { roleCode } from '../../../kernel/access.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { sweepFiles } from '../sweep-files.ts'

type Bytes = Buffer<ArrayBufferLike>

const red = { r: 255, g: 0, b: 0 }
const blue = { r: 0, g: 0, b: 255 }
const plain = (width: number, height: number, background = red) =>
  sharp({ create: { width, height, channels: 3, background } })

/** Left half red, right half blue; `orientation` is the one that the camera declares. */
function halves(orientation?: number): Promise<Bytes> {
  const right = { create: { width: 200, height: 200, channels: 3 as const, background: blue } }
  const picture = plain(400, 200).composite([{ input: right, left: 200, top: 0 }])
  const named = picture.withExif({ IFD0: { Artist: 'Secret Person' } })
  return (orientation ? named.withMetadata({ orientation }) : named).jpeg().toBuffer()
}

const pixels = (picture: Bytes) => sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })

const chunk = (type: string, content: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A valid PNG of one bit per pixel: few bytes, and 900 million pixels. */
function bomb({ side = 30_000, interlaced = false } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  header[12] = Number(interlaced)
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side))
  const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([sign, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

describe('a thumb', async () => {
  const { ada, bob, eve, nobody, person, database } = await sharedTestService()
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const { thumbs } = database.services

  async function upload(who: Person, bytes: Bytes, fields: Record<string, string> = {}) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([new Uint8Array(bytes)]), 'picture')
    const headers = { authorization: `Bearer ${who.key}` }
    const response = await fetch(`${who.base}/api/file`, { method: 'POST', body: form, headers })
    assert.equal(response.status, 201)
    return JSON.parse(await response.text())
  }

  async function thumb(who: Person, id: string, query = '', headers: Record<string, string> = {}, method = 'GET') {
    const response = await fetch(`${who.base}/api/file/${id}/thumb${query}`, {
      method,
      headers: { ...(who.key ? { authorization: `Bearer ${who.key}` } : {}), ...headers },
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const code = () => JSON.parse(bytes.toString()).code
    return { status: response.status, bytes, code, header: (name: string) => response.headers.get(name) }
  }

  test('of each format is a small WebP that is not larger than the picture', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const file = await upload(bob, await plain(600, 300).toFormat(format).toBuffer())
      for (const [query, width, height] of [
        ['', 256, 128],
        ['?size=64', 64, 32],
        ['?size=1024', 600, 300],
      ] as const) {
        const { status, bytes, header } = await thumb(bob, file.id, query)
        assert.equal(status, 200, `${format} ${query}`)
        assert.equal(header('content-type'), 'image/webp')
        assert.equal(header('x-content-type-options'), 'nosniff')
        const found = await sharp(bytes).metadata()
        assert.deepEqual([found.format, found.width, found.height], ['webp', width, height])
      }
    }
  })

  test('is upright and has no metadata', async () => {
    const upright = await upload(bob, await halves())
    const turned = await upload(bob, await halves(6))
    assert.match((await sharp(await halves()).metadata()).exif?.toString('latin1') ?? '', /Secret Person/)
    const { bytes } = await thumb(bob, turned.id, '?size=64')
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata()
    assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined])
    const { data, info } = await pixels(bytes)
    assert.deepEqual([info.width, info.height], [32, 64])
    // The left half of the stored picture is the upper one of the picture that was taken.
    assert.ok((data[0] ?? 0) > 200 && (data.at(-1) ?? 0) > 200)
    assert.ok((data[(info.width - 1) * 3] ?? 0) > 200, 'the upper right corner is red')
    const wide = await pixels((await thumb(bob, upright.id, '?size=64')).bytes)
    assert.deepEqual([wide.info.width, wide.info.height], [64, 32])
  })

  test('is made once, is cached privately, and its ETag differs by size', async () => {
    const file = await upload(bob, await plain(100, 50).png().toBuffer())
    assert.equal(await thumbs.read(bob.tenantId, file.sha256, 64), undefined)
    const same = await Promise.all([1, 2, 3].map(() => thumb(bob, file.id, '?size=64')))
    for (const { bytes } of same) assert.deepEqual(bytes, same[0]?.bytes)
    assert.deepEqual(await thumbs.read(bob.tenantId, file.sha256, 64), same[0]?.bytes)
    const marked = await plain(5, 5).webp().toBuffer()
    await thumbs.keep(bob.tenantId, file.sha256, 64, marked)
    const again = await thumb(bob, file.id, '?size=64')
    assert.deepEqual(again.bytes, marked, 'the stored one is sent')
    assert.equal(again.header('cache-control'), 'private, no-cache')
    const etag = again.header('etag') ?? ''
    assert.equal(etag, `"${file.sha256}-64"`)
    const known = await thumb(bob, file.id, '?size=64', { 'if-none-match': etag })
    assert.deepEqual([known.status, known.bytes.length, known.header('etag')], [304, 0, etag])
    assert.equal((await thumb(bob, file.id, '?size=256', { 'if-none-match': etag })).status, 200)
    const head = await thumb(bob, file.id, '?size=64', {}, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length, head.header('content-length')], [200, 0, String(marked.length)])
  })

  test('is refused for other files, for broken pictures and for other sizes', async () => {
    const svg = await upload(bob, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))
    const text = await upload(bob, Buffer.from('not a picture'))
    const tiff = await upload(bob, await plain(9, 9).tiff().toBuffer())
    for (const { id } of [svg, text, tiff]) {
      const refused = await thumb(bob, id)
      assert.deepEqual([refused.status, refused.code()], [415, 'not-a-picture'])
      assert.match(refused.header('content-type') ?? '', /problem\+json/)
    }
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: red,
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const whole = await noise.clone().toFormat(format).toBuffer()
      for (const left of [Math.floor(whole.length / 2), 40]) {
        const { id, mime } = await upload(bob, whole.subarray(0, left))
        assert.equal(mime, `image/${format}`)
        const refused = await thumb(bob, id)
        assert.deepEqual([refused.status, refused.code()], [422, 'broken-picture'], `${left} bytes of ${format}`)
      }
    }
    for (const size of ['0', '65', '-1', '1e3', 'x', '']) {
      const refused = await thumb(bob, svg.id, `?size=${size}`)
      assert.equal(refused.status, 400, size)
    }
  })

  test('of a decompression bomb is refused by its header', async () => {
    for (const packed of [bomb(), bomb({ side: 6000, interlaced: true })]) {
      assert.ok(packed.length < 1024 * 1024)
      const { id, sha256 } = await upload(bob, packed)
      const refused = await thumb(bob, id)
      assert.deepEqual([refused.status, refused.code()], [422, 'picture-too-large'])
      assert.equal(await thumbs.read(bob.tenantId, sha256, 256), undefined)
    }
  })

  test('is for those who see the file; for all others it is absent', async () => {
    const { id: desk } = await ada.post('/container', { name: 'Desk' })
    const own = await ada.post('/item', { title: 'Own', containerId: desk, requesterId: rita.id })
    const other = await ada.post('/item', { title: 'Other', containerId: desk })
    const at = (item: { id: string }) => ({ owner: String(ownerKind.item), ownerId: item.id })
    const [seen, hidden] = [
      await upload(ada, await plain(20, 10).png().toBuffer(), at(own)),
      await upload(ada, await plain(20, 10, blue).png().toBuffer(), at(other)),
    ]
    for (const { id } of [seen, hidden]) assert.equal((await thumb(ada, id)).status, 200)
    assert.equal((await thumb(rita, seen.id)).status, 200)
    const absent = await thumb(rita, '01900000-0000-7000-8000-000000000000')
    assert.equal(absent.status, 404)
    const comparable = ({ bytes }: { bytes: Buffer }) => {
      const { instance, requestId, traceId, ...rest } = JSON.parse(bytes.toString())
      return rest
    }
    for (const [who, id] of [
      [rita, hidden.id],
      [eve, seen.id],
      [eve, hidden.id],
    ] as const) {
      const etag = { 'if-none-match': '*' }
      for (const headers of [{}, etag]) {
        const refused = await thumb(who, id, '', headers)
        assert.equal(refused.status, 404)
        assert.deepEqual(comparable(refused), comparable(absent))
      }
    }
    assert.equal((await thumb(nobody, seen.id)).status, 401)
    await ada.delete(`/file/${seen.id}`)
    assert.equal((await thumb(ada, seen.id)).status, 404)
  })

  test('is removed with the bytes of its file, and not before', async () => {
    const bytes = await plain(30, 30, blue).png().toBuffer()
    const [one, two] = [await upload(bob, bytes), await upload(bob, bytes)]
    for (const size of [64, 256]) assert.equal((await thumb(bob, one.id, `?size=${size}`)).status, 200)
    const sweep = () => sweepFiles(database).run(new AbortController().signal)
    const erase = (id: string) =>
      database.transaction(
        tenantCaller(bob.tenantId),
        ctx => ctx.sql`delete from file where tenant_id = ${bob.tenantId} and id = ${id}`,
      )
    const stored = async () =>
      await Promise.all([64, 256].map(async size => !!(await thumbs.read(bob.tenantId, one.sha256, size))))
    await erase(one.id)
    await sweep()
    assert.deepEqual(await stored(), [true, true])
    await erase(two.id)
    await sweep()
    assert.deepEqual(await stored(), [false, false])
  })
})
