import { randomBytes } from 'node:crypto'
import * as jose from 'jose'
import type { Database } from '../../kernel/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { maxSignatureLifetime } from '../token-lifetimes.ts'

/** Seals and opens what must not lie open in the database. */
export interface Seal {
  seal(text: string): string
  unseal(text: string): string
}

export type PrivateKey = jose.JWK_EC_Private & { kid: string; alg: 'ES256'; use: 'sig' }

/** A signing key as it lies in the table: the public part in the open, the whole key sealed. */
export interface StoredKey {
  readonly kid: string
  readonly sealed: string
  /** When it was made (ISO 8601). Keys of installations that are older than rotation have none. */
  readonly created?: string
}

/** The row of the installation: the keys, newest first, and a secret that outlives them. */
export interface StoredKeys {
  readonly keys: readonly StoredKey[]
  readonly secret: string
}

type CrossTenantDatabase = Pick<Database, 'crossTenantSql'>

/**
 * How long a new key is published before it signs; ms. Processes read the keys every quarter of that, so each of them, and
 * whoever fetches the JWKS, knows a key before the first token of it is about.
 */
export const publishedBefore = 60_000

/** The seal of the signing keys, by the installation's master key. */
export function signingKeySeal(secrets: Secrets): Seal {
  return {
    seal: text => secrets.sealText('signing-keys', text),
    unseal: text => secrets.openText('signing-keys', text),
  }
}

/** The key that signs at this moment: the newest that has been published for long enough; the oldest if none has. */
export function signingKey(keys: readonly StoredKey[], now: number): StoredKey {
  const key = keys.find(each => createdAt(each) + publishedBefore <= now) ?? keys.at(-1)
  if (!key) throw new Error('the installation has no signing key')
  return key
}

/** The keys whose signatures may still be about: each until all that it signed before its successor took over has ended. */
export function verifyingKeys(keys: readonly StoredKey[], now: number): readonly StoredKey[] {
  return keys.filter((_, index) => {
    const successor = keys[index - 1]
    return !successor || createdAt(successor) + publishedBefore + maxSignatureLifetime * 1000 > now
  })
}

/** When a key was made. One of unknown age counts as old. */
export function createdAt({ created }: StoredKey): number {
  return created === undefined ? 0 : Date.parse(created)
}

export async function makeKey({ seal }: Seal, now: number): Promise<StoredKey> {
  const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
  const { d, ...open } = await jose.exportJWK(privateKey)
  const kid = await jose.calculateJwkThumbprint(open)
  const shown = { ...open, kid, alg: 'ES256', use: 'sig' }
  return { ...shown, sealed: seal(JSON.stringify({ ...shown, d })), created: new Date(now).toISOString() }
}

/** Reads the keys; the first process of an installation makes them, and all, the first one too, read what was written. */
export async function readOrMakeKeys(database: CrossTenantDatabase, seal: Seal, now: number): Promise<StoredKeys> {
  const there = await findKeys(database)
  if (there) return there
  const secret = seal.seal(randomBytes(32).toString('base64url'))
  const first: StoredKeys = { keys: [await makeKey(seal, now)], secret }
  await database.crossTenantSql`insert into installation (key, value) values ('signing-keys', ${JSON.stringify(first)}::jsonb) on conflict (key) do nothing`
  return await readKeys(database)
}

export async function readKeys(database: CrossTenantDatabase): Promise<StoredKeys> {
  const stored = await findKeys(database)
  if (!stored) throw new Error('the signing keys are gone from the database')
  return stored
}

async function findKeys({ crossTenantSql }: CrossTenantDatabase): Promise<StoredKeys | undefined> {
  const [row] = await crossTenantSql<{ value: StoredKeys }>`select value from installation where key = 'signing-keys'`
  return row?.value
}

/** Writes the changed keys, unless somebody else has changed them since they were read. */
export async function replaceKeys(
  { crossTenantSql }: CrossTenantDatabase,
  before: StoredKeys,
  keys: readonly StoredKey[],
): Promise<boolean> {
  const written = await crossTenantSql`update installation set value = ${JSON.stringify({ ...before, keys })}::jsonb
    where key = 'signing-keys' and value = ${JSON.stringify(before)}::jsonb returning 1`
  return written.length > 0
}
