import { passwordCost } from '../../../src/identity/password/password.ts'

// Every test file makes accounts, and the hash of a password took more CPU time than the rest of an account.

/** The work that a service does for a new hash. */
export const ordinaryCost: Readonly<typeof passwordCost> = { ...passwordCost }

Object.assign(passwordCost, { memoryCost: 8, timeCost: 1 })
