import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as jose from 'jose'
import { Unauthorized } from '../../kernel/refusal.ts'
import { Browser, cli, clientOf } from './test-client.ts'
import { makeTenant, makeUser, openTestDatabase, startService } from './test-service.ts'

const database = await openTestDatabase()
const service = await startService(database)
const { baseUrl, verifyAccessToken } = service
const { refresh, signInTo } = clientOf(baseUrl)
const tenantId = await makeTenant(database, 'harbour')
const ada = await makeUser(database, tenantId, 'ada@example.com')

test('no forged token is accepted', async () => {
  const { access_token: real = '' } = await signInTo(cli, ada)
  const claims = jose.decodeJwt(real)
  const [key] = (await service.signingKeys.current()).keys
  const own = await jose.importJWK(key, 'ES256')
  const { d: _private, ...open } = key
  const thief = await jose.generateKeyPair('ES256', { extractable: true })
  const header = { alg: 'ES256', typ: 'at+jwt', kid: key.kid }
  const sign = (
    payload: jose.JWTPayload,
    head: jose.JWTHeaderParameters = header,
    by: Parameters<jose.SignJWT['sign']>[0] = own,
  ) => new jose.SignJWT(payload).setProtectedHeader(head).sign(by)
  const now = Math.floor(Date.now() / 1000)
  const without = (claim: string) => Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim))
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [head = '', body = '', signature = ''] = real.split('.')
  const publicPem = await jose.exportSPKI((await jose.importJWK({ ...open, ext: true }, 'ES256')) as jose.CryptoKey)

  assert.equal(
    (await verifyAccessToken(await sign(claims))).userId,
    ada.userId,
    'an unchanged token of the forger is accepted',
  )
  const forgeries: Record<string, string> = {
    'alg none': `${encode({ alg: 'none', typ: 'at+jwt' })}.${body}.`,
    'alg None with our kid': `${encode({ alg: 'None', typ: 'at+jwt', kid: key.kid })}.${body}.`,
    'alg none with the signature': `${encode({ alg: 'none', typ: 'at+jwt', kid: key.kid })}.${body}.${signature}`,
    'HS256 by the public key as PEM': await sign(
      claims,
      { ...header, alg: 'HS256' },
      new TextEncoder().encode(publicPem),
    ),
    'HS256 by the public key as JWK': await sign(
      claims,
      { ...header, alg: 'HS256' },
      new TextEncoder().encode(JSON.stringify(open)),
    ),
    'HS256 by x': await sign(claims, { ...header, alg: 'HS256' }, Buffer.from(open.x, 'base64url')),
    'another issuer': await sign({ ...claims, iss: 'https://evil.example' }),
    'another audience': await sign({ ...claims, aud: 'https://evil.example/api' }),
    'the client as audience': await sign({ ...claims, aud: 'gantry-cli' }),
    'typ JWT': await sign(claims, { ...header, typ: 'JWT' }),
    'no typ': await sign(claims, { alg: 'ES256', kid: key.kid }),
    expired: await sign({ ...claims, exp: now - 60 }),
    'not yet': await sign({ ...claims, nbf: now + 600 }),
    'no exp': await sign(without('exp')),
    'no sub': await sign(without('sub')),
    'no tid': await sign(without('tid')),
    'no scope': await sign(without('scope')),
    'an empty scope': await sign({ ...claims, scope: '' }),
    'a tid that is none': await sign({ ...claims, tid: "' or true --" }),
    'a sub that is none': await sign({ ...claims, sub: '*' }),
    'a key that is none': await sign({ ...claims, key: 'x' }),
    'a key of nobody': await sign({ ...claims, key: ada.userId }),
    'no source': await sign(without('grant')),
    'a grant of nobody': await sign({ ...claims, grant: 'x' }),
    'another kid': await sign(claims, { ...header, kid: 'other' }),
    'no kid': await sign(claims, { alg: 'ES256', typ: 'at+jwt' }),
    'a kid like a path': await sign(claims, { ...header, kid: '../../dev/null' }),
    'our kid by another key': await sign(claims, header, thief.privateKey),
    'an inline jwk': await sign(
      claims,
      { ...header, kid: 'inline', jwk: await jose.exportJWK(thief.publicKey) },
      thief.privateKey,
    ),
    'an inline jwk under our kid': await sign(
      claims,
      { ...header, jwk: await jose.exportJWK(thief.publicKey) },
      thief.privateKey,
    ),
    'a jku': await sign(claims, { ...header, jku: 'https://evil.example/jwks' }, thief.privateKey),
    'an x5u': await sign(claims, { ...header, x5u: 'https://evil.example/cert' }, thief.privateKey),
    'a changed payload': `${head}.${encode({ ...claims, sub: tenantId })}.${signature}`,
    'a changed header': `${encode({ ...header, typ: 'at+jwt', extra: 1 })}.${body}.${signature}`,
    'no signature': `${head}.${body}.`,
    'a zero signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'half a signature': `${head}.${body}.${signature.slice(0, 40)}`,
    'an ID token': (await signInTo(cli, ada)).id_token ?? '',
    'an unknown critical header': await sign(claims, {
      ...header,
      crit: ['x'],
      x: 1,
    } as jose.JWTHeaderParameters).catch(() => `${encode({ ...header, crit: ['x'], x: 1 })}.${body}.${signature}`),
    'two tokens': `${real}.${real}`,
    'JSON instead of compact': JSON.stringify({ payload: body, protected: head, signature }),
    empty: '',
    words: 'not a token',
    dots: '..',
  }
  for (const [name, token] of Object.entries(forgeries)) {
    await assert.rejects(
      verifyAccessToken(token),
      (error: unknown) =>
        error instanceof Unauthorized && /error="invalid_token"/.test(error.headers['www-authenticate'] ?? ''),
      name,
    )
  }
  assert.ok(Object.keys(forgeries).length >= 40)
})

test('a copy of the database gives access to nothing', async () => {
  const browser = new Browser()
  const { refresh_token: token = '' } = await signInTo(cli, ada, {}, browser)
  const rows = await database.crossTenantSql<{ all: string }>`select row_to_json(o)::text as all from oauth o`
  const dump = rows.map(row => row.all).join('\n')
  assert.ok(rows.length > 5)
  assert.ok(!dump.includes(token))
  const session = browser.cookieLines.find(line => line.startsWith('gantry-session='))?.split(/[=;]/)[1] ?? ''
  assert.ok(session.length > 20)
  assert.ok(!dump.includes(session))
  assert.ok(dump.includes(`${ada.tenantId}:${ada.userId}`), 'rows name their account, so that they can be revoked')
  const stolen = await database.crossTenantSql<{ id: string }>`select id from oauth where kind = 'RefreshToken'`
  assert.equal((await refresh(stolen[0]?.id)).body.error, 'invalid_grant')
})
