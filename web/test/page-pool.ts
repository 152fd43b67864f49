import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { webName } from '../../server/test/support/web-user.ts'

// Pages that go from one person to the next. A page that has shown the app before loads it at half the cost, because its process
// keeps the compiled code. What the last person left is removed when a page is given back.

/** How many times slower the pages run: what is seen and what is ready then lie further apart, and races show. */
const slowdown = Number(process.env.PAGE_SLOWDOWN ?? 1)

/** How late half of the answers, of the parts of the app and of the frames come at most; ms. They then come in another order than they were asked for. */
const maxDelay = Number(process.env.PAGE_DELAY ?? 0)

const viewport = { width: 1440, height: 900 }

const contextOptions = { viewport, locale: 'en-GB', timezoneId: 'Europe/Berlin' }

/** What a test does here cannot be taken back, or is not: it needs a page apart. */
const lasting = ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders']
const lastingOfPage = [...lasting, 'emulateMedia']
const lastingOfContext = [...lasting, 'grantPermissions', 'newCDPSession', 'route', 'setGeolocation']

/** The events of a page that tests listen to. */
const heard = ['request', 'response', 'pageerror', 'console']

/** A page in a browser context of its own. */
export interface PooledPage {
  page: Page
  context: BrowserContext
  devtools: CDPSession
  /** Who had it last. */
  person: string
}

/** The pages of one browser that nobody sits at. */
export class PagePool {
  readonly #browser: Browser
  readonly #free: PooledPage[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** A page for a person, without a session. One that the same person had comes first. */
  async take(person: string): Promise<PooledPage> {
    const same = this.#free.findIndex(each => each.person === person)
    const [free] = this.#free.splice(Math.max(same, 0), 1)
    const taken = free ?? (await this.#open(person))
    // Answers are kept by address, and another person's answer may have the same version.
    if (taken.person !== person) await taken.devtools.send('Network.clearBrowserCache')
    taken.person = person
    return taken
  }

  /** Takes a page back; one that was closed, or does not come to rest, is not used again. */
  async giveBack(pooled: PooledPage): Promise<void> {
    try {
      await clear(pooled)
      this.#free.push(pooled)
    } catch {
      await pooled.context.close()
    }
  }

  async #open(person: string): Promise<PooledPage> {
    // Requests of a page with a service worker cannot be held back by a test.
    const { page, context, devtools } = await openPage(this.#browser, { serviceWorkers: 'block' })
    forbid(page, lastingOfPage)
    forbid(context, lastingOfContext)
    return { page, context, devtools, person }
  }
}

interface PageOptions {
  serviceWorkers: 'allow' | 'block'
}

/** Opens a page in a context of its own, which shares nothing with others. */
export async function openPage(browser: Browser, { serviceWorkers }: PageOptions) {
  const context = await browser.newContext({ ...contextOptions, serviceWorkers })
  context.setDefaultTimeout(Number(process.env.PAGE_TIMEOUT ?? 600_000)) // A busy machine is slow; a test that hangs is found by the runner.
  if (maxDelay > 0) await delay(context)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  if (slowdown > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { page, context, devtools }
}

async function delay(context: BrowserContext): Promise<void> {
  // A late frame has what is asked for until it comes, as in a browser that is busy.
  await context.addInitScript(`{
    const ask = requestAnimationFrame
    const waiting = new Map()
    let asked = 0
    const come = time => {
      const now = [...waiting.values()]
      waiting.clear()
      for (const act of now) act(time)
    }
    requestAnimationFrame = act => {
      if (waiting.size === 0) setTimeout(ask, Math.random() < 0.5 ? 0 : Math.random() * ${maxDelay}, come)
      waiting.set(++asked, act)
      return asked
    }
    cancelAnimationFrame = name => void waiting.delete(name)
  }`)
  await context.route(/\/api\/|\/assets\//, async route => {
    const isDelayed = Math.random() < 0.5 && !route.request().url().includes('/event/stream')
    if (isDelayed) await new Promise(resolve => setTimeout(resolve, Math.random() * maxDelay))
    await route.continue().catch(() => undefined) // the page may no longer want it
  })
}

/** Removes everything that a person has left. The order matters: nothing of the app runs when the network returns. */
async function clear({ page, context, devtools }: PooledPage): Promise<void> {
  for (const each of context.pages()) if (each !== page) await each.close()
  for (const event of heard) page.removeAllListeners(event)
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // The pointer would rest on what the next person opens.
  await page.mouse.move(-10, -10)
  await page.setViewportSize(viewport)
  // What belongs to the tab can be removed at its origin only; this document runs no script.
  await page.goto(`${webName}/favicon.svg`)
  await page.evaluate("sessionStorage.clear(); name = ''")
  await devtools.send('Storage.clearDataForOrigin', { origin: webName, storageTypes: 'all' })
  await devtools.send('Page.resetNavigationHistory')
}

function forbid(target: Page | BrowserContext, names: readonly string[]): void {
  for (const name of names)
    Object.defineProperty(target, name, {
      get() {
        throw new Error(`the next person would find this: who needs ${name} sits apart`)
      },
    })
}
