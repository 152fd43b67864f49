import { hash, verify } from '@node-rs/argon2'

// argon2id, as OWASP advises: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is stored of a password. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, cost)
}

// The hash of a password that nobody knows, at the same cost as every other.
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$Aw5bOMYPKJCE1ufgvNNC2w$tT38SLCmydJCzXvfphkbqQCLNNMxRn15vF6KrbUUbMs'

/** Whether this is the password. Without a hash the same work is done and the answer is no, so that strangers learn nothing from the clock. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? nobodys, password).catch(() => false)
  return matches && typeof stored === 'string'
}

export const minPasswordLength = 12
export const maxPasswordLength = 200

/** What is wrong with a new password, in words for the person who chose it; undefined if it will do. */
export function passwordFault(password: string, email: string): string | undefined {
  const characters = [...password].length
  if (characters < minPasswordLength) return `must have at least ${minPasswordLength} characters`
  if (characters > maxPasswordLength) return `must have at most ${maxPasswordLength} characters`
  if (email !== '' && password.trim().toLowerCase() === email.trim().toLowerCase())
    return 'must not be the e-mail address'
  return undefined
}
