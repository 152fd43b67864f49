import { randomBytes } from 'node:crypto'
import * as jose from 'jose'
import type { Database } from '../../kernel/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { maxSignatureLifetime } from '../token-lifetimes.ts'

/** Encrypts and decrypts values that must not be stored in plain text. */
export interface Seal {
  seal(text: string): string
  unseal(text: string): string
}

export type PrivateKey = jose.JWK_EC_Private & { kid: string; alg: 'ES256'; use: 'sig' }

/** A stored signing key: the public part in plain text, the whole key sealed. */
export interface StoredKey {
  readonly kid: string
  readonly sealed: string
  /** The time of creation (ISO 8601). Keys that were created before rotation existed have none. */
  readonly created?: string
}

/** The row of the installation: its keys, newest first, and a secret that outlives them. */
interface StoredKeys {
  readonly keys: readonly StoredKey[]
  readonly secret: string
}

type CrossTenantDatabase = Pick<Database, 'crossTenantSql'>

/**
 * The time for which a new key is published before it signs; ms. Every process reads the keys four times within it, so
 * that all processes, and all readers of the JWKS, know a key before its first token is issued.
 */
export const publishedBefore = 60_000

/** Seals signing keys with the master key of the installation. */
export function signingKeySeal(secrets: Secrets): Seal {
  return {
    seal: text => secrets.sealText('signing-keys', text),
    unseal: text => secrets.openText('signing-keys', text),
  }
}

/** Returns the key that signs now: the newest one that has been published for long enough, else the oldest one. */
export function signingKey(keys: readonly StoredKey[], now: number): StoredKey {
  const key = keys.find(each => createdAt(each) + publishedBefore <= now) ?? keys.at(-1)
  if (!key) throw new Error('the installation has no signing key')
  return key
}

/**
 * Returns the keys that may still have valid signatures: a key is kept until everything that it signed before its
 * successor took over has expired.
 */
export function verifyingKeys(keys: readonly StoredKey[], now: number): readonly StoredKey[] {
  return keys.filter((_, index) => {
    const successor = keys[index - 1]
    return !successor || createdAt(successor) + publishedBefore + maxSignatureLifetime * 1000 > now
  })
}

/** Returns the time of creation. A key of unknown age counts as old. */
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

/**
 * Reads the keys. The first process of an installation creates them; every process then uses the stored row, because
 * another process may have been faster.
 */
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
  if (!stored) throw new Error('the signing keys are missing from the database')
  return stored
}

async function findKeys({ crossTenantSql }: CrossTenantDatabase): Promise<StoredKeys | undefined> {
  const [row] = await crossTenantSql<{ value: StoredKeys }>`select value from installation where key = 'signing-keys'`
  return row?.value
}

/** Writes the changed keys, unless another process has changed them since they were read. */
export async function replaceKeys(
  { crossTenantSql }: CrossTenantDatabase,
  before: StoredKeys,
  keys: readonly StoredKey[],
): Promise<boolean> {
  const written = await crossTenantSql`update installation set value = ${JSON.stringify({ ...before, keys })}::jsonb
    where key = 'signing-keys' and value = ${JSON.stringify(before)}::jsonb returning 1`
  return written.length > 0
}
