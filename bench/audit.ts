import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { buildWebApp } from '../web/build.ts'
import { quietBrowser } from '../web/test/quiet-browser.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import { loadOf, type PageLoad, watchLoad } from './web/page-load.ts'
import { ask, password, seedBoard } from './web/seed.ts'

// `npm run audit`: how six pages load in a browser that has never seen them, compared with the goals. Figures of time depend on the
// machine and on what else it does; those of bytes and of shifts do not.

const items = 1000
const rounds = 3
const longest = 10 * 60_000 // ms
setTimeout(() => fail('the audit has not ended after ten minutes'), longest).unref()

/** What a page may take: milliseconds to its largest paint, the sum of shifts, milliseconds in which it answers nobody. */
const goals = { signInPaint: 800, paint: 1500, shift: 0.05, blocked: 200 }

const places = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find(each => each !== '' && existsSync(each))
if (!executablePath) fail('no Chromium is installed here; CHROMIUM names one')

await buildWebApp()
const port = await freePort()
const service = await startService({
  dataDir: temporaryDirectory(),
  port,
  env: { BASE_URL: `http://127.0.0.1:${port}` },
})
const api = { base: service.base, key: firstKey(service) }
const { containerKey, email, itemIds } = await seedBoard(api, items)
const [first] = itemIds
await ask(api, 'POST', '/annotation', { itemId: first, body: 'The switch is **here**.' })
const { key: itemKey } = await ask(api, 'GET', `/item/${first}`)
const browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...quietBrowser] })
const signedIn = await signIn(browser)

const pages = [
  { name: 'sign-in', path: '/', shows: 'input[type=password]', isOpen: true },
  { name: 'my work', path: '/', shows: '.wrow' },
  { name: 'list', path: `/container/${containerKey}`, shows: '.lrow[id]' },
  { name: 'board', path: `/container/${containerKey}?view=board`, shows: 'article.card' },
  { name: 'item', path: `/item/${itemKey}`, shows: 'main .msg' },
  { name: 'undo centre', path: '/undo', shows: '.urow' },
]

print(`the best of ${rounds} loads without a cache, ${items.toLocaleString('en')} items; ! is over the goal`)
print('')
print('| page | largest paint, ms | shifts | blocked, ms | requests | scripts, kB | styles, kB | all, kB |')
print('|---|---|---|---|---|---|---|---|')
for (const { name, path, shows, isOpen } of pages) {
  const loads: PageLoad[] = []
  for (let round = 0; round < rounds; round++) loads.push(await load(path, shows, isOpen ?? false))
  print(rowOf(name, loads, isOpen ? goals.signInPaint : goals.paint))
}
await browser.close()
await service.stop()
process.exit(0)

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/** The least of each figure: what is above it is the machine's. */
function rowOf(name: string, loads: readonly PageLoad[], paint: number): string {
  const least = (figure: keyof PageLoad) => Math.min(...loads.map(each => each[figure]))
  const within = (figure: keyof PageLoad, goal: number, digits = 0) =>
    `${least(figure).toFixed(digits)}${least(figure) > goal ? ' !' : ''}`
  const kB = (figure: keyof PageLoad) => (least(figure) / 1000).toFixed(0)
  const times = [within('paint', paint), within('shift', goals.shift, 3), within('blocked', goals.blocked)]
  return `| ${[name, ...times, least('requests'), kB('scripts'), kB('styles'), kB('bytes')].join(' | ')} |`
}

async function load(path: string, shows: string, isOpen: boolean): Promise<PageLoad> {
  const context = await newContext(browser, isOpen ? undefined : signedIn)
  const page = await context.newPage()
  await watchLoad(page)
  await page.goto(`${service.base}${path}`)
  await page.locator(shows).first().waitFor()
  await page.waitForLoadState('load')
  const found = await loadOf(page)
  await context.close()
  return found
}

async function signIn(from: Browser): Promise<SignedIn> {
  const context = await newContext(from, undefined)
  const page = await context.newPage()
  await page.goto(`${service.base}/`)
  await page.fill('input[type=email], input[name=email]', email)
  await page.fill('input[type=password]', password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.app')
  const { cookies } = await context.storageState()
  await context.close()
  return { cookies, origins: [] }
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

function newContext(from: Browser, storageState: SignedIn | undefined): Promise<BrowserContext> {
  return from.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    serviceWorkers: 'block',
    ...(storageState ? { storageState } : {}),
  })
}
