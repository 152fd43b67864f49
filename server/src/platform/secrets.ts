import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Context, Run } from '../kernel/context.ts'
import { type Id, newId } from '../kernel/id.ts'
import { ensureDataDir } from './data-dir/data-dir.ts'

/**
 * Seals values that clients write and never read. A value that was sealed for one place cannot be opened for another.
 */
export interface Secrets {
  sealFor(tenantId: Id, ownerId: Id, name: string, text: string): Buffer
  openFor(tenantId: Id, ownerId: Id, name: string, sealed: Buffer): string
  /** For values of the installation itself, such as its signing keys. */
  sealText(purpose: string, text: string): string
  openText(purpose: string, sealed: string): string
}

declare module '../kernel/context.ts' {
  interface Services {
    /** Seals values that clients write and never read. */
    secrets: Secrets
  }
}

interface SecretsOptions {
  /** 32 bytes as hex or base64; without it the key is in `${dataDir}/master.key`, created at the first start. */
  masterKey?: string | undefined
  dataDir: string
}

/** The text that is shown instead of a secret. */
export const mask = '***'

/** The master key is malformed, or is not the one of this installation. The message tells an operator what to do. */
export class WrongMasterKey extends Error {}

/** A sealed value cannot be opened: it was sealed by another key or for another place, or was changed since. */
export class UnsealFailed extends Error {}

export function openSecrets({ masterKey, dataDir }: SecretsOptions): Secrets {
  const master = masterKey ? readKey(masterKey, 'MASTER_KEY') : keyOfFile(dataDir)
  // Tenants and the installation use different derivation labels, so no tenant's key ever equals the installation's.
  const keyOf = (...owner: string[]) =>
    Buffer.from(hkdfSync('sha256', master, '', JSON.stringify(['gantry', format, ...owner]), 32))
  // Ids are compared without case, as the database compares them.
  const placeOf = (...ids: string[]) => ids.map(id => id.toLowerCase())
  return {
    sealFor: (tenantId, ownerId, name, text) =>
      seal(keyOf('tenant', ...placeOf(tenantId)), [...placeOf(tenantId, ownerId), name], text),
    openFor: (tenantId, ownerId, name, sealed) =>
      open(keyOf('tenant', ...placeOf(tenantId)), [...placeOf(tenantId, ownerId), name], sealed),
    sealText: (purpose, text) => seal(keyOf('installation', purpose), [purpose], text).toString('base64url'),
    openText: (purpose, sealed) => open(keyOf('installation', purpose), [purpose], Buffer.from(sealed, 'base64url')),
  }
}

/** Stores the value under a name of the owner, and replaces an earlier one. */
export async function storeSecret(ctx: Context, ownerId: Id, name: string, text: string): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into secret (tenant_id, id, owner_id, name, sealed)
    values (${tenantId}, ${newId()}, ${ownerId}, ${name}, ${ctx.services.secrets.sealFor(tenantId, ownerId, name, text)})
    on conflict (tenant_id, owner_id, name) do update set sealed = excluded.sealed`
}

/** Only for the moment of use: the result must not get into a reply, event or log. */
export async function readSecret(ctx: Context, ownerId: Id, name: string): Promise<string | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ sealed: Buffer }>`select sealed from secret
    where tenant_id = ${tenantId} and owner_id = ${ownerId} and name = ${name}`
  return row && ctx.services.secrets.openFor(tenantId, ownerId, name, row.sealed)
}

/** Deletes the secrets of the owner except those with the given names. */
export async function dropSecrets(ctx: Context, ownerId: Id, keepNames: readonly string[] = []): Promise<void> {
  await ctx.sql`delete from secret
    where tenant_id = ${ctx.caller.tenantId} and owner_id = ${ownerId} and name <> all(${[...keepNames]}::text[])`
}

/**
 * Detects at the start, not at the first use, that the master key is not the one that sealed the values in the
 * database.
 */
export async function checkMasterKey(run: Run, secrets: Secrets): Promise<void> {
  // The first process inserts the value; every process, including the first, then reads what is stored.
  await run`insert into installation (key, value)
    values ('master-key-check', ${JSON.stringify(secrets.sealText('master-key-check', 'gantry'))}::jsonb) on conflict (key) do nothing`
  const [row] = await run<{ value: string }>`select value from installation where key = 'master-key-check'`
  if (!opensMasterKeyCheck(secrets, row?.value ?? ''))
    throw new WrongMasterKey(
      'the master key is not the one that encrypted the secrets of this database; restore the file data/master.key, or set the same MASTER_KEY on every node',
    )
}

/** Whether this is the master key that sealed the value which the installation keeps for this question. */
export function opensMasterKeyCheck(secrets: Secrets, sealed: string): boolean {
  try {
    secrets.openText('master-key-check', sealed)
    return true
  } catch {
    return false
  }
}

// A sealed value: format (1 byte), nonce (12), tag (16), ciphertext. The place is authenticated, not stored.
const format = 1
const nonceLength = 12
const tagLength = 16

function seal(key: Buffer, place: readonly string[], text: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(placeBytes(place))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), content])
}

function open(key: Buffer, place: readonly string[], sealed: Buffer): string {
  const start = 1 + nonceLength + tagLength
  if (sealed.length < start || sealed[0] !== format)
    throw new UnsealFailed('this is not a sealed value of a known format')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAAD(placeBytes(place)).setAuthTag(sealed.subarray(1 + nonceLength, start))
  try {
    return decipher.update(sealed.subarray(start), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    throw new UnsealFailed(
      'a stored secret cannot be opened: it was sealed with another key or for another place, or was changed',
    )
  }
}

// JSON separates the parts unambiguously, whatever characters a name has.
const placeBytes = (place: readonly string[]) => Buffer.from(JSON.stringify([...place, format]))

function readKey(text: string, source: string): Buffer {
  const written = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(written) ? Buffer.from(written, 'hex') : Buffer.from(written, 'base64')
  // Node ignores characters that are not base64, so a mistyped key is detected by its length and its alphabet.
  if (key.length !== 32 || !/^[0-9a-z+/_-]+=?$/i.test(written))
    throw new WrongMasterKey(`${source} must be 32 bytes, written as hex or base64`)
  return key
}

function keyOfFile(dataDir: string): Buffer {
  const file = join(dataDir, 'master.key')
  if (!existsSync(file)) makeKeyFile(dataDir, file)
  closeToOthers(file)
  return readKey(readFileSync(file, 'utf8'), file)
}

/** The file appears under its name complete and atomically, so two processes at their first start use one key. */
function makeKeyFile(dataDir: string, file: string): void {
  ensureDataDir(dataDir)
  const draft = `${file}.${newId()}`
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
    flushDirectory(dataDir)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Without this a power cut could remove the key and leave the values that it sealed. */
function flushDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * A copied or restored file often has wider permissions. A file that this user may not change stays as the operator set
 * it.
 */
function closeToOthers(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch {}
}
