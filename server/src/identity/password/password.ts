import { hash, verify } from '@node-rs/argon2'

// argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane.
/** The work for a new hash; tests lower it. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Returns the hash that is stored for a password. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, passwordCost)
}

// The hash of a random password, at the same cost as every other hash.
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$Aw5bOMYPKJCE1ufgvNNC2w$tT38SLCmydJCzXvfphkbqQCLNNMxRn15vF6KrbUUbMs'

/**
 * Verifies a password. Without a hash the same work is done and the result is false, so that the response time does not
 * reveal whether an account exists.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? nobodys, password).catch(() => false)
  return matches && typeof stored === 'string'
}
