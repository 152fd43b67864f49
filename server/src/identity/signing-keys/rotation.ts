import type { Database } from '../../kernel/database.ts'
import {
  createdAt,
  makeKey,
  readOrMakeKeys,
  replaceKeys,
  type Seal,
  type StoredKey,
  verifyingKeys,
} from './stored-keys.ts'

const day = 86_400_000

export interface RotationOptions {
  /** Drops the old keys at once, and with them all that they signed: for a key that has become known. */
  revoke?: boolean
  now?: () => number
}

/**
 * Makes a new signing key and returns its `kid`. Running processes publish it at once and sign with it a minute later;
 * what the old keys signed stays valid.
 */
export async function rotateSigningKeys(
  database: Pick<Database, 'crossTenantSql'>,
  seal: Seal,
  { revoke = false, now = Date.now }: RotationOptions = {},
): Promise<string> {
  const fresh = await makeKey(seal, now())
  await change(database, seal, now(), keys => [fresh, ...(revoke ? [] : verifyingKeys(keys, now()))])
  return fresh.kid
}

/** Rotates the keys when the newest is so many days old (never, if 0), and drops those whose signatures are all over. */
export async function rotateOldSigningKeys(
  database: Pick<Database, 'crossTenantSql'>,
  seal: Seal,
  days: number,
  now: () => number = Date.now,
): Promise<void> {
  const fresh = await makeKey(seal, now())
  await change(database, seal, now(), keys => {
    const due = days > 0 && keys.every(key => now() - createdAt(key) >= days * day)
    return [...(due ? [fresh] : []), ...verifyingKeys(keys, now())]
  })
}

/** Changes the stored keys; whoever changed them meanwhile has their change respected. */
async function change(
  database: Pick<Database, 'crossTenantSql'>,
  seal: Seal,
  now: number,
  decide: (keys: readonly StoredKey[]) => readonly StoredKey[],
): Promise<void> {
  for (;;) {
    const before = await readOrMakeKeys(database, seal, now)
    const after = decide(before.keys)
    const same = after.length === before.keys.length && after.every((key, index) => key === before.keys[index])
    if (same || (await replaceKeys(database, before, after))) return
  }
}
