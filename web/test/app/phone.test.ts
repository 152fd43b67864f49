import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
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

  test('the name of the page is shown once, and its heading is still found', async () => {
    const { page } = seat
    await page.goto(`${new URL(page.url()).origin}/container/POCKET`)
    const heading = page.getByRole('heading', { name: 'Pocket' })
    await heading.waitFor()
    assert.deepEqual(await heading.boundingBox().then(box => [box?.width, box?.height]), [1, 1])
    assert.ok(await page.locator('.topbar', { hasText: 'Pocket' }).isVisible())
  })
})
