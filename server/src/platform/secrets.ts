import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Context, Run } from '../kernel/context.ts'
import { type Id, newId } from '../kernel/id.ts'

/** Seals values that are written and never read back; what was sealed at one place opens at no other. */
export interface Secrets {
  sealFor(tenantId: Id, ownerId: Id, name: string, text: string): Buffer
  openFor(tenantId: Id, ownerId: Id, name: string, sealed: Buffer): string
  /** For the installation's own, such as its signing keys. */
  sealText(purpose: string, text: string): string
  openText(purpose: string, sealed: string): string
}

declare module '../kernel/context.ts' {
  interface Services {
    /** Seals what is written and never read back. */
    secrets: Secrets
  }
}

export interface SecretsOptions {
  /** 32 bytes as hex or base64; without it the key lies in `${dataDir}/master.key`, made at the first start. */
  masterKey?: string | undefined
  dataDir: string
}

/** What is shown in the place of a secret. */
export const mask = '***'

/** A master key that is none, or not the one of this installation: said so that an operator can act on it. */
export class WrongMasterKey extends Error {}

/** A sealed value that does not open: sealed by another key, for another place, or changed since. */
export class UnsealFailed extends Error {}

export function openSecrets({ masterKey, dataDir }: SecretsOptions): Secrets {
  const master = masterKey ? readKey(masterKey, 'MASTER_KEY') : keyOfFile(dataDir)
  // Tenants and the installation derive from different names, so no tenant's key is ever an installation's.
  const keyOf = (...owner: string[]) =>
    Buffer.from(hkdfSync('sha256', master, '', JSON.stringify(['gantry', format, ...owner]), 32))
  // An id counts whatever its case, as it does in the database.
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

/** Stores the value under the owner's name for it, in the place of an earlier one. */
export async function storeSecret(ctx: Context, ownerId: Id, name: string, text: string): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into secret (tenant_id, id, owner_id, name, sealed)
    values (${tenantId}, ${newId()}, ${ownerId}, ${name}, ${ctx.services.secrets.sealFor(tenantId, ownerId, name, text)})
    on conflict (tenant_id, owner_id, name) do update set sealed = excluded.sealed`
}

/** For the moment of use only: what this gives goes into no reply, event or log. */
export async function readSecret(ctx: Context, ownerId: Id, name: string): Promise<string | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ sealed: Buffer }>`select sealed from secret
    where tenant_id = ${tenantId} and owner_id = ${ownerId} and name = ${name}`
  return row && ctx.services.secrets.openFor(tenantId, ownerId, name, row.sealed)
}

/** Forgets what the owner kept, but for the names still in use. */
export async function dropSecrets(ctx: Context, ownerId: Id, keepNames: readonly string[] = []): Promise<void> {
  await ctx.sql`delete from secret
    where tenant_id = ${ctx.caller.tenantId} and owner_id = ${ownerId} and name <> all(${[...keepNames]}::text[])`
}

/** Notices at the start, not at the first use, that the master key is not the one that sealed what the database holds. */
export async function checkMasterKey(run: Run, secrets: Secrets): Promise<void> {
  // Whoever comes first writes; everybody, the first one too, then reads what has come to stand there.
  await run`insert into installation (key, value)
    values ('master-key-check', ${JSON.stringify(secrets.sealText('master-key-check', 'gantry'))}::jsonb) on conflict (key) do nothing`
  const [row] = await run<{ value: string }>`select value from installation where key = 'master-key-check'`
  try {
    secrets.openText('master-key-check', row?.value ?? '')
  } catch {
    throw new WrongMasterKey(
      'the master key is not the one that this database was begun with: restore data/master.key, or give every node the same MASTER_KEY; without it the kept secrets cannot be opened',
    )
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
      'a kept secret does not open: it was sealed with another key or for another place, or has been changed',
    )
  }
}

// JSON keeps the parts apart, whatever characters a name has.
const placeBytes = (place: readonly string[]) => Buffer.from(JSON.stringify([...place, format]))

function readKey(text: string, source: string): Buffer {
  const written = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(written) ? Buffer.from(written, 'hex') : Buffer.from(written, 'base64')
  // Node skips over what is not base64, so a mistyped key is told by its length and by its alphabet.
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

/** The file appears under its name whole and at once, so two processes at their first start end up with one key. */
function makeKeyFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
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

/** Else a power cut could take the key away and leave what it sealed. */
function flushDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** A copied or restored file often comes with wider rights; one that is not ours to change stays as the operator set it. */
function closeToOthers(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch {}
}
