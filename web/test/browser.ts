import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Person } from '../../server/test/support/people.ts'
import { webName, webPassword } from '../../server/test/support/web-user.ts'
import { quietBrowser } from './quiet-browser.ts'

// A real Chromium on the real service. `CHROMIUM` names another one than the usual places have.

const places = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
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

/** Opens browsers for people of one service: each is closed at the end of the test, or of the suite, that opened it. */
export async function openBrowsers({ base }: Pick<Person, 'base'>) {
  const { port } = new URL(base)
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: [...quietBrowser, '--disable-quic', `--host-resolver-rules=MAP gantry.localhost:80 127.0.0.1:${port}`],
  })
  after(() => browser.close())

  /** Signs a person in, who must have `webPassword`, and opens an address of the app; with `offline` it can be opened without a network. */
  async function sit(email: string, path = '/', { offline = false } = {}): Promise<Seat> {
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
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${webName}${path}`)
    await page.fill('input[type=email], input[name=email]', email)
    await page.fill('input[type=password]', webPassword)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.app')
    return { page, context, faults }
  }
  return { sit }
}

export function refuseFaults({ faults }: Seat): void {
  assert.deepEqual(faults, [])
}
