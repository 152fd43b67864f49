import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The seconds of a time step, and the steps before and after the current one whose codes are accepted. */
const period = 30
const drift = 1

/** Returns the code of a time step: RFC 6238 with SHA-1, which every authenticator app supports. */
export function totp(key: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const value = mac.readUInt32BE(offset) & 0x7fffffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / period)
}

/** Returns the time step that the code belongs to; undefined if it belongs to none that is accepted now. */
export function matchingStep(key: Buffer, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const steps = Array.from({ length: 2 * drift + 1 }, (_, i) => stepAt(now) - drift + i)
  return steps.find(step => timingSafeEqual(Buffer.from(totp(key, step)), Buffer.from(code)))
}

/** A new key, as long as the digest. */
export const newTotpKey = () => randomBytes(20)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the bytes in base32 without padding, as authenticator apps take them. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(part => alphabet[Number.parseInt(part.padEnd(5, '0'), 2)]).join('')
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

/** The address that authenticator apps read, usually from a picture of it. */
export function otpauthUri(secret: string, account: string, issuer: string): string {
  const parameters = { secret, issuer, algorithm: 'SHA1', digits: '6', period: String(period) }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${account}`)}?${query.join('&')}`
}
