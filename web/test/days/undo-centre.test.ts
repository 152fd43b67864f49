import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { until } from '../../../server/test/support/until.ts'
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
  test('ana takes back what she did last, however late the service answers', async () => {
    for (const { id } of items) await ada.must('PATCH', `/item/${id}`, { body: { priority: 3 } })
    const seat = await sit(email, '/container/UND')
    const { page } = seat
    await page.getByRole('row').filter({ hasText: 'Printer jams' }).waitFor()
    const hold = async (id: string) => {
      const held = Promise.withResolvers<void>()
      await page.route(`**/item/${id}*`, async route => {
        if (route.request().method() === 'PATCH') await held.promise
        await route.continue()
      })
      return held.resolve
    }
    const isChanged = (id: string) =>
      page.waitForResponse(answer => answer.request().method() === 'PATCH' && answer.url().includes(id))
    const becomesLow = async () => {
      await page.keyboard.press('p')
      await page.locator('.editor').getByRole('option', { name: 'Low' }).waitFor()
      await page.keyboard.type('low')
      await page.keyboard.press('Enter')
    }
    const rows: string[] = await page
      .locator('.lrow[id]')
      .evaluateAll(all => all.map(({ id }) => id.slice('row-'.length)))
    const [first = '', second = '', third = ''] = rows
    const priorities = () => Promise.all(rows.map(async id => (await ada.get(`/item/${id}`)).priority))
    const release = await hold(first)
    const answers = [isChanged(first), isChanged(second)] as const
    for (let at = 0; at < 2; at++) {
      await page.keyboard.press('j')
      await becomesLow()
    }
    await answers[1]
    release()
    await answers[0]
    await page.keyboard.press('ControlOrMeta+z')
    await until(async () => String(await priorities()) === '4,3,3')

    const releaseThird = await hold(third)
    await page.keyboard.press('j')
    await becomesLow()
    const undone = page.waitForResponse('**/undo')
    await page.keyboard.press('ControlOrMeta+z')
    releaseThird()
    assert.ok((await undone).ok())
    assert.deepEqual(await priorities(), [4, 3, 3])
    refuseFaults(seat)
  })
})
