import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('a workspace at its beginning', { skip: withoutBrowser }, async () => {
  const { ada, base, person } = await sharedTestService()
  const { sit, visit } = await openBrowsers({ base })
  const boss = await person({ name: 'Boss', email: 'boss.begin@example.com', role: 6 })
  await ada.put(`/user/${boss.id}`, { superAdmin: true })
  await ada.post(`/user/${boss.id}/password`, { password: webPassword })

  test('the boss makes a container by name alone, and its items have states', async () => {
    const seat = await sit('boss.begin@example.com')
    const { page } = seat
    await page.getByRole('button', { name: 'New container' }).click()
    await page.getByLabel('Name').fill('Network renewal')
    assert.equal(await page.getByRole('textbox', { name: 'Key' }).inputValue(), 'NR')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/container/NR*')
    const [container] = await boss.get('/container?key=NR')
    const item = await boss.post('/item', { title: 'New switch', containerId: container.id })
    assert.equal(item.status, 'To do')
    refuseFaults(seat)
  })

  test('an item that is typed at once in a new container belongs to it, however slow the service is', async () => {
    await boss.post('/container', { name: 'Elsewhere', key: 'ELSE' })
    const seat = await sit('boss.begin@example.com', '/container/ELSE')
    const { page } = seat
    await page.getByRole('button', { name: 'New container' }).click()
    await page.getByLabel('Name').fill('At once')
    await page.route('**/api/session', async route => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.keyboard.press('Enter')
    await page.waitForURL('**/container/AO*')
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Title' }).waitFor()
    await page.keyboard.type('First thought')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'AO-1' }).waitFor()
    await page.unroute('**/api/session')
    refuseFaults(seat)
  })

  test('a key that exists is refused beside its field', async () => {
    await boss.post('/container', { name: 'Taken', key: 'TAKEN' })
    const { page } = await sit('boss.begin@example.com')
    await page.getByRole('button', { name: 'New container' }).click()
    await page.getByLabel('Name').fill('Another')
    await page.getByRole('textbox', { name: 'Key' }).fill('taken')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').locator('.why').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Key' }).getAttribute('aria-invalid'), 'true')
  })

  test('the boss invites somebody, who comes in by the link', async () => {
    const seat = await sit('boss.begin@example.com', '/people')
    const { page } = seat
    await page.getByRole('button', { name: 'Invite', exact: true }).waitFor()
    assert.match(await page.title(), /People · /)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByLabel('Name').fill('Noor Haddad')
    await page.getByLabel('E-mail').fill('noor@example.com')
    await page.keyboard.press('Enter')
    const link = await page.getByRole('button', { name: 'Copy the link' }).innerText()
    await page.getByRole('button', { name: /Done/ }).click()
    await page.getByRole('row').filter({ hasText: 'noor@example.com' }).waitFor()
    refuseFaults(seat)
    const { page: other } = await visit(link)
    await other.fill('input[type=password]', webPassword)
    await other.keyboard.press('Enter')
    await other.locator('.app').waitFor()
    assert.equal((await boss.get('/user?email=noor@example.com'))[0].name, 'Noor Haddad')
  })

  test('somebody is deactivated, and that is undone', async () => {
    await person({ name: 'Temp', email: 'temp@example.com' })
    const seat = await sit('boss.begin@example.com', '/people')
    const { page } = seat
    await page.getByRole('button', { name: 'Actions for Temp' }).click()
    await page.getByRole('menuitem', { name: 'Deactivate' }).click()
    const row = page.getByRole('row').filter({ hasText: 'temp@example.com' })
    await row.filter({ hasText: 'Inactive' }).waitFor()
    await page.getByRole('status').getByRole('button', { name: /Undo/ }).click()
    await row.filter({ hasNotText: 'Inactive' }).waitFor()
    refuseFaults(seat)
  })
})
