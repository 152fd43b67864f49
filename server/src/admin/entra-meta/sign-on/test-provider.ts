import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import * as jose from 'jose'
import { type Adapter, type Ctx, Provider } from 'oidc-provider'
import { freePort } from '../../../../test/support/free-port.ts'

interface TestClient {
  client_id: string
  client_secret: string
  redirect_uris: string[]
}

interface Token {
  header: Record<string, unknown>
  payload: Record<string, unknown>
}

/** Returns the token to send instead: changed, signed by another key, or not signed at all. */
export type Twist = (token: Token, sign: (token: Token, key?: jose.CryptoKey) => Promise<string>) => Promise<string>

const scopes = 'openid profile email'

/** An OpenID Connect provider for tests, on its own port. It signs in `who`, and sends false answers on request. */
export class TestProvider {
  readonly issuer: string
  readonly clients: TestClient[] = []
  /** The claims of the person who signs in. */
  who: Record<string, unknown> = { sub: 'nobody' }
  twist: Twist | undefined
  /** Replaces the discovery document. */
  describe: ((metadata: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** The paths of all requests. */
  readonly asked: string[] = []
  #key: { private: jose.CryptoKey; kid: string } | undefined
  #provider: Provider | undefined
  readonly #rows = new Map<string, Record<string, unknown>>()
  readonly #path: string

  constructor(port: number, path = '') {
    this.#path = path
    this.issuer = `http://127.0.0.1:${port}${path}`
    const server: Server = createServer((request, response) => void this.#answer(request, response))
    server.listen(port, '127.0.0.1')
    after(() => new Promise(resolve => server.close(resolve)))
  }

  /** Replaces the signing key by a new one. */
  async rekey(): Promise<void> {
    const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
    const kid = crypto.randomUUID()
    this.#key = { private: privateKey, kid }
    const jwk = { ...(await jose.exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
    this.#provider = this.#make(jwk)
  }

  get kid(): string {
    return this.#key?.kid ?? ''
  }

  #make(jwk: jose.JWK): Provider {
    const own = ['sub', 'oid', 'tid', 'groups', 'hasgroups', '_claim_names', 'xms_edov', 'preferred_username']
    const provider: Provider = new Provider(this.issuer, {
      adapter: (kind: string) => this.#adapter(kind),
      jwks: { keys: [jwk] },
      clients: this.clients.map(client => ({ ...client, id_token_signed_response_alg: 'ES256' })),
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      claims: { openid: own, profile: ['name'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
      pkce: { required: () => true },
      cookies: { keys: ['test'], names: { session: 'elsewhere', interaction: 'way', resume: 'back' } },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx: Ctx, { uid }: { uid: string }) => `${this.#path}/interaction/${uid}` },
      findAccount: (_ctx: Ctx, accountId: string) => ({
        accountId,
        claims: async () => ({ ...this.who, sub: accountId }),
      }),
      loadExistingGrant: async (ctx: Ctx) => {
        const grant = new provider.Grant({
          accountId: ctx.oidc.session?.accountId ?? '',
          clientId: ctx.oidc.client?.clientId ?? '',
        })
        grant.addOIDCScope(scopes)
        await grant.save()
        return grant
      },
    })
    provider.use(async (ctx, next) => {
      await next()
      const body = ctx.body as Record<string, unknown> | undefined
      if (ctx.path.endsWith('/openid-configuration') && this.describe) ctx.body = this.describe({ ...body })
      if (ctx.path.endsWith('/token') && this.twist && typeof body?.id_token === 'string')
        ctx.body = { ...body, id_token: await this.#twisted(body.id_token, this.twist) }
    })
    return provider
  }

  async #twisted(token: string, twist: Twist): Promise<string> {
    const header = { ...jose.decodeProtectedHeader(token) }
    const payload = { ...jose.decodeJwt(token) }
    const own = this.#key?.private
    if (!own) throw new Error('no key')
    return await twist({ header, payload }, (changed, key = own) =>
      new jose.SignJWT(changed.payload).setProtectedHeader({ alg: 'ES256', ...changed.header }).sign(key),
    )
  }

  async #answer(request: IncomingMessage & { originalUrl?: string }, response: ServerResponse): Promise<void> {
    const provider = this.#provider
    const { pathname } = new URL(request.url ?? '/', this.issuer)
    this.asked.push(pathname.slice(this.#path.length))
    if (!provider || !pathname.startsWith(this.#path)) return void response.writeHead(404).end()
    if (pathname.startsWith(`${this.#path}/interaction/`)) {
      const login = { accountId: String(this.who.sub) }
      const location = await provider.interactionResult(request, response, { login })
      return void response.writeHead(303, { location }).end()
    }
    request.originalUrl = request.url ?? '/'
    request.url = request.originalUrl.slice(this.#path.length) || '/'
    await provider.callback()(request, response)
  }

  #adapter(kind: string): Adapter {
    const rows = this.#rows
    const at = (id: string) => `${kind} ${id}`
    const where = (property: string, value: string) =>
      [...rows].find(([key, row]) => key.startsWith(`${kind} `) && row[property] === value)?.[1]
    return {
      upsert: async (id, payload) => void rows.set(at(id), payload),
      find: async id => rows.get(at(id)),
      findByUid: async uid => where('uid', uid),
      findByUserCode: async code => where('userCode', code),
      consume: async id => void Object.assign(rows.get(at(id)) ?? {}, { consumed: 1 }),
      destroy: async id => void rows.delete(at(id)),
      revokeByGrantId: async grantId => {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
      },
    }
  }
}

export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort))
}
