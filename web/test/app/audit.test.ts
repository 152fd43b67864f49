import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { isLong } from '../../../server/test/support/form.ts'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webName, webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, type Seat, withoutBrowser } from '../browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const themes = ['light', 'dark'] as const
const locales = ['en', 'de'] as const
const widths = [1440, 360] as const

/** Every theme with every language and every width. */
const views = themes.flatMap(colorScheme =>
  locales.flatMap(locale => widths.map(width => ({ colorScheme, locale, width }))),
)

// The short form shows each screen in one view: the frame around the screens is seen in all eight.
const isShownIn = (screen: number, view: number) => isLong || screen % views.length === view

const long = 'Donaudampfschifffahrtsgesellschaft '.repeat(6)
const rtl = 'نور الهاشمي'

describe('the audit of every screen', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x')
  const key = `A${mark.toUpperCase()}`
  const email = `audit.${mark}@example.com`
  let userId = ''
  let item = { id: '', key: '' }
  let seat: Seat
  before(async () => {
    const auditor = await person({ name: rtl, email, role: codes.role.admin })
    userId = auditor.id
    await ada.post(`/user/${userId}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: `Audit ${long}`.slice(0, 120), key })
    const more = { containerId, assignees: [userId], Tags: ['network'], dueDate: '2026-01-31', priority: 2 }
    item = await ada.post('/item', { title: long, description: `# Plan\n\n- [ ] ${rtl}\n\n\`code\``, ...more })
    await ada.post('/item', { title: rtl, ...more, estimateMinutes: 90 })
    await ada.post('/item', { title: 'VPN drops', containerId })
    await ada.post('/annotation', { itemId: item.id, body: `Hello @[${rtl}], **look** at <https://example.com>` })
    await auditor.must('PATCH', `/item/${item.id}`, { body: { estimateMinutes: 30 } })
    const columns = [
      { name: 'Urgent', values: ['1'] },
      { name: long.slice(0, 60), values: ['2'] },
    ]
    await ada.post('/board', { name: 'Audit', containerIds: [containerId], columnField: 'priority', columns })
    seat = await sit(email, '/', { apart: true })
  })

  /** What stands on each screen once it is whole, and the keys that open what lies over it. */
  const screens = () => [
    { path: '/', shows: '.wrow' },
    { path: '/', shows: '.palette [role="option"]', keys: ['ControlOrMeta+k'] },
    { path: '/', shows: '.palette input', keys: ['c'] },
    { path: '/', shows: '.help', keys: ['Shift+?'] },
    { path: `/container/${key}`, shows: '.lrow .tt' },
    { path: `/container/${key}?q=VPN`, shows: '.lrow .tt' },
    { path: `/container/${key}`, shows: '.bulk', keys: ['j', 'x'] },
    { path: `/container/${key}?view=board`, shows: 'article' },
    { path: `/container/${key}?peek=${item.key}`, shows: '.item-peek .prose' },
    { path: `/item/${item.key}`, shows: 'main .prose' },
    { path: '/people', shows: 'tbody tr' },
    { path: '/inbox', shows: 'main .split' },
    { path: '/undo', shows: '.urow' },
    { path: '/profile', shows: 'main h2' },
  ]

  /** A key that comes before the list listens to keys is lost. */
  async function focusRow(page: Page): Promise<void> {
    const focused = page.locator('.lrow.is-focus-in').first()
    do await page.keyboard.press('j')
    while (!(await focused.isVisible()))
  }

  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(axe)
    // A rule that is not among the others by default: what a control is called contains what it shows.
    const rules = { 'label-content-name-mismatch': { enabled: true } }
    const options = { runOnly: tags, rules, resultTypes: ['violations'] }
    // A text, because tests are compiled without the types of browsers.
    const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }

  for (const [number, { colorScheme, locale, width }] of views.entries())
    test(`${colorScheme}, ${locale}, ${width} px: nothing is out of reach or out of sight`, async () => {
      await ada.put(`/user/${userId}`, { locale })
      const { page } = seat
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      const found: string[] = []
      for (const { path, shows, keys = [] } of screens().filter((_, screen) => isShownIn(screen, number))) {
        await page.goto(`${webName}${path}`)
        // The browser has kept the language of the last view, and learns of the new one after the page has begun.
        await page.locator(`html[lang="${locale}"]`).waitFor()
        if (keys.length > 0) await page.locator('.wrow, .lrow .tt').first().waitFor()
        for (const each of keys) await (each === 'j' ? focusRow(page) : page.keyboard.press(each))
        await page.locator(shows).first().waitFor()
        const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        const faults = [...(await violations(page)), ...(wide ? ['scrolls sideways'] : [])]
        found.push(...faults.map(fault => `${path} ${keys.join(' ')}: ${fault}`))
      }
      assert.deepEqual(found, [])
      refuseFaults(seat)
    })
})
