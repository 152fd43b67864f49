import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { KeyRing, MasterKey } from './key-ring.ts'

/** A sealed value cannot be opened: it was sealed by another key or for another place, or was changed since. */
export class UnsealFailed extends Error {}

// A sealed value: format (1 byte), id of the master key (4), nonce (12), tag (16), ciphertext. The place is authenticated, not
// stored. Values from before the rotation of master keys have format 1, without the id.
const format = 2
const formerFormat = 1
const idLength = 4
const nonceLength = 12
const tagLength = 16

/** Seals a text for a place, with a key that is derived for its owner from the first master key. */
export function sealValue(ring: KeyRing, owner: readonly string[], place: readonly string[], text: string): Buffer {
  const master = ring.first()
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', keyOf(master, format, owner), nonce, { authTagLength: tagLength })
  cipher.setAAD(placeBytes(place, format))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(format), master.id, nonce, cipher.getAuthTag(), content])
}

export function openValue(ring: KeyRing, owner: readonly string[], place: readonly string[], sealed: Buffer): string {
  if (sealed[0] === format) {
    const master = ring.find(sealed.subarray(1, 1 + idLength))
    const text = master && open(master, format, owner, place, sealed.subarray(1 + idLength))
    if (text !== undefined) return text
  } else if (sealed[0] === formerFormat) {
    for (const master of ring.all()) {
      const text = open(master, formerFormat, owner, place, sealed.subarray(1))
      if (text !== undefined) return text
    }
  } else throw new UnsealFailed('this is not a sealed value of a known format')
  throw new UnsealFailed(
    'a stored secret cannot be opened: it was sealed with another key or for another place, or was changed',
  )
}

/** Whether a value is sealed with this key. */
export function isSealedWith({ id }: MasterKey, sealed: Buffer): boolean {
  return sealed[0] === format && id.equals(sealed.subarray(1, 1 + idLength))
}

function open(
  master: MasterKey,
  version: number,
  owner: readonly string[],
  place: readonly string[],
  rest: Buffer,
): string | undefined {
  const start = nonceLength + tagLength
  if (rest.length < start) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(master, version, owner), rest.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAAD(placeBytes(place, version)).setAuthTag(rest.subarray(nonceLength, start))
  try {
    return decipher.update(rest.subarray(start), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

function keyOf({ key }: MasterKey, version: number, owner: readonly string[]): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', JSON.stringify(['gantry', version, ...owner]), 32))
}

// JSON separates the parts unambiguously, whatever characters a name has.
const placeBytes = (place: readonly string[], version: number) => Buffer.from(JSON.stringify([...place, version]))
