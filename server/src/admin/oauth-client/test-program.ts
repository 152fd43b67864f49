import assert from 'node:assert/strict'
import { Person } from '../../../test/support/people.ts'
import { webName, webPassword } from '../../../test/support/web-user.ts'
import { Browser, pkce, post } from '../../identity/oauth/test-client.ts'

type Params = Record<string, string>

export const callback = 'https://board.example/callback'

/** A program that a tenant has registered, with the steps by which it gets its tokens. */
export class Program {
  readonly base: string
  readonly clientId: string
  readonly secret: string
  /** The public address of the service, which may listen at another one. */
  readonly name: string

  constructor(base: string, { clientId, RawSecret }: { clientId: string; RawSecret: string | null }, name = webName) {
    this.base = base
    this.name = name
    this.clientId = clientId
    this.secret = RawSecret ?? ''
  }

  authUrl(challenge: string, more: Params = {}): string {
    const usual = { response_type: 'code', scope: 'openid item:read', state: 's1', code_challenge_method: 'S256' }
    const own = { client_id: this.clientId, redirect_uri: callback, code_challenge: challenge }
    return `${this.name}/oauth/auth?${new URLSearchParams({ ...usual, ...own, ...more })}`
  }

  /** Leads a person to the page that asks for their consent, or to what is shown instead. */
  async ask(email: string, more: Params = {}, browser = new Browser({ name: this.name, address: this.base })) {
    const { verifier, challenge } = pkce()
    const login = await browser.open(this.authUrl(challenge, more))
    const page = /name="password"/.test(login.text)
      ? await browser.submit(login.url, { email, password: webPassword })
      : login
    return { page, verifier, browser }
  }

  /** The same until the program has its tokens. */
  async tokens(email: string, more: Params = {}, browser?: Browser) {
    const asked = await this.ask(email, more, browser)
    const end = asked.page.url.startsWith(callback)
      ? asked.page
      : await asked.browser.submit(asked.page.url, { answer: 'allow' })
    assert.ok(end.url.startsWith(callback), `${end.status} ${end.url} ${end.text}`)
    const code = new URL(end.url).searchParams.get('code') ?? ''
    const { status, body } = await this.redeem(code, asked.verifier)
    assert.equal(status, 200, JSON.stringify(body))
    const { access_token = '', refresh_token = '' } = body
    return { access_token, refresh_token, code, verifier: asked.verifier, browser: asked.browser }
  }

  redeem(code: string, verifier: string, more: Params = {}) {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: callback,
      ...more,
    })
  }

  token(form: Params) {
    const secret = this.secret === '' ? {} : { client_secret: this.secret }
    return post(`${this.base}/oauth/token`, { client_id: this.clientId, ...secret, ...form })
  }

  /** Calls the API as the user, by a token. */
  as({ base, id, tenantId }: Pick<Person, 'base' | 'id' | 'tenantId'>, accessToken: string | undefined): Person {
    return new Person(base, accessToken ?? '', id, tenantId)
  }
}
