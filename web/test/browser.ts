import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core'
import type { Person } from '../../server/test/support/people.ts'
import { signInToWeb, type WebUser, webName, webPassword } from '../../server/test/support/web-user.ts'
import { openPage, PagePool } from './page-pool.ts'
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
  /** The page is new and nobody else's: for what cannot be taken back, such as a session with the developer tools. */
  apart?: boolean
  /** The app can be opened without a network. */
  offline?: boolean
  /** The person signs in on the page, as people do; otherwise the browser already has the cookie of a session. */
  onPage?: boolean
  /** What is done before the page opens the address. */
  prepare?: (page: Page) => Promise<unknown>
}

/** Opens pages for people of one service: each ends with the test, or with the suite, that opened it. */
export async function openBrowsers({ base }: Pick<Person, 'base'>) {
  const { browser, pool } = await browserFor(base)
  const sessions = new Map<string, WebUser>()

  async function newPage(person: string, { apart = false, offline = false }: SitOptions) {
    if (!apart && !offline) {
      const pooled = await pool.take(person)
      after(() => pool.giveBack(pooled))
      return pooled
    }
    const opened = await openPage(browser, { serviceWorkers: offline ? 'allow' : 'block' })
    // A page that stays open goes on with its work beside the next tests.
    after(() => opened.context.close())
    return opened
  }

  /** Opens an address for somebody who has no session yet. */
  async function visit(url: string): Promise<Seat> {
    return open(await newPage(url, {}), url)
  }

  /** Signs a person in, who must have `webPassword`, and opens an address of the app. */
  async function sit(email: string, path = '/', options: SitOptions = {}): Promise<Seat> {
    // Other files have tenants in the same database, and an address that two tenants know does not sign in without a workspace.
    assert.doesNotMatch(email, /^\w+@example\.com$/, 'an address that only this file uses')
    const opened = await newPage(email, options)
    if (!options.onPage) await opened.context.addCookies([await cookieOf(email)])
    await options.prepare?.(opened.page)
    const seat = await open(opened, `${webName}${path}`)
    const { page } = seat
    if (options.onPage) {
      await page.fill('input[type=email], input[name=email]', email)
      await page.fill('input[type=password]', webPassword)
      await page.keyboard.press('Enter')
    }
    await page.waitForSelector('.app')
    return seat
  }

  /** The cookie of a session: of the last one, unless a test has ended it. */
  async function cookieOf(email: string) {
    const last = sessions.get(email)
    const isOpen = last && (await last.ask('GET', '/user/me')).status === 200
    const user = isOpen ? last : await signInToWeb({ base, id: '', tenantId: '' }, email)
    sessions.set(email, user)
    const value = user.browser.cookie('gantry-web') ?? ''
    return { name: 'gantry-web', value, url: webName, httpOnly: true, sameSite: 'Strict' as const }
  }

  return { sit, visit }
}

async function open({ page, context }: Omit<Seat, 'faults'>, url: string): Promise<Seat> {
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text())
  })
  await page.goto(url)
  return { page, context, faults }
}

interface Opened {
  browser: Browser
  pool: PagePool
}

let last: { port: string; opened: Promise<Opened> } | undefined

/** The browser of the last file, if it talks to the same service: people have contexts of their own in it, which share nothing. */
async function browserFor(base: string): Promise<Opened> {
  const { port } = new URL(base)
  const before = await last?.opened
  if (before?.browser.isConnected() && last?.port === port) return before
  await before?.browser.close()
  last = { port, opened: launch(port).then(browser => ({ browser, pool: new PagePool(browser) })) }
  const opened = await last.opened
  // A worker ends it with itself; there is none when Node runs the file.
  if (!process.env.GANTRY_TEST_WORKER) after(() => opened.browser.close())
  return opened
}

function launch(port: string): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    // The tabs of a person share a process, which has compiled the app already.
    args: [...quietBrowser, '--process-per-site', '--disable-quic', addressRule(port)],
  })
}

const addressRule = (port: string) => `--host-resolver-rules=MAP gantry.localhost:80 127.0.0.1:${port}`

/** Presses two keys that count together: like fingers, the second does not wait until the page has handled the first. They count within a second. */
export async function pressPair({ keyboard }: Page, first: string, second: string): Promise<void> {
  await Promise.all([keyboard.press(first), keyboard.press(second)])
}

/** The text of an answer; nothing of one that the page no longer wanted. */
export const textOf = (answer: Response): Promise<string> => answer.text().catch(() => '')

export function refuseFaults({ faults }: Seat): void {
  assert.deepEqual(faults, [])
}
