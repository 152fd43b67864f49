import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { mint } from '../src/admin/api-key.ts'
import { callback, Program } from '../src/admin/oauth-client/test-program.ts'
import { storePassword } from '../src/admin/user/sign-in/password.ts'
import { users } from '../src/admin/user/user.ts'
import { createTenant } from '../src/app/seed-tenant.ts'
import { cli, clientOf } from '../src/identity/oauth/test-client.ts'
import { password } from '../src/identity/oauth/test-service.ts'
import { tenantCaller } from '../src/identity/tenant-caller.ts'
import { openDatabase } from '../src/kernel/database.ts'
import { freshDatabase } from './support/database/database.ts'
import { freePort } from './support/free-port.ts'
import { Listener } from './support/listener.ts'
import { Person } from './support/people.ts'
import { until } from './support/until.ts'
import { webPassword } from './support/web-user.ts'

// Two nodes, each a process, share one database: revoked access ends on both. The delay is reported and not asserted:
// the promise is five seconds, which a busy machine cannot guarantee.

const main = new URL('../gantry.js', import.meta.url).pathname

describe('whoever is out is refused by every node', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-nodes-'))
  const url = await freshDatabase()
  const database = openDatabase({ url, poolSize: 2, queueSize: 100, statementTimeout: 600_000 })
  const [here, there] = [await freePort(), await freePort()]
  const nodes = [here, there].map(port => `http://127.0.0.1:${port}`)
  const ours = await createTenant(database, {
    name: 'Acme',
    email: 'ada@example.com',
    keyName: 'test',
    startHere: false,
  })
  const ada = new Person(nodes[0] ?? '', ours.RawKey, ours.userId, ours.tenantId)
  const stop: (() => Promise<void>)[] = []

  before(async () => {
    for (const port of [here, there]) stop.push(await start(port))
  })
  after(async () => {
    await Promise.all(stop.map(each => each()))
    await database.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  /** Both nodes have one public address, as behind a load balancer: the issuer of their tokens. */
  async function start(port: number): Promise<() => Promise<void>> {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DATA_DIR: join(dataDir, String(port)),
      DATABASE_URL: url,
      MASTER_KEY: '11'.repeat(32),
      BASE_URL: nodes[0] ?? '',
      PORT: String(port),
      WORKERS: '1',
      ENGINES: 'off',
    }
    const child = spawn(process.execPath, [main, 'serve'], { env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (said += part))
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`it did not start: ${said}`)
        return said.includes('Gantry is at')
      },
      () => said,
    )
    return async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }

  let count = 0

  /** A user with a credential that both nodes have just cached, and an open stream on each. */
  async function somebody(session = false) {
    const { id, email } = await personWithPassword(password)
    if (session) {
      const tokens = await clientOf(nodes[0] ?? '').signInTo(cli, { tenantId: ada.tenantId, userId: id, email })
      return await actingAt(id, tokens.access_token ?? '')
    }
    const key = await database.transaction(tenantCaller(ada.tenantId, id), ctx => mint(ctx, { name: 'test' }))
    return await actingAt(id, key.RawKey)
  }

  async function personWithPassword(secret: string) {
    const email = `person${++count}@example.com`
    const { id } = await database.transaction(tenantCaller(ada.tenantId, ada.id), ctx =>
      users.create(ctx, { name: 'Person', email }),
    )
    await database.transaction(tenantCaller(ada.tenantId, id), ctx =>
      storePassword(ctx, { id, email, name: 'Person' }, secret),
    )
    return { id, email }
  }

  async function actingAt(id: string, credential: string) {
    const at = nodes.map(node => new Person(node, credential, id, ada.tenantId))
    for (const each of at) assert.equal((await each.ask('GET', '/user/me')).status, 200)
    const streams = await Promise.all(at.map(each => Listener.to(each, '/event/stream?entity=Item')))
    for (const each of streams) assert.equal(each.status, 200)
    return { id, at, streams }
  }

  async function isOut(t: TestContext, { at, streams }: Awaited<ReturnType<typeof somebody>>): Promise<void> {
    const since = performance.now()
    // The nodes are asked continuously, so that their caches are as fresh as possible.
    const refused = (person: Person) => until(async () => (await person.ask('GET', '/user/me')).status === 401)
    await Promise.all([...at.map(refused), ...streams.map(each => each.until(() => each.ended))])
    t.diagnostic(`out after ${Math.round(performance.now() - since)} ms`)
  }

  const ways: [string, (id: string) => Promise<unknown>, boolean?][] = [
    ['deactivated', id => ada.put(`/user/${id}`, { active: false })],
    ['deactivated for good', id => ada.post(`/user/${id}/deactivate`, {})],
    ['locked', id => ada.put(`/user/${id}`, { locked: '2999-01-01T00:00:00Z' })],
    ['deleted', id => ada.delete(`/user/${id}`)],
    ['anonymised', id => ada.must('POST', `/user/${id}/anonymise`)],
    ['without their key', revokeKey],
    [
      'out of their session by a new password',
      id => ada.post(`/user/${id}/password`, { password: 'another long password' }),
      true,
    ],
    ['out of their session by a deactivation', id => ada.put(`/user/${id}`, { active: false }), true],
    ['out of all sessions', id => ada.delete(`/user/${id}/session`), true],
    ['out of one session', endSession, true],
  ]

  async function revokeKey(id: string): Promise<void> {
    const [key] = await ada.get(`/admin/api-key?ownerUserId=${id}`)
    await ada.delete(`/admin/api-key/${key.id}`)
  }

  async function endSession(id: string): Promise<void> {
    const [session] = await ada.get(`/user/${id}/session`)
    await ada.delete(`/user/${id}/session/${session.id}`)
  }

  for (const [what, act, session] of ways) {
    test(`whoever is ${what}`, async t => {
      const person = await somebody(session)
      await act(person.id)
      await isOut(t, person)
    })
  }

  const programs: [string, (client: { id: string }) => Promise<unknown>][] = [
    ['switched off', ({ id }) => ada.put(`/oauth-client/${id}`, { active: false })],
    ['deleted', ({ id }) => ada.delete(`/oauth-client/${id}`)],
    ['left without scopes', ({ id }) => ada.put(`/oauth-client/${id}`, { scopes: [] })],
  ]

  for (const [what, act] of programs) {
    test(`whoever acts by a program that is ${what}`, async t => {
      const { id, email } = await personWithPassword(webPassword)
      const client = await ada.post('/oauth-client', { name: 'Board', redirectUris: [callback], scopes: ['*:*'] })
      const [address = ''] = nodes
      const { access_token } = await new Program(address, client, address).tokens(email, { scope: 'openid *:*' })
      const person = await actingAt(id, access_token)
      await act(client)
      await isOut(t, person)
    })
  }

  test('whoever is said to be somebody else no more', async t => {
    const person = await somebody(true)
    const identity = await ada.must('PUT', `/user/${person.id}/identity`, {
      body: { issuer: 'https://login.example.com', subject: 's' },
    })
    await ada.delete(`/user-identity/${identity.id}`)
    await isOut(t, person)
  })
})
