import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

// The service never works in a session of the owner of its tables: what a session has given up by `set role`, a statement
// can take back by `reset role`. It logs in as roles of its own instead.

/** The role for the records of one tenant at a time, and the one for statements across tenants. */
export const serviceRoles = ['gantry_app', 'gantry_door'] as const
export type ServiceRole = (typeof serviceRoles)[number]

/** The URL at which a role of the service logs in: that of the owner with another user and password. */
export function loginUrl(ownerUrl: string, role: ServiceRole): string {
  const url = new URL(ownerUrl)
  const password = rolePassword(url, role)
  url.searchParams.delete('rolePassword')
  // As parameters, because a URL without a host has no place for a user.
  url.searchParams.set('user', role)
  if (password !== undefined) url.searchParams.set('password', password)
  return url.href
}

/** Whether the URL says how the roles log in: by a password for them, or by one of the owner from which theirs are derived. */
export function hasRolePassword(ownerUrl: string): boolean {
  return rolePassword(new URL(ownerUrl), 'gantry_app') !== undefined
}

/**
 * Every process that knows the owner's URL knows the passwords of the roles, so nothing has to be stored or shared. They do
 * not tell the password of the owner.
 */
function rolePassword(url: URL, role: ServiceRole): string | undefined {
  const given = url.searchParams.get('rolePassword')
  if (given) return given
  const owners = url.searchParams.get('password') || decodeURIComponent(url.password)
  return owners ? createHmac('sha256', owners).update(`login of ${role}`).digest('base64url') : undefined
}

/** The verifier that PostgreSQL stores for this password. The password itself would be in the log of a server that logs statements. */
export function passwordVerifier(ownerUrl: string, role: ServiceRole): string {
  const password = rolePassword(new URL(ownerUrl), role) ?? ''
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256')
  const key = (label: string) => createHmac('sha256', salted).update(label).digest()
  const storedKey = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${key('Server Key').toString('base64')}`
}
