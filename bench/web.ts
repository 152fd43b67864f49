import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { buildWebApp } from '../web/build.ts'
import { quietBrowser } from '../web/test/quiet-browser.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import { measureBulk, measureDrag } from './web/bulk-and-drag.ts'
import { measureKeys, measureOpening, measureOthers, type Percentiles, type Timing, type View } from './web/measure.ts'
import { manyItems, password, seedBoard } from './web/seed.ts'

// `npm run bench -- --web`: how long after a key the page is painted, in a list and on a board of 10,000 items, compared with a key
// that does nothing. Milliseconds depend on the machine and on what else it does; the ratios much less.

const { values: flags } = parseArgs({
  options: {
    web: { type: 'boolean' },
    items: { type: 'string', default: '10000' },
    samples: { type: 'string', default: '30' },
    show: { type: 'boolean' },
  },
})
const samples = Number(flags.samples)
const longest = 15 * 60_000 // ms
setTimeout(() => fail('the benchmark has not ended after 15 minutes'), longest).unref()

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
const seeded = await seedBoard(api, Number(flags.items))
const browser = await chromium.launch({
  executablePath: executablePath ?? '',
  headless: !flags.show,
  args: [...quietBrowser],
})
const page = await signIn()

print(`${seeded.items.toLocaleString('en')} items, ${samples} keys each; ms from a key to its paint`)
print('')
print(
  '| | p50 | p95 | p50 to idle | p95 to idle | commits a key | components a key | requests before paint | elements |',
)
print('|---|---|---|---|---|---|---|---|---|')
const processor = await page.context().newCDPSession(page)
for (const slowness of [1, 4])
  for (const view of ['list', 'board'] as const) {
    await open(view)
    await processor.send('Emulation.setCPUThrottlingRate', { rate: slowness })
    const [idle, ...others] = await measureKeys(page, view, samples)
    if (idle) for (const timing of [idle, ...others]) print(rowOf(timing, idle, slowness))
    await processor.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
print('')
await open('list')
await page.keyboard.press('j')
print(`an item that was opened before: ${textOf(await measureOpening(page, samples))}`)
await open('board')
const { p50, p95, longest: slowest } = await measureDrag(page, Math.ceil(samples / 10))
print(
  `frames of a drag over the board: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, the longest ${slowest.toFixed(0)} ms`,
)
await page.goto(`${service.base}/container/MANY?group=none`)
await page.locator('.lrow[id]').nth(5).waitFor()
const bulk = await measureBulk(page, Math.ceil(samples / 3), manyItems)
print(`the priority of ${manyItems} items: ${textOf(bulk)}`)
await open('list')
print(`another person's change, from its request to its paint: ${textOf(await measureOthers(page, api, samples))}`)
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

function rowOf(
  { title, p50, p95, commits, rendered, requests, nodes }: Timing,
  idle: Timing,
  slowness: number,
): string {
  const name = slowness === 1 ? title : `CPU × ${slowness}, ${title}`
  const ratios = [p50 / idle.p50, p95 / idle.p95].map(each => each.toFixed(2))
  return `| ${[name, p50.toFixed(1), p95.toFixed(1), ...ratios, commits.toFixed(1), rendered.toFixed(0), requests, nodes].join(' | ')} |`
}

function textOf({ p50, p95 }: Percentiles): string {
  return `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`
}

async function signIn(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    serviceWorkers: 'block',
  })
  const opened = await context.newPage()
  opened.setDefaultTimeout(60_000)
  await opened.goto(`${service.base}/`)
  await opened.fill('input[type=email], input[name=email]', seeded.email)
  await opened.fill('input[type=password]', password)
  await opened.keyboard.press('Enter')
  await opened.waitForSelector('.app')
  await opened.addInitScript({ path: fileURLToPath(new URL('web/probe.js', import.meta.url)) })
  return opened
}

async function open(view: View): Promise<void> {
  await page.goto(`${service.base}/container/${seeded.containerKey}${view === 'board' ? '?view=board' : ''}`)
  await page
    .locator(view === 'board' ? 'article.card' : '.lrow[id]')
    .nth(5)
    .waitFor()
  await page.evaluate('probe.quiet()')
}
