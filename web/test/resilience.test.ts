import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Person, sharedTestService } from '../../server/test/support/people.ts'
import { until } from '../../server/test/support/until.ts'
import { webPassword } from '../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from './browser.ts'

describe('nothing that somebody does is lost or done twice', { skip: withoutBrowser }, async () => {
  const { ada, person, base } = await sharedTestService()
  const { sit } = await openBrowsers({ base })
  const email = 'ana@resilience.example'
  let ana: Person
  let containerId = ''
  before(async () => {
    ana = await person({ name: 'Ana Marković', email, role: 3 })
    await ada.post(`/user/${ana.id}/password`, { password: webPassword })
    containerId = (await ada.post('/container', { name: 'Operations', key: 'RES' })).id
  })

  /** A new item; `changed` tells how often its properties were changed. */
  async function newItem(title: string) {
    const { id, key } = await ada.post('/item', { title, containerId })
    return {
      id,
      key,
      path: `/item/${key}`,
      now: () => ada.get(`/item/${id}`),
      changed: async () => {
        const events = await ada.get(`/event?types=item.updated&limit=1000`)
        return events.filter(({ recordId }: { recordId: string }) => recordId === id).length
      },
    }
  }
  const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })
  async function retitle(page: Page, title: string) {
    await titleOf(page).fill(title)
    await titleOf(page).press('Enter')
  }
  test('changes that are made offline wait, are counted, and go out once when the network is back', async () => {
    const [one, two] = [await newItem('Printer jams'), await newItem('VPN drops')]
    const seat = await sit(email, one.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    await page.goto(new URL(two.path, page.url()).href)
    await titleOf(page).waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').waitFor()
    await retitle(page, 'VPN drops at')
    await retitle(page, 'VPN drops at noon')
    await page.getByText('Offline · 1 change waits').waitFor()
    assert.equal(await titleOf(page).inputValue(), 'VPN drops at noon')
    assert.equal((await two.now()).title, 'VPN drops')
    await context.setOffline(false)
    await until(async () => (await two.now()).title === 'VPN drops at noon')
    await page.getByText('Offline').waitFor({ state: 'detached' })
    assert.deepEqual([(await two.now()).version, await two.changed()], [2, 1])
    refuseFaults(seat)
  })

  test('a change whose request or answer is lost by a reload is made once', async () => {
    const [unsent, unanswered] = [await newItem('Order laptops'), await newItem('Order phones')]
    const seat = await sit(email, unsent.path)
    const { page } = seat
    for (const { item, arrives } of [
      { item: unsent, arrives: false },
      { item: unanswered, arrives: true },
    ]) {
      await page.goto(new URL(item.path, page.url()).href)
      await titleOf(page).waitFor()
      let held = 0
      await page.route('**/api/item/*', async route => {
        if (route.request().method() !== 'PATCH') return route.continue()
        if (arrives) await ana.must('PATCH', `/item/${item.id}`, { body: route.request().postDataJSON() })
        held++
        // No answer: the page is left before.
      })
      await retitle(page, 'Order ten')
      await until(async () => held > 0)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // The browser may have sent the first one after the page was left: then the second one is refused.
      await Promise.all([page.waitForResponse(each => each.request().method() === 'PATCH'), page.reload()])
      await until(async () => (await item.now()).title === 'Order ten')
      assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
    }
    refuseFaults(seat)
  })

  test('what waits in a tab that is closed is sent by another one, once', async () => {
    const item = await newItem('Replace the switch')
    const seat = await sit(email, item.path)
    const other = await seat.context.newPage()
    await other.goto(seat.page.url())
    await titleOf(other).waitFor()
    await seat.context.setOffline(true)
    await retitle(seat.page, 'Replace the core switch')
    await seat.page.getByText('1 change waits').waitFor()
    await seat.page.close()
    await seat.context.setOffline(false)
    await until(async () => (await item.now()).title === 'Replace the core switch')
    await until(async () => (await titleOf(other).inputValue()) === 'Replace the core switch')
    assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
  })

  test('without a network the app opens with what was seen last, and a change that is made then is sent', async () => {
    const item = await newItem('Label the cables')
    const seat = await sit(email, item.path, { offline: true })
    const { page, context } = seat
    await titleOf(page).waitFor()
    await until(() => page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')"))
    await page.reload()
    await titleOf(page).waitFor()
    await until(() =>
      page.evaluate("caches.open('gantry-shell').then(each => each.keys()).then(all => all.length > 5)"),
    )
    await until(() =>
      page.evaluate(`indexedDB.databases().then(all => new Promise(done => {
        const opening = indexedDB.open(all.find(({ name }) => name.startsWith('gantry.records')).name)
        opening.onsuccess = () => {
          const row = opening.result.transaction('rows').objectStore('rows').get('Item ${item.id}')
          row.onsuccess = () => done(row.result !== undefined)
        }
      }))`),
    )
    await context.setOffline(true)
    await page.reload()
    await page.getByText('Offline').waitFor()
    assert.equal(await titleOf(page).inputValue(), 'Label the cables')
    await retitle(page, 'Label all cables')
    await page.getByText('1 change waits').waitFor()
    await page.reload()
    await page.getByText('1 change waits').waitFor()
    assert.equal(await titleOf(page).inputValue(), 'Label all cables')
    await context.setOffline(false)
    await until(async () => (await item.now()).title === 'Label all cables')
    assert.equal(await item.changed(), 1)
    refuseFaults(seat)
  })

  test('while the service restarts, changes wait', async () => {
    const item = await newItem('Renew the certificate')
    const seat = await sit(email, item.path)
    const { page } = seat
    await titleOf(page).waitFor()
    await page.route('**/api/**', route => route.fulfill({ status: 503, body: 'starting' }))
    await retitle(page, 'Renew the certificates')
    await page.getByText('1 change waits').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await until(async () => (await item.now()).title === 'Renew the certificates')
    assert.deepEqual([(await item.now()).version, await item.changed()], [2, 1])
    refuseFaults(seat)
  })

  test('a change of another property goes on top of somebody else’s, and one of the same property is not written over theirs', async () => {
    const item = await newItem('Clean the server room')
    const seat = await sit(email, item.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    await context.setOffline(true)
    await retitle(page, 'Clean both server rooms')
    await page.getByText('1 change waits').waitFor()
    await ada.must('PATCH', `/item/${item.id}`, { body: { priority: 2 } })
    await context.setOffline(false)
    await until(async () => (await item.now()).title === 'Clean both server rooms')
    assert.deepEqual([(await item.now()).priority, await item.changed()], [2, 2])
    await page.getByText('Offline').waitFor({ state: 'detached' })
    await context.setOffline(true)
    await retitle(page, 'Mine')
    await page.getByText('1 change waits').waitFor()
    await ada.must('PATCH', `/item/${item.id}`, { body: { title: 'Theirs' } })
    await context.setOffline(false)
    await until(async () => (await titleOf(page).inputValue()) === 'Theirs')
    assert.deepEqual([(await item.now()).title, await item.changed()], ['Theirs', 3])
    refuseFaults(seat)
  })

  test('a session that ends during work is opened again in a window, and what waited goes out', async () => {
    const item = await newItem('Move the desks')
    const seat = await sit(email, item.path)
    const { page, context } = seat
    await titleOf(page).waitFor()
    await context.clearCookies()
    await retitle(page, 'Move all desks')
    const sheet = page.getByRole('dialog', { name: 'You are signed out' })
    await sheet.getByText('1 change waits').waitFor()
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      sheet.getByRole('button', { name: 'Sign in again' }).click(),
    ])
    await popup.fill('input[type=email], input[name=email]', email)
    await popup.fill('input[type=password]', webPassword)
    await popup.keyboard.press('Enter')
    await sheet.waitFor({ state: 'detached' })
    await until(async () => (await item.now()).title === 'Move all desks')
    assert.equal(await item.changed(), 1)
    refuseFaults(seat)
  })

  test('what ana may no longer see leaves her screen, and a sign-out leaves nothing in any tab', async () => {
    const secret = await ada.post('/container', { name: 'Merger', key: 'MRG' })
    await ada.post('/item', { title: 'Secret plan', containerId: secret.id })
    const seat = await sit(email, '/container/MRG')
    const { page, context } = seat
    await page.getByText('Secret plan').first().waitFor()
    await ada.must('PATCH', `/container/${secret.id}`, { body: { private: true } })
    await page.getByText('Secret plan').first().waitFor({ state: 'detached' })
    const other = await context.newPage()
    await other.goto(new URL('/', page.url()).href)
    await other.waitForSelector('.app')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Search').fill('Sign out')
    await page.getByRole('option', { name: 'Sign out' }).first().click()
    await other.waitForSelector('input[type=password]')
    await page.waitForSelector('input[type=password]')
  })
})
