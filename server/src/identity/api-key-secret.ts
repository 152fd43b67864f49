import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A fresh key: `raw` is shown once, the rest is kept. */
export interface FreshSecret {
  prefix: string
  raw: string
  digest: Buffer
  last4: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// `gty_`, 12 characters that name the key, 43 that hold 256 random bits, 6 that hold the checksum of all before them.
const form = /^(gty_[0-9A-Za-z]{12})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** Makes `gty_<id>_<secret><crc>`: the fixed start and the checksum let secret scanners know a leaked key when they see one. */
export function mintSecret(): FreshSecret {
  const prefix = `gty_${Array.from({ length: 12 }, () => alphabet[randomInt(62)]).join('')}`
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  const body = `${prefix}_${secret}`
  const raw = body + checksum(body)
  return { prefix, raw, digest: digestOf(raw), last4: raw.slice(-4) }
}

/** What a presented key says about itself; undefined if it cannot be a key, so that no database is asked about a typing error. */
export function readRawKey(raw: string): { prefix: string; digest: Buffer } | undefined {
  const [, prefix, crc] = form.exec(raw) ?? []
  if (prefix === undefined || crc !== checksum(raw.slice(0, -6))) return undefined
  return { prefix, digest: digestOf(raw) }
}

/** Whether two digests are the same, in a time that does not tell where they differ. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

// 256 random bits cannot be guessed, so a fast hash is enough.
function digestOf(raw: string): Buffer {
  return createHash('sha256').update(raw).digest()
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}
