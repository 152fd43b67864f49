import assert from 'node:assert/strict'
import { Browser } from '../../src/identity/oauth/test-client.ts'
import { type Options, Person } from './people.ts'

/** The base URL of the test services, which listen at another address. */
export const webName = 'http://gantry.localhost'

export const webPassword = 'correct horse battery'

/** A user who works in a browser: requests carry the cookie of the web app and what its own pages send. */
export class WebUser extends Person {
  readonly browser: Browser

  constructor({ base, id, tenantId }: Pick<Person, 'base' | 'id' | 'tenantId'>, browser: Browser) {
    super(base, '', id, tenantId)
    this.browser = browser
  }

  get cookie(): string {
    return `gantry-web=${this.browser.cookie('gantry-web') ?? ''}`
  }

  override ask(method: string, path: string, { body, headers }: Options = {}) {
    const ours = { cookie: this.cookie, origin: webName, 'x-gantry': 'web', 'sec-fetch-site': 'same-origin' }
    return super.ask(method, path, { body, headers: { ...ours, ...headers } })
  }
}

/** Opens the sign-in of the web app and returns its page. */
export function openSignIn({ base }: Pick<Person, 'base'>, query = '', browser = newBrowser(base)) {
  return browser.open(`${webName}/sign-in${query}`)
}

export const newBrowser = (base: string, headers: Record<string, string> = {}) =>
  new Browser({ name: webName, address: base, headers })

/** Signs a user in to the web app by e-mail and password; the user must have `webPassword`. */
export async function signInToWeb(
  person: Pick<Person, 'base' | 'id' | 'tenantId'>,
  email: string,
  { browser = newBrowser(person.base), query = '' } = {},
): Promise<WebUser & { end: string }> {
  const login = await openSignIn(person, query, browser)
  const end = await browser.submit(login.url, { email, password: webPassword })
  assert.ok(browser.cookie('gantry-web'), `${end.status} ${end.url} ${end.text}`)
  return Object.assign(new WebUser(person, browser), { end: end.url })
}
