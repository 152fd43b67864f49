import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTenant } from '../../server/src/app/seed-tenant.ts'
import { Person, sharedTestService } from '../../server/test/support/people.ts'
import { webPassword } from '../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from './browser.ts'

describe('the first steps in a new workspace', { skip: withoutBrowser }, async () => {
  const { base, database } = await sharedTestService()
  const { sit } = await openBrowsers({ base })

  test('a newcomer loads the sample company, moves a card by keys, and removes the sample', async () => {
    const email = `newcomer.${crypto.randomUUID()}@example.com`
    const { RawKey, userId, tenantId } = await createTenant(database, { name: 'Fresh', email, keyName: 'test' })
    const newcomer = new Person(base, RawKey, userId, tenantId)
    await newcomer.post(`/user/${userId}/password`, { password: webPassword })
    const seat = await sit(email)
    const { page } = seat
    const panel = page.getByRole('region', { name: 'First steps' })
    await panel.getByRole('link', { name: 'Open Start here' }).waitFor()
    await panel.getByRole('link', { name: 'Invite people' }).waitFor()
    await panel.getByRole('button', { name: 'New container' }).waitFor()
    await panel.getByRole('button', { name: 'Load the sample company' }).focus()
    await page.keyboard.press('Enter')

    await page.waitForURL('**/container/*view=board*')
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('j')
    const current = page.locator('article[aria-current="true"]')
    const id = await current.getAttribute('data-card')
    const before = (await newcomer.get(`/item/${id}`)).status
    const sent = page.waitForResponse(answer => answer.url().includes('/move'))
    await page.keyboard.press('Shift+L')
    assert.ok((await sent).ok())
    assert.notEqual((await newcomer.get(`/item/${id}`)).status, before)

    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await panel.getByRole('button', { name: 'Remove the sample company' }).click()
    await panel.getByRole('button', { name: 'Load the sample company' }).waitFor()
    assert.equal((await newcomer.get('/tenant/sample')).loaded, false)

    await panel.getByRole('button', { name: 'Hide the first steps' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Workspace Fresh' }).click()
    await page.getByRole('menuitem', { name: 'First steps and sample company' }).click()
    await panel.waitFor()
    refuseFaults(seat)
  })
})
