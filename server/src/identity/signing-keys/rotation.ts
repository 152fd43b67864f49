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

interface RotationOptions {
  /** Drops the old keys at once and thereby invalidates everything they signed. It is meant for a compromised key. */
  revoke?: boolean
  now?: () => number
}

/**
 * Creates a new signing key and returns its `kid`. Running processes publish it at once and sign with it a minute
 * later; signatures of the old keys stay valid.
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

/**
 * Rotates the keys when the newest one is older than the given number of days (0: never), and drops the keys whose
 * signatures have all expired.
 */
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

/** Changes the stored keys, and retries if another process has changed them in the meantime. */
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
