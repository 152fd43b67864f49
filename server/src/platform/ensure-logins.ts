import pg from 'pg'
import {
  hasRolePassword,
  loginUrl,
  passwordVerifier,
  type ServiceRole,
  serviceRoles,
} from '../kernel/postgres/service-login.ts'
import { UnsuitableDatabase } from './unsuitable-database.ts'

/** Creates the roles as which the service logs in, and refuses a database in which such a login would pass row level security. */
export async function ensureLogins(owner: pg.Client, url: string): Promise<void> {
  if (!hasRolePassword(url))
    throw new UnsuitableDatabase(
      'DATABASE_URL has no password, so the logins of the service need one of their own: add ?rolePassword=… to it',
    )
  for (const role of serviceRoles) {
    const exists = (await owner.query('select 1 from pg_roles where rolname = $1', [role])).rows.length > 0
    if (exists && (await logIn(url, role)) === undefined) continue
    await letLogIn(owner, url, role, exists)
    const failure = await logIn(url, role)
    if (failure) throw new UnsuitableDatabase(`the service cannot log in as ${role}: ${failure.message}`)
  }
}

async function letLogIn(owner: pg.Client, url: string, role: ServiceRole, exists: boolean): Promise<void> {
  try {
    const login = `${role} login password '${passwordVerifier(url, role)}'`
    await owner.query(exists ? `alter role ${login}` : `create role ${login}`)
    const { rows } = await owner.query<{ name: string }>('select quote_ident(current_database()) as name')
    await owner.query(`grant connect on database ${rows[0]?.name} to ${role}`)
  } catch (error) {
    throw new UnsuitableDatabase(
      `the service cannot log in as ${role}, and this user cannot change that: let an administrator run "${exists ? 'alter' : 'create'} role ${role} login password '…'", and add ?rolePassword=… to DATABASE_URL (${error instanceof Error ? error.message : error})`,
    )
  }
}

/** Logs in as this role; returns why it was not possible. */
async function logIn(url: string, role: ServiceRole): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: loginUrl(url, role), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // a connection lost while idle; the statement reports it
  try {
    await client.connect()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
  try {
    const { rows } = await client.query<{ mighty: boolean }>(mighty)
    if (rows[0]?.mighty)
      throw new UnsuitableDatabase(
        `${role} is a superuser, bypasses row level security, or is a member of another role; the service works only as a role that is none of these`,
      )
    return undefined
  } finally {
    await client.end()
  }
}

const mighty = `select rolsuper or rolbypassrls or exists (select 1 from pg_auth_members where member = r.oid) as mighty
  from pg_roles r where rolname = session_user`
