import { after } from 'node:test'
import { freshDatabase } from '../../../test/support/database/database.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { type Database, openDatabase } from '../../kernel/database.ts'
import { openHttp } from '../../kernel/http/http.ts'
import type { HttpOptions } from '../../kernel/http/http-options.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Sql } from '../../kernel/sql.ts'
import { mountJson } from '../../platform/requests/json.ts'
import { mintSecret } from '../api-key-secret.ts'
import { hashPassword } from '../password/password.ts'
import { openSigningKeys } from '../signing-keys/signing-keys.ts'
import type { Seal } from '../signing-keys/stored-keys.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { mountOAuth, type OAuthDeps } from './oauth.ts'

export const password = 'correct horse battery'
const passwordHash = hashPassword(password)

export const seal: Seal = {
  seal: text => Buffer.from(text).toString('base64url'),
  unseal: text => Buffer.from(text, 'base64url').toString(),
}

export async function openTestDatabase(): Promise<Database> {
  const database = openDatabase({ url: await freshDatabase(), poolSize: 8, queueSize: 100, statementTimeout: 600_000 })
  after(() => database.close())
  return database
}

/** Starts the authorisation server on a port of its own, so that tests reach it over HTTP as clients do. */
export async function startService(
  database: Database,
  more: Partial<OAuthDeps> & { basePath?: string; now?: () => number; bodyTime?: number } = {},
) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const baseUrl = more.baseUrl ?? `${origin}${more.basePath ?? ''}`
  const signingKeys = await openSigningKeys(database, seal, more.now)
  const lines: Record<string, unknown>[] = []
  const log = (line: Record<string, unknown>) => void lines.push(line)
  const options = {
    database,
    baseUrl: () => baseUrl,
    bodyLimit: 1_000_000,
    log,
    authenticate: () => Promise.reject(),
    ...(more.bodyTime ? { bodyTime: more.bodyTime } : {}),
  }
  const app = openHttp(options as Partial<HttpOptions> as HttpOptions) // the operations, which need the other options, are not mounted here
  mountJson(app)
  const oauth = await mountOAuth(app, { database, signingKeys, log, attemptsPerMinute: 1000, ...more, baseUrl })
  await app.listen({ port, host: '127.0.0.1' })
  after(() => app.close())
  return { ...oauth, origin, baseUrl, signingKeys, lines }
}

let tenants = 0

export async function makeTenant(database: Database, slug = `tenant-${++tenants}`): Promise<Id> {
  const id = newId()
  await database.single(
    tenantCaller(id),
    ctx => ctx.sql`insert into tenant (tenant_id, id, created, created_by, updated, updated_by, name, slug)
      values (${id}, ${id}, now(), ${id}, now(), ${id}, ${slug}, ${slug})`,
  )
  return id
}

export interface TestUser {
  tenantId: Id
  userId: Id
  email: string
}

export async function makeUser(database: Database, tenantId: Id, email: string): Promise<TestUser> {
  const userId = newId()
  const hash = await passwordHash
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`insert into "user" (tenant_id, id, created, created_by, updated, updated_by, name, email, password)
      values (${tenantId}, ${userId}, now(), ${userId}, now(), ${userId}, ${email.split('@')[0]}, ${email}, ${hash})`,
  )
  return { tenantId, userId, email }
}

export async function makeKey(
  database: Database,
  { tenantId, userId }: TestUser,
  more: { scopes?: string[]; allowedIps?: string[] } = {},
) {
  const id = newId()
  const { prefix, raw, digest, last4 } = mintSecret()
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`insert into api_key (tenant_id, id, created, created_by, updated, updated_by, name, prefix, last4, digest, owner_user_id, scopes, allowed_ips)
      values (${tenantId}, ${id}, now(), ${userId}, now(), ${userId}, 'key', ${prefix}, ${last4}, ${digest}, ${userId}, ${more.scopes ?? []}, ${more.allowedIps ?? []})`,
  )
  return { id, prefix, raw }
}

export async function changeUser(database: Database, { tenantId, userId }: TestUser, set: Sql): Promise<void> {
  await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update "user" set ${set} where tenant_id = ${tenantId} and id = ${userId}`,
  )
}
