import { hkdfSync, randomBytes } from 'node:crypto'
import * as jose from 'jose'
import type { Database } from '../kernel/database.ts'

/** Closes and opens what must not lie open in the database. */
export interface Seal {
  seal(text: string): string
  unseal(text: string): string
}

export type PrivateKey = jose.JWK_EC_Private & { kid: string; alg: 'ES256'; use: 'sig' }

/** The keys of the installation: every process of it has the same ones. */
export interface SigningKeys {
  /** The newest first: it signs, all of them verify. */
  readonly keys: readonly PrivateKey[]
  /** The public key a token names; a key that another process has brought since is fetched, one nobody has is refused. */
  readonly findKey: jose.JWTVerifyGetKey
  /** A secret of the installation's own for some purpose: for cookies, for what is stored. It outlives the signing keys. */
  derive(purpose: string): Buffer
}

/** As it lies in the table: public parts in the open, private ones sealed. */
interface Kept {
  keys: { kid: string; sealed: string }[]
  secret: string
}

/** So many stay after a rotation: far more than the ten minutes that a token lives. */
const mostKeys = 3

/** How often a token with an unknown `kid` may make us look again. */
const lookAgain = 30_000

/** Opens the keys of the installation, and makes them at its first start. */
export async function openSigningKeys(
  database: Database,
  seal: Seal,
  now: () => number = Date.now,
): Promise<SigningKeys> {
  await layDown(database, seal)
  const kept = await read(database)
  const keys = kept.keys.map(({ sealed }) => open(seal, sealed))
  const secret = Buffer.from(seal.unseal(kept.secret), 'base64url')
  let known = await publicKeys(keys)
  let looked = now()

  async function find(kid: string): Promise<jose.CryptoKey | undefined> {
    if (!known.has(kid) && now() - looked > lookAgain) {
      looked = now()
      known = await publicKeys((await read(database)).keys.map(({ sealed }) => open(seal, sealed)))
    }
    return known.get(kid)
  }

  return {
    keys,
    async findKey({ kid, alg }) {
      const key = typeof kid === 'string' && alg === 'ES256' ? await find(kid) : undefined
      if (!key) throw new jose.errors.JWKSNoMatchingKey()
      return key
    },
    derive: purpose => Buffer.from(hkdfSync('sha256', secret, '', `gantry ${purpose}`, 32)),
  }
}

/** Brings a new key that signs from the next start of each process on; what the old ones signed stays valid. */
export async function rotateSigningKeys(database: Database, seal: Seal): Promise<string> {
  await layDown(database, seal)
  const fresh = await makeKey(seal)
  await database.atDoor`update installation set value = jsonb_set(value, '{keys}', (
      select jsonb_agg(key order by n) from (
        select ${JSON.stringify(fresh)}::jsonb as key, 0 as n
        union all select key, n from jsonb_array_elements(value->'keys') with ordinality as old(key, n) where n < ${mostKeys}
      ) as all_keys))
    where key = 'signing-keys'`
  return fresh.kid
}

/** Whoever comes first writes; everybody, the first one too, then reads what has come to stand there. */
async function layDown({ atDoor }: Database, seal: Seal): Promise<void> {
  const [there] = await atDoor`select 1 from installation where key = 'signing-keys'`
  if (there) return
  const first: Kept = { keys: [await makeKey(seal)], secret: seal.seal(randomBytes(32).toString('base64url')) }
  await atDoor`insert into installation (key, value) values ('signing-keys', ${JSON.stringify(first)}::jsonb) on conflict (key) do nothing`
}

async function read({ atDoor }: Database): Promise<Kept> {
  const [row] = await atDoor<{ value: Kept }>`select value from installation where key = 'signing-keys'`
  if (!row) throw new Error('the signing keys are gone from the database')
  return row.value
}

async function makeKey({ seal }: Seal) {
  const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
  const { d, ...open } = await jose.exportJWK(privateKey)
  const kid = await jose.calculateJwkThumbprint(open)
  const shown = { ...open, kid, alg: 'ES256', use: 'sig' }
  return { ...shown, sealed: seal(JSON.stringify({ ...shown, d })) }
}

function open({ unseal }: Seal, sealed: string): PrivateKey {
  return JSON.parse(unseal(sealed))
}

async function publicKeys(keys: readonly PrivateKey[]): Promise<Map<string, jose.CryptoKey>> {
  const known = new Map<string, jose.CryptoKey>()
  for (const { kid, d: _private, ...shown } of keys) {
    const key = await jose.importJWK({ ...shown, ext: true }, 'ES256')
    if (key instanceof CryptoKey) known.set(kid, key)
  }
  return known
}
