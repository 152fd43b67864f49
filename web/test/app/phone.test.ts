import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, type Seat, withoutBrowser } from '../browser.ts'

describe('on a phone', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  let seat: Seat
  before(async () => {
    const { id } = await person({ name: 'Ana Marković', email: 'ana.phone@example.com', role: 3 })
    await ada.post(`/user/${id}/password`, { password: webPassword })
    const container = await ada.post('/container', { name: 'Pocket', key: 'POCKET' })
    await ada.post('/item', { title: 'Replace the switch', containerId: container.id })
    seat = await sit('ana.phone@example.com')
    await seat.page.setViewportSize({ width: 360, height: 760 })
  })

  test('the menu leads to a container, closes, and leads back', async () => {
    const { page } = seat
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'Pocket' }).click()
    await page.locator('.lrow .tt', { hasText: 'Replace the switch' }).waitFor()
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'My work' }).click()
    await page.waitForURL(url => url.pathname === '/')
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'My work' }).click()
    await menu.waitFor({ state: 'hidden' })
    refuseFaults(seat)
  })

  test('what the menu opens lies over it', async () => {
    const { page } = seat
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('.sheet .me').getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Undo centre' }).click()
    await page.waitForURL(url => url.pathname === '/undo')
    await page.locator('.sheet').waitFor({ state: 'hidden' })
    refuseFaults(seat)
  })

  test('what is offered while somebody types is within the screen, and beside the text', async () => {
    const { page } = seat
    const box = async (offered: Locator) => {
      const { x = -1, y = 0, width = 0, height = 0 } = (await offered.boundingBox()) ?? {}
      assert.ok(x >= 0 && x + width <= 360, `from ${x}, ${width} wide`)
      return { top: y, bottom: y + height }
    }
    await page.goto(`${new URL(page.url()).origin}/container/POCKET`)
    await page.locator('.lrow .tt').first().waitFor()
    await page.getByRole('button', { name: 'New item' }).click()
    const line = page.getByRole('combobox')
    await line.fill('Order badges @')
    const people = await box(page.getByRole('listbox').first())
    assert.ok(people.top >= (await box(line)).bottom, 'below the line')
    await page.keyboard.press('Escape')
    await page.goto(`${new URL(page.url()).origin}/item/POCKET-1`)
    await page.getByRole('button', { name: /^Comment/ }).click()
    await page.locator('.ProseMirror[contenteditable=true]').last().click()
    await page.keyboard.type('@')
    await box(page.locator('.suggestions'))
    refuseFaults(seat)
  })

  test('of the ways to look at a container one is current', async () => {
    const { page } = seat
    const current = page.locator('.tabs [aria-current=page]')
    for (const [query, name] of [
      ['?view=board', 'Board'],
      ['?sort=title', 'List'],
    ]) {
      await page.goto(`${new URL(page.url()).origin}/container/POCKET${query}`)
      await current.first().waitFor()
      assert.deepEqual(await current.allInnerTexts(), [name])
    }
  })

  test('the name of the page is shown once, and its heading is still found', async () => {
    const { page } = seat
    await page.goto(`${new URL(page.url()).origin}/container/POCKET`)
    const heading = page.getByRole('heading', { name: 'Pocket' })
    await heading.waitFor()
    assert.deepEqual(await heading.boundingBox().then(box => [box?.width, box?.height]), [1, 1])
    assert.ok(await page.locator('.topbar', { hasText: 'Pocket' }).isVisible())
  })

  test('the words of a table stay whole, and a container that is not there has a way out', async () => {
    const { page } = seat
    const { origin } = new URL(page.url())
    const [container] = await ada.get('/container?key=POCKET')
    const wide = 'Router with a long name that wraps'
    const description = `| Name | Hours | Responsible |\n|---|---|---|\n| ${wide} | 12 | Maintenance |`
    const item = await ada.post('/item', { title: 'Table', containerId: container.id, description })
    await page.goto(`${origin}/item/${item.key}`)
    await page.locator('.description th').last().waitFor()
    const lines = await page.evaluate(`[...document.querySelectorAll('.description th')].map(cell => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })`)
    assert.deepEqual(lines, [1, 1, 1])
    await page.goto(`${origin}/container/NOWHERE`)
    await page.getByText('This does not exist, or no longer').waitFor()
    await page.getByRole('link', { name: 'My work' }).click()
    await page.waitForURL(url => url.pathname === '/')
    refuseFaults(seat)
  })
})
