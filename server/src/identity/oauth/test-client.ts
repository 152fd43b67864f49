import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { password, type TestUser } from './test-service.ts'

export const loopback = 'http://127.0.0.1:51234/callback'
export const cli = { client_id: 'gantry-cli', redirect_uri: loopback }

export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

type Params = Record<string, string>

/** The steps by which a client obtains its tokens. */
export function clientOf(baseUrl: string) {
  const at = (path: string) => `${baseUrl}/oauth/${path}`

  function authUrl(client: Params, challenge: string, more: Params = {}): string {
    const scopes = { scope: 'openid offline_access *:*', prompt: 'consent' }
    const usual = { response_type: 'code', ...scopes, state: 's1', code_challenge_method: 'S256' }
    return `${at('auth')}?${new URLSearchParams({ ...usual, ...client, code_challenge: challenge, ...more })}`
  }

  /** Runs from the authorisation request to the code that the client receives. */
  async function getCode(browser: Browser, user: TestUser, client: Params, more: Params = {}) {
    const { verifier, challenge } = pkce()
    const login = await browser.open(authUrl(client, challenge, more))
    assert.match(login.url, /\/oauth\/interaction\/[\w-]+$/)
    const end = await browser.submit(login.url, { email: user.email, password })
    const answer = new URL(end.url)
    assert.equal(`${answer.origin}${answer.pathname}`, client.redirect_uri, end.text)
    assert.equal(answer.searchParams.get('state'), 's1')
    assert.equal(answer.searchParams.get('iss'), baseUrl)
    return { code: answer.searchParams.get('code') ?? '', verifier }
  }

  function redeem(client: Params, code: string, verifier: string) {
    return post(at('token'), { grant_type: 'authorization_code', ...client, code, code_verifier: verifier })
  }

  function refresh(token: string | undefined, client = 'gantry-cli', more: Params = {}) {
    return post(at('token'), { grant_type: 'refresh_token', client_id: client, refresh_token: token ?? '', ...more })
  }

  async function signInTo(client: Params, user: TestUser, more: Params = {}, browser = new Browser()) {
    const { code, verifier } = await getCode(browser, user, client, more)
    const { status, body } = await redeem(client, code, verifier)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** Makes one sign-in attempt through the form, starting at its first page. */
  async function attempt(email: string, given: string, workspace = '') {
    const browser = new Browser()
    const login = await browser.open(authUrl(cli, pkce().challenge))
    const end = await browser.submit(login.url, { email, password: given, workspace })
    return { status: end.status, text: end.text, in: end.url.startsWith(loopback) }
  }

  return { at, authUrl, getCode, redeem, refresh, signInTo, attempt }
}

/** A minimal browser: it keeps cookies by path and submits forms, and follows redirects only when asked to. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string; line: string }>()
  readonly #name: string
  readonly #address: string
  readonly #headers: Record<string, string>

  /** `name` is the base URL of a service that is reached at another address; the headers are sent with every request. */
  constructor(
    { name, address, headers = {} }: { name: string; address: string; headers?: Record<string, string> } = {
      name: '',
      address: '',
    },
  ) {
    this.#name = name
    this.#address = address
    this.#headers = headers
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(`${name} /`)?.value
  }

  get cookieLines(): string[] {
    return [...this.#cookies.values()].map(({ line }) => line)
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ')
    const response = await fetch(url.replace(this.#name, this.#address), {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', ...this.#headers, ...init.headers, ...(cookie ? { cookie } : {}) },
    })
    for (const line of response.headers.getSetCookie()) this.keep(line)
    return response
  }

  /** Stores a cookie as the header `Set-Cookie` writes it. */
  keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split('=')
    const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? '/'
    if (value === '' || attributes.some(each => each.includes('1970'))) this.#cookies.delete(`${name} ${path}`)
    else this.#cookies.set(`${name} ${path}`, { value, path, line })
  }

  /** Follows redirects within the service; ends at a page, or at the first external URL. */
  async open(
    url: string,
    init: RequestInit = {},
  ): Promise<{ url: string; status: number; text: string; headers: Headers }> {
    const { origin } = new URL(url)
    let response = await this.fetch(url, init)
    while (response.status === 303 || response.status === 302) {
      const next = new URL(response.headers.get('location') ?? '', url)
      if (next.origin !== origin)
        return { url: next.href, status: response.status, text: '', headers: response.headers }
      url = next.href
      response = await this.fetch(url)
    }
    return { url, status: response.status, text: await response.text(), headers: response.headers }
  }

  submit(url: string, form: Record<string, string>) {
    return this.open(url, { method: 'POST', body: new URLSearchParams(form) })
  }
}

export async function getJson(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

export async function post(url: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers })
  const text = await response.text()
  const body: Record<string, string> = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: response.status, body, text, headers: response.headers }
}
