import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('the web app', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  let ana: Person
  before(async () => {
    ana = await person({ name: 'Ana Marković', email: 'ana.loop@example.com', role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: 'Operations', key: 'OPS' })
    for (const title of ['Printer jams', 'VPN drops', 'Order laptops']) await ada.post('/item', { title, containerId })
  })

  test('ana signs in, reads a list by keys, changes a title and undoes it', async () => {
    const seat = await sit('ana.loop@example.com', '/container/OPS', { onPage: true })
    const { page } = seat
    assert.equal(new URL(page.url()).pathname, '/container/OPS')
    await page.getByRole('row').filter({ hasText: 'Printer jams' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    const title = page.getByRole('textbox', { name: 'Title' })
    const old = await title.inputValue()
    await title.fill('Printer on floor three jams')
    await title.press('Enter')
    await page.getByRole('row').filter({ hasText: 'Printer on floor three jams' }).waitFor()
    await page.getByRole('status').getByRole('button', { name: /Undo/ }).click()
    await page.getByRole('row').filter({ hasText: old }).waitFor()
    refuseFaults(seat)
  })

  test('ana creates an item by one key, and finds it again', async () => {
    const seat = await sit('ana.loop@example.com', '/container/OPS')
    const { page } = seat
    await page.getByRole('row').first().waitFor()
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Title' }).fill('Replace the core switch')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'Replace the core switch' }).waitFor()
    await until(async () => (await ada.get('/item?q=switch'))[0]?.title === 'Replace the core switch')
    refuseFaults(seat)
  })

  test('ana moves a card, undoes it, and bob sees both', async () => {
    const { id: containerId } = await ada.post('/container', { name: 'Network', key: 'NET' })
    await ada.post('/item', { title: 'New switch', containerId, priority: 2 })
    await ada.post('/board', {
      name: 'Network',
      containerIds: [containerId],
      columnField: 'priority',
      columns: [
        { name: 'Urgent', values: ['1'] },
        { name: 'High', values: ['2'] },
      ],
    })
    const [seat, other] = [
      await sit('ana.loop@example.com', '/container/NET?view=board'),
      await sit('ana.loop@example.com', '/container/NET?view=board'),
    ]
    const inColumn = (page: Page, name: string) => page.getByRole('region', { name }).getByText('New switch')
    await inColumn(seat.page, 'High').waitFor()
    await inColumn(other.page, 'High').waitFor()
    await inColumn(seat.page, 'High').dragTo(seat.page.getByRole('region', { name: 'Urgent' }))
    await inColumn(seat.page, 'Urgent').waitFor()
    await inColumn(other.page, 'Urgent').waitFor()
    await seat.page.keyboard.press('ControlOrMeta+z')
    await inColumn(seat.page, 'High').waitFor()
    await inColumn(other.page, 'High').waitFor()
    refuseFaults(seat)
  })

  test('what somebody else changes is seen at once', async () => {
    const seat = await sit('ana.loop@example.com', '/container/OPS')
    const { page } = seat
    await page.getByRole('row').filter({ hasText: 'VPN drops' }).waitFor()
    const [item] = await ada.get('/item?title=VPN drops')
    await ada.must('PATCH', `/item/${item.id}`, { body: { title: 'VPN drops behind the new router' } })
    await page.getByRole('row').filter({ hasText: 'VPN drops behind the new router' }).waitFor()
    refuseFaults(seat)
  })
})
