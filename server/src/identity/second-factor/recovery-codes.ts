import { createHash, randomBytes } from 'node:crypto'
import { base32 } from './totp.ts'

const count = 10

/** Ten new codes of 80 random bits each, as they are shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => (base32(randomBytes(10)).match(/.{4}/g) ?? []).join('-'))
}

/** The digest under which a code is stored. 80 random bits cannot be guessed, so it need not be slow. */
export function digestOfCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest()
}
