import type { Context, Run } from '../kernel/context.ts'
import { type Id, newId } from '../kernel/id.ts'
import {
  type KeyRing,
  openKeyRing,
  openValue,
  sealValue,
  UnsealFailed,
  WrongMasterKey,
} from './master-key/master-key.ts'

export { UnsealFailed, WrongMasterKey }

/**
 * Seals values that clients write and never read. A value that was sealed for one place cannot be opened for another.
 */
export interface Secrets {
  sealFor(tenantId: Id, ownerId: Id, name: string, text: string): Buffer
  openFor(tenantId: Id, ownerId: Id, name: string, sealed: Buffer): string
  /** For values of the installation itself, such as its signing keys. */
  sealText(purpose: string, text: string): string
  openText(purpose: string, sealed: string): string
  /** The master keys; the first one seals. */
  readonly ring: KeyRing
}

declare module '../kernel/context.ts' {
  interface Services {
    /** Seals values that clients write and never read. */
    secrets: Secrets
  }
}

interface SecretsOptions {
  /** Keys of 32 bytes as hex or base64; without it they are in `${dataDir}/master.key`, created at the first start. */
  masterKey?: string | undefined
  dataDir: string
}

/** The text that is shown instead of a secret. */
export const mask = '***'

export function openSecrets(options: SecretsOptions): Secrets {
  const ring = openKeyRing(options)
  // Ids are compared without case, as the database compares them.
  const placeOf = (...ids: string[]) => ids.map(id => id.toLowerCase())
  // Tenants and the installation use different derivation labels, so no tenant's key ever equals the installation's.
  const ofTenant = (tenantId: Id) => ['tenant', ...placeOf(tenantId)]
  const ofPurpose = (purpose: string) => ['installation', purpose]
  return {
    ring,
    sealFor: (tenantId, ownerId, name, text) =>
      sealValue(ring, ofTenant(tenantId), [...placeOf(tenantId, ownerId), name], text),
    openFor: (tenantId, ownerId, name, sealed) =>
      openValue(ring, ofTenant(tenantId), [...placeOf(tenantId, ownerId), name], sealed),
    sealText: (purpose, text) => sealValue(ring, ofPurpose(purpose), [purpose], text).toString('base64url'),
    openText: (purpose, sealed) => openValue(ring, ofPurpose(purpose), [purpose], Buffer.from(sealed, 'base64url')),
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
