import { Browser, cli, loopback, pkce, post } from '../../../identity/oauth/test-client.ts'

/** The configured base URL of the service. */
export const ours = 'http://gantry.localhost'

export interface PageVisit {
  url: URL
  status: number
  text: string
}

/** A browser for tests that follows redirects, and keeps separate cookies for each host. */
export class TestBrowser {
  readonly #base: string
  readonly #browsers = new Map<string, Browser>()
  readonly #verifier = pkce()

  constructor(base: string) {
    this.#base = base
  }

  /** Follows redirects until a page, the redirect URI of the client, or a URL for which `stop` is true. */
  async go(address: string, stop: (url: URL) => boolean = () => false, init: RequestInit = {}): Promise<PageVisit> {
    let url = new URL(address)
    for (let hops = 0; hops < 20; hops++) {
      if (url.href.startsWith(loopback) || (hops > 0 && stop(url))) return { url, status: 0, text: '' }
      const browser = this.#browsers.get(url.origin) ?? new Browser()
      this.#browsers.set(url.origin, browser)
      const there = url.origin === ours ? url.href.replace(ours, this.#base) : url.href
      const response = await browser.fetch(there, hops === 0 ? init : {})
      const location = response.headers.get('location')
      if (!location) return { url, status: response.status, text: await response.text() }
      url = new URL(location, url)
    }
    throw new Error(`no end of redirects at ${url}`)
  }

  submit(url: URL, form: Record<string, string>): Promise<PageVisit> {
    return this.go(url.href, undefined, { method: 'POST', body: new URLSearchParams(form) })
  }

  /** Opens the sign-in page as the command line client does. */
  login(more: Record<string, string> = {}): Promise<PageVisit> {
    const scopes = { scope: 'openid offline_access *:*', prompt: 'consent' }
    const usual = { response_type: 'code', ...scopes, state: 's1', code_challenge_method: 'S256' }
    const query = new URLSearchParams({ ...usual, ...cli, code_challenge: this.#verifier.challenge, ...more })
    return this.go(`${ours}/oauth/auth?${query}`)
  }

  /** Exchanges the code in the final URL for an access token, as the client does. */
  async redeem(visit: PageVisit): Promise<string | undefined> {
    return (await this.tokens(visit)).access_token
  }

  async tokens({ url }: PageVisit): Promise<Record<string, string>> {
    const code = url.searchParams.get('code')
    if (!url.href.startsWith(loopback) || !code) return {}
    const form = { grant_type: 'authorization_code', ...cli, code, code_verifier: this.#verifier.verifier }
    return (await post(`${this.#base}/oauth/token`, form)).body
  }
}

/** The target of the button with this name. */
export function buttonOn({ text }: PageVisit, name: string): string {
  const found = [...text.matchAll(/<a class="other" href="([^"]+)">Continue with ([^<]+)<\/a>/g)]
  return found.find(([, , label]) => label === name)?.[1]?.replaceAll('&amp;', '&') ?? ''
}
