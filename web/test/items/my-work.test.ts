import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statusCategory } from '../../../server/src/items/status.ts'
import { roleCode } from '../../../server/src/kernel/access.ts'
import { localDay } from '../../../server/src/time/time-entry.ts'
import { type Person, sharedTestService } from '../../../server/test/support/people.ts'
import { webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, pressPair, refuseFaults, withoutBrowser } from '../browser.ts'

describe('my work', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  let mona: Person
  let containerId: string
  const day = (offset: number) => localDay(new Date(Date.now() + offset * 86_400_000), 'UTC')
  const give = (title: string, body: object = {}) =>
    ada.post('/item', { title, containerId, assignees: [mona.id], ...body })
  before(async () => {
    mona = await person({ name: 'Mona Weber', email: 'mona.work@example.com', role: 3 })
    await ada.post(`/user/${mona.id}/password`, { password: webPassword })
    containerId = (await ada.post('/container', { name: 'Plant', key: 'PLANT' })).id
    await give('Under way', { statusCategory: statusCategory.started })
    await give('Too late', { dueDate: day(-4) })
    await give('This week', { dueDate: day(3) })
    await ada.post(
      '/item/bulk',
      Array.from({ length: 25 }, (_, n) => ({ title: `Some day ${n}`, containerId, assignees: [mona.id] })),
    )
    const { id: groupId } = await ada.post('/user-group', { name: 'Plant voters', members: [mona.id] })
    const asked = await ada.post('/item', { title: 'Buy a lathe', containerId })
    await ada.post('/approval', { itemId: asked.id, groupId })
  })

  test('mona sees what presses by one call, approves, ends one, and gets another while she looks', async () => {
    const seat = await sit('mona.work@example.com', '/profile')
    const { page } = seat
    const calls: string[] = []
    page.on('request', request => calls.push(new URL(request.url()).pathname))
    const section = (name: string) => page.getByRole('region', { name, exact: true })
    const titles = async (name: string) => await section(name).locator('.title').allInnerTexts()
    await pressPair(page, 'g', 'h')
    await section('Later').getByRole('row').nth(19).waitFor()
    assert.deepEqual(
      [await titles('Now'), await titles('Overdue'), await titles('Waiting for me'), await titles('Soon')],
      [['Under way'], ['Too late'], ['Buy a lathe'], ['This week']],
    )
    assert.deepEqual(
      calls.filter(path => /\/api\/(item|approval|user\/me\/work)/.test(path)),
      ['/api/user/me/work'],
    )
    await page.getByText('29 things to do').waitFor()
    await section('Later').getByRole('button', { name: 'Show 5 more' }).click()
    await section('Later').getByRole('row').nth(24).waitFor()
    await section('Waiting for me').getByRole('button', { name: 'Approve' }).click()
    await section('Waiting for me').waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await section('Now').waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+z')
    await section('Now').waitFor()
    await give('Just came', { dueDate: day(-1) })
    await section('Overdue').getByText('Just came').waitFor()
    refuseFaults(seat)
  })

  test('a row that comes late takes the focus from nobody', async () => {
    const seat = await sit('mona.work@example.com', '/container/PLANT')
    const { page } = seat
    await page.locator('.lrow .tt').first().waitFor()
    // The item that is current in the list is current in my work, too.
    await page.keyboard.press('j')
    await page.locator('.lrow.is-focus-in').waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/user/me/work*', async route => {
      await answered.promise
      await route.continue()
    })
    await pressPair(page, 'g', 'h')
    const create = page.locator('main').getByRole('button', { name: /^New/ }).first()
    await create.focus()
    answered.resolve()
    await page.locator('.wrow[aria-current=true]').waitFor()
    assert.equal(await create.and(page.locator(':focus')).count(), 1)
    refuseFaults(seat)
  })

  test('who may only read is offered nothing to create and no hours to book', async () => {
    const rita = await person({ name: 'Rita Roth', email: 'rita.work@example.com', role: roleCode.readOnly })
    await ada.post(`/user/${rita.id}/password`, { password: webPassword })
    await ada.post('/item', { title: 'For Rita', containerId, assignees: [rita.id] })
    const seat = await sit('rita.work@example.com', '/profile')
    const { page } = seat
    const calls: string[] = []
    page.on('request', request => calls.push(new URL(request.url()).pathname))
    await pressPair(page, 'g', 'h')
    await page.getByText('For Rita').waitFor()
    assert.ok(calls.includes('/api/user/me/work'))
    assert.ok(!calls.some(path => path.startsWith('/api/time/')))
    await page.keyboard.press('c')
    assert.equal(await page.getByRole('button', { name: /^New/ }).count(), 0)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('For Rita')
    await page.getByRole('option', { name: 'For Rita' }).first().waitFor()
    assert.equal(await page.getByRole('option', { name: /^New/ }).count(), 0)
    refuseFaults(seat)
  })
})
