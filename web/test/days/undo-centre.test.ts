import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, pressPair, refuseFaults, withoutBrowser } from '../browser.ts'

describe('the undo centre', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana.undo@example.com'
  let ana: Person
  const items: { id: string; key: string }[] = []
  before(async () => {
    ana = await person({ name: 'Ana Marković', email, role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    const { id: containerId } = await ada.post('/container', { name: 'Undo', key: 'UND' })
    for (const title of ['Printer jams', 'VPN drops', 'Order laptops'])
      items.push(await ada.post('/item', { title, containerId, priority: 3 }))
  })
  const priorities = async () => {
    const all = await Promise.all(items.map(({ id }) => ada.get(`/item/${id}`)))
    return all.map(({ priority }) => priority)
  }

  test('ana undoes a change of many items, redoes it, and undoes the rest where somebody was faster', async () => {
    const seat = await sit(email, '/')
    const { page } = seat
    await pressPair(page, 'g', 'u')
    await page.getByRole('heading', { name: 'Nothing changed today' }).waitFor()
    const ids = items.map(({ id }) => id)
    await ana.must('PATCH', '/item', { body: { ids, patch: { priority: 1 } } })
    const line = page.getByRole('listitem').filter({ hasText: '3 items changed: priority' })
    await line.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('z')
    await line.getByText('undone', { exact: true }).waitFor()
    assert.deepEqual(await priorities(), [3, 3, 3])

    await line.getByRole('button', { name: 'Redo' }).click()
    await line.getByText('undone', { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(await priorities(), [1, 1, 1])

    await ada.must('PATCH', `/item/${items[1]?.id}`, { body: { priority: 4 } })
    await line.getByRole('button', { name: '3 items changed' }).focus()
    await page.keyboard.press('z')
    const row = line.getByRole('row').filter({ hasText: 'VPN drops' })
    await row.getByText('changed since').waitFor()
    assert.deepEqual(await priorities(), [1, 4, 1])
    await line.getByRole('button', { name: 'Undo the rest, 2 records' }).click()
    await line.getByText('2 of 3 undone').waitFor()
    assert.deepEqual(await priorities(), [3, 4, 3])
    refuseFaults(seat)
  })
})
