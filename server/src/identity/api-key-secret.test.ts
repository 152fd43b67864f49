import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { mintSecret, readRawKey, sameDigest } from './api-key-secret.ts'

test('a new key has the documented format and can be parsed', () => {
  for (let i = 0; i < 200; i++) {
    const { prefix, raw, digest, last4 } = mintSecret()
    assert.match(raw, /^gty_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    assert.equal(raw.slice(0, 16), prefix)
    assert.equal(raw.slice(-4), last4)
    assert.deepEqual(digest, createHash('sha256').update(raw).digest())
    assert.deepEqual(readRawKey(raw), { prefix, digest })
  }
  assert.equal(new Set(Array.from({ length: 100 }, () => mintSecret().prefix)).size, 100)
})

test('a key with one wrong character is rejected', () => {
  const { raw } = mintSecret()
  for (let i = 0; i < raw.length; i++) {
    const other = raw[i] === 'a' ? 'b' : 'a'
    assert.equal(readRawKey(raw.slice(0, i) + other + raw.slice(i + 1)), undefined, `at ${i}`)
  }
  for (const wrong of ['', 'gty_', raw.slice(0, -1), `${raw}0`, ` ${raw}`, `${raw}\n`, raw.toLowerCase()]) {
    assert.equal(readRawKey(wrong), undefined)
  }
})

test('digests are equal only if all of their bytes are', () => {
  const { digest } = mintSecret()
  assert.ok(sameDigest(digest, Buffer.from(digest)))
  assert.ok(!sameDigest(digest, mintSecret().digest))
  assert.ok(!sameDigest(digest, digest.subarray(1)))
  assert.ok(!sameDigest(digest, Buffer.alloc(0)))
})
