import { createHmac } from 'node:crypto'

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

/** Who knows the owner's URL knows the passwords of the roles, so nothing is stored; they do not tell the owner's password. */
export function rolePassword(url: URL, role: ServiceRole): string | undefined {
  const given = url.searchParams.get('rolePassword')
  if (given) return given
  const owners = url.searchParams.get('password') || decodeURIComponent(url.password)
  return owners ? createHmac('sha256', owners).update(`login of ${role}`).digest('base64url') : undefined
}
