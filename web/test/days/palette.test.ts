import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

describe('the palette', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana.palette@example.com'
  const made = { board: '', filter: '' }
  before(async () => {
    const ana = await person({ name: 'Ana Marković', email, role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: 'Quarry', key: 'QRY' })
    const columns = [{ name: 'Urgent', values: ['1'] }]
    const board = { name: 'Xylophone board', containerIds: [containerId], columnField: 'priority', columns }
    made.board = (await ada.post('/board', board)).id
    const filter = { name: 'Xylophone filter', containerId }
    made.filter = (await ada.post(`/container/${containerId}/filter`, filter)).id
  })

  test('one letter finds boards and filters, and each opens in its container', async () => {
    const seat = await sit(email, '/')
    const { page } = seat
    for (const [name, parameter, id] of [
      ['Xylophone board', 'board', made.board],
      ['Xylophone filter', 'filter', made.filter],
    ] as const) {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('x')
      await page.getByRole('option', { name }).click()
      await page.waitForURL(url => url.pathname === '/container/QRY' && url.searchParams.get(parameter) === id)
    }
    assert.equal(await page.getByRole('dialog').count(), 0)
    refuseFaults(seat)
  })
})
