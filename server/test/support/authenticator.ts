import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest()

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

/** What a test may falsify. */
interface Lies {
  origin?: string
  rpId?: string
  type?: string
  verified?: boolean
  counter?: number
  userHandle?: string
  key?: KeyObject
}

/** A device with one passkey that signs as WebAuthn demands it (ES256, no attestation). */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(32)
  #user = ''
  #counter = 0

  /** Makes the key, as `navigator.credentials.create` does, and returns what the browser sends. */
  create({ challenge, rp, user }: CreationOptions, origin: string, lies: Lies = {}) {
    this.#user = user.id
    const client = clientData(lies.type ?? 'webauthn.create', challenge, lies.origin ?? origin)
    const length = Buffer.from([0, this.id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey()])
    const authData = Buffer.concat([this.#authData(lies.rpId ?? rp.id, attestedData, lies), attested])
    const attestationObject = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    return {
      ...this.#envelope(),
      response: {
        clientDataJSON: encoded(client),
        attestationObject: encoded(attestationObject),
        transports: ['internal'],
      },
    }
  }

  /** Signs a challenge, as `navigator.credentials.get` does, and returns what the browser sends. */
  get({ challenge, rpId }: { challenge: string; rpId: string }, origin: string, lies: Lies = {}) {
    const client = clientData(lies.type ?? 'webauthn.get', challenge, lies.origin ?? origin)
    const authData = this.#authData(lies.rpId ?? rpId, 0, lies)
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), lies.key ?? this.#keys.privateKey)
    return {
      ...this.#envelope(),
      response: {
        clientDataJSON: encoded(client),
        authenticatorData: encoded(authData),
        signature: encoded(signature),
        userHandle: lies.userHandle ?? this.#user,
      },
    }
  }

  #envelope() {
    return { id: encoded(this.id), rawId: encoded(this.id), type: 'public-key', clientExtensionResults: {} }
  }

  #authData(rpId: string, flags: number, { verified = true, counter = ++this.#counter }: Lies): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags | userPresent | (verified ? userVerified : 0)]), count])
  }

  /** The key in the form of COSE: EC2, ES256, P-256 and the point. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'))
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), coordinate(x)],
      [integer(-3), coordinate(y)],
    ])
  }
}

const [userPresent, userVerified, attestedData] = [0x01, 0x04, 0x40]

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const encoded = (content: Uint8Array) => Buffer.from(content).toString('base64url')

// As much of CBOR (RFC 8949) as a passkey needs.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (content: Buffer) => Buffer.concat([head(2, content.length), content])
const text = (content: string) => Buffer.concat([head(3, content.length), Buffer.from(content)])
const map = (pairs: readonly [Buffer, Buffer][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()])
