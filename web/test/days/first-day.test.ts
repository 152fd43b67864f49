import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { engines } from '../../../server/test/support/engines.ts'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, pressPair, refuseFaults, withoutBrowser } from '../browser.ts'

describe('the first day in the web app', { skip: withoutBrowser }, async () => {
  const home = await sharedTestService()
  const { ada, person, base } = home
  const running = await engines(home)
  const { sit } = await openBrowsers({ base })
  let nia: Person
  before(async () => {
    nia = await person({ name: 'Nia Newcomer', email: 'nia.first@example.com', role: 3 })
    await ada.post(`/user/${nia.id}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: 'Operations', key: 'OPS' })
    await ada.post('/item', { title: 'Printer jams', containerId, assignees: [nia.id] })
    await running.settle()
  })

  test('nia works by keys alone: my work, a line with tokens, the palette and the inbox', async () => {
    const seat = await sit('nia.first@example.com')
    const { page } = seat
    await page.getByRole('row').filter({ hasText: 'Printer jams' }).waitFor()
    await page.getByRole('link', { name: /^Notifications \d+ unread$/ }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Title' }).waitFor()
    await page.keyboard.type('Order a badge @nia #hr !high /ops ~2h')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'Order a badge' }).waitFor()
    await until(async () => (await ada.get('/item?title=Order a badge')).length === 1)
    const [made] = await ada.get('/item?title=Order a badge')
    assert.deepEqual([made.assignees, made.Tags, made.priority, made.estimateMinutes], [[nia.id], ['hr'], 2, 120])
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('printer')
    await page.getByRole('option').filter({ hasText: 'OPS-1' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/item/OPS-1')
    await pressPair(page, 'g', 'i')
    await page.waitForURL('**/inbox')
    // The list of the page before, which can still be shown, has a row of this name, too.
    const notice = page.getByRole('table', { name: 'Notices' }).getByRole('row').filter({ hasText: 'Printer jams' })
    await notice.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await notice.waitFor({ state: 'detached' })
    refuseFaults(seat)
  })

  test('nia adds a passkey in her profile and removes it', async () => {
    const seat = await sit('nia.first@example.com', '/profile', { apart: true })
    const { page, context } = seat
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const passkeys = page.getByRole('region', { name: 'Passkeys' })
    await passkeys.getByRole('button', { name: 'Add' }).click()
    await passkeys.getByLabel('Name of the device').fill('ThinkPad')
    await page.keyboard.press('Enter')
    await passkeys.getByLabel('Current password').fill(webPassword)
    await page.keyboard.press('Enter')
    const remove = passkeys.getByRole('button', { name: 'Remove ThinkPad' })
    await remove.waitFor()
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    refuseFaults(seat)
  })
})
