import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codes } from '@gantry/sdk'
import type { Page } from 'playwright-core'
import { isLong } from '../../../server/test/support/form.ts'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webName, webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

/** Where data, keys, days and marks stand: the same in all languages, or written by the browser. */
const elsewhere = 'bdi, kbd, time, code, option, .prose, .num, .key, .av, [contenteditable]'

/** What browsers write, and languages by their own names. */
const names = (['short', 'long'] as const).flatMap(length =>
  [...Array(12).keys()].flatMap(month => {
    const day = new Date(Date.UTC(2026, month, month + 1))
    const write = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options).format(day)
    return [write({ month: length }), write({ weekday: length })]
  }),
)
const native = new RegExp(`\\b(${[...names, 'English', 'Deutsch'].join('|')})\\b`, 'gu')

/** The texts of a page with a word in them that are not marked as a message. */
const unmarked = `(() => {
  const found = []
  const take = (text, place) => {
    if (!/\\p{L}{2,}/u.test(text) || /⟦.*⟧/su.test(text) || place.closest('${elsewhere}')) return
    found.push(text.trim())
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) take(walk.currentNode.data, walk.currentNode.parentElement)
  for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder']) take(each.getAttribute(name) ?? '', each)
  return [...new Set(found)]
})()`

interface Screen {
  path: string
  shows: string
  over?: Record<string, string>
}

describe('the app in a language that nobody speaks', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const mark = Math.random().toString(36).slice(2, 7).replace(/\d/g, 'x')
  const key = `L${mark.toUpperCase()}`
  const email = `lea.${mark}@example.com`
  let item = { id: '', key: '' }
  before(async () => {
    const lea = await person({ name: `Lea ${mark}`, email, role: codes.role.admin })
    await ada.post(`/user/${lea.id}/password`, { password: webPassword })
    await ada.put(`/user/${lea.id}`, { locale: 'xx' })
    const desk = { name: `Desk ${mark}`, key, kind: codes.containerKind.desk }
    const { id: containerId } = await ada.post('/container', desk)
    const more = { containerId, assignees: [lea.id], dueDate: '2026-01-31', priority: codes.priority.high }
    item = await ada.post('/item', { title: `Printer ${mark}`, ...more, estimateMinutes: 90 })
    const below = await ada.post('/item', { title: `Toner ${mark}`, ...more, parentId: item.id })
    await ada.post('/link', { fromId: item.id, toId: below.id })
    await ada.post('/annotation', { itemId: item.id, body: 'It jams' })
    await ada.post('/annotation', { itemId: item.id, kind: codes.annotationKind.note, body: 'Again' })
    await ada.post('/time', { itemId: item.id, date: '2026-01-30', minutes: 30 })
    await lea.must('PATCH', `/item/${item.id}`, { body: { priority: codes.priority.urgent } })
    const columns = [{ name: `Urgent ${mark}`, values: [String(codes.priority.urgent)] }]
    await ada.post('/board', { name: `Board ${mark}`, containerIds: [containerId], columnField: 'priority', columns })
  })

  /** What stands on each screen once it is whole, and what the keys open that lie over it. */
  const screens = (): Screen[] => [
    {
      path: '/',
      shows: '.wrow',
      over: { 'ControlOrMeta+k': '.palette [role="option"]', c: '.palette input', 'Shift+?': '.help' },
    },
    { path: `/container/${key}`, shows: '.lrow .tt' },
    { path: `/container/${key}?view=board`, shows: 'article' },
    { path: `/container/${key}?peek=${item.key}`, shows: '.item-peek .prose' },
    { path: `/item/${item.key}`, shows: 'main .prose', over: { r: '.composer .ProseMirror' } },
    { path: '/item/NOBODY-1', shows: 'main .empty' },
    { path: '/people', shows: 'tbody tr' },
    { path: '/inbox', shows: 'main .split' },
    { path: '/undo', shows: '.urow' },
    { path: '/profile', shows: 'main h2' },
  ]

  /** Every text that the service has answered: names, states, reasons. */
  function collectAnswers(page: Page): Set<string> {
    const known = new Set<string>()
    const take = (value: unknown): void => {
      if (typeof value === 'string') known.add(value.trim())
      else if (typeof value === 'object' && value !== null)
        for (const [name, each] of Object.entries(value)) {
          known.add(name)
          take(each)
        }
    }
    page.on('response', response => {
      if (!/json/.test(response.headers()['content-type'] ?? '')) return
      // A page that is left takes its answers with it.
      void response.json().then(take, () => undefined)
    })
    return known
  }

  // The short form shows each screen at one width.
  for (const [number, width] of [1440, 360].entries())
    test(`every text of every screen comes from the messages, and fits when it is longer, at ${width} px`, async () => {
      const seat = await sit(email)
      const { page } = seat
      await page.setViewportSize({ width, height: 800 })
      const known = collectAnswers(page)
      const found: string[] = []
      const look = async (place: string) => {
        const texts = (await page.evaluate(unmarked)) as string[]
        const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        const own = texts.filter(text => {
          const words = text.replace(native, '').replace('NOBODY-1', '')
          return /\p{L}{2,}/u.test(words) && !known.has(text) && !text.includes(mark)
        })
        found.push(...[...own, ...(wide ? ['scrolls sideways'] : [])].map(each => `${place}: ${each}`))
      }
      for (const { path, shows, over = {} } of screens().filter((_, screen) => isLong || screen % 2 === number)) {
        await page.goto(`${webName}${path}`)
        await page.locator(shows).first().waitFor()
        await look(path)
        for (const [key, opened] of Object.entries(over)) {
          await page.keyboard.press(key)
          await page.locator(opened).first().waitFor()
          await look(`${path} ${key}`)
          await page.keyboard.press('Escape')
          await page.locator(opened).first().waitFor({ state: 'hidden' })
        }
      }
      assert.deepEqual(found, [])
      refuseFaults(seat)
    })
})
