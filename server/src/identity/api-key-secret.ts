import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A new key: `raw` is shown once, the other parts are stored. */
interface FreshSecret {
  prefix: string
  raw: string
  digest: Buffer
  last4: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// `gty_`, 12 characters that identify the key, 43 that encode 256 random bits, 6 that encode the checksum of everything
// before them.
const form = /^(gty_[0-9A-Za-z]{12})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** Creates `gty_<id>_<secret><crc>`: the fixed prefix and the checksum let secret scanners recognise a leaked key. */
export function mintSecret(): FreshSecret {
  const prefix = `gty_${randomWord(12)}`
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  const body = `${prefix}_${secret}`
  const raw = body + checksum(body)
  return { prefix, raw, digest: digestOfSecret(raw), last4: raw.slice(-4) }
}

/** Parses a presented key; undefined if it is malformed, so that a typing error costs no database query. */
export function readRawKey(raw: string): { prefix: string; digest: Buffer } | undefined {
  const [, prefix, crc] = form.exec(raw) ?? []
  if (prefix === undefined || crc !== checksum(raw.slice(0, -6))) return undefined
  return { prefix, digest: digestOfSecret(raw) }
}

/** Compares two digests in constant time. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The digest that is stored. 256 random bits cannot be guessed, so a fast hash is enough. */
export function digestOfSecret(raw: string): Buffer {
  return createHash('sha256').update(raw).digest()
}

/** Creates a word of random characters: 62 of them are told apart by each. */
export function randomWord(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(62)]).join('')
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}
