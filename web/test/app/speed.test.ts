import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

// What no noise can move: the number of elements, of commits of React and components that they render, and of requests before a paint.

const maxNodes = 700
const maxRows = 30 // in a window of 900 px
const maxRendered = 150 // components a key: two rows with all their values, and the bar of what is selected
const maxOpened = 300 // components of an item with all its parts
const probe = fileURLToPath(new URL('../../../bench/web/probe.js', import.meta.url))
const probed = { apart: true, prepare: (page: Page) => page.addInitScript({ path: probe }) }

interface KeyPress {
  commits: number
  rendered: number
  requests: number
}

describe('the work of a key, with 1,000 items', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  before(async () => {
    const ana: Person = await person({ name: 'Ana Marković', email: 'ana.speed@example.com', role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    const container = await ada.post('/container', { name: 'Large', key: 'LARGE' })
    const items = Array.from({ length: 1000 }, (_, at) => ({
      title: `Replace the switch in hall ${at} before the inspection`,
      containerId: container.id,
      priority: at % 5,
      estimateMinutes: 60,
      dueDate: '2026-12-01',
    }))
    await ada.post('/item/bulk', items)
    await ada.post('/board', { name: 'Large', containerIds: [container.id], columnField: 'priority' })
  })

  const nodes = async (page: Page) => Number(await page.evaluate('probe.nodes()'))
  const press = async (page: Page, key: string): Promise<KeyPress> => {
    await page.evaluate('probe.awaitKey()')
    await page.keyboard.press(key)
    return (await page.evaluate('probe.key')) as KeyPress
  }

  test('a board has few elements, and each key commits once and is painted before its request', async () => {
    const seat = await sit('ana.speed@example.com', '/container/LARGE?view=board', probed)
    const { page } = seat
    await page.locator('article.card').nth(20).waitFor()
    await page.evaluate('probe.quiet()')
    assert.ok((await nodes(page)) <= maxNodes, `${await nodes(page)} elements`)
    await press(page, 'j')
    // Answers would be commits of their own.
    await page.route('**/move', () => undefined)
    for (const key of ['j', 'j', 'k', 'l', 'h', 'x', 'x', 'Shift+L', 'Shift+L', 'Alt+ArrowDown']) {
      const { commits, rendered, requests } = await press(page, key)
      assert.deepEqual({ key, commits, requests }, { key, commits: 1, requests: 0 })
      assert.ok(rendered > 0 && rendered <= maxRendered, `${key}: ${rendered} components`)
    }
    await page.evaluate(`document.querySelector('.stack').scrollTop = 8000`)
    await page.locator('section').first().locator('article.card').filter({ hasText: 'hall 3' }).first().waitFor()
    assert.ok((await nodes(page)) <= maxNodes, `${await nodes(page)} elements after scrolling`)
    refuseFaults(seat)
  })

  test('a list has few elements, each key commits once and is painted before its request, and nothing waits for what it does not need', async () => {
    const seat = await sit('ana.speed@example.com', '/container/LARGE', probed)
    const { page } = seat
    await page.locator('.lrow[id]').nth(10).waitFor()
    await page.evaluate('probe.quiet()')
    assert.ok((await nodes(page)) <= maxNodes, `${await nodes(page)} elements`)
    await press(page, 'j')
    for (const key of ['j', 'j', 'k', 'x', 'x', 'ArrowDown', 'Shift+J', 'Shift+K', 'Escape']) {
      const { commits, rendered, requests } = await press(page, key)
      assert.deepEqual({ key, commits, requests }, { key, commits: 1, requests: 0 })
      assert.ok(rendered > 0 && rendered <= maxRendered, `${key}: ${rendered} components`)
    }
    await page.evaluate(`document.querySelector('[role=grid]').scrollTop = 8000`)
    await page
      .locator('.lrow[id]', { hasText: /hall [23]\d\d/ })
      .nth(10)
      .waitFor()
    await page.evaluate('probe.quiet()')
    const rows = await page.locator('.lrow').count()
    assert.ok(rows <= maxRows, `${rows} rows after scrolling`)
    // An item that was opened before renders itself, and neither the list nor the shell.
    for (const time of ['first', 'second']) {
      await page.evaluate('probe.quiet()')
      const before = Number(await page.evaluate('probe.rendered'))
      await page.keyboard.press('Space')
      await page.locator('aside.drawer').getByRole('button', { name: 'Note' }).waitFor()
      const rendered = Number(await page.evaluate('probe.rendered')) - before
      assert.ok(time === 'first' || (rendered > 50 && rendered <= maxOpened), `${rendered} components`)
      await page.keyboard.press('Escape')
      await page.locator('aside.drawer').waitFor({ state: 'detached' })
    }
    // The answer would be a commit of its own.
    await page.route(/\/api\/item\/[^/]+$/, () => undefined)
    await press(page, 'j')
    await page.evaluate('probe.quiet()') // the focus was out of sight, so the list has scrolled to it
    const { commits, requests } = await press(page, 'i')
    assert.deepEqual({ commits, requests }, { commits: 1, requests: 0 })
    // A page that is opened asks for everything at once: items without the sums, the code of a board without the boards.
    const { origin } = new URL(page.url())
    await page.route(/\/api\/(insight\/query|board\?)/, () => undefined)
    const opened = (path: string, asks: RegExp) =>
      Promise.all([page.waitForRequest(each => asks.test(each.url())), page.goto(`${origin}${path}`)])
    await opened('/container/LARGE?group=none', /\/api\/item\/search/)
    await opened('/container/LARGE?view=board', /\/assets\/board-(?!settings)/)
    refuseFaults(seat)
  })
})

test('no style asks what the whole page contains: each element that comes or goes would style the page anew', () => {
  const style = new URL('../../src/style/', import.meta.url)
  const files = globSync('**/*.css', { cwd: fileURLToPath(style) })
  assert.ok(files.length > 20)
  for (const file of files) {
    const asked = readFileSync(new URL(file, style), 'utf8').match(/(html|body|:root|\.app|\.main)[^\s,{]*:has\(.*/g)
    assert.deepEqual(asked, null, file)
  }
})
