import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Agent, request } from 'undici'
import { mint } from '../../src/admin/api-key.ts'
import { type User, users } from '../../src/admin/user/user.ts'
import { mountRoutes } from '../../src/app/routes/mount-routes.ts'
import { createTenant } from '../../src/app/seed-tenant.ts'
import { openServices } from '../../src/app/services.ts'
import { buildApp } from '../../src/app.ts'
import { openAuthentication } from '../../src/identity/authenticate.ts'
import { tenantCaller } from '../../src/identity/tenant-caller.ts'
import { type Database, openDatabase } from '../../src/kernel/database.ts'
import { openHttp } from '../../src/kernel/http/http.ts'
import type { HttpOptions } from '../../src/kernel/http/http-options.ts'
import type { Routes } from '../../src/kernel/operation.ts'
import { Unauthorized } from '../../src/kernel/refusal.ts'
import { readForm } from '../../src/platform/requests/form.ts'
import { idempotently } from '../../src/platform/requests/idempotency.ts'
import { mountJson } from '../../src/platform/requests/json.ts'
import { openSecrets } from '../../src/platform/secrets.ts'
import { readSettings } from '../../src/platform/settings.ts'
import type { Answer } from './answer.ts'
import { conforms } from './conformance/conformance.ts'
import { freshDatabase } from './database/database.ts'

/** `body` is sent as JSON; a string or bytes are sent unchanged. */
export type Options = { body?: unknown; headers?: Record<string, string> }

// This client costs half as much as fetch, and the suites send many thousand requests. It has no timeout, because the
// machine may be busy.
const connections = new Agent({ keepAliveTimeout: 4000, headersTimeout: 0, bodyTimeout: 0 })

/** A user with a credential who calls the service over HTTP. */
export class Person {
  readonly base: string
  readonly key: string
  readonly id: string
  readonly tenantId: string

  constructor(base: string, key: string, id: string, tenantId: string) {
    this.base = base
    this.key = key
    this.id = id
    this.tenantId = tenantId
  }

  private checking = true

  /** The same user, whose answers are not compared with the OpenAPI document, because they come from planted faults. */
  unchecked(): this {
    this.checking = false
    return this
  }

  /** Sends a request and returns any answer. `path` is relative to `/api`, unless it begins with `//`. */
  async ask(method: string, path: string, { body, headers = {} }: Options = {}): Promise<Answer> {
    const url = path.startsWith('//') ? `${this.base}${path.slice(1)}` : `${this.base}/api${path}`
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const sent = {
      ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await request(url, {
      method: method as 'GET',
      dispatcher: connections,
      headers: sent,
      ...(body === undefined ? {} : { body: content }),
    })
    const text = await response.body.text()
    const received = headersOf(response.headers)
    const json = /[/+]json/.test(received.get('content-type') ?? '')
    const answer: Answer = {
      status: response.statusCode,
      body: text === '' ? undefined : json ? JSON.parse(text) : text,
      headers: received,
    }
    if (this.checking) conforms({ method, url, sent, body: content, answer })
    return answer
  }

  /** Sends a request that must succeed; any other answer is an error that shows it. */
  async must(method: string, path: string, options: Options = {}) {
    const { status, body } = await this.ask(method, path, options)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  get = (path: string) => this.must('GET', path)
  post = (path: string, body: unknown) => this.must('POST', path, { body })
  put = (path: string, body: unknown) => this.must('PUT', path, { body })
  delete = (path: string) => this.must('DELETE', path)
}

/** Repeats a request that was answered with 503, because its transaction met a deadlock three times. */
export async function retryUnavailable(ask: () => Promise<Answer>, times = 5): Promise<Answer> {
  const answer = await ask()
  return answer.status === 503 && times > 0 ? await retryUnavailable(ask, times - 1) : answer
}

function headersOf(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each)
  }
  return headers
}

/** Two tenants of a running service. */
export interface TestPeople {
  base: string
  database: Database
  /** Super admin. */
  ada: Person
  /** Plain member of the same tenant. */
  bob: Person
  /** Super admin of another tenant. */
  eve: Person
  /** A caller without a credential. */
  nobody: Person
  /** Adds a user to ada's tenant, or to another; `role` is the code of the base role. */
  person(values: Partial<User> & { name: string }, colleague?: Person): Promise<Person>
  /** The kinds of the newest events of ada's tenant, oldest first. */
  happened(count: number): Promise<string[]>
}

/** A service with a database of its own. */
export interface TestService extends TestPeople {
  databaseUrl: string
  dataDir: string
}

/** Starts the service on an existing database; it stops at the end of the test file. */
export async function serveOn(databaseUrl: string, dataDir: string, env: Record<string, string> = {}) {
  const { base, database, close } = await serve(databaseUrl, dataDir, env)
  after(close)
  return { base, database }
}

async function serve(databaseUrl: string, dataDir: string, env: Record<string, string>) {
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: 'http://gantry.localhost',
    RATE_LIMIT_PER_MINUTE: '0', // A suite sends more than people do.
    ...env,
  })
  const secrets = openSecrets(settings)
  const pools = openDatabase({
    url: databaseUrl,
    // Every connection plans the statements anew, so a small pool saves time.
    poolSize: 2,
    queueSize: 500,
    // On a busy machine waiting takes long, so the limits on waiting are raised; a refusal would not be a fault of the
    // service.
    statementTimeout: 600_000,
    connectTimeout: 600_000,
    lockTimeout: 600_000,
    transactionIdleTimeout: 600_000,
  })
  const database = pools.serving(openServices(settings, secrets))
  const problems: unknown[] = []
  const app = await buildApp({ settings, database, secrets, log: line => problems.push(line) })
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await app.close()
    await database.close()
    if (process.env.SHOW_LOG) console.error(problems)
  }
  return { base, database, close }
}

/** Mounts other operations than the service's own on the same database, for tests that plant a fault. */
export async function serveRoutes({ database, dataDir }: TestService, routes: Routes): Promise<string> {
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, BASE_URL: 'http://gantry.localhost' })
  const options: HttpOptions = {
    database,
    bodyLimit: settings.bodyLimit,
    idempotently,
    readForm,
    baseUrl: () => settings.baseUrl,
    log: () => {},
    authenticate: openAuthentication(database, async () => {
      throw new Unauthorized('only keys are known here', 'invalid_token')
    }),
  }
  const app = openHttp(options)
  mountJson(app)
  mountRoutes(app, routes, options)
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  return base
}

/** Starts the whole service on a new database with users; it stops at the end of the test file. */
export async function startTestService(env: Record<string, string> = {}): Promise<TestService> {
  const { close, ...service } = await openTestService(env)
  after(close)
  return service
}

/** Starts the whole service on a new database with users; the caller closes it. */
export async function openTestService(
  env: Record<string, string> = {},
): Promise<TestService & { close(): Promise<void> }> {
  const databaseUrl = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-test-data-'))
  const { base, database, close } = await serve(databaseUrl, dataDir, env)
  return {
    databaseUrl,
    dataDir,
    ...(await createPeople(base, database)),
    async close() {
      await close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const shared = new Map<string, ReturnType<typeof openShared>>()

/**
 * Two new tenants of a service that several test files share: it is started once per process and settings, and its
 * connections know the plans of most statements already. For tests that look at their own tenants only, without query
 * plans, which depend on the statistics of the whole database.
 */
export async function sharedTestService(env: Record<string, string> = {}): Promise<TestService> {
  const settings = JSON.stringify(env)
  const opened = shared.get(settings) ?? openShared(env)
  shared.set(settings, opened)
  const { base, database, databaseUrl, dataDir } = await opened
  return { databaseUrl, dataDir, ...(await createPeople(base, database)) }
}

async function openShared(env: Record<string, string>) {
  const databaseUrl = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-test-data-'))
  return { databaseUrl, dataDir, ...(await serve(databaseUrl, dataDir, env)) }
}

/** Whether this is the database of a shared service. */
export async function isShared(databaseUrl: string): Promise<boolean> {
  return (await Promise.all(shared.values())).some(each => each.databaseUrl === databaseUrl)
}

/** Creates two tenants with users in a running service. */
export async function createPeople(base: string, database: Database): Promise<TestPeople> {
  // The tests count what they make themselves, and a hundred files need two tenants each.
  const plain = { keyName: 'test', startHere: false }
  const ours = await createTenant(database, { name: 'Acme', email: 'ada@example.com', ...plain })
  const theirs = await createTenant(database, { name: 'Evil', email: 'eve@example.com', ...plain })
  const ada = new Person(base, ours.RawKey, ours.userId, ours.tenantId)
  const person = async (values: Partial<User> & { name: string }, { tenantId, id: by } = ada) => {
    const { id } = await database.transaction(tenantCaller(tenantId, by), ctx => users.create(ctx, values))
    const key = await database.transaction(tenantCaller(tenantId, id), ctx => mint(ctx, { name: 'test' }))
    return new Person(base, key.RawKey, id, tenantId)
  }
  return {
    base,
    database,
    ada,
    bob: await person({ name: 'Bob', email: 'bob@example.com' }),
    eve: new Person(base, theirs.RawKey, theirs.userId, theirs.tenantId),
    nobody: new Person(base, '', '', ''),
    person,
    async happened(count) {
      const rows = await database.single(
        tenantCaller(ours.tenantId),
        ctx =>
          ctx.sql<{
            kind: string
          }>`select kind from event where tenant_id = ${ours.tenantId} order by xact desc, id desc limit ${count}`,
      )
      return rows.map(row => row.kind).reverse()
    },
  }
}
