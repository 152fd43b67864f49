import { hkdfSync } from 'node:crypto'
import * as jose from 'jose'
import type { Database } from '../../kernel/database.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import {
  type PrivateKey,
  publishedBefore,
  readKeys,
  readOrMakeKeys,
  type Seal,
  type StoredKey,
  signingKey,
  verifyingKeys,
} from './stored-keys.ts'

/** The keys of the installation at one moment. */
export interface KeySet {
  /** All keys that verify; the first one signs. */
  readonly keys: readonly [PrivateKey, ...PrivateKey[]]
}

/** The signing keys, which all processes of the installation share. */
export interface SigningKeys {
  /** Returns the current keys. They are read again periodically, because another process may have rotated them. */
  current(): Promise<KeySet>
  /**
   * Returns the public key with the `kid` of a token. An unknown `kid` is looked up in the database, and refused if it
   * is not there.
   */
  readonly findKey: jose.JWTVerifyGetKey
  /**
   * Derives a secret of the installation for a purpose such as cookies or stored payloads. It outlives the signing
   * keys.
   */
  derive(purpose: string): Buffer
}

/**
 * The time for which the keys are cached; ms. It is a fraction of the time for which a new key is published before it
 * signs.
 */
const belief = publishedBefore / 4

/** Opens the keys of the installation, and creates them at the first start. */
export async function openSigningKeys(
  database: Pick<Database, 'crossTenantSql'>,
  seal: Seal,
  now: () => number = Date.now,
): Promise<SigningKeys> {
  const first = await readOrMakeKeys(database, seal, now())
  const secret = Buffer.from(seal.unseal(first.secret), 'base64url')
  const opened = new Map<string, OpenedKey>()
  let stored = first.keys
  let readAt = now()
  let refreshing: Promise<unknown> | undefined

  async function read(): Promise<readonly StoredKey[]> {
    const asked = now()
    const { keys } = await readKeys(database)
    if (asked < readAt) return keys
    stored = keys
    readAt = asked
    for (const kid of opened.keys()) if (!keys.some(each => each.kid === kid)) opened.delete(kid)
    return keys
  }

  /** A short outage of the database must not prevent verification with the cached keys. */
  async function refresh(): Promise<void> {
    if (now() - readAt < belief) return
    refreshing ??= read().finally(() => {
      refreshing = undefined
    })
    await refreshing.catch(error => {
      if (!isConnectionFault(error)) throw error
    })
  }

  async function open(key: StoredKey): Promise<OpenedKey> {
    const known = opened.get(key.kid) ?? (await openKey(seal, key))
    opened.set(key.kid, known)
    return known
  }

  async function find(kid: string): Promise<jose.CryptoKey | undefined> {
    await refresh()
    const named = (keys: readonly StoredKey[]) => verifyingKeys(keys, now()).find(each => each.kid === kid)
    // An unknown `kid` costs one read, like an unknown API key.
    const key = named(stored) ?? named(await read())
    return key && (await open(key)).publicKey
  }

  return {
    async current() {
      await refresh()
      const at = now()
      const signing = signingKey(stored, at)
      const others = verifyingKeys(stored, at).filter(each => each !== signing)
      const [first, ...more] = await Promise.all([open(signing), ...others.map(open)])
      return { keys: [first.privateKey, ...more.map(each => each.privateKey)] }
    },
    async findKey({ kid, alg }) {
      const key = typeof kid === 'string' && alg === 'ES256' ? await find(kid) : undefined
      if (!key) throw new jose.errors.JWKSNoMatchingKey()
      return key
    },
    derive: purpose => Buffer.from(hkdfSync('sha256', secret, '', `gantry ${purpose}`, 32)),
  }
}

/** An unsealed and imported key, which is cached for the life of the process. */
interface OpenedKey {
  readonly privateKey: PrivateKey
  readonly publicKey: jose.CryptoKey
}

async function openKey({ unseal }: Seal, { sealed }: StoredKey): Promise<OpenedKey> {
  const privateKey: PrivateKey = JSON.parse(unseal(sealed))
  const { d: _private, ...shown } = privateKey
  const publicKey = await jose.importJWK({ ...shown, ext: true }, 'ES256')
  if (!(publicKey instanceof CryptoKey)) throw new Error(`the signing key ${privateKey.kid} is not an ES256 key`)
  return { privateKey, publicKey }
}
