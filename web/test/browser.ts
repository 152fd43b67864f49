import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Person } from '../../server/test/support/people.ts'
import { newBrowser, openSignIn, webName, webPassword } from '../../server/test/support/web-user.ts'
import { quietBrowser } from './quiet-browser.ts'

// A real Chromium on the real service. `CHROMIUM` names another one than the usual places have.

// The form without windows does the same work for pages at a lower cost.
const places = [
  process.env.CHROMIUM ?? '',
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const executablePath = places.find(each => each !== '' && existsSync(each))

if (!executablePath && process.env.CI)
  throw new Error('no Chromium is installed here, and the tests of the web app need one')

/** How many times slower the pages run: what is seen and what is ready then lie further apart, and races show. */
const slowdown = Number(process.env.PAGE_SLOWDOWN ?? 1)

/** Why tests in a browser are skipped; false if they are not. */
export const withoutBrowser: string | false = executablePath ? false : 'no Chromium is installed here'

/** A person with the app in a browser of their own. */
export interface Seat {
  page: Page
  context: BrowserContext
  /** What the page did wrong: errors, refused content. */
  faults: string[]
}

interface SitOptions {
  /** The app can be opened without a network. */
  offline?: boolean
  /** The person signs in on the page, as people do; otherwise the browser already has the cookie of a new session. */
  onPage?: boolean
}

/** Opens browsers for people of one service: each is closed at the end of the test, or of the suite, that opened it. */
export async function openBrowsers({ base }: Pick<Person, 'base'>) {
  const browser = await browserFor(base)

  /** Signs a person in, who must have `webPassword`, and opens an address of the app. */
  async function sit(email: string, path = '/', { offline = false, onPage = false }: SitOptions = {}): Promise<Seat> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      // Requests of a page with a service worker cannot be held back by a test.
      serviceWorkers: offline ? 'allow' : 'block',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    })
    // A page that stays open goes on with its work beside the next tests.
    after(() => context.close())
    context.setDefaultTimeout(Number(process.env.PAGE_TIMEOUT ?? 600_000)) // A busy machine is slow; a test that hangs is found by the runner.
    if (!onPage) await context.addCookies([await cookieOf(base, email)])
    const page = await context.newPage()
    if (slowdown > 1)
      await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${webName}${path}`)
    if (onPage) {
      await page.fill('input[type=email], input[name=email]', email)
      await page.fill('input[type=password]', webPassword)
      await page.keyboard.press('Enter')
    }
    await page.waitForSelector('.app')
    return { page, context, faults }
  }
  return { sit }
}

/** The cookie of a new session. */
async function cookieOf(base: string, email: string) {
  const browser = newBrowser(base)
  const login = await openSignIn({ base }, '', browser)
  const end = await browser.submit(login.url, { email, password: webPassword })
  const value = browser.cookie('gantry-web')
  assert.ok(value, `${email} could not sign in: ${end.status} ${end.url}`)
  return { name: 'gantry-web', value, url: webName, httpOnly: true, sameSite: 'Strict' as const }
}

let last: { port: string; browser: Promise<Browser> } | undefined

/** The browser of the last file, if it talks to the same service: people have contexts of their own in it, which share nothing. */
async function browserFor(base: string): Promise<Browser> {
  const { port } = new URL(base)
  const before = await last?.browser
  if (before?.isConnected() && last?.port === port) return before
  await before?.close()
  last = { port, browser: launch(port) }
  const browser = await last.browser
  // A worker ends it with itself; there is none when Node runs the file.
  if (!process.env.GANTRY_TEST_WORKER) after(() => browser.close())
  return browser
}

function launch(port: string): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: [...quietBrowser, '--disable-quic', `--host-resolver-rules=MAP gantry.localhost:80 127.0.0.1:${port}`],
  })
}

/** Presses two keys that count together: like fingers, the second does not wait until the page has handled the first. They count within a second. */
export async function pressPair({ keyboard }: Page, first: string, second: string): Promise<void> {
  await Promise.all([keyboard.press(first), keyboard.press(second)])
}

export function refuseFaults({ faults }: Seat): void {
  assert.deepEqual(faults, [])
}
