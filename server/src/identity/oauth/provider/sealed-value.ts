import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/** Seals a value for one location: it can be opened only there, and only if it is unchanged. */
export function sealAt(key: Buffer, place: string, value: unknown): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(Buffer.from(place))
  const content = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
}

export function openAt(key: Buffer, place: string, sealed: string): Record<string, unknown> {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return JSON.parse(
    decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8'),
  )
}
