import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { loginUrl, rolePassword, type ServiceRole, serviceRoles } from '../../kernel/postgres/service-login.ts'
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

/** The owner is connected, so the server can be reached. The process loads its modules meanwhile, which takes long on a busy machine. */
const patience = 60_000

/** Logs in as this role; returns why it was not possible. */
async function logIn(url: string, role: ServiceRole): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: loginUrl(url, role), connectionTimeoutMillis: patience })
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

/** Whether the URL says how the roles log in: by a password for them, or by one of the owner from which theirs are derived. */
function hasRolePassword(ownerUrl: string): boolean {
  return rolePassword(new URL(ownerUrl), 'gantry_app') !== undefined
}

/** The verifier that PostgreSQL stores for this password. The password itself would be in the log of a server that logs statements. */
function passwordVerifier(ownerUrl: string, role: ServiceRole): string {
  const password = rolePassword(new URL(ownerUrl), role) ?? ''
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256')
  const key = (label: string) => createHmac('sha256', salted).update(label).digest()
  const storedKey = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${key('Server Key').toString('base64')}`
}
