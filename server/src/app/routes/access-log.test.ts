import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database/database.ts'
import { until } from '../../../test/support/until.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../kernel/database.ts'
import { openSecrets } from '../../platform/secrets.ts'
import { readSettings } from '../../platform/settings.ts'
import { createTenant } from '../seed-tenant.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gantry-access-log-'))
const origin = 'https://app.example.com'
const settings = readSettings({
  DATA_DIR: dataDir,
  ACCESS_LOG: 'on',
  HSTS_SECONDS: '31536000',
  CORS_ORIGINS: `${origin}, https://other.example.com:8443`,
})
const database = openDatabase({ url: await freshDatabase(), poolSize: 2, queueSize: 10, statementTimeout: 600_000 })
const lines: Record<string, unknown>[] = []
const app = await buildApp({ settings, database, secrets: openSecrets(settings), log: line => lines.push(line) })
const base = await app.listen({ port: 0, host: '127.0.0.1' })
after(async () => {
  await app.close()
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('the access log has who asked what from where, and no values of queries and no secrets', async () => {
  const { tenantId, userId, RawKey } = await createTenant(database, { name: 'A', email: 'a@example.com', keyName: 'k' })
  const authorization = `Bearer ${RawKey}`
  const listed = await fetch(`${base}/api/item?q=canary-query`, { headers: { authorization } })
  await listed.text()
  await fetch(`${base}/nowhere/canary-path`)
  await fetch(`${base}/oauth/jwks`)
  await until(
    () => lines.length === 3,
    () => JSON.stringify(lines),
  )
  const [item, nowhere, jwks] = lines
  assert.deepEqual(
    [item?.level, item?.method, item?.route, item?.status, item?.tenant, item?.user, item?.address],
    ['access', 'GET', '/api/item', 200, tenantId, userId, '127.0.0.1'],
  )
  assert.match(String(item?.key), /^[\da-f-]{36}$/)
  assert.ok(Number(item?.ms) > 0 && Number(item?.bytes) > 100)
  assert.deepEqual([nowhere?.route, nowhere?.status, nowhere?.user], ['', 404, ''])
  assert.deepEqual([jwks?.route, jwks?.status], ['/oauth/jwks', 200])
  for (const secret of ['canary', RawKey]) assert.ok(!JSON.stringify(lines).includes(secret), secret)
})

test('every answer has a permissions policy, and with HSTS_SECONDS tells browsers to use TLS only', async () => {
  for (const path of ['/healthz', '/api/item', '/oauth/jwks', '/docs', '/nowhere']) {
    const { headers } = await fetch(base + path)
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\), .*geolocation=\(\)/, path)
  }
})

test('pages of the origins in CORS_ORIGINS may call the API, without cookies', async () => {
  const preflight = await fetch(`${base}/api/item`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /\bPATCH\b/)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bAuthorization\b/)
  const answer = await fetch(`${base}/api/item`, { headers: { origin } })
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [401, origin])
  assert.match(answer.headers.get('vary') ?? '', /\borigin\b.*\baccept-encoding\b/)
  for (const { headers } of [preflight, answer]) assert.equal(headers.get('access-control-allow-credentials'), null)
})

test('other origins, and pages that use cookies, get no such headers', async () => {
  const asked = { 'access-control-request-method': 'POST' }
  const refused = await fetch(`${base}/api/item`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com.evil.example', ...asked },
  })
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [405, null])
  const page = await fetch(`${base}/sign-in`, { headers: { origin }, redirect: 'manual' })
  assert.equal(page.headers.get('access-control-allow-origin'), null)
})

test('an entry of CORS_ORIGINS is an origin', () => {
  for (const wrong of ['*', 'app.example.com', 'https://app.example.com/', 'https://app.example.com/path', 'null'])
    assert.throws(() => readSettings({ CORS_ORIGINS: wrong }), /CORS_ORIGINS must list origins/, wrong)
})
